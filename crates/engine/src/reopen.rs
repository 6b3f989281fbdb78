//! Recovery without a restart: the store is closed and opened again, with the verification of every opening.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use keyfold_environment::error_chain;
use parking_lot::{Mutex, RwLock};

use crate::health::Health;
use crate::options::{OpenError, Options};
use crate::session::Session;
use crate::store::{Store, StoreError};

/// How long operations in flight and the threads of the store are waited for.
const CLOSE_DEADLINE: Duration = Duration::from_secs(4);

/// Why an engine could not be reopened.
#[derive(Debug, thiserror::Error)]
pub enum ReopenError {
    /// The store cannot be reopened in this state; a new engine is needed.
    #[error("the store cannot be reopened")]
    Broken(#[source] StoreError),
    /// An operation or a thread of the store has not ended yet. Another call waits for it again.
    #[error("the store is still in use")]
    Busy,
    /// The engine was closed.
    #[error("the engine was closed")]
    Closed,
    /// The store could not be opened again. Another call tries it again.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// Opens the store, at the start and whenever it is reopened.
pub(crate) type OpenStore = Box<dyn Fn() -> Result<Arc<dyn Store>, StoreError> + Send + Sync>;

/// What is needed to open the store again.
pub(crate) struct Reopening {
    open_store: OpenStore,
    options: Options,
    /// Held while the store is reopened: one attempt at a time.
    attempt: Mutex<Attempt>,
    /// Why the last attempt failed.
    failure: Mutex<Option<StoreError>>,
    /// Whether the engine was closed: no attempt begins any more.
    is_closed: AtomicBool,
}

#[derive(Default)]
struct Attempt {
    /// Resolves when the previous session is closed; `None` if it is.
    closing: Option<Receiver<Result<(), StoreError>>>,
}

impl Reopening {
    pub(crate) fn new(open_store: OpenStore, options: Options) -> Self {
        Self {
            open_store,
            options,
            attempt: Mutex::default(),
            failure: Mutex::default(),
            is_closed: AtomicBool::default(),
        }
    }

    /// The state of an engine without a store.
    pub(crate) fn health(&self) -> Health {
        match &*self.failure.lock() {
            Some(cause) if cause.is_final() => Health::Broken(cause.clone()),
            _ => Health::Reopening,
        }
    }

    /// Lets no attempt begin any more, and waits for the one that is under way: the engine may have a store again
    /// afterwards. If it has none, this is why.
    pub(crate) fn end(&self) -> Result<(), StoreError> {
        self.is_closed.store(true, Ordering::SeqCst);
        match self.attempt.lock().wait_until_closed() {
            Err(ReopenError::Broken(cause)) => self.set_failure(&cause),
            Err(_) => return Err(StoreError::Unresponsive { seconds: CLOSE_DEADLINE.as_secs() }),
            Ok(()) => {}
        }
        self.failure.lock().clone().map_or(Ok(()), Err)
    }

    fn set_failure(&self, cause: &StoreError) {
        tracing::error!(kind = cause.kind(), cause = error_chain(cause), "the store could not be reopened");
        *self.failure.lock() = Some(cause.clone());
    }

    /// Closes the session and starts another one.
    pub(crate) fn run(&self, session: &RwLock<Option<Session>>) -> Result<(), ReopenError> {
        let mut attempt = self.attempt.lock();
        if self.is_closed.load(Ordering::SeqCst) {
            return Err(ReopenError::Closed);
        }
        let health = session.read().as_ref().map_or_else(|| self.health(), |session| session.shared.health());
        if let Health::Broken(cause) = health {
            return Err(ReopenError::Broken(cause));
        }
        if let Some(session) = session.write().take() {
            attempt.closing = Some(close(session).map_err(OpenError::from)?);
        }
        if let Err(error) = attempt.wait_until_closed() {
            if let ReopenError::Broken(cause) = &error {
                self.set_failure(cause);
            }
            return Err(error);
        }
        let opened =
            (self.open_store)().map_err(OpenError::from).and_then(|store| Session::start(store, self.options.clone()));
        match opened {
            Ok(opened) => {
                *session.write() = Some(opened);
                *self.failure.lock() = None;
                tracing::warn!("the store was reopened; writes are accepted");
                Ok(())
            }
            Err(error) => {
                if let OpenError::Store(cause) = &error {
                    self.set_failure(cause);
                }
                Err(error.into())
            }
        }
    }
}

impl Attempt {
    /// Fails with [`ReopenError::Broken`] if it is not known what is on disk: opening it again would prove nothing.
    fn wait_until_closed(&mut self) -> Result<(), ReopenError> {
        let Some(closing) = &self.closing else { return Ok(()) };
        let closed = match closing.recv_timeout(CLOSE_DEADLINE) {
            Ok(closed) => closed,
            Err(RecvTimeoutError::Timeout) => return Err(ReopenError::Busy),
            // Its thread panicked, and has dropped the store.
            Err(RecvTimeoutError::Disconnected) => Ok(()),
        };
        self.closing = None;
        match closed {
            Err(cause) if cause.is_final() => Err(ReopenError::Broken(cause)),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// On a thread of its own: a store that hangs must not block the caller.
fn close(session: Session) -> std::io::Result<Receiver<Result<(), StoreError>>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().name("keyfold-close".to_owned()).spawn(move || {
        let closed = session.close();
        // The caller may have given up.
        let _ = sender.send(closed);
    })?;
    Ok(receiver)
}
