//! Stored items that a page leaves out, because they do not fit the design.

use keyfold_design::model::EntityId;
use keyfold_dynamo::Attributes;

/// A stored item that a page leaves out: another program wrote it, or the design was another one.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemProblem {
    /// The item's key in the table; its identity alone if the key holds attributes that the caller does not see.
    pub key: Attributes,
    /// The entity of the item, with its identity and its tenant as far as they are known; absent if its key matches no
    /// entity.
    pub item: Option<(EntityId, Attributes)>,
    /// The entity that the item should be; several as `A or B`.
    pub expected: String,
    /// What does not fit.
    pub cause: String,
}

/// A page reports no more of them, and ends.
pub(super) const MOST_PROBLEMS: usize = 100;
