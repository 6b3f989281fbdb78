//! What a caller asks to be written.

use keyfold_design::model::Verb;
use keyfold_dynamo::Attributes;

/// One write of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Creates an item that must not exist.
    Create { entity: String, attributes: Attributes },
    /// Creates the item or replaces it; its creation stamps stay.
    Put { entity: String, attributes: Attributes },
    /// Creates the item or changes the given attributes.
    Upsert { entity: String, attributes: Attributes },
    /// Changes an item that must exist; `NULL` removes an attribute. The attributes hold the identity as well.
    Patch { entity: String, attributes: Attributes, options: PatchOptions },
    /// Deletes an item that must exist.
    Delete { entity: String, identity: Attributes, options: DeleteOptions },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PatchOptions {
    /// The version that the caller has seen; any if absent.
    pub expected_version: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    /// The version that the caller has seen; any if absent.
    pub expected_version: Option<u64>,
    /// Deletes the items that refer to it as well, if the entity's delete rule allows that on request.
    pub cascade: bool,
}

impl Write {
    pub(super) fn entity(&self) -> &str {
        match self {
            Self::Create { entity, .. }
            | Self::Put { entity, .. }
            | Self::Upsert { entity, .. }
            | Self::Patch { entity, .. }
            | Self::Delete { entity, .. } => entity,
        }
    }

    pub(super) fn verb(&self) -> Verb {
        match self {
            Self::Create { .. } => Verb::Create,
            Self::Put { .. } | Self::Upsert { .. } | Self::Patch { .. } => Verb::Update,
            Self::Delete { .. } => Verb::Delete,
        }
    }
}
