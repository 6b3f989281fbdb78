//! How the table itself can leave out items of other tenants.

use keyfold_dynamo::AttributeValue;

use crate::model::{Entity, TenantBinding};
use crate::template::{Template, TemplateError};

/// A filter condition that every item of one tenant satisfies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TenantCondition {
    /// A base key holds the tenant and nothing else that varies. The key is authoritative: others may not have stored
    /// the attribute, or something else in it.
    Key {
        /// The key attribute of the table.
        attribute: String,
        /// Its template, with the tenant as the only placeholder.
        template: Template,
    },
    /// The attribute equals the tenant.
    Stored {
        /// The attribute that isolates tenants.
        attribute: String,
    },
    /// The attribute equals the tenant, or is absent: a key contains the tenant, or the item belongs to all.
    StoredOrAbsent {
        /// The attribute that isolates tenants.
        attribute: String,
    },
}

impl TenantCondition {
    /// The condition for an entity's items, `None` where DynamoDB cannot filter by the tenant: it rejects filters on
    /// the keys of what is queried, and on attributes that an index does not hold.
    pub(crate) fn for_entity(entity: &Entity, tenant: &str, is_filterable: impl Fn(&str) -> bool) -> Option<Self> {
        let parts = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort);
        let mut in_key = parts.filter(|part| part.template.attributes() == [tenant] && is_filterable(&part.key.name));
        if let Some(part) = in_key.next() {
            return Some(Self::Key { attribute: part.key.name.clone(), template: part.template.clone() });
        }
        let attribute = tenant.to_owned();
        match entity.tenant {
            _ if !is_filterable(tenant) => None,
            TenantBinding::None => None,
            TenantBinding::Stored => Some(Self::Stored { attribute }),
            TenantBinding::InPartitionKey
            | TenantBinding::InKey
            | TenantBinding::StoredOptionally
            | TenantBinding::IsTenant => Some(Self::StoredOrAbsent { attribute }),
        }
    }

    /// The attribute that the filter reads.
    pub fn attribute(&self) -> &str {
        match self {
            Self::Key { attribute, .. } | Self::Stored { attribute } | Self::StoredOrAbsent { attribute } => attribute,
        }
    }

    /// The value of a tenant's items; `None` where a template lacks something.
    pub fn value(&self, tenant: &AttributeValue) -> Result<Option<AttributeValue>, TemplateError> {
        match self {
            Self::Key { template, .. } => template.render(|_| Some(tenant)),
            Self::Stored { .. } | Self::StoredOrAbsent { .. } => Ok(Some(tenant.clone())),
        }
    }

    /// Whether two conditions are written alike, wherever in the design their templates stand.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Key { attribute, template }, Self::Key { attribute: other_attribute, template: other_template }) => {
                attribute == other_attribute && template.source == other_template.source
            }
            (one, other) => one == other,
        }
    }
}
