//! The engine between opening its store and closing it: the shared state, and the threads that work on it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::background_thread::BackgroundThread;
use crate::catalog::Catalog;
use crate::commit::{self, CommitTarget, Committer};
use crate::disk_reserve::DiskReserve;
use crate::engine_time::EngineTime;
use crate::in_flight::InFlight;
use crate::maintenance;
use crate::monitor;
use crate::options::{OpenError, Options};
use crate::rows::layout;
use crate::running_time::{BusyTime, RunningTime};
use crate::scrub;
use crate::shared::Shared;
use crate::store::{Change, DiskSpace, Durability, Store, StoreError, locate, with_remedy};
use crate::work_lists::WorkLists;

/// The version of the row layout; a folder with another version is refused.
pub(crate) const FORMAT: u32 = 2;

/// A disk of less than so many write buffers is small.
const SMALL_DISK_BUFFERS: u64 = 16;

/// The pause between two looks whether the last operation has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// An open store with its threads.
pub(crate) struct Session {
    pub(crate) shared: Arc<Shared>,
    /// In the order in which they are stopped.
    threads: Vec<BackgroundThread>,
    /// Goes on until the store is closed, so that a last commit that hangs is noticed.
    _running_time: BackgroundThread,
}

impl Session {
    /// Damage that keeps the engine from starting is located.
    pub(crate) fn start(store: Arc<dyn Store>, options: Options) -> Result<Self, OpenError> {
        Self::begin(Arc::clone(&store), options).map_err(|error| match error {
            OpenError::Store(error) => {
                let find = || store.find_damage(&mut |_| ControlFlow::Continue(()));
                OpenError::Store(with_remedy(locate(error, find)))
            }
            other => other,
        })
    }

    fn begin(store: Arc<dyn Store>, options: Options) -> Result<Self, OpenError> {
        check_format(store.as_ref(), options.clock.now_ms())?;
        let catalog = Catalog::load(store.as_ref())?;
        let in_flight = Arc::new(InFlight::default());
        let counts = load_counts(store.as_ref())?;
        let work_lists = Arc::new(WorkLists::default());
        let time = Arc::new(EngineTime::open(store.as_ref(), Arc::clone(&options.clock))?);
        let disk_reserve = Arc::new(DiskReserve::new(options.disk_reserve_bytes));
        let target = CommitTarget {
            store: Arc::clone(&store),
            in_flight: Arc::clone(&in_flight),
            work_lists: Arc::clone(&work_lists),
            time: Arc::clone(&time),
            disk_reserve: Arc::clone(&disk_reserve),
        };
        let running = Arc::new(RunningTime::default());
        let running_time = running.start()?;
        let committer = Committer::start(target, options.durability, counts, &running)?;
        let shared = Arc::new(Shared {
            store,
            catalog,
            in_flight,
            committer,
            disk_reserve,
            options,
            time,
            definitions: Mutex::default(),
            maintaining: Mutex::default(),
            work_lists,
            probe: BusyTime::new(&running),
            damage: Mutex::default(),
        });
        monitor::look(&shared);
        let mut threads = vec![monitor::start(Arc::clone(&shared))?];
        if matches!(shared.store.disk_space(), Ok(Some(_))) {
            threads.push(scrub::start(Arc::clone(&shared))?);
        }
        if let Some(pause) = shared.options.sweep_interval {
            threads.push(maintenance::start(Arc::clone(&shared), pause)?);
        }
        Ok(Self { shared, threads, _running_time: running_time })
    }

    /// Commits what is queued, brings it to disk and ends the threads. The store stays open for reads.
    pub(crate) fn stop(&self) -> Result<(), StoreError> {
        for thread in &self.threads {
            thread.stop();
        }
        let failure = self.shared.committer.stop().err();
        let closed = self.shared.store.close();
        match failure {
            // What is on disk is not known, or damaged. After other failures everything acknowledged is there.
            Some(error) if error.is_final() || matches!(error, StoreError::Corrupt { .. }) => Err(error),
            _ => closed,
        }
    }

    /// Ends the threads, waits for the operations in flight and closes the store. It may take as long as the store
    /// does, which is forever if one of its threads hangs.
    pub(crate) fn close(self) -> Result<(), StoreError> {
        let stopped = self.stop();
        let Self { mut shared, .. } = self;
        loop {
            match Arc::try_unwrap(shared) {
                Ok(last) => {
                    drop(last);
                    return stopped;
                }
                Err(used) => shared = used,
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// On such a disk the reserve for one write buffer is a good part of the whole.
pub(crate) fn warn_of_a_small_disk(shared: &Shared) {
    let Ok(Some(DiskSpace { total_bytes, .. })) = shared.store.disk_space() else { return };
    let write_buffer_bytes = shared.options.store.write_buffer_bytes;
    if total_bytes < write_buffer_bytes.saturating_mul(SMALL_DISK_BUFFERS) {
        tracing::warn!(
            total_mib = total_bytes >> 20,
            write_buffer_mib = write_buffer_bytes >> 20,
            "the disk is small for the write buffer: only about a third of it can hold data; use a larger disk, or create \
             the data folder with a smaller write buffer"
        );
    }
}

/// Refuses data of another format; an empty store is prepared.
fn check_format(store: &dyn Store, now_ms: u64) -> Result<(), OpenError> {
    let key = layout::format_version();
    match store.get(&key)? {
        None => {
            let version = Change::Put(key, FORMAT.to_be_bytes().to_vec());
            let time = Change::Put(layout::newest_time(), now_ms.to_be_bytes().to_vec());
            Ok(store.commit(vec![version, time], Durability::Durable)?)
        }
        Some(bytes) => {
            let found = <[u8; 4]>::try_from(&*bytes)
                .map(u32::from_be_bytes)
                .map_err(|_| OpenError::undecodable("the version of the format", &key))?;
            if found == FORMAT { Ok(()) } else { Err(OpenError::Format { found, expected: FORMAT }) }
        }
    }
}

fn load_counts(store: &dyn Store) -> Result<HashMap<layout::RangeId, commit::Count>, OpenError> {
    let mut counts = HashMap::new();
    for row in store.snapshot().range(layout::all_counters(), false) {
        let (key, value) = row?;
        let count = layout::range_id(&key).zip(commit::decode_count(&value));
        counts.extend([count.ok_or_else(|| OpenError::undecodable("the size of a table", &key))?]);
    }
    Ok(counts)
}
