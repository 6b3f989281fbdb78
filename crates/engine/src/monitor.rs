//! Watches the store: a failure of its own threads, a removed folder or a full disk is noticed without a write.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use crate::background_thread::{BackgroundThread, StopSignal};
use crate::damage::Damage;
use crate::health::Health;
use crate::scrub::find_damage;
use crate::shared::Shared;
use crate::store::{CorruptKind, StoreError};

/// The time between two looks at the store.
const INTERVAL: Duration = Duration::from_millis(250);

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
    loop {
        look(shared);
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
    use std::time::{Duration, Instant};

    use crate::store::{Change, Durability, FjallStore, Store, StoreSettings};
    use crate::{Engine, Options};

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
