//! The guards of a write to a stored item.

use std::collections::BTreeSet;

use keyfold_design::model::{Attribute, Entity, PerEntity, TenantBinding};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::authorize::Authorized;
use crate::deletion_mark::DELETION_MARK;
use crate::description::describe_identity;
use crate::error::Error;
use crate::incoming_references::needs_deletion_mark;
use crate::items::Items;
use crate::record::Record;
use crate::tenancy::Confinement;
use crate::write::plan::{Guard, GuardFailure};

/// Which values of a stored item a plan depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    /// All of them: the item is replaced, or a rule that looks at items allowed the write.
    WholeItem,
    /// Those that keys, rules, references and dependent items combine with others.
    PlanInputs,
}

impl Compared {
    /// The values on which a change of single attributes depends.
    pub(crate) fn for_change(authorized: &Authorized<'_>) -> Self {
        if authorized.reads_items() { Self::WholeItem } else { Self::PlanInputs }
    }
}

/// Makes the guards of writes to stored items.
#[derive(Clone, Copy)]
pub(crate) struct Guards<'r> {
    pub items: Items<'r>,
    /// The attributes of each entity that are combined with others, in the order of the entities.
    pub combined_attributes: &'r PerEntity<BTreeSet<String>>,
}

impl Guards<'_> {
    /// The item exists, belongs to the caller's tenant and is not being deleted.
    pub(crate) fn existence(&self, entity: &Entity, identity: &Attributes, confined: &Confinement) -> Vec<Guard> {
        let missing =
            || GuardFailure::NotFound { entity: entity.name.clone(), identity: describe_identity(entity, identity) };
        // If its key holds more than its identity, the item may have moved: it is looked for again.
        let absent = if entity.is_found_by_key() { missing() } else { GuardFailure::ChangedSinceRead };
        let mut guards = self.presence(entity, &absent);
        if let (Confinement::Tenant { attribute, .. }, TenantBinding::StoredOptionally) = (confined, entity.tenant) {
            let shared = GuardFailure::SharedByAllTenants { entity: entity.name.clone() };
            guards.push(Guard::new(Condition::attribute_exists(attribute.clone()), shared));
        }
        guards.extend(tenant_condition(entity, confined).map(|condition| Guard::new(condition, missing())));
        if needs_deletion_mark(self.items.design, entity) {
            let being_deleted = GuardFailure::BeingDeleted {
                entity: entity.name.clone(),
                identity: describe_identity(entity, identity),
            };
            guards.push(Guard::new(Condition::attribute_not_exists(DELETION_MARK.to_owned()), being_deleted));
        }
        guards
    }

    /// There is an item at the key, and it is one of the entity rather than of another one with the same keys.
    pub(crate) fn presence(&self, entity: &Entity, otherwise: &GuardFailure) -> Vec<Guard> {
        let exists = Condition::attribute_exists(self.items.partition_key().to_owned());
        let conditions = std::iter::once(exists).chain(kind_condition(entity));
        conditions.map(|condition| Guard::new(condition, otherwise.clone())).collect()
    }

    /// The item is still the one that was read.
    ///
    /// An item that was deleted and created again starts at version 1 again, so its version does not tell it from the
    /// first one. Its creation time does, unless both were created within a millisecond. The values that the plan
    /// combines with others are compared as well, so that keys, lookups, derived items and counters are right even
    /// then.
    pub(crate) fn unchanged(&self, entity: &Entity, old: &Record, compared: Compared) -> Vec<Guard> {
        let has = |attribute: &Attribute| old.stored.contains_key(&attribute.name);
        // Seconds are too coarse to tell two items apart.
        let created_at =
            entity.created_at().filter(|(created_at, format)| has(created_at) && format.has_milliseconds());
        let created_at = created_at.map(|(created_at, _)| created_at.name.as_str());
        let is_identified = created_at.is_some() && entity.version().is_some_and(has);
        let combined = &self.combined_attributes[entity.id];
        let version = entity.version().map(|version| version.name.as_str());
        let is_compared = |attribute: &&Attribute| {
            // Counters change whenever referring items do, and nothing is computed from them.
            let is_comparable = attribute.is_stored()
                && !entity.is_counter(&attribute.name)
                && !self.items.design.is_table_key(&attribute.name);
            let is_relevant = match compared {
                Compared::PlanInputs if is_identified => {
                    created_at == Some(attribute.name.as_str()) || combined.contains(&attribute.name)
                }
                Compared::PlanInputs | Compared::WholeItem => true,
            };
            is_comparable && is_relevant && version != Some(attribute.name.as_str())
        };
        let values = entity.attributes.iter().filter(is_compared).map(|attribute| attribute.name.as_str());
        version.into_iter().chain(values).map(|name| as_read(old, name)).collect()
    }

    /// These attributes are as they were read: new values follow from them.
    pub(crate) fn as_read(&self, entity: &Entity, old: &Record, names: &BTreeSet<String>) -> Vec<Guard> {
        let is_key_only = |name: &str| entity.attribute(name).is_some_and(|attribute| !attribute.is_stored());
        let stored = names.iter().filter(|name| !is_key_only(name)).map(String::as_str);
        // A value that only keys hold is as it was read if they are. The item's own key is that of the write.
        let keys = entity.layout.computed.iter().filter(|computed| {
            let held = computed.template.attributes();
            !self.items.design.is_table_key(&computed.name)
                && held.iter().any(|name| names.contains(*name) && is_key_only(name))
        });
        stored.chain(keys.map(|computed| computed.name.as_str())).map(|name| as_read(old, name)).collect()
    }

    /// The counters of the item are as they were read, for writes of the whole item.
    pub(crate) fn counters(&self, entity: &Entity, old: &Record) -> Vec<Guard> {
        let counters = entity.attributes.iter().filter(|attribute| entity.is_counter(&attribute.name));
        counters.map(|counter| as_read(old, &counter.name)).collect()
    }
}

