//! The partitions of a pattern that reads several.

use crate::model::{FanOut, FanOutUnit};
use crate::template::Template;

/// Several partitions, each a query of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartitionSet {
    /// Every shard of a write-sharded partition. The shard's number, from 0, goes in for this placeholder. All shards are
    /// read at once and merged by the sort key.
    Shards { placeholder: String, count: u32 },
    /// Every day from one argument to another, both included, one after the other.
    Days { from: String, to: String, key: Template, at_most: u32 },
    /// Every whole number from one argument to another, both included, one after the other.
    Integers { from: String, to: String, key: Template, at_most: u32 },
    /// Every distinct value of a list, one after the other.
    Values { parameter: String, at_most: u32 },
}

impl PartitionSet {
    pub(super) fn from_fan_out(fan_out: &FanOut) -> Self {
        match fan_out {
            FanOut::Shards { placeholder, count } => Self::Shards { placeholder: placeholder.clone(), count: *count },
            FanOut::Values { parameter, at_most, .. } => {
                Self::Values { parameter: parameter.clone(), at_most: *at_most }
            }
            FanOut::Range { from, to, at_most, unit, .. } => {
                let (key, at_most) = (from.clone(), *at_most);
                let (from, to) = (parameter_of(from), parameter_of(to));
                match unit {
                    FanOutUnit::Days => Self::Days { from, to, key, at_most },
                    FanOutUnit::Values => Self::Integers { from, to, key, at_most },
                }
            }
        }
    }

    /// Whether the results of all partitions are merged by the sort key, rather than read one after the other.
    pub fn is_merged(&self) -> bool {
        matches!(self, Self::Shards { .. })
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

/// The parameter of a bound; the checks admit bounds with exactly one.
fn parameter_of(bound: &Template) -> String {
    bound.placeholders().map(|placeholder| placeholder.attribute.clone()).collect()
}
