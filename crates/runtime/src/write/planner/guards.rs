//! The guards of a write to a stored item.

use keyfold_design::model::{Entity, TenantBinding};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::Planner;
use crate::deletion_mark::DELETION_MARK;
use crate::error::Error;
use crate::expression::Condition;
use crate::incoming_references::{is_counter, needs_deletion_mark};
use crate::record::{Record, describe_identity};
use crate::tenancy::Confinement;
use crate::write::plan::{Guard, GuardFailure};

impl Planner<'_> {
    /// The item exists, belongs to the caller's tenant and is not being deleted.
    pub(super) fn existence_guards(
        &self,
        entity: &Entity,
        identity: &Attributes,
        confined: &Confinement,
    ) -> Vec<Guard> {
        let missing =
            || GuardFailure::NotFound { entity: entity.name.clone(), identity: describe_identity(entity, identity) };
        // If its key holds more than its identity, the item may have moved: it is looked for again.
        let absent = if entity.is_found_by_key() { missing() } else { GuardFailure::ChangedSinceRead };
        let mut guards = vec![Guard::new(Condition::Exists(self.items.partition_key().to_owned()), absent)];
        if let (Confinement::Tenant { attribute, .. }, TenantBinding::StoredOptionally) = (confined, entity.tenant) {
            let shared = GuardFailure::SharedByAllTenants { entity: entity.name.clone() };
            guards.push(Guard::new(Condition::Exists(attribute.clone()), shared));
        }
        guards.extend(confined.guard(entity).map(|condition| Guard::new(condition, missing())));
        if needs_deletion_mark(self.design, entity) {
            let being_deleted = GuardFailure::BeingDeleted {
                entity: entity.name.clone(),
                identity: describe_identity(entity, identity),
            };
            guards.push(Guard::new(Condition::Absent(DELETION_MARK.to_owned()), being_deleted));
        }
        guards
    }

    /// The item is as it was read: its version, or for an item without one the values read.
    pub fn unchanged_guards(&self, entity: &Entity, old: &Record) -> Vec<Guard> {
        let guard = |name: &str| as_read(old, name);
        match entity.version() {
            Some(version) if old.stored.contains_key(&version.name) => vec![guard(&version.name)],
            version => {
                let declared = entity.attributes.iter().filter(|attribute| {
                    // Counters change whenever referring items do, and nothing is computed from them.
                    attribute.is_stored() && !is_counter(self.design, entity, &attribute.name)
                });
                let names = declared.map(|attribute| attribute.name.as_str()).filter(|name| {
                    !self.design.is_table_key(name) && version.is_none_or(|version| version.name != *name)
                });
                names.chain(version.map(|version| version.name.as_str())).map(guard).collect()
            }
        }
    }

    /// The counters of the item are as they were read, for writes of the whole item.
    pub(super) fn counter_guards(&self, entity: &Entity, old: &Record) -> Vec<Guard> {
        let counters = entity.attributes.iter().filter(|attribute| is_counter(self.design, entity, &attribute.name));
        counters.map(|counter| as_read(old, &counter.name)).collect()
    }
}

/// The item has the version that the caller has seen.
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
    Ok(Some(Guard::new(Condition::Equals(attribute.name.clone(), AttributeValue::N(number)), failure)))
}

/// The attribute has the value that was read.
fn as_read(old: &Record, name: &str) -> Guard {
    let condition = match old.stored.get(name) {
        Some(value) => Condition::Equals(name.to_owned(), value.clone()),
        None => Condition::Absent(name.to_owned()),
    };
    Guard::new(condition, GuardFailure::ChangedSinceRead)
}
