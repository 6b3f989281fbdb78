//! A store whose commits or reads a test can hold up or let fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use keyfold_engine::store::{Change, DiskSpace, Durability, MemoryStore, Row, Snapshot, Store, StoreError};
use parking_lot::{Condvar, Mutex};

/// Something that threads wait at while it is closed.
#[derive(Default)]
pub(crate) struct Gate {
    closed: Mutex<bool>,
    /// How many may pass though the gate is closed.
    tickets: AtomicUsize,
    opened: Condvar,
    waiting: AtomicUsize,
}

impl Gate {
    pub(crate) fn close(&self) {
        *self.closed.lock() = true;
    }

    pub(crate) fn open(&self) {
        *self.closed.lock() = false;
        self.opened.notify_all();
    }

    pub(crate) fn pass(&self) {
        let mut closed = self.closed.lock();
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while *closed && self.tickets.load(Ordering::SeqCst) == 0 {
            self.opened.wait(&mut closed);
        }
        if *closed {
            self.tickets.fetch_sub(1, Ordering::SeqCst);
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    /// Lets one of those who wait pass, and returns once it has.
    pub(crate) fn let_one_pass(&self) {
        self.tickets.fetch_add(1, Ordering::SeqCst);
        self.opened.notify_all();
        while self.tickets.load(Ordering::SeqCst) > 0 {
            std::thread::yield_now();
        }
    }

    /// Returns once a thread waits at the closed gate.
    pub(crate) fn await_a_visitor(&self) {
        let started = Instant::now();
        while self.waiting.load(Ordering::SeqCst) == 0 {
            assert!(started.elapsed() < Duration::from_secs(10), "nobody came to the gate");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A memory store with a gate before every commit, one before the room for it, one before reads of some keys, and a
/// switch that makes commits fail.
#[derive(Default)]
pub(crate) struct GatedStore {
    pub rows: Arc<MemoryStore>,
    pub commits: Gate,
    pub room: Gate,
    pub reads: Gate,
    /// Reads of keys that contain these bytes pass the gate for reads.
    pub gated_read: Mutex<Option<Vec<u8>>>,
    pub fails: AtomicBool,
    pub sync_fails: AtomicBool,
    /// Commits fail from this one on, where it is set.
    pub fails_from: AtomicUsize,
    pub commit_count: AtomicUsize,
    /// What the store finds when it looks at itself.
    pub fault: Mutex<Option<StoreError>>,
    /// The space of its disk.
    pub space: Mutex<Option<DiskSpace>>,
}

impl GatedStore {
    /// A store over rows that are there already.
    pub(crate) fn over(rows: &Arc<MemoryStore>) -> Arc<Self> {
        Arc::new(Self { rows: Arc::clone(rows), ..Self::default() })
    }
}

impl Store for GatedStore {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
        let gated = self.gated_read.lock().clone();
        if gated.is_some_and(|part| key.windows(part.len()).any(|window| window == part)) {
            self.reads.pass();
        }
        self.rows.get(key)
    }

    fn snapshot(&self) -> Box<dyn Snapshot> {
        self.rows.snapshot()
    }

    fn wait_for_room(&self, _changes: &mut dyn Iterator<Item = &Change>) {
        self.room.pass();
    }

    fn commit(&self, changes: Vec<Change>, durability: Durability) -> Result<(), StoreError> {
        self.commits.pass();
        let number = self.commit_count.fetch_add(1, Ordering::SeqCst);
        let fails_from = self.fails_from.load(Ordering::SeqCst);
        if self.fails.load(Ordering::SeqCst) || (fails_from > 0 && number >= fails_from) {
            return Err(StoreError::from(std::io::Error::from(std::io::ErrorKind::StorageFull)));
        }
        self.rows.commit(changes, durability)
    }

    fn sync(&self) -> Result<(), StoreError> {
        match self.sync_fails.load(Ordering::SeqCst) {
            true => Err(StoreError::SyncFailed(Arc::new(std::io::Error::other("the disk")))),
            false => self.rows.sync(),
        }
    }

    fn disk_bytes(&self) -> Result<u64, StoreError> {
        self.rows.disk_bytes()
    }

    fn probe(&self) -> Result<(), StoreError> {
        self.fault.lock().clone().map_or(Ok(()), Err)
    }

    fn disk_space(&self) -> Result<Option<DiskSpace>, StoreError> {
        Ok(*self.space.lock())
    }
}
