//! Which items a confined caller sees and may change.

use keyfold_design::model::{Entity, Scope};
use keyfold_dynamo::Attributes;

use super::Confinement;

impl Confinement {
    /// Whether the caller sees an item.
    pub(crate) fn sees(&self, entity: &Entity, attributes: &Attributes) -> bool {
        if !entity.scope.has_tenant() {
            return true;
        }
        match self {
            Self::None => true,
            Self::Tenant { attribute, tenant } => match attributes.get(attribute) {
                Some(owner) => owner.as_str() == Some(tenant),
                None => entity.scope == Scope::TenantOrGlobal,
            },
            Self::GlobalOnly { attribute } => {
                entity.scope == Scope::TenantOrGlobal && !attributes.contains_key(attribute)
            }
        }
    }

    /// Whether the caller may change an item that they see: only operators change items that belong to all tenants.
    pub(crate) fn may_change(&self, entity: &Entity, attributes: &Attributes) -> bool {
        match self {
            Self::None => true,
            Self::Tenant { attribute, .. } | Self::GlobalOnly { attribute } => {
                !entity.scope.has_tenant() || attributes.contains_key(attribute)
            }
        }
    }
}
