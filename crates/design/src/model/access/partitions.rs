//! The partitions of a pattern that reads several.

use crate::template::Template;

/// Several partitions, each a query of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartitionSet {
    /// Every shard of a write-sharded partition. The shard's number, from 0, goes in for this placeholder. All shards
    /// are read at once and merged by the sort key.
    Shards {
        /// The placeholder that stands for the shard's number.
        placeholder: String,
        /// The number of shards.
        count: u32,
    },
    /// Every day from one argument to another, both included, one after the other.
    Days {
        /// The parameter with the first value.
        from: String,
        /// The parameter with the last value.
        to: String,
        /// The partition key, in which each day stands for the placeholder `from`.
        key: Template,
        /// The most partitions that one call may read.
        at_most: u32,
    },
    /// Every whole number from one argument to another, both included, one after the other.
    Integers {
        /// The parameter with the first value.
        from: String,
        /// The parameter with the last value.
        to: String,
        /// The partition key, in which each number stands for the placeholder `from`.
        key: Template,
        /// The most partitions that one call may read.
        at_most: u32,
    },
    /// Every distinct value of a list, one after the other.
    Values {
        /// The parameter with the list.
        parameter: String,
        /// The most partitions that one call may read.
        at_most: u32,
    },
}

impl PartitionSet {
    /// Whether the results of all partitions are merged by the sort key, rather than read one after the other.
    pub fn is_merged(&self) -> bool {
        matches!(self, Self::Shards { .. })
    }

    /// Whether every partition of the range has the same value of a parameter.
    pub(crate) fn shares(&self, parameter: &str) -> bool {
        match self {
            Self::Days { from, to, .. } | Self::Integers { from, to, .. } => parameter != from && parameter != to,
            Self::Shards { .. } | Self::Values { .. } => false,
        }
    }

    /// The parameter with the first value of a range; `None` where there is no range.
    pub fn first(&self) -> Option<&str> {
        match self {
            Self::Days { from, .. } | Self::Integers { from, .. } => Some(from),
            Self::Shards { .. } | Self::Values { .. } => None,
        }
    }

    /// The placeholder that stands for the partition's value within templates.
    pub fn placeholder(&self) -> Option<&str> {
        match self {
            Self::Shards { placeholder, .. } => Some(placeholder),
            Self::Days { .. } | Self::Integers { .. } | Self::Values { .. } => None,
        }
    }

    /// The most partitions that one call may read; shards are always read in full.
    pub fn at_most(&self) -> Option<u32> {
        match self {
            Self::Shards { .. } => None,
            Self::Days { at_most, .. } | Self::Integers { at_most, .. } | Self::Values { at_most, .. } => {
                Some(*at_most)
            }
        }
    }
}
