//! Watches the store: a failure of its own threads, a removed folder or a full disk is noticed without a write.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use crate::background_thread::{BackgroundThread, StopSignal};
use crate::damage::Damage;
use crate::health::Health;
use crate::scrub::find_damage;
use crate::shared::Shared;
use crate::store::{CorruptKind, Store, StoreError};

/// The time between two looks at the store.
const INTERVAL: Duration = Duration::from_millis(250);

/// A disk that syncs fewer bytes per second counts as one that hangs.
const SLOWEST_SYNC: u64 = 1 << 20;

/// How a merge of tables has ended.
#[derive(Debug, thiserror::Error)]
#[error("a merge of tables met this block")]
struct MetByMerge;

/// The watching thread.
pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<BackgroundThread> {
    BackgroundThread::start("keyfold-monitor", move |stop| run(&shared, stop))
}

fn run(shared: &Shared, stop: &StopSignal) {
    let mut is_located = false;
    let mut stall = Stall::default();
    loop {
        look(shared);
        let hung = shared.probe.run(|| stall.look(shared.store.as_ref(), shared.options.unresponsive_after));
        // After a failure nothing goes on, which is no news.
        if let Some(hung) = hung.filter(|_| shared.committer.failure().is_none()) {
            shared.committer.fail(StoreError::Unresponsive { seconds: hung.as_secs() });
        }
        let failure = shared.committer.failure().filter(|_| !is_located);
        if let Some(failure) =
            failure.filter(|found| matches!(found, StoreError::Corrupt { .. }) || found.is_unexplained())
        {
            locate(shared, stop, &failure);
            is_located = true;
        }
        if stop.sleep(INTERVAL) {
            return;
        }
    }
}

/// Also called once before an engine serves, so that it never serves on a full disk.
pub(crate) fn look(shared: &Shared) {
    if let Err(error) = shared.probe.run(|| shared.store.probe()) {
        // What is known already explains it.
        if !error.is_unexplained() || shared.committer.failure().is_none() {
            shared.committer.fail(error);
        }
    }
    // Where the space cannot be told, a full disk is noticed by the commit that fails.
    if let Ok(Some(space)) = shared.probe.run(|| shared.store.disk_space()) {
        shared.disk_reserve.update(space);
    }
}

/// How long flushes and merges have made no progress. Writers do not notice it until they have to wait.
#[derive(Default)]
struct Stall {
    progress: Option<u64>,
    /// The pauses between the looks. No clock: while the process was stopped, or the machine slept, nobody made
    /// progress.
    time: Duration,
}

impl Stall {
    /// For how long the work has hung, once that is too long.
    fn look(&mut self, store: &dyn Store, patience: Duration) -> Option<Duration> {
        let progress = store.work_progress();
        if progress.is_none() || progress != self.progress {
            (self.progress, self.time) = (progress, Duration::ZERO);
            return None;
        }
        self.time += INTERVAL;
        if self.time < patience {
            return None;
        }
        // The files are synced at their end, and nothing moves meanwhile.
        let unfinished = store.unfinished_bytes().unwrap_or_default();
        let patience = patience + Duration::from_secs(unfinished / SLOWEST_SYNC);
        (self.time >= patience).then_some(self.time)
    }
}

/// Finds the block that a merge of tables met, at full speed: nothing is written any more. If it is not known why the
/// store failed, a damaged block is the cause.
fn locate(shared: &Shared, stop: &StopSignal, failure: &StoreError) {
    let go_on = |_| if stop.is_given() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    if let Err(error) = find_damage(shared, &mut { go_on }) {
        tracing::error!(%error, "the damaged data could not be located");
    }
    let damage = shared.damage.lock().clone();
    if let (StoreError::Stopped(_), Some(first)) = (failure, damage.first()) {
        let (file, range) = (Some(first.file.clone()), Some(first.bytes.clone()));
        shared.committer.explain(StoreError::Corrupt {
            kind: CorruptKind::Damaged,
            file,
            range,
            source: Arc::new(MetByMerge),
        });
    }
    let found: Vec<String> = damage.iter().map(Damage::text_for_clients).collect();
    shared.committer.refuse_because(&found.join("; "));
}

