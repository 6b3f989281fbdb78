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
/// Reads of damaged rows go on failing: the time between two passes because of them.
const PAUSE_AFTER_DAMAGE: Duration = Duration::from_secs(10 * 60);

/// The reading thread.
pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<BackgroundThread> {
    BackgroundThread::start("keyfold-scrub", move |stop| run(&shared, stop))
}

fn run(shared: &Shared, stop: &StopSignal) {
    let interval = shared.options.scrub_interval;
    let mut pause = interval.min(FIRST_PAUSE);
    // The first search is due at once.
    let mut since_search = PAUSE_AFTER_DAMAGE;
    loop {
        let rate = match wait(shared, stop, pause, &mut since_search) {
            Cause::Stop => return,
            Cause::Time => BYTES_PER_SECOND,
            Cause::Damage => {
                since_search = Duration::ZERO;
                BYTES_PER_SECOND_AFTER_DAMAGE
            }
        };
        if let Err(error) = pass(shared, stop, rate) {
            tracing::warn!(%error, "table files could not be checked; they are checked again later");
        }
        pause = interval;
    }
}

/// Why a pause has ended.
enum Cause {
    Stop,
    Time,
    /// A read has met damage whose place is not known.
    Damage,
}

fn wait(shared: &Shared, stop: &StopSignal, mut rest: Duration, since_search: &mut Duration) -> Cause {
    while !rest.is_zero() {
        let step = rest.min(LOOK);
        if stop.sleep(step) {
            return Cause::Stop;
        }
        rest -= step;
        *since_search += step;
        if shared.store.has_met_damage() && *since_search >= PAUSE_AFTER_DAMAGE {
            return Cause::Damage;
        }
    }
    Cause::Time
}

/// All tables once, at a bounded rate.
fn pass(shared: &Shared, stop: &StopSignal, rate: u64) -> Result<(), ServiceError> {
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

/// Reads all tables, and records what is damaged.
pub(crate) fn find_damage(shared: &Shared, on_read: &mut OnRead<'_>) -> Result<(), ServiceError> {
    let faults = shared.store.find_damage(on_read).map_err(|error| store_failed(&error))?;
    let tables: Vec<TableDefinition> = shared.catalog.all().iter().map(|table| (*table.definition()).clone()).collect();
    let mut known = shared.damage.lock();
    for found in faults.iter().map(|fault| Damage::new(&tables, fault)) {
        if !known.contains(&found) {
            tracing::error!(
                damage = %found,
                "stored data is damaged; reads elsewhere and writes go on until the store merges this table"
            );
            known.push(found);
        }
    }
    Ok(())
}
