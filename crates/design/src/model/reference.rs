//! References between entities, and the effect of a delete on referring items.

use keyfold_dynamo::AttributeValue;

use super::{EntityId, IndexId};
use crate::span::Span;
use crate::template::Template;

/// `enterpriseId: string, refers to Enterprise`.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The attribute that refers.
    pub attribute: String,
    /// Where the design file states it.
    pub span: Span,
    /// The entity that is referred to.
    pub target: EntityId,
    /// Which attribute of this entity gives which identifying attribute of the target: `(target's, own)`.
    pub mapping: Vec<(String, String)>,
    /// What a delete of the target does; it is refused by default.
    pub on_delete: OnDelete,
    /// A chain of such references never comes back to its start: `no cycles`.
    pub acyclic: bool,
    /// The target's counter of referring items, kept in the same transaction; `None` where they are not counted.
    pub counted_as: Option<String>,
    /// Where the items that refer to a given target are; `None` where no key leads to them.
    pub range: Option<ReferenceRange>,
}

/// What the delete of a referenced item does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDelete {
    /// The target cannot be deleted while something refers to it.
    Refuse,
    /// Referring items are deleted with it.
    Cascade,
    /// Referring items stay, with a dangling reference.
    Ignore,
}

/// A reference from the target's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IncomingReference {
    pub(crate) child: EntityId,
    /// Position among the child's references.
    pub(crate) reference: usize,
}

/// A key range that holds all items which refer to a target. The templates use the referring entity's attributes;
/// the reference's mapping gives their values.
#[derive(Debug, Clone)]
pub struct ReferenceRange {
    /// `None` is the table itself, which can be read consistently.
    pub index: Option<IndexId>,
    /// The attributes of the partition key and their values.
    pub partition: Vec<(String, Template)>,
    /// The sort key and the prefix that all of them have; `None` if sort keys have none in common.
    pub sort_prefix: Option<(String, Template)>,
    /// Attributes in the partition key that the target does not determine, each with all its values: one range per
    /// combination is read.
    pub over: Vec<(String, Vec<AttributeValue>)>,
    /// The derived entity whose items are in the range; `None` if it is the referring entity itself. The templates use
    /// the derived entity's attributes, and each of its items contains the identity of its source.
    pub through: Option<EntityId>,
    /// The attributes of the templates and which attribute of the target gives each: `(in the templates, target's)`.
    pub given: Vec<(String, String)>,
}

impl ReferenceRange {
    /// Whether a read of the range sees every write before it: only the table can be read so.
    pub fn is_consistent(&self) -> bool {
        self.index.is_none()
    }
}