/// The condition that an item is one of the entity; `None` if its key ensures that.
pub(crate) fn kind_condition(entity: &Entity) -> Option<Condition> {
    entity.kind.as_ref().map(|kind| Condition::equals(kind.attribute.clone(), kind.value.clone()))
}

/// The condition that an item belongs to the caller's tenant; `None` if its key ensures that.
pub(crate) fn tenant_condition(entity: &Entity, confined: &Confinement) -> Option<Condition> {
    match (confined, entity.tenant) {
        (Confinement::Tenant { attribute, tenant }, TenantBinding::Stored | TenantBinding::StoredOptionally) => {
            Some(Condition::equals(attribute.clone(), AttributeValue::S(tenant.clone())))
        }
        _ => None,
    }
}

/// The item has the version that the caller expects.
pub(crate) fn version_guard(
    entity: &Entity,
    identity: &Attributes,
    version: Option<u64>,
) -> Result<Option<Guard>, Error> {
    let Some(version) = version else { return Ok(None) };
    let attribute = entity.version().ok_or_else(|| {
        Error::Invalid(format!("{} has no version to compare; the design can declare one", entity.name))
    })?;
    let number = Number::from(version);
    let failure =
        GuardFailure::VersionMismatch { entity: entity.name.clone(), identity: describe_identity(entity, identity) };
    Ok(Some(Guard::new(Condition::equals(attribute.name.clone(), AttributeValue::N(number)), failure)))
}

/// The attribute has the value that was read.
fn as_read(old: &Record, name: &str) -> Guard {
    let condition = match old.stored.get(name) {
        Some(value) => Condition::equals(name.to_owned(), value.clone()),
        None => Condition::attribute_not_exists(name.to_owned()),
    };
    Guard::new(condition, GuardFailure::ChangedSinceRead)
}
