//! The result of a comparison.

use std::fmt;

use keyfold_dynamo::Attributes;

/// The number of findings that are listed; further ones are only counted.
pub(super) const MAX_FINDINGS: usize = 1000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Items of the source.
    pub items: u64,
    pub differences: u64,
    /// The first of the differences, by key.
    pub findings: Vec<Finding>,
    /// Expired items that only one side has: the other one has deleted them already.
    pub expired: u64,
    /// Differences that were repaired before the last comparison.
    pub repaired: u64,
}

impl Verdict {
    pub fn is_equal(&self) -> bool {
        self.differences == 0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// In readable form.
    pub key: String,
    pub difference: Difference,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Only the source has the item.
    Missing,
    /// Only the target has the item.
    Surplus,
    /// Both have the item, with different values of these attributes.
    Other { attributes: Vec<String> },
}

impl Difference {
    /// How two items of one key differ.
    pub fn between(one: &Attributes, other: &Attributes) -> Option<Self> {
        let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        let differing = names.into_iter().filter(|name| one.get(*name) != other.get(*name));
        let attributes: Vec<String> = differing.cloned().collect();
        (!attributes.is_empty()).then_some(Self::Other { attributes })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match &self.difference {
            Difference::Missing => write!(out, "{key}: missing in the target"),
            Difference::Surplus => write!(out, "{key}: only in the target"),
            Difference::Other { attributes } => write!(out, "{key}: differs in {}", attributes.join(", ")),
        }
    }
}
