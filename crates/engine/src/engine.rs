//! The engine: opened on a folder or in memory, shared by threads, closed when dropped.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::catalog::Catalog;
use crate::commit::{self, CommitTarget, Committer};
use crate::engine_time::EngineTime;
use crate::in_flight::InFlight;
use crate::maintenance::Maintenance;
use crate::options::{OpenError, Options};
use crate::rows::layout;
use crate::shared::Shared;
use crate::store::{Change, Durability, FjallStore, MemoryStore, Store};
use crate::work_lists::WorkLists;

/// The version of the row layout; a folder with another version is refused.
const FORMAT: u32 = 2;

/// An embedded DynamoDB. Cheap to share behind an `Arc`; several may live in one process, each on a folder of its own.
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
    maintenance: Maintenance,
}

impl Engine {
    /// Opens or creates an engine in a folder. After a crash this replays the write-ahead log; it scans no data.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, OpenError> {
        let store = FjallStore::open(path.as_ref(), options.store)?;
        Self::with_store(Arc::new(store), options)
    }

    /// Whether a folder holds an engine's data, even damaged data. A missing folder holds none.
    pub fn exists_in(path: impl AsRef<Path>) -> bool {
        FjallStore::exists_in(path.as_ref())
    }

    /// An engine whose data is lost when it is dropped.
    pub fn in_memory(options: Options) -> Result<Self, OpenError> {
        Self::with_store(Arc::new(MemoryStore::default()), options)
    }

    /// An engine on any store.
    pub fn with_store(store: Arc<dyn Store>, options: Options) -> Result<Self, OpenError> {
        check_format(store.as_ref(), options.clock.now_ms())?;
        let catalog = Catalog::load(store.as_ref())?;
        let in_flight = Arc::new(InFlight::default());
        let counts = load_counts(store.as_ref())?;
        let work_lists = Arc::new(WorkLists::default());
        let time = Arc::new(EngineTime::open(store.as_ref(), Arc::clone(&options.clock))?);
        let target = CommitTarget {
            store: Arc::clone(&store),
            in_flight: Arc::clone(&in_flight),
            work_lists: Arc::clone(&work_lists),
            time: Arc::clone(&time),
        };
        let committer = Committer::start(target, options.durability, counts)?;
        let shared = Arc::new(Shared {
            store,
            catalog,
            in_flight,
            committer,
            options,
            time,
            definitions: Mutex::default(),
            maintaining: Mutex::default(),
            work_lists,
        });
        let maintenance = Maintenance::start(Arc::clone(&shared))?;
        Ok(Self { shared, maintenance })
    }

    /// One round of everything that otherwise runs in the background: expiry, tokens, backfills, deletions. For tests
    /// and tools that drive the clock.
    pub fn run_maintenance(&self) -> Result<(), keyfold_dynamo::ServiceError> {
        crate::maintenance::run_to_end(&self.shared)
    }
}

impl Engine {
    /// Trusts the clock after it was set forward by more than a minute, or is more than a day ahead of the newest time
    /// in the data: items expire again at once instead of after ten minutes. Without effect at other times.
    pub fn confirm_clock(&self) {
        self.shared.time.confirm();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.maintenance.stop();
        self.shared.committer.stop();
    }
}

/// Refuses data of another format; an empty store is prepared.
fn check_format(store: &dyn Store, now_ms: u64) -> Result<(), OpenError> {
    match store.get(&layout::format_version())? {
        None => {
            let version = Change::Put(layout::format_version(), FORMAT.to_be_bytes().to_vec());
            let time = Change::Put(layout::newest_time(), now_ms.to_be_bytes().to_vec());
            Ok(store.commit(vec![version, time], Durability::Durable)?)
        }
        Some(bytes) => {
            let found = <[u8; 4]>::try_from(&*bytes).map(u32::from_be_bytes).map_err(|_| OpenError::Damaged)?;
            if found == FORMAT { Ok(()) } else { Err(OpenError::Format { found, expected: FORMAT }) }
        }
    }
}

fn load_counts(store: &dyn Store) -> Result<HashMap<layout::RangeId, commit::Count>, OpenError> {
    let mut counts = HashMap::new();
    for row in store.snapshot().range(layout::all_counters(), false) {
        let (key, value) = row?;
        let range = layout::range_id(&key).ok_or(OpenError::Damaged)?;
        counts.insert(range, commit::decode_count(&value).ok_or(OpenError::Damaged)?);
    }
    Ok(counts)
}
