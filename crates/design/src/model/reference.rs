//! References between entities and what a delete does to those who refer.

use super::{EntityId, IndexId};
use crate::span::Span;
use crate::template::Template;

/// `enterpriseId: string, refers to Enterprise`.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The attribute that refers.
    pub attribute: String,
    pub span: Span,
    pub target: EntityId,
    /// Which attribute of this entity gives which identifying attribute of the target: `(target's, own)`.
    pub mapping: Vec<(String, String)>,
    pub on_delete: OnDelete,
    /// The counter on the target that tells how many refer to it, kept in the same transaction.
    pub counted_as: Option<String>,
    /// How the items that refer to a given target are found.
    pub path: Option<AccessPath>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDelete {
    /// The target cannot be deleted while something refers to it.
    Refuse,
    /// Those who refer are deleted with it.
    Cascade,
    /// Those who refer stay, and refer to nothing.
    Ignore,
}

/// A reference from the target's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingReference {
    pub child: EntityId,
    /// Position among the child's references.
    pub reference: usize,
}

/// A key range that holds all items which refer to a target. The templates speak of the referring entity's attributes;
/// the reference's mapping gives their values.
#[derive(Debug, Clone)]
pub struct AccessPath {
    /// `None` is the table itself, which can be read consistently.
    pub index: Option<IndexId>,
    pub partition: Vec<(String, Template)>,
    /// The sort key and the prefix all of them have.
    pub sort_prefix: Option<(String, Template)>,
    /// Whether the range holds nothing else, so that its first item tells whether anything refers.
    pub exact: bool,
}

impl AccessPath {
    pub fn is_consistent(&self) -> bool {
        self.index.is_none()
    }
}
