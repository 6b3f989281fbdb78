//! The engine: opened on a folder or in memory, shared by threads, closed when dropped.

use std::path::Path;
use std::sync::Arc;

use keyfold_dynamo::ServiceError;
use keyfold_environment::error_chain;
use parking_lot::RwLock;

use crate::damage::Damage;
use crate::failure::recovering;
use crate::health::Health;
use crate::options::{OpenError, Options};
use crate::reopen::{OpenStore, ReopenError, Reopening};
use crate::session::{Session, warn_of_a_small_disk};
use crate::shared::Shared;
use crate::store::{Cut, DiskSpace, FjallStore, MemoryStore, Store, StoreError};

/// An embedded DynamoDB. Cheap to share behind an `Arc`; several may live in one process, each on a folder of its own.
pub struct Engine {
    /// `None` while the store is being reopened.
    session: RwLock<Option<Session>>,
    reopening: Reopening,
}

impl Engine {
    /// Opens or creates an engine in a folder. After a crash this replays the write-ahead log; it scans no data.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, OpenError> {
        let (folder, settings) = (path.as_ref().to_owned(), options.store);
        Self::start(Box::new(move || Ok(Arc::new(FjallStore::open(&folder, settings)?))), options)
    }

    /// Whether a folder holds an engine's data, even damaged data. A missing folder holds none.
    pub fn exists_in(path: impl AsRef<Path>) -> bool {
        FjallStore::exists_in(path.as_ref())
    }

    /// The ends of journals that were cut off when an engine was opened on this folder, until [`Engine::confirm_cuts`].
    /// They held commits that a power failure tore before they were acknowledged, or that were relaxed.
    pub fn unconfirmed_cuts(path: impl AsRef<Path>) -> Result<Vec<Cut>, StoreError> {
        FjallStore::unconfirmed_cuts(path.as_ref())
    }

    /// Forgets the ends of journals that were cut off, and gives them. Fails while an engine has the folder open.
    pub fn confirm_cuts(path: impl AsRef<Path>) -> Result<Vec<Cut>, StoreError> {
        FjallStore::confirm_cuts(path.as_ref())
    }

    /// An engine whose data is lost when it is dropped.
    pub fn in_memory(options: Options) -> Result<Self, OpenError> {
        Self::with_store(Arc::new(MemoryStore::default()), options)
    }

    /// An engine on any store. [`Engine::reopen`] uses the same store again.
    pub fn with_store(store: Arc<dyn Store>, options: Options) -> Result<Self, OpenError> {
        Self::start(Box::new(move || Ok(Arc::clone(&store))), options)
    }

    fn start(open_store: OpenStore, options: Options) -> Result<Self, OpenError> {
        let session = Session::start(open_store()?, options.clone())?;
        warn_of_a_small_disk(&session.shared);
        Ok(Self { session: RwLock::new(Some(session)), reopening: Reopening::new(open_store, options) })
    }

    /// The state of the open store. It keeps the store open, so it is held for one operation only.
    pub(crate) fn shared(&self) -> Result<Arc<Shared>, ServiceError> {
        self.session.read().as_ref().map(|session| Arc::clone(&session.shared)).ok_or_else(recovering)
    }

    /// One round of everything that otherwise runs in the background: expiry, tokens, backfills, deletions. For tests
    /// and tools that drive the clock.
    pub fn run_maintenance(&self) -> Result<(), ServiceError> {
        crate::maintenance::run_to_end(self.shared()?.as_ref())
    }

    /// What the engine can do at the moment. Cheap; call it as often as you like.
    ///
    /// ```
    /// use keyfold_engine::{Engine, Health, Options};
    ///
    /// let engine = Engine::in_memory(Options::default())?;
    /// match engine.health() {
    ///     Health::Serving | Health::Reopening => {}
    ///     Health::NearlyFull { free_bytes, .. } => eprintln!("{free_bytes} bytes left: only deletes are accepted"),
    ///     // The cause may have passed: a full disk, too many open files, a disk that did not respond.
    ///     Health::Failed(_) => engine.reopen()?,
    ///     // Only a new engine can tell what is on disk.
    ///     broken => eprintln!("{broken}"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn health(&self) -> Health {
        match self.session.read().as_ref() {
            Some(session) => session.shared.health(),
            None => self.reopening.health(),
        }
    }

    /// The damaged blocks that were found since the store was opened, by the scrub or because a merge met them. Reads
    /// of their rows fail; reads elsewhere go on, and writes until the store merges the tables.
    pub fn damage(&self) -> Vec<Damage> {
        self.shared().map_or_else(|_| Vec::new(), |shared| shared.damage.lock().clone())
    }

    /// Closes the store and opens it again, after [`Health::Failed`]. The writes in flight get their errors, operations
    /// that run are waited for, and others are refused meanwhile with [`ServiceError::Unavailable`]. The data goes
    /// through the same checks as with [`Engine::open`], so no acknowledged write is lost.
    ///
    /// It can take seconds, and blocks this thread. After an error, call it again, with a pause, unless it is
    /// [`ReopenError::Broken`] or [`ReopenError::Closed`].
    pub fn reopen(&self) -> Result<(), ReopenError> {
        self.reopening.run(&self.session)
    }

    /// The space of the disk that holds the data; `None` where it is not known, and for an engine in memory.
    pub fn disk_space(&self) -> Option<DiskSpace> {
        self.shared().ok()?.store.disk_space().ok().flatten()
    }

    /// The same as the thread that watches the store has last seen it. Never waits for the disk.
    pub fn known_disk_space(&self) -> Option<DiskSpace> {
        self.shared().ok()?.disk_reserve.known()
    }

    /// The space that [`Engine::reopen`] would return to the file system: that of unfinished files after a failure, and
    /// of journals on a disk that is small for them.
    pub fn bytes_freed_by_reopening(&self) -> u64 {
        self.shared().ok().and_then(|shared| shared.store.bytes_freed_by_reopening().ok()).unwrap_or_default()
    }

    /// Whether nothing can be written to the disk that holds the data, because its file system is or became read-only.
    /// Tries to write a file; for the time after a failure.
    pub fn is_disk_read_only(&self) -> bool {
        self.shared().is_ok_and(|shared| shared.store.is_disk_read_only())
    }

    /// Trusts the clock after it was set forward by more than a minute, or is more than a day ahead of the newest time
    /// in the data: items expire again at once instead of after ten minutes. Without effect at other times.
    pub fn confirm_clock(&self) {
        if let Ok(shared) = self.shared() {
            shared.time.confirm();
        }
    }

    /// Completes the writes in flight, brings everything to disk and accepts no more writes. A [`Engine::reopen`] that
    /// is under way is waited for, and none follows. Dropping the engine does the same; here its failure can be seen.
    pub fn close(&self) -> Result<(), StoreError> {
        let ended = self.reopening.end();
        match self.session.read().as_ref() {
            Some(session) => session.stop(),
            None => ended,
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::error!(cause = error_chain(&error), "the last sync failed");
        }
    }
}
