//! Recovery without a restart: the store is closed and opened again, with the verification of every opening.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

use crate::failure::describe;
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
}

#[derive(Default)]
struct Attempt {
    /// Resolves when the previous session is closed; `None` if it is.
    closing: Option<Receiver<()>>,
}

impl Reopening {
    pub(crate) fn new(open_store: OpenStore, options: Options) -> Self {
        Self { open_store, options, attempt: Mutex::default(), failure: Mutex::default() }
    }

    /// The state of an engine without a store.
    pub(crate) fn health(&self) -> Health {
        match &*self.failure.lock() {
            Some(cause) if cause.is_final() => Health::Broken(cause.clone()),
            _ => Health::Reopening,
        }
    }

    /// Why the store could not be opened again.
    pub(crate) fn failure(&self) -> Result<(), StoreError> {
        self.failure.lock().clone().map_or(Ok(()), Err)
    }

    /// Closes the session and starts another one.
    pub(crate) fn run(&self, session: &RwLock<Option<Session>>) -> Result<(), ReopenError> {
        let mut attempt = self.attempt.lock();
        let health = session.read().as_ref().map_or_else(|| self.health(), |session| session.shared.health());
        if let Health::Broken(cause) = health {
            return Err(ReopenError::Broken(cause));
        }
        if let Some(session) = session.write().take() {
            attempt.closing = Some(close(session).map_err(OpenError::from)?);
        }
        attempt.wait_until_closed()?;
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
                    tracing::error!(kind = cause.kind(), cause = describe(cause), "the store could not be reopened");
                    *self.failure.lock() = Some(cause.clone());
                }
                Err(error.into())
            }
        }
    }
}

impl Attempt {
    fn wait_until_closed(&mut self) -> Result<(), ReopenError> {
        let Some(closing) = &self.closing else { return Ok(()) };
        if closing.recv_timeout(CLOSE_DEADLINE) == Err(RecvTimeoutError::Timeout) {
            return Err(ReopenError::Busy);
        }
        self.closing = None;
        Ok(())
    }
}

/// On a thread of its own: a store that hangs must not block the caller.
fn close(session: Session) -> std::io::Result<Receiver<()>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().name("keyfold-close".to_owned()).spawn(move || {
        session.close();
        // The caller may have given up.
        let _ = sender.send(());
    })?;
    Ok(receiver)
}
