//! A sum over rows that does not depend on their order.

use xxhash_rust::xxh3::xxh3_128;

/// Two sets of rows with the same fingerprint are the same rows, so that they need not be compared one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fingerprint {
    sum: u128,
    rows: u64,
}

impl Fingerprint {
    pub(super) fn add(&mut self, row: &[u8]) {
        self.sum = self.sum.wrapping_add(xxh3_128(row));
        self.rows += 1;
    }
}
