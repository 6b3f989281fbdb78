//! Conditions of callers on the item that they change. A condition tells its caller about the item, so it takes the
//! permission to read what it tests.

use keyfold_dynamo::Attributes;

use super::Planner;
use crate::authorize::{Authorized, describe};
use crate::error::Error;
use crate::record::Record;
use crate::write::item_condition::{ConditionTerm, ItemCondition};
use crate::write::plan::{Guard, GuardFailure};

impl Planner<'_> {
    /// The guards of a condition, if the caller may test every item by it; `None` if that depends on the item.
    pub(super) fn condition_guards(
        &self,
        authorized: &Authorized<'_>,
        identity: &Attributes,
        condition: Option<&ItemCondition>,
    ) -> Result<Option<Vec<Guard>>, Error> {
        let Some(condition) = condition else { return Ok(Some(Vec::new())) };
        let entity = authorized.entity();
        let reader = self.reader(authorized.caller());
        let Some(reading) = reader.authorized(entity) else {
            let (caller, name) = (describe(authorized.caller()), &entity.name);
            return Err(Error::NotAllowed(format!("no rule lets {caller} get {name}, which a condition needs")));
        };
        let mut is_certain = !reading.reads_items();
        for name in condition.attributes() {
            require_stored(authorized, name)?;
            match reading.sees_attribute(self.design, name, None) {
                Some(true) => {}
                Some(false) => return Err(hidden(authorized, name)),
                None => is_certain = false,
            }
        }
        Ok(if is_certain { Some(self.guards_of(authorized, identity, condition)?) } else { None })
    }

    /// The guards of a condition on an item that was read, which meets it.
    pub(super) fn require_condition(
        &self,
        authorized: &Authorized<'_>,
        old: &Record,
        condition: Option<&ItemCondition>,
    ) -> Result<Vec<Guard>, Error> {
        let Some(condition) = condition else { return Ok(Vec::new()) };
        let entity = authorized.entity();
        let certain = self.condition_guards(authorized, &old.attributes, Some(condition))?;
        if certain.is_none() {
            let reader = self.reader(authorized.caller());
            if !reader.may_read(entity, &old.attributes) {
                let (caller, name) = (describe(authorized.caller()), &entity.name);
                return Err(Error::NotAllowed(format!(
                    "no rule lets {caller} get this {name}, which a condition needs"
                )));
            }
            let unseen = |name: &&str| !reader.may_see(entity, &old.attributes, name);
            if let Some(name) = condition.attributes().into_iter().find(unseen) {
                return Err(hidden(authorized, name));
            }
        }
        let guards = match certain {
            Some(guards) => guards,
            None => self.guards_of(authorized, &old.attributes, condition)?,
        };
        match guards.iter().find(|guard| !guard.condition.matches(&old.stored)) {
            Some(unmet) => Err(unmet.to_error(Some(&old.stored))),
            None => Ok(guards),
        }
    }

    fn guards_of(
        &self,
        authorized: &Authorized<'_>,
        identity: &Attributes,
        condition: &ItemCondition,
    ) -> Result<Vec<Guard>, Error> {
        let entity = authorized.entity();
        let own = identity.iter().filter(|(name, _)| entity.identity.contains(name));
        let item: Attributes = own.map(|(name, value)| (name.clone(), value.clone())).collect();
        let tenant = self.design.tenant.as_ref().map(|tenant| tenant.attribute.clone());
        let guard = |term: ConditionTerm| {
            let failure = GuardFailure::ConditionNotMet {
                entity: entity.name.clone(),
                item: item.clone(),
                term: term.text,
                tenant: tenant.clone(),
            };
            Guard::new(term.condition, failure)
        };
        Ok(condition.terms()?.into_iter().map(guard).collect())
    }
}

/// A value that only a key holds cannot be compared in the table.
fn require_stored(authorized: &Authorized<'_>, name: &str) -> Result<(), Error> {
    let entity = authorized.entity();
    match entity.attribute(name) {
        Some(attribute) if attribute.is_stored() => Ok(()),
        Some(_) => {
            Err(Error::Invalid(format!("`{name}` of {} is in its key only: no condition tests it", entity.name)))
        }
        None => Err(Error::Invalid(format!("`{name}` is not an attribute of {}", entity.name))),
    }
}

fn hidden(authorized: &Authorized<'_>, name: &str) -> Error {
    let (caller, entity) = (describe(authorized.caller()), &authorized.entity().name);
    Error::NotAllowed(format!("`{name}` of {entity} is not visible to {caller}, so that no condition can test it"))
}
