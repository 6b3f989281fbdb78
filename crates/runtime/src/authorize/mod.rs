//! Authorization: every call is decided before anything is planned.

mod access_table;
mod item;
mod reader;
mod rules;
mod settable;

pub use access_table::AccessTable;
pub(crate) use reader::{ItemChange, Reader};
pub use rules::DesignRules;
pub use settable::UnsettableAttributes;

use keyfold_design::Design;
use keyfold_design::model::{Entity, Pattern, Verb};
use keyfold_design::with_article;
use keyfold_dynamo::Attributes;

use crate::caller::Caller;
use crate::error::{Error, Violation};

/// A caller's request to apply a verb to an entity.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    /// The caller who makes the request.
    pub caller: &'a Caller,
    /// The verb that they want to apply.
    pub verb: Verb,
    /// The entity of the items.
    pub entity: &'a Entity,
    /// The access pattern of a list; `None` for the other verbs, and for a list by any pattern.
    pub pattern: Option<&'a Pattern>,
}

impl Access<'_> {
    /// Whether the scope of the caller's credential includes the access. Authorizers deny what it does not include.
    pub fn is_in_scope(&self, design: &Design) -> bool {
        self.scope_admits(Some(design))
    }

    fn scope_admits(&self, design: Option<&Design>) -> bool {
        let scope = self.caller.scope.as_ref();
        scope.is_none_or(|scope| scope.admits(self.verb, self.entity, self.pattern, design))
    }
}

/// The outcome of an authorization, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Allowed, whatever the item.
    Allowed,
    /// Denied, whatever the item.
    Denied,
    /// It depends on the item, and the item has not been read.
    ByItem,
}

/// Decides about calls. What it does not allow is denied.
pub trait Authorizer: Send + Sync {
    /// Decides before anything is read. `Allowed` and `Denied` hold for every item.
    fn decide(&self, access: &Access<'_>) -> Decision;
    /// Decides about one item. Only needed where [`Authorizer::decide`] returns [`Decision::ByItem`].
    fn decide_item(&self, access: &Access<'_>, item: &Attributes) -> bool;

    /// Whether something forbids the access, whatever else allows it; `None` where it may depend on the item and none
    /// is given. An item that is deleted with another needs no permission of its own, but nothing may forbid its
    /// delete.
    fn forbids(&self, _access: &Access<'_>, _item: Option<&Attributes>) -> Option<bool> {
        Some(false)
    }
}

/// An access that may be planned. Only [`authorize`] constructs it.
pub(crate) struct Authorized<'a> {
    access: Access<'a>,
    by_item: Option<&'a dyn Authorizer>,
}

/// Asks the authorizer. Planners require its result, so that a call that was not authorized cannot be planned.
pub(crate) fn authorize<'a>(authorizer: &'a dyn Authorizer, access: Access<'a>) -> Result<Authorized<'a>, Error> {
    // Whatever the authorizer is: nothing widens a scope.
    if !access.scope_admits(None) {
        return Err(denied(&access));
    }
    match authorizer.decide(&access) {
        Decision::Allowed => Ok(Authorized { access, by_item: None }),
        Decision::ByItem => Ok(Authorized { access, by_item: Some(authorizer) }),
        Decision::Denied => Err(denied(&access)),
    }
}

impl<'a> Authorized<'a> {
    pub(crate) fn caller(&self) -> &'a Caller {
        self.access.caller
    }

    pub(crate) fn entity(&self) -> &'a Entity {
        self.access.entity
    }

    pub(crate) fn access(&self) -> &Access<'a> {
        &self.access
    }

    /// Whether the decision depends on the item.
    pub(crate) fn reads_items(&self) -> bool {
        self.by_item.is_some()
    }
}

/// The error of a delete that would delete a forbidden item as well.
pub(crate) fn forbidden_with(access: &Access<'_>, named: &Entity) -> Error {
    let (caller, entity, named) = (describe(access.caller), with_article(&access.entity.name), &named.name);
    Error::NotAllowed(format!("a policy forbids {caller} to delete {entity} that would be deleted with this {named}"))
}

fn denied(access: &Access<'_>) -> Error {
    let (caller, verb, entity) = (describe(access.caller), access.verb.as_str(), &access.entity.name);
    if !access.scope_admits(None) {
        return Error::NotAllowed(format!(
            "the scope of the credential of {caller} does not permit `{verb}` on {entity}"
        ));
    }
    Error::NotAllowed(format!("no rule lets {caller} {verb} {entity}"))
}

/// The error of a write that sets an attribute whose `settable by` excludes the caller.
pub(crate) fn not_settable(caller: &Caller, entity: &Entity, attribute: &str) -> Error {
    Error::NotSettable(Violation {
        name: "settable by".to_owned(),
        attribute: Some(attribute.to_owned()),
        message: format!("`{attribute}` of {} is not settable by {}", entity.name, describe(caller)),
        write: None,
    })
}

/// A caller, for people.
pub(crate) fn describe(caller: &Caller) -> String {
    caller.subject.as_ref().map_or_else(|| "a caller without a token".to_owned(), |subject| format!("`{subject}`"))
}
