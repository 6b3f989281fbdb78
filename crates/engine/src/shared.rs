//! The state that all operations of an engine share: its store, its tables, its locks.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::catalog::Catalog;
use crate::commit::Committer;
use crate::damage::Damage;
use crate::disk_reserve::DiskReserve;
use crate::engine_time::EngineTime;
use crate::in_flight::InFlight;
use crate::options::Options;
use crate::running_time::BusyTime;
use crate::store::Store;
use crate::work_lists::WorkLists;

/// Less removed than this is left to the store's own compaction.
pub(crate) const RECLAIM_BYTES: u64 = 4 << 20;

/// The state that all operations share.
pub(crate) struct Shared {
    pub store: Arc<dyn Store>,
    pub catalog: Catalog,
    pub in_flight: Arc<InFlight>,
    pub committer: Committer,
    pub options: Options,
    pub time: Arc<EngineTime>,
    /// Held while tables are created, changed or deleted: one at a time.
    pub definitions: Mutex<()>,
    /// Held for each slice of background work: its thread and `Engine::run_maintenance` take turns.
    pub maintaining: Mutex<Deleted>,
    pub work_lists: Arc<WorkLists>,
    pub disk_reserve: Arc<DiskReserve>,
    /// Damaged blocks that were found.
    pub damage: Mutex<Vec<Damage>>,
    /// The look at the store that is being taken.
    pub probe: BusyTime,
}

impl Shared {
    pub(crate) fn now_ms(&self) -> u64 {
        self.time.now_ms()
    }
}

/// What background work has deleted since space was last returned to the file system.
#[derive(Debug, Default)]
pub(crate) struct Deleted {
    pub(crate) removed_bytes: u64,
    pub(crate) dropped: bool,
    /// How much clients had deleted when it was not worth returning its space.
    pub(crate) tried_bytes: u64,
    /// How much clients had deleted at the last look.
    pub(crate) seen_bytes: u64,
    /// Whether the store was rewritten, or could not be, since the disk became nearly full.
    pub(crate) is_rewrite_tried: bool,
}

impl Deleted {
    pub(crate) fn is_worth_reclaiming(&self) -> bool {
        self.dropped || self.removed_bytes >= RECLAIM_BYTES
    }
}
