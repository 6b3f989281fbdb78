//! Reads all table files, slowly, to find damaged blocks before a merge of tables meets them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use keyfold_dynamo::ServiceError;

use crate::background_thread::{BackgroundThread, StopSignal};
use crate::catalog::TableDefinition;
use crate::damage::Damage;
use crate::failure::store_failed;
use crate::shared::Shared;
use crate::store::OnRead;

/// The most that is read in a second.
const BYTES_PER_SECOND: u64 = 8 << 20;
/// The same, if it is known that something is damaged.
const BYTES_PER_SECOND_AFTER_DAMAGE: u64 = 128 << 20;
/// It is read in pieces of about this size, with pauses between them.
const PIECE: u64 = 1 << 20;
/// The longest pause before the first pass.
const FIRST_PAUSE: Duration = Duration::from_secs(60);
/// The time between two looks whether a read has met damage.
const LOOK: Duration = Duration::from_millis(500);
/// Reads of damaged rows keep failing: the time between two passes because of them. It doubles with each pass that
/// finds nothing new.
const PAUSE_AFTER_DAMAGE: Duration = Duration::from_secs(10 * 60);
const LONGEST_PAUSE_AFTER_DAMAGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The reading thread.
pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<BackgroundThread> {
    BackgroundThread::start("keyfold-scrub", move |stop| run(&shared, stop))
}

fn run(shared: &Shared, stop: &StopSignal) {
    let interval = shared.options.scrub_interval;
    let mut pause = interval.min(FIRST_PAUSE);
    let mut searches = Searches::default();
    loop {
        let cause = wait(shared, stop, pause, &mut searches);
        let rate = match cause {
            Cause::Stop => return,
            Cause::Time => {
                searches.begin();
                BYTES_PER_SECOND
            }
            Cause::Damage => BYTES_PER_SECOND_AFTER_DAMAGE,
        };
        match pass(shared, stop, rate) {
            Ok(news) if matches!(cause, Cause::Damage) => searches.end(news),
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "table files could not be checked; they are checked again later"),
        }
        pause = interval;
    }
}

/// When passes begin because reads have met damage.
struct Searches {
    since_last: Duration,
    pause: Duration,
    /// A read has met damage, and no pass has begun since.
    is_wanted: bool,
}

/// The first one is due at once.
impl Default for Searches {
    fn default() -> Self {
        Self { since_last: PAUSE_AFTER_DAMAGE, pause: PAUSE_AFTER_DAMAGE, is_wanted: false }
    }
}

impl Searches {
    /// Whether a pass is due.
    fn look(&mut self, step: Duration, has_met_damage: bool) -> bool {
        self.since_last += step;
        // New damage that is met during the pause is searched once it is over, whether or not it is met again.
        self.is_wanted |= has_met_damage;
        let is_due = self.is_wanted && self.since_last >= self.pause;
        if is_due {
            self.since_last = Duration::ZERO;
            self.begin();
        }
        is_due
    }

    /// Takes note that a pass begins, which finds what was met until now.
    fn begin(&mut self) {
        self.is_wanted = false;
    }

    /// Takes note of how many damaged blocks a pass has found that were not known.
    fn end(&mut self, news: usize) {
        self.pause = match news {
            0 => (self.pause * 2).min(LONGEST_PAUSE_AFTER_DAMAGE),
            _ => PAUSE_AFTER_DAMAGE,
        };
    }
}

/// Why a pause has ended.
enum Cause {
    Stop,
    Time,
    /// A read has met damage whose place is not known.
    Damage,
}

fn wait(shared: &Shared, stop: &StopSignal, mut rest: Duration, searches: &mut Searches) -> Cause {
    while !rest.is_zero() {
        let step = rest.min(LOOK);
        if stop.sleep(step) {
            return Cause::Stop;
        }
        rest -= step;
        if searches.look(step, shared.store.has_met_damage()) {
            return Cause::Damage;
        }
    }
    Cause::Time
}

/// All tables once, at a bounded rate. Gives the number of damaged blocks that were not known.
fn pass(shared: &Shared, stop: &StopSignal, rate: u64) -> Result<usize, ServiceError> {
    let mut unpaid = 0;
    find_damage(shared, &mut |bytes| {
        unpaid += bytes;
        if unpaid < PIECE {
            return ControlFlow::Continue(());
        }
        let pause = Duration::from_secs_f64(unpaid as f64 / rate as f64);
        unpaid = 0;
        if stop.sleep(pause) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

/// Reads all tables, and records what is damaged. Gives the number of damaged blocks that were not known.
pub(crate) fn find_damage(shared: &Shared, on_read: &mut OnRead<'_>) -> Result<usize, ServiceError> {
    let faults = shared.store.find_damage(on_read).map_err(|error| store_failed(&error))?;
    let tables: Vec<TableDefinition> = shared.catalog.all().iter().map(|table| (*table.definition()).clone()).collect();
    let mut known = shared.damage.lock();
    let before = known.len();
    for found in faults.iter().map(|fault| Damage::new(&tables, fault)) {
        // The rows have another text once a table is deleted.
        if !known.iter().any(|known| (&known.file, &known.bytes) == (&found.file, &found.bytes)) {
            tracing::error!(
                damage = %found,
                "stored data is damaged; reads elsewhere and writes go on until the store merges this table"
            );
            known.push(found);
        }
    }
    Ok(known.len() - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// The minutes at which a pass begins, if reads go on meeting damage; `news` is how many blocks each pass finds.
    fn begun(minutes: u64, news: &[usize]) -> Vec<u64> {
        let mut searches = Searches::default();
        let mut news = news.iter().copied();
        let mut is_due = |_: &u64| {
            let is_due = searches.look(MINUTE, true);
            if is_due {
                searches.end(news.next().unwrap_or(0));
            }
            is_due
        };
        (0..minutes).filter(|minute| is_due(minute)).collect()
    }

    #[test]
    fn damage_that_is_known_is_searched_less_and_less_often() {
        assert_eq!(begun(100, &[1, 0, 0]), [0, 10, 30, 70]);
        assert_eq!(begun(100, &[1, 0, 1]), [0, 10, 30, 40, 60]);
        let days = begun(10 * 24 * 60, &[]);
        assert_eq!(days[days.len() - 1] - days[days.len() - 2], 24 * 60);
    }

    #[test]
    fn damage_that_a_read_meets_once_during_the_pause_is_searched_after_it() {
        let mut searches = Searches::default();
        assert!(searches.look(MINUTE, true));
        searches.end(1);
        let due: Vec<u64> = (1..30).filter(|minute| searches.look(MINUTE, *minute == 3)).collect();
        assert_eq!(due, [10]);
        // A pass for another cause finds it as well.
        searches.look(MINUTE, true);
        searches.begin();
        assert!(!searches.look(100 * MINUTE, false));
    }

    #[test]
    fn nothing_is_searched_while_no_read_meets_damage() {
        let mut searches = Searches::default();
        assert!(!searches.look(100 * MINUTE, false));
        assert!(searches.look(Duration::ZERO, true));
        assert!(!searches.look(Duration::ZERO, true));
    }
}
