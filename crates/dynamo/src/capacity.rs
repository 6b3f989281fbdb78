//! What reads and writes cost, in capacity units: from the sizes of items and of their entries in indexes.

/// The bytes that one unit reads consistently; an eventually consistent read costs half.
pub const READ_UNIT_BYTES: usize = 4096;
/// The bytes that one unit writes.
pub const WRITE_UNIT_BYTES: usize = 1024;
/// The factor of what a write costs in a transaction.
pub const TRANSACTION_FACTOR: f64 = 2.0;

/// The consistency of a read, which determines its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consistency {
    /// May miss the latest writes: half a unit.
    Eventual,
    /// Sees every write before it: one unit.
    Strong,
    /// Part of a transaction: two units.
    Transactional,
}

impl Consistency {
    /// Of a read outside a transaction.
    pub fn for_read(consistent_read: bool) -> Self {
        if consistent_read { Self::Strong } else { Self::Eventual }
    }

    fn factor(self) -> f64 {
        match self {
            Self::Eventual => 0.5,
            Self::Strong => 1.0,
            Self::Transactional => 2.0,
        }
    }
}

/// The units of reading this many bytes; reading an item that does not exist costs as much as the smallest item.
pub fn read_units(bytes: usize, consistency: Consistency) -> f64 {
    bytes.div_ceil(READ_UNIT_BYTES).max(1) as f64 * consistency.factor()
}

/// The units of writing this many bytes; deleting an item that does not exist costs as much as the smallest item.
pub fn write_units(bytes: usize) -> f64 {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1) as f64
}

/// The units of a write in its table, without those of indexes. The sizes are in bytes, 0 where there is no item.
pub fn item_write_units(before: usize, after: usize) -> f64 {
    write_units(before.max(after))
}

/// What a write does to the entry of its item in an index. The sizes are those of the entry, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexEntryChange {
    /// There is no entry, or the one there is stays as it is.
    None,
    /// The item enters the index.
    Added(usize),
    /// The item leaves the index.
    Removed(usize),
    /// A key of the index changed: the entry is removed and added elsewhere.
    Moved {
        /// The size of the removed entry.
        before: usize,
        /// The size of the added entry.
        after: usize,
    },
    /// The entry stays in its place; another projected attribute changed.
    Rewritten {
        /// The size before the write.
        before: usize,
        /// The size after the write.
        after: usize,
    },
}

impl IndexEntryChange {
    /// The write units of the index.
    pub fn units(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Added(size) | Self::Removed(size) => write_units(size),
            Self::Moved { before, after } => write_units(before) + write_units(after),
            Self::Rewritten { before, after } => write_units(before.max(after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_whole_blocks_and_at_least_one() {
        assert_eq!([0, 1, 1024, 1025, 4096].map(write_units), [1.0, 1.0, 1.0, 2.0, 4.0]);
        assert_eq!([0, 4096, 4097].map(|bytes| read_units(bytes, Consistency::Eventual)), [0.5, 0.5, 1.0]);
        assert_eq!([0, 4096, 4097].map(|bytes| read_units(bytes, Consistency::Strong)), [1.0, 1.0, 2.0]);
        assert_eq!([0, 4096, 4097].map(|bytes| read_units(bytes, Consistency::Transactional)), [2.0, 2.0, 4.0]);
    }

    #[test]
    fn a_write_costs_as_much_as_the_larger_state_of_its_item() {
        assert_eq!(item_write_units(3000, 10), 3.0);
        assert_eq!(item_write_units(10, 3000), 3.0);
        assert_eq!(item_write_units(0, 0), 1.0);
    }

    #[test]
    fn an_entry_that_moves_is_written_twice() {
        assert_eq!(IndexEntryChange::None.units(), 0.0);
        assert_eq!(IndexEntryChange::Added(1500).units(), 2.0);
        assert_eq!(IndexEntryChange::Removed(1500).units(), 2.0);
        assert_eq!(IndexEntryChange::Moved { before: 1500, after: 100 }.units(), 3.0);
        assert_eq!(IndexEntryChange::Rewritten { before: 1500, after: 100 }.units(), 2.0);
    }
}
