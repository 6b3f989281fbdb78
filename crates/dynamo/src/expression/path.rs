//! Document paths: an attribute, or something within it.

use crate::value::{AttributeValue, Attributes};

/// A path into an item, with aliases replaced by the names they stand for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path {
    /// The top-level attribute.
    pub root: String,
    /// The steps into the attribute; empty for the attribute itself.
    pub rest: Vec<PathStep>,
}

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathStep {
    /// A member of a map.
    Field(String),
    /// An element of a list, counted from 0.
    Index(usize),
}

impl Path {
    /// A path to a top-level attribute.
    pub fn attribute(name: impl Into<String>) -> Self {
        Self { root: name.into(), rest: Vec::new() }
    }

    /// Whether it names a top-level attribute, not something within one.
    pub fn is_top_level(&self) -> bool {
        self.rest.is_empty()
    }

    /// The value of an item at this path; `None` if the item has none there.
    pub fn find<'i>(&self, item: &'i Attributes) -> Option<&'i AttributeValue> {
        self.rest.iter().try_fold(item.get(&self.root)?, |value, step| step.find(value))
    }
}

impl PathStep {
    /// The member or element of a value; `None` if it has none, or is not a map or list.
    pub fn find<'v>(&self, value: &'v AttributeValue) -> Option<&'v AttributeValue> {
        match (self, value) {
            (Self::Field(name), AttributeValue::M(map)) => map.get(name),
            (Self::Index(index), AttributeValue::L(list)) => list.get(*index),
            _ => None,
        }
    }
}
