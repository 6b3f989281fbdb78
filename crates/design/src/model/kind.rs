//! Several kinds of items under one key: what tells them apart.

use keyfold_dynamo::{AttributeValue, Attributes};

use super::EntityId;

/// What tells the items of an entity from those of others that have the same keys: `type: User`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// A constant attribute of all these entities.
    pub attribute: String,
    /// Its value in the items of this entity.
    pub value: AttributeValue,
    /// The other entities with the same keys, in the order of the design.
    pub others: Vec<EntityId>,
}

impl Kind {
    /// Whether an item is of this kind. One without the attribute is of none.
    pub fn is_of(&self, item: &Attributes) -> bool {
        item.get(&self.attribute) == Some(&self.value)
    }
}
