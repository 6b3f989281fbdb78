//! Who may do what, decided before anything is planned.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Pattern, Rule, Verb, Who};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;

/// A verb on an entity, asked for by a caller.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    pub caller: &'a Caller,
    pub verb: Verb,
    pub entity: &'a Entity,
    /// The pattern that lists the items, where it is one.
    pub pattern: Option<&'a Pattern>,
}

/// What can be said without an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Allowed,
    Denied,
    /// The item has to be looked at.
    ByItem,
}

/// Decides. What it does not allow is denied.
pub trait Authorizer: Send + Sync {
    /// Before anything is read.
    fn decide(&self, access: &Access<'_>) -> Decision;
    /// For one item, where [`Authorizer::decide`] said [`Decision::ByItem`].
    fn decide_item(&self, access: &Access<'_>, item: &Attributes) -> bool;
}

/// A verb that may be planned. Nothing but [`authorize`] makes one.
pub(crate) struct Authorized<'a> {
    access: Access<'a>,
    by_item: Option<&'a dyn Authorizer>,
}

/// Asks the authorizer; the answer is what the planners take.
pub(crate) fn authorize<'a>(authorizer: &'a dyn Authorizer, access: Access<'a>) -> Result<Authorized<'a>, Error> {
    match authorizer.decide(&access) {
        Decision::Allowed => Ok(Authorized { access, by_item: None }),
        Decision::ByItem => Ok(Authorized { access, by_item: Some(authorizer) }),
        Decision::Denied => Err(denied(&access)),
    }
}

impl<'a> Authorized<'a> {
    pub fn caller(&self) -> &'a Caller {
        self.access.caller
    }

    pub fn entity(&self) -> &'a Entity {
        self.access.entity
    }

    /// Whether each item has to be looked at.
    pub fn reads_items(&self) -> bool {
        self.by_item.is_some()
    }

    /// Whether the item is one that the caller may do this to.
    pub fn admits(&self, attributes: &Attributes) -> bool {
        self.by_item.is_none_or(|authorizer| authorizer.decide_item(&self.access, attributes))
    }

    pub fn require(&self, attributes: &Attributes) -> Result<(), Error> {
        if self.admits(attributes) { Ok(()) } else { Err(denied(&self.access)) }
    }

    /// Takes away the attributes that the caller may not see.
    pub fn conceal(&self, design: &Design, record: &mut Record) {
        let entity = self.access.entity;
        for attribute in entity.attributes.iter().filter(|attribute| attribute.visible_to.is_some()) {
            let Some(who) = &attribute.visible_to else { continue };
            if is_one_of(design, who, self.access.caller, entity, Some(&record.attributes)) != Some(true) {
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

/// The design's own `allow` rules, read as they stand.
pub struct DesignRules {
    design: std::sync::Arc<Design>,
}

impl DesignRules {
    pub fn new(design: std::sync::Arc<Design>) -> Self {
        Self { design }
    }

    fn rules<'r>(&'r self, access: &Access<'_>) -> impl Iterator<Item = &'r Rule> {
        let (verb, entity) = (access.verb, access.entity.id);
        self.design.rules.iter().filter(move |rule| rule.verbs.contains(&verb) && rule.entities.contains(&entity))
    }

    /// `None` where the item is needed.
    fn applies(&self, rule: &Rule, access: &Access<'_>, item: Option<&Attributes>) -> Option<bool> {
        let who = is_one_of(&self.design, &rule.who, access.caller, access.entity, item);
        let when = match (&rule.when, item) {
            (None, _) => Some(true),
            (Some(_), None) => None,
            (Some(when), Some(item)) => {
                Some(when.evaluate_for(|name| item.get(name), access.caller.view()).unwrap_or(false))
            }
        };
        both(who, when)
    }
}

impl Authorizer for DesignRules {
    fn decide(&self, access: &Access<'_>) -> Decision {
        if access.caller.superuser {
            return Decision::Allowed;
        }
        let answers: Vec<Option<bool>> = self.rules(access).map(|rule| self.applies(rule, access, None)).collect();
        if answers.contains(&Some(true)) {
            Decision::Allowed
        } else if answers.contains(&None) {
            Decision::ByItem
        } else {
            Decision::Denied
        }
    }

    fn decide_item(&self, access: &Access<'_>, item: &Attributes) -> bool {
        self.rules(access).any(|rule| self.applies(rule, access, Some(item)) == Some(true))
    }
}

/// Whether the caller is one of those; `None` where the item is needed to say.
fn is_one_of(design: &Design, who: &Who, caller: &Caller, entity: &Entity, item: Option<&Attributes>) -> Option<bool> {
    match who {
        Who::Anyone => Some(true),
        Who::SignedIn => Some(caller.subject.is_some()),
        Who::Operators => Some(caller.is_operator(design)),
        // Tenancy itself keeps members to the items of their tenant.
        Who::Members => Some(caller.tenant.is_some() && caller.subject.is_some()),
        Who::Role(role) => Some(caller.roles.iter().any(|own| own == role)),
        Who::Group(group) => Some(caller.groups.iter().any(|own| own == group)),
        Who::Permission(permission) => Some(caller.permissions.iter().any(|own| own == permission)),
        Who::Owner => match (&entity.owner, &caller.subject, item) {
            (None, _, _) | (_, None, _) => Some(false),
            (Some(_), Some(_), None) => None,
            (Some(owner), Some(subject), Some(item)) => {
                Some(item.get(owner).and_then(AttributeValue::as_str) == Some(subject))
            }
        },
        Who::All(parts) => {
            parts.iter().map(|part| is_one_of(design, part, caller, entity, item)).reduce(both).unwrap_or(Some(true))
        }
        Who::Any(parts) => {
            parts.iter().map(|part| is_one_of(design, part, caller, entity, item)).reduce(either).unwrap_or(Some(false))
        }
    }
}

fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}
