//! Watches the store: a failure of its own threads, a removed folder or a full disk is noticed without a write.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::health::Health;
use crate::shared::Shared;
use crate::store::StoreError;

/// The time between two looks at the store.
const INTERVAL: Duration = Duration::from_millis(250);

/// A store that has not finished a commit for this long is given up.
const UNRESPONSIVE: Duration = Duration::from_secs(30);

/// The watching thread.
pub(crate) struct Monitor {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Monitor {
    pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<Self> {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let signal = Arc::clone(&stop);
        let thread = std::thread::Builder::new().name("keyfold-monitor".to_owned()).spawn(move || {
            run(&shared, &signal);
        })?;
        Ok(Self { stop, thread: Mutex::new(Some(thread)) })
    }

    pub(crate) fn stop(&self) {
        *self.stop.0.lock() = true;
        self.stop.1.notify_all();
        if let Some(thread) = self.thread.lock().take()
            && thread.join().is_err()
        {
            tracing::error!("the monitoring thread panicked");
        }
    }
}

fn run(shared: &Shared, (stopped, wake): &(Mutex<bool>, Condvar)) {
    loop {
        look(shared);
        let mut stopped = stopped.lock();
        if !*stopped {
            wake.wait_for(&mut stopped, INTERVAL);
        }
        if *stopped {
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

impl Shared {
    pub(crate) fn health(&self) -> Health {
        let waiting = self.committer.busy_for().max(self.probe.elapsed());
        if waiting >= UNRESPONSIVE {
            return Health::Broken(StoreError::Unresponsive { seconds: waiting.as_secs() });
        }
        match self.committer.failure() {
            Some(cause) if cause.is_final() => Health::Broken(cause),
            Some(cause) => Health::Failed(cause),
            None => self.disk_reserve.health(),
        }
    }
}
