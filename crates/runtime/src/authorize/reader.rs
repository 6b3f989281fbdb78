//! What the caller of a write may read of the items that it concerns: permission to write is not permission to read.

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};
use keyfold_dynamo::Attributes;

use super::{Access, Authorized, Authorizer, authorize};
use crate::caller::Caller;
use crate::error::{Error, Violation};
use crate::record::Record;
use crate::tenancy::confinement;

/// Reduces what a write returns, and the texts of its errors, to what its caller may read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'r> {
    pub design: &'r Design,
    pub authorizer: &'r dyn Authorizer,
    pub caller: &'r Caller,
}

/// A stored item, and the state to which a write changes it.
#[derive(Clone, Copy)]
pub(crate) struct ItemChange<'c> {
    pub old: &'c Attributes,
    pub new: &'c Attributes,
    /// The attributes whose new values follow from the stored ones, and would tell them.
    pub relative: &'c BTreeSet<String>,
}

/// The attribute that the field of an error is in.
fn root_of<'n>(entity: &Entity, field: &'n str) -> &'n str {
    match entity.attribute(field) {
        Some(_) => field,
        None => field.split(['.', '[']).next().unwrap_or(field),
    }
}

impl Reader<'_> {
    /// The permission to read some items of an entity, at least.
    pub(crate) fn authorized<'a>(&'a self, entity: &'a Entity) -> Option<Authorized<'a>> {
        authorize(self.authorizer, Access { caller: self.caller, verb: Verb::Get, entity, pattern: None }).ok()
    }

    /// Whether the caller may read an item.
    pub(crate) fn may_read(&self, entity: &Entity, item: &Attributes) -> bool {
        let is_visible = confinement(self.design, self.caller).sees(entity, item);
        is_visible && self.authorized(entity).is_some_and(|authorized| authorized.admits(item))
    }

    /// Removes from an item what the caller may not read: attributes whose `visible to` excludes them, or everything
    /// but identity, tenant and version.
    pub(crate) fn conceal(&self, entity: &Entity, record: &mut Record) {
        record.is_readable = self.may_read(entity, &record.attributes);
        let access = Access { caller: self.caller, verb: Verb::Get, entity, pattern: None };
        access.conceal(self.design, record);
        record.stored.clear();
        if !record.is_readable {
            let tenant = self.design.tenant.as_ref().map(|tenant| &tenant.attribute);
            let version = entity.version().map(|version| &version.name);
            let is_kept = |name: &String| {
                entity.identity.contains(name)
                    || tenant.is_some_and(|own| own == name)
                    || version.is_some_and(|own| own == name)
            };
            record.attributes.retain(|name, _| is_kept(name));
        }
    }

    /// Whether an error may show the value that an attribute has after a change: the caller has set it, or may read it
    /// without an entry in the audit log, which an error does not get.
    pub(crate) fn may_show(&self, entity: &Entity, change: ItemChange<'_>, name: &str) -> bool {
        let name = root_of(entity, name);
        let is_set = change.old.get(name) != change.new.get(name) && !change.relative.contains(name);
        is_set || !entity.audit_reads && self.may_see(entity, change.old, name)
    }

    /// Whether the caller may read an attribute of an item.
    pub(crate) fn may_see(&self, entity: &Entity, item: &Attributes, name: &str) -> bool {
        let is_visible = || {
            let authorized = self.authorized(entity);
            authorized.and_then(|own| own.sees_attribute(self.design, name, Some(item))) == Some(true)
        };
        self.may_read(entity, item) && is_visible()
    }

    /// The error of a change, without a stored value that the caller may not read.
    pub(crate) fn conceal_value(&self, entity: &Entity, change: ItemChange<'_>, error: Error) -> Error {
        match error {
            Error::Constraint(Violation { name, attribute: Some(attribute), write, .. })
                if !self.may_show(entity, change, &attribute) =>
            {
                let message = format!("the stored `{attribute}` of {} violates the design", entity.name);
                Error::Constraint(Violation { name, attribute: Some(attribute), message, write })
            }
            error => error,
        }
    }

    /// Whether the caller may read every item of an entity as a whole, so that an error may name any of them.
    pub(crate) fn reads_all(&self, entity: &Entity) -> bool {
        self.authorized(entity).is_some_and(|authorized| {
            let sees = |name: &str| authorized.sees_attribute(self.design, name, None) == Some(true);
            !authorized.reads_items() && entity.attributes.iter().all(|attribute| sees(&attribute.name))
        })
    }
}