impl Shared {
    pub(crate) fn health(&self) -> Health {
        let waiting = self.committer.busy_for().max(self.probe.elapsed());
        if waiting >= self.options.unresponsive_after {
            return Health::Broken(StoreError::Unresponsive { seconds: waiting.as_secs() });
        }
        match self.committer.failure() {
            Some(cause) if cause.is_final() => Health::Broken(cause),
            Some(cause @ StoreError::Corrupt { .. }) => Health::ReadOnly { cause, damage: self.damage.lock().clone() },
            Some(cause) => Health::Failed(cause),
            None => self.disk_reserve.health(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;

    use super::*;
    use crate::store::{Change, Durability, FjallStore, MemoryStore, Row, Snapshot, StoreSettings};
    use crate::{Engine, Options};

    /// A store with work to do.
    #[derive(Default)]
    struct Working {
        rows: MemoryStore,
        progress: AtomicU64,
        unfinished: u64,
    }

    impl Store for Working {
        fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
            self.rows.get(key)
        }

        fn snapshot(&self) -> Box<dyn Snapshot> {
            self.rows.snapshot()
        }

        fn commit(&self, changes: Vec<Change>, durability: Durability) -> Result<(), StoreError> {
            self.rows.commit(changes, durability)
        }

        fn sync(&self) -> Result<(), StoreError> {
            Ok(())
        }

        fn disk_bytes(&self) -> Result<u64, StoreError> {
            Ok(0)
        }

        fn work_progress(&self) -> Option<u64> {
            Some(self.progress.load(Ordering::SeqCst)).filter(|progress| *progress > 0)
        }

        fn unfinished_bytes(&self) -> Result<u64, StoreError> {
            Ok(self.unfinished)
        }
    }

    /// The second at which the work hung, of a hundred.
    fn hung_at(store: &Working, mut work: impl FnMut(u64)) -> Option<u64> {
        let mut stall = Stall::default();
        (0..400).map(|look| look / 4).find(|second| {
            work(*second);
            stall.look(store, Duration::from_secs(30)).is_some()
        })
    }

    #[test]
    fn work_without_progress_hangs_and_slow_work_does_not() {
        let store = Working::default();
        assert_eq!(hung_at(&store, |_| {}), None, "there is nothing to do");
        store.progress.store(1, Ordering::SeqCst);
        assert_eq!(hung_at(&store, |_| {}), Some(30));
        let slow = |at| store.progress.store(1 + at / 29, Ordering::SeqCst);
        assert_eq!(hung_at(&store, slow), None);
        let store = Working { progress: AtomicU64::new(1), unfinished: 20 << 20, ..Working::default() };
        assert_eq!(hung_at(&store, |_| {}), Some(50), "a sync of 20 MiB takes its time");
    }

    fn settings() -> StoreSettings {
        StoreSettings { write_buffer_bytes: 64 << 10, ..StoreSettings::default() }
    }

    /// Rows that no table of the engine has.
    fn write(store: &dyn Store, round: u8) {
        for number in 0..400u16 {
            let key = [&[0xff][..], &number.to_be_bytes()].concat();
            // Fails once the store has met the damage.
            let _ = store.commit(vec![Change::Put(key, vec![round; 1000])], Durability::Relaxed);
        }
    }

    /// No test of this process forwards the messages of the store.
    #[test]
    fn a_merge_that_met_a_damaged_block_is_recognized_without_messages() {
        let folder = tempfile::tempdir().unwrap();
        let store = FjallStore::open(folder.path(), settings()).unwrap();
        write(&store, 0);
        store.reclaim(u64::MAX).unwrap();
        drop(store);
        let tables = std::fs::read_dir(folder.path().join("keyspaces/1/tables")).unwrap();
        let files = tables.map(|entry| entry.unwrap().path());
        let file = files.max_by_key(|file| file.metadata().unwrap().len()).unwrap();
        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).unwrap();

        let engine = Engine::open(folder.path(), Options { store: settings(), ..Options::default() }).unwrap();
        let started = Instant::now();
        while engine.health().name() != "read_only" {
            assert!(started.elapsed() < Duration::from_secs(60), "{}", engine.health());
            write(engine.shared().unwrap().store.as_ref(), 1);
        }
        assert!(engine.health().to_string().contains(&file.display().to_string()), "{}", engine.health());
    }
}
