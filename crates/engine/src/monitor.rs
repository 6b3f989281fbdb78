//! Watches the store: a failure of its own threads, a removed folder or a full disk is noticed without a write.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use crate::background_thread::{BackgroundThread, StopSignal};
use crate::damage::Damage;
use crate::health::Health;
use crate::scrub::find_damage;
use crate::shared::Shared;
use crate::store::StoreError;

/// The time between two looks at the store.
const INTERVAL: Duration = Duration::from_millis(250);

/// A store that has not finished a commit for this long is given up.
const UNRESPONSIVE: Duration = Duration::from_secs(30);

/// The watching thread.
pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<BackgroundThread> {
    BackgroundThread::start("keyfold-monitor", move |stop| run(&shared, stop))
}

fn run(shared: &Shared, stop: &StopSignal) {
    let mut is_located = false;
    loop {
        look(shared);
        if !is_located && matches!(shared.committer.failure(), Some(StoreError::Corrupt { .. })) {
            locate(shared, stop);
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
        shared.committer.fail(error);
    }
    // Where the space cannot be told, a full disk is noticed by the commit that fails.
    if let Ok(Some(space)) = shared.probe.run(|| shared.store.disk_space()) {
        shared.disk_reserve.update(space);
    }
}

/// Finds the block that a merge of tables met, at full speed: nothing is written any more.
fn locate(shared: &Shared, stop: &StopSignal) {
    let go_on = |_| if stop.is_given() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    if let Err(error) = find_damage(shared, &mut { go_on }) {
        tracing::error!(%error, "the damaged data could not be located");
    }
    let found: Vec<String> = shared.damage.lock().iter().map(Damage::text_for_clients).collect();
    shared.committer.refuse_because(&found.join("; "));
}

impl Shared {
    pub(crate) fn health(&self) -> Health {
        let waiting = self.committer.busy_for().max(self.probe.elapsed());
        if waiting >= UNRESPONSIVE {
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
