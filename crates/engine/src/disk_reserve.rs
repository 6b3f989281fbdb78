//! Space that writes leave free, so that the store can still merge tables, delete rows and shut down.

use std::sync::atomic::{AtomicU64, Ordering};

use keyfold_dynamo::ServiceError;
use parking_lot::RwLock;

use crate::health::Health;
use crate::store::DiskSpace;

/// At most this part of the disk is reserved, unless the store needs more.
const LARGEST_PART: u64 = 10;

/// The most that is reserved because the store needs it. Merges that need more are rare in a store of that size.
const LARGEST_NEED: u64 = 256 << 20;

/// A written byte takes space three times: in the journal, in a table, and in the table that a merge writes.
const COPIES: u64 = 3;

/// Writes are accepted again once this much more than the reserve is free: a fourth of it.
const MARGIN_PART: u64 = 4;

const NEARLY_FULL: &str = "the disk of the server is nearly full; only reads and deletes are accepted";

/// Whether the disk is nearly full.
pub(crate) struct DiskReserve {
    wanted_bytes: u64,
    /// What may be written before the next look at the disk.
    allowance: AtomicU64,
    /// `None` while there is enough space.
    shortage: RwLock<Option<Shortage>>,
    /// The space at the last look; `None` before the first one.
    known: RwLock<Option<DiskSpace>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shortage {
    free_bytes: u64,
    reserved_bytes: u64,
}

impl DiskReserve {
    pub(crate) fn new(wanted_bytes: u64) -> Self {
        Self {
            wanted_bytes,
            allowance: AtomicU64::new(u64::MAX),
            shortage: RwLock::default(),
            known: RwLock::default(),
        }
    }

    /// What must stay free; 0 if nothing is to be reserved.
    fn reserved_bytes(&self, space: DiskSpace) -> u64 {
        match self.wanted_bytes {
            0 => 0,
            wanted => wanted.min(space.total_bytes / LARGEST_PART).max(space.needed_bytes.min(LARGEST_NEED)),
        }
    }

    /// Compares the space of the disk with the reserve.
    pub(crate) fn update(&self, space: DiskSpace) {
        *self.known.write() = Some(space);
        let reserved_bytes = self.reserved_bytes(space);
        let mut shortage = self.shortage.write();
        let margin = if shortage.is_some() { reserved_bytes / MARGIN_PART } else { 0 };
        let is_short = space.free_bytes < reserved_bytes + margin;
        match (is_short, shortage.is_some()) {
            (true, false) => tracing::error!(
                free_bytes = space.free_bytes,
                reserved_bytes,
                "the disk is nearly full; writes other than deletes are refused"
            ),
            (false, true) => {
                tracing::warn!(free_bytes = space.free_bytes, "there is disk space again; writes are accepted")
            }
            _ => {}
        }
        let allowance = match reserved_bytes {
            0 => u64::MAX,
            _ => (space.free_bytes.saturating_sub(reserved_bytes) / COPIES).max(1),
        };
        self.allowance.store(allowance, Ordering::Relaxed);
        *shortage = is_short.then_some(Shortage { free_bytes: space.free_bytes, reserved_bytes });
    }

    /// The space of the disk at the last look.
    pub(crate) fn known(&self) -> Option<DiskSpace> {
        *self.known.read()
    }

    /// Takes note of a write: a fast disk fills up between two looks.
    pub(crate) fn spend(&self, bytes: u64) {
        let spend = |allowance: u64| (allowance < u64::MAX).then(|| allowance.saturating_sub(bytes));
        // Without a reserve nothing is counted.
        let _ = self.allowance.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
    }

    /// Refuses a write that adds data.
    pub(crate) fn require_space(&self) -> Result<(), ServiceError> {
        if self.is_short() || self.allowance.load(Ordering::Relaxed) == 0 {
            return Err(ServiceError::Unavailable(NEARLY_FULL.to_owned()));
        }
        Ok(())
    }

    /// Whether less is free than reserved.
    pub(crate) fn is_short(&self) -> bool {
        self.shortage.read().is_some()
    }

    pub(crate) fn health(&self) -> Health {
        match *self.shortage.read() {
            Some(Shortage { free_bytes, reserved_bytes }) => Health::NearlyFull { free_bytes, reserved_bytes },
            None => Health::Serving,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn space(free: u64, total: u64) -> DiskSpace {
        DiskSpace { free_bytes: free * MIB, total_bytes: total * MIB, needed_bytes: 0 }
    }

    #[test]
    fn writes_are_refused_below_the_reserve_and_accepted_again_a_fourth_above_it() {
        let reserve = DiskReserve::new(200 * MIB);
        let mut accepted = Vec::new();
        for free in [200, 199, 249, 250, 220] {
            reserve.update(space(free, 100_000));
            accepted.push(reserve.require_space().is_ok());
        }
        assert_eq!(accepted, [true, false, false, true, true]);
    }

    #[test]
    fn a_small_disk_is_reserved_for_a_tenth() {
        let reserve = DiskReserve::new(256 * MIB);
        reserve.update(space(50, 500));
        assert!(reserve.health().is_serving());
        reserve.update(space(49, 500));
        assert_eq!(
            reserve.health().to_string(),
            "the disk is nearly full: 49 MiB are free, and 50 MiB are reserved; only reads and deletes are served"
        );
    }

    #[test]
    fn a_small_disk_is_reserved_for_what_the_store_needs() {
        let reserve = DiskReserve::new(256 * MIB);
        let needing = |needed: u64, free, total| DiskSpace { needed_bytes: needed * MIB, ..space(free, total) };
        let serves = |space| {
            reserve.update(space);
            reserve.health().is_serving()
        };
        assert!(serves(needing(20, 20, 64)));
        assert!(!serves(needing(21, 20, 64)));
        assert!(serves(needing(10_000, 320, 1_000)), "no more than 256 MiB");
    }

    #[test]
    fn writes_between_two_looks_count() {
        let reserve = DiskReserve::new(200 * MIB);
        reserve.update(space(230, 100_000));
        reserve.spend(10 * MIB - 1);
        assert!(reserve.require_space().is_ok());
        reserve.spend(1);
        assert!(reserve.require_space().is_err());
        reserve.update(space(230, 100_000));
        assert!(reserve.require_space().is_ok());
    }

    #[test]
    fn no_reserve_refuses_nothing() {
        let reserve = DiskReserve::new(0);
        reserve.update(DiskSpace { needed_bytes: MIB, ..space(0, 500) });
        reserve.spend(MIB);
        assert!(reserve.require_space().is_ok());
    }
}
