//! Space that writes leave free, so that the store can still merge tables, delete rows and shut down.

use keyfold_dynamo::ServiceError;
use parking_lot::RwLock;

use crate::health::Health;
use crate::store::DiskSpace;

/// At most this part of the disk is reserved, so that small disks can be used.
const LARGEST_PART: u64 = 10;

/// Writes are accepted again once this much more than the reserve is free: a fourth of it.
const MARGIN_PART: u64 = 4;

const NEARLY_FULL: &str = "the disk of the server is nearly full; only reads and deletes are accepted";

/// Whether the disk is nearly full.
pub(crate) struct DiskReserve {
    wanted_bytes: u64,
    /// `None` while there is enough space.
    shortage: RwLock<Option<Shortage>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shortage {
    free_bytes: u64,
    reserved_bytes: u64,
}

impl DiskReserve {
    pub(crate) fn new(wanted_bytes: u64) -> Self {
        Self { wanted_bytes, shortage: RwLock::default() }
    }

    /// Compares the space of the disk with the reserve.
    pub(crate) fn update(&self, space: DiskSpace) {
        let reserved_bytes = self.wanted_bytes.min(space.total_bytes / LARGEST_PART);
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
        *shortage = is_short.then_some(Shortage { free_bytes: space.free_bytes, reserved_bytes });
    }

    /// Refuses a write that adds data.
    pub(crate) fn require_space(&self) -> Result<(), ServiceError> {
        match *self.shortage.read() {
            Some(_) => Err(ServiceError::Unavailable(NEARLY_FULL.to_owned())),
            None => Ok(()),
        }
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
        DiskSpace { free_bytes: free * MIB, total_bytes: total * MIB }
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
    fn no_reserve_refuses_nothing() {
        let reserve = DiskReserve::new(0);
        reserve.update(space(0, 500));
        assert!(reserve.require_space().is_ok());
    }
}
