//! The thread of a server that receives its signals, supervises its engine and serves its operators. It has an executor
//! of its own, and waits for no lock of the store: a disk that hangs can hold up every thread that serves requests.

use std::pin::pin;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use keyfold_engine::store::StoreError;
use keyfold_engine::{Engine, Health};
use tokio::runtime::{Builder, Handle};
use tokio::sync::{oneshot, watch};
use tokio::time::sleep;

use crate::exit_code;
use crate::log_output::LogOutput;
use crate::reload::Reload;
use crate::signals::Signals;
use crate::stop::{Reason, Stop};
use crate::supervisor::{Fatal, supervise};

/// The time between two tasks that the executor of the requests must run.
const HEARTBEAT: Duration = Duration::from_millis(250);

/// How long responses are still sent once the store cannot be used any more.
const LAST_RESPONSES: Duration = Duration::from_secs(1);

/// The thread, from the start of the process.
pub(crate) struct Control {
    runtime: Handle,
    opened: oneshot::Sender<Opened>,
    stop: Stop,
}

/// What the thread looks after once the data is open.
struct Opened {
    /// `None` if the backend is not the embedded engine.
    engine: Option<Arc<Engine>>,
    reload: Reload,
    /// The executor of the requests.
    requests: Handle,
}

impl Control {
    /// From now on no signal ends the process by itself. `patience` is how long the store is waited for.
    pub(crate) fn start(log: &LogOutput, patience: Duration) -> anyhow::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let signals = {
            let _inside = handle.enter();
            Signals::install()?
        };
        let (opened, opening) = oneshot::channel();
        let (ending, reason) = watch::channel(None);
        let work = run(signals, log.clone(), patience, opening, ending);
        thread::Builder::new().name("keyfold-control".to_owned()).spawn(move || runtime.block_on(work))?;
        Ok(Self { runtime: handle, opened, stop: Stop::new(reason, patience) })
    }

    /// Its executor, for what must respond while the store does not.
    pub(crate) fn runtime(&self) -> Handle {
        self.runtime.clone()
    }

    /// To be called on the executor of the requests, once the data is open.
    pub(crate) fn supervise(self, engine: Option<Arc<Engine>>, reload: Reload) -> Stop {
        let opened = Opened { engine, reload, requests: Handle::current() };
        // The thread ends with the process.
        let _ = self.opened.send(opened);
        self.stop
    }
}

async fn run(
    mut signals: Signals,
    log: LogOutput,
    patience: Duration,
    opening: oneshot::Receiver<Opened>,
    ending: watch::Sender<Option<Reason>>,
) {
    let Opened { engine, reload, requests } = until_opened(&mut signals, &log, opening).await;
    let Signals { mut end, mut others } = signals;
    // Whoever closes the engine drops the last share of it, and waits for its threads.
    let share = engine.as_ref().map(Arc::downgrade);
    let heeding = share.clone();
    tokio::spawn(async move { others.heed(log, heeding, reload).await });
    let mut heart = pin!(heartbeat(share, &requests, patience));
    let supervised = async move {
        match engine {
            Some(engine) => supervise(engine, patience).await,
            None => std::future::pending().await,
        }
    };
    let fatal = tokio::select! {
        () = end.received() => None,
        fatal = supervised => Some(fatal),
        fatal = &mut heart => Some(fatal),
    };
    let fatal = match fatal {
        Some(fatal) => fatal,
        None => {
            report!("keyfold: shutting down; completing requests in flight");
            ending.send_replace(Some(Reason::Signal));
            // Requests that hang are not completed.
            heart.await
        }
    };
    report!("keyfold: stopping: {}", fatal.text);
    let code = i32::from(fatal.code);
    ending.send_replace(Some(Reason::Fatal(fatal)));
    sleep(LAST_RESPONSES).await;
    std::process::exit(code);
}

/// A process that is stopped before it serves ends at once: it has acknowledged nothing.
async fn until_opened(signals: &mut Signals, log: &LogOutput, opening: oneshot::Receiver<Opened>) -> Opened {
    let opened = async {
        match opening.await {
            Ok(opened) => opened,
            // The data cannot be opened, and the process is about to end.
            Err(_) => std::future::pending().await,
        }
    };
    let mut opened = pin!(opened);
    let Signals { end, others } = signals;
    let ended = async {
        tokio::select! {
            () = end.received() => {}
            () = others.heed(log.clone(), None, Reload::default()) => {}
        }
    };
    tokio::select! {
        biased;
        opened = &mut opened => opened,
        () = ended => {
            report!("keyfold: stopped before it served requests");
            std::process::exit(0);
        }
    }
}

/// Returns once the engine has hung for as long as `patience`, or its requests: their executor runs no task if every
/// thread of it waits for the disk.
async fn heartbeat(engine: Option<Weak<Engine>>, requests: &Handle, patience: Duration) -> Fatal {
    let Some(engine) = engine else { return std::future::pending().await };
    let mut beat = requests.spawn(async {});
    let mut waited = Duration::ZERO;
    loop {
        // Counts as one step, however long it takes by the clock: the process may be stopped meanwhile.
        sleep(HEARTBEAT).await;
        waited += HEARTBEAT;
        // So is the task of an executor that has ended.
        if beat.is_finished() {
            beat = requests.spawn(async {});
            waited = Duration::ZERO;
        }
        // The engine was closed.
        let Some(engine) = engine.upgrade() else { return std::future::pending().await };
        let cause = match engine.health() {
            Health::Broken(cause @ StoreError::Unresponsive { .. }) => cause,
            _ if waited >= patience => StoreError::Unresponsive { seconds: waited.as_secs() },
            _ => continue,
        };
        return Fatal { code: exit_code::for_store_error(&cause), text: cause.to_string() };
    }
}
