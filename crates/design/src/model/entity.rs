//! Entities.

use std::collections::BTreeMap;

use keyfold_dynamo::Attributes;

use super::{
    Attribute, AttributeType, Derivation, EntityId, IncomingReference, Kind, Layout, Reference, Stamp, Unique, Unit,
};
use crate::constraint::Expression;
use crate::span::Span;
use crate::template::TimestampFormat;

/// A kind of item: its keys, its attributes and what has to be true of it.
#[derive(Debug, Clone)]
pub struct Entity {
    /// The position in [`Design::entities`](super::Design::entities).
    pub id: EntityId,
    /// In the singular, as the design spells it: `License`.
    pub name: String,
    /// Where the design file states it.
    pub span: Span,
    /// REST paths are made from it. By default the name with an English plural ending: `Licenses`, `Categories`.
    pub plural: String,
    /// Prose for generated documents; `None` if the design has none.
    pub description: Option<String>,
    /// Whose items there are: a tenant's or everyone's. `Global` in a design without tenants.
    pub scope: Scope,
    /// Where an item says whose it is.
    pub tenant: TenantBinding,
    /// The keys of the items in the table and its indexes.
    pub layout: Layout,
    /// What tells its items from those of other entities with the same keys; `None` if no other entity has them.
    pub kind: Option<Kind>,
    /// The declared attributes, and those that only the keys of a derived item hold.
    pub attributes: Vec<Attribute>,
    /// The attributes that identify an item; by default all of its key's. Where the sort key holds more than that, an
    /// item is found by a query of its partition and a change of the sort key is a move.
    pub identity: Vec<String>,
    /// Combinations of attributes that no two items share.
    pub uniques: Vec<Unique>,
    /// The attributes that refer to items of this or another entity.
    pub references: Vec<Reference>,
    pub(crate) referenced_by: Vec<IncomingReference>,
    /// The attributes that count the items of a reference: `counted as`.
    pub counters: Vec<String>,
    /// Where the items come from, for an entity that is kept in step with another; `None` where callers write them.
    pub derivation: Option<Derivation>,
    /// The entities that are derived from this one.
    pub derived: Vec<EntityId>,
    /// The attribute with the subject of an item's owner; `None` where items have no owner.
    pub owner: Option<String>,
    /// What a delete does while others refer to the item; by default what each reference says.
    pub delete: DeleteRule,
    /// Whether items are created and never changed or deleted; not by default.
    pub append_only: bool,
    /// Whether unknown attributes are kept; by default they are refused.
    pub open: bool,
    /// Whether the audit log of a server records who reads items; not by default.
    pub audit_reads: bool,
    /// Whether this is the item that holds the counters of sequences.
    pub keeps_sequences: bool,
    /// Rules over several attributes, checked on every write; none by default.
    pub must_hold: Vec<Constraint>,
    /// Names of generated key builders, by the key attribute or unique they build; the others are named after the
    /// entity.
    pub helpers: BTreeMap<String, String>,
}

/// Whose items an entity has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Each item belongs to one tenant.
    Tenant,
    /// No item belongs to a tenant.
    Global,
    /// Items with the tenant's attribute belong to that tenant, items without it to all.
    TenantOrGlobal,
}

impl Scope {
    /// Whether some items belong to a tenant.
    pub fn has_tenant(self) -> bool {
        self != Self::Global
    }
}

/// Where an item of an entity says whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantBinding {
    /// The partition key holds the tenant: a read by key cannot leave it.
    InPartitionKey,
    /// The sort key holds it.
    InKey,
    /// Only an attribute says it: reads and writes by id are conditional on it.
    Stored,
    /// An attribute says it where an item belongs to a tenant; an item without it belongs to all.
    StoredOptionally,
    /// The entity is the tenant itself.
    IsTenant,
    /// The entity belongs to no tenant.
    None,
}

/// `delete:` of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeleteRule {
    /// As each reference says; refused where it says nothing.
    ByReference,
    /// Refused, unless the caller requests that referring items are deleted as well.
    CascadeWhenAsked,
    /// Items cannot be deleted.
    Never,
}

/// A cross-field rule with the message that its violation shows.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// The text that a failed write returns.
    pub message: String,
    /// Where the design file states it.
    pub span: Span,
    /// True for every item that may be stored.
    pub expression: Expression,
}

impl Entity {
    /// Whether a whole item is one of this entity: by its keys, and by its kind where several have the same keys.
    pub fn owns(&self, item: &Attributes) -> bool {
        self.layout.owns(item) && self.is_kind_of(item)
    }

    /// Whether an item with a key of this entity is of its kind.
    pub fn is_kind_of(&self, item: &Attributes) -> bool {
        self.kind.as_ref().is_none_or(|kind| kind.is_of(item))
    }

    /// The declared attribute of a name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The unique of a name.
    pub fn unique(&self, name: &str) -> Option<&Unique> {
        self.uniques.iter().find(|unique| unique.name == name)
    }

    /// The least and the most value of a bounded integer, its own or those of the attribute it is the same as.
    pub(crate) fn integer_range(&self, name: &str) -> Option<(i64, i64)> {
        let attribute = self.attribute(name)?;
        let bounded = |attribute: &Attribute| {
            Some((attribute.least(Unit::Value)?.to_i64()?, attribute.most(Unit::Value)?.to_i64()?))
        };
        let origin = attribute.same_as.as_ref().and_then(|other| self.attribute(other));
        bounded(attribute).or_else(|| bounded(origin?))
    }

    /// The attribute that is kept as a stamp.
    pub fn stamp(&self, stamp: Stamp) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.value_type == AttributeType::Stamp(stamp))
    }

    /// The stamp of an item's creation, with its format.
    pub fn created_at(&self) -> Option<(&Attribute, TimestampFormat)> {
        self.attributes.iter().find_map(|attribute| match attribute.value_type {
            AttributeType::Stamp(Stamp::CreatedAt(format)) => Some((attribute, format)),
            _ => None,
        })
    }

    /// The attribute that counts the changes, for optimistic locking.
    pub fn version(&self) -> Option<&Attribute> {
        self.stamp(Stamp::Version)
    }

    /// The attribute with the second at which items expire.
    pub fn expiry(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| matches!(attribute.value_type, AttributeType::Expiry(_)))
    }

    /// Whether the identity gives the whole key, so that an item can be read with one `GetItem`.
    pub fn is_found_by_key(&self) -> bool {
        self.layout.key_attributes().iter().all(|name| self.identity.iter().any(|known| known == name))
    }

    /// Whether callers write items themselves, rather than through a source entity.
    pub fn is_written_directly(&self) -> bool {
        self.derivation.is_none()
    }

    /// Whether there is at most one item: no placeholder in the base key.
    pub fn is_singleton(&self) -> bool {
        self.layout.key_attributes().is_empty()
    }
}
