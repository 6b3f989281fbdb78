//! Authorization: every call is decided before anything is planned.

mod caller_match;
mod rules;

pub use rules::DesignRules;

use keyfold_design::Design;
use keyfold_design::model::{Entity, Pattern, Verb};
use keyfold_dynamo::Attributes;

use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;

/// A caller's request to apply a verb to an entity.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    pub caller: &'a Caller,
    pub verb: Verb,
    pub entity: &'a Entity,
    /// The access pattern of a list; `None` for the other verbs, and where any pattern is meant.
    pub pattern: Option<&'a Pattern>,
}

/// The outcome of an authorization, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Allowed,
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
}

/// An access that may be planned. Only [`authorize`] constructs it.
pub(crate) struct Authorized<'a> {
    access: Access<'a>,
    by_item: Option<&'a dyn Authorizer>,
}

/// Asks the authorizer. Planners take its result, so that a call that was not authorized cannot be planned.
pub(crate) fn authorize<'a>(authorizer: &'a dyn Authorizer, access: Access<'a>) -> Result<Authorized<'a>, Error> {
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

    /// Whether the decision depends on the item.
    pub(crate) fn reads_items(&self) -> bool {
        self.by_item.is_some()
    }

    /// Whether the access is allowed for this item.
    pub(crate) fn admits(&self, attributes: &Attributes) -> bool {
        self.by_item.is_none_or(|authorizer| authorizer.decide_item(&self.access, attributes))
    }

    pub(crate) fn require(&self, attributes: &Attributes) -> Result<(), Error> {
        if self.admits(attributes) { Ok(()) } else { Err(denied(&self.access)) }
    }

    /// Removes the attributes whose `visible to` excludes the caller.
    pub(crate) fn conceal(&self, design: &Design, record: &mut Record) {
        let entity = self.access.entity;
        for attribute in entity.attributes.iter().filter(|attribute| attribute.visible_to.is_some()) {
            let Some(who) = &attribute.visible_to else { continue };
            if !caller_match::matches_with_item(who, &self.access, design, &record.attributes) {
                record.attributes.remove(&attribute.name);
            }
        }
    }
}

fn denied(access: &Access<'_>) -> Error {
    let whom = match (&access.caller.subject, access.caller.superuser) {
        (Some(subject), _) => format!("`{subject}`"),
        (None, _) => "a caller without a token".to_owned(),
    };
    Error::NotAllowed(format!("no rule lets {whom} {} {}", access.verb.as_str(), access.entity.name))
}
