//! Writes as callers request them.

use keyfold_design::Design;
use keyfold_design::model::{DeleteRule, Entity};
use keyfold_dynamo::Attributes;

use super::item_condition::ItemCondition;
use super::operators::Operators;
use super::write_verb::WriteVerb;
use crate::error::Error;

/// One write of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Creates an item that must not exist.
    Create {
        /// The name of the entity.
        entity: String,
        /// The attributes of the item. Absent ids are generated, and absent defaults are filled in.
        attributes: Attributes,
    },
    /// Creates the item or replaces it. Its creation stamps, its counters and the attributes that the caller may not
    /// see stay.
    Put {
        /// The name of the entity.
        entity: String,
        /// The attributes of the item, including its identity. All others are removed, also those that the design does
        /// not declare.
        attributes: Attributes,
    },
    /// Creates the item or changes the given attributes.
    Upsert {
        /// The name of the entity.
        entity: String,
        /// The attributes that change, and the identity. All others stay.
        attributes: Attributes,
    },
    /// Changes an item that must exist.
    Patch {
        /// The name of the entity.
        entity: String,
        /// The attributes that change, and the identity. `NULL` removes an attribute.
        attributes: Attributes,
        /// The conditions and operators of the patch.
        options: PatchOptions,
    },
    /// Deletes an item that must exist.
    Delete {
        /// The name of the entity.
        entity: String,
        /// The attributes that identify the item.
        identity: Attributes,
        /// The conditions of the delete.
        options: DeleteOptions,
    },
}

/// The conditions of a patch, and what it changes by operators.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatchOptions {
    /// The version that the item must have; any if absent.
    pub expected_version: Option<u64>,
    /// Changes that depend on stored values, or are within them.
    pub operators: Operators,
    /// What the stored item has to meet; nothing if absent.
    pub condition: Option<ItemCondition>,
}

impl PatchOptions {
    /// No conditions and no operators.
    pub const fn new() -> Self {
        Self::expecting(None)
    }

    /// The version that the item must have; any if absent.
    pub const fn expecting(expected_version: Option<u64>) -> Self {
        Self { expected_version, operators: Operators::new(), condition: None }
    }
}

/// The conditions of a delete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    /// The version that the item must have; any if absent.
    pub expected_version: Option<u64>,
    /// Deletes the items that refer to it as well. Only entities with `delete: cascade when asked` offer that; for all
    /// others the delete is rejected.
    pub cascade: bool,
}

impl DeleteOptions {
    /// Rejects a cascade that the entity does not offer: silently ignored, it would look as if it had been carried out.
    pub fn require_offered(&self, entity: &Entity) -> Result<(), Error> {
        if !self.cascade || entity.delete == DeleteRule::CascadeWhenAsked {
            return Ok(());
        }
        let name = &entity.name;
        Err(Error::Invalid(format!(
            "`cascade` does not apply to {name}: the design does not say `delete: cascade when asked`"
        )))
    }
}

impl Write {
    /// Whether the write is a patch that gives nothing but what identifies the item: it changes nothing.
    pub fn is_empty_patch(&self, design: &Design) -> bool {
        match self {
            Self::Patch { entity, attributes, options } => {
                let is_empty = |entity| is_empty_patch(design, entity, attributes);
                options.operators.is_empty() && design.entity_named(entity).is_some_and(is_empty)
            }
            Self::Create { .. } | Self::Put { .. } | Self::Upsert { .. } | Self::Delete { .. } => false,
        }
    }

    /// The name of the entity.
    pub fn entity(&self) -> &str {
        match self {
            Self::Create { entity, .. }
            | Self::Put { entity, .. }
            | Self::Upsert { entity, .. }
            | Self::Patch { entity, .. }
            | Self::Delete { entity, .. } => entity,
        }
    }

    /// The attributes that the write gives; those that identify the item, for a delete.
    pub fn attributes(&self) -> &Attributes {
        match self {
            Self::Create { attributes, .. }
            | Self::Put { attributes, .. }
            | Self::Upsert { attributes, .. }
            | Self::Patch { attributes, .. }
            | Self::Delete { identity: attributes, .. } => attributes,
        }
    }

    /// The verb of the write.
    pub fn verb(&self) -> WriteVerb {
        match self {
            Self::Create { .. } => WriteVerb::Create,
            Self::Put { .. } => WriteVerb::Put,
            Self::Upsert { .. } => WriteVerb::Upsert,
            Self::Patch { .. } => WriteVerb::Patch,
            Self::Delete { .. } => WriteVerb::Delete,
        }
    }
}

/// Whether the attributes of a patch do nothing but identify the item.
pub(super) fn is_empty_patch(design: &Design, entity: &Entity, given: &Attributes) -> bool {
    let tenant = design.tenant.as_ref().filter(|_| entity.scope.has_tenant()).map(|tenant| &tenant.attribute);
    given.keys().all(|name| entity.identity.contains(name) || tenant == Some(name))
}
