//! The kinds of callers that the rules of a design distinguish.

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_design::model::{Entity, EntityId, Grantee, Verb};

/// A kind of caller with a policy of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Role {
    /// `members with permission licenses.write`.
    pub title: String,
    who: Vec<Grantee>,
}

/// By what the sessions of a role are kept to their own partitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fence {
    /// The tag with the tenant.
    Tenant(String),
    /// The tag with the subject, and the attribute that holds the owner.
    Owner(String),
    /// Not at all.
    None,
}

/// The tag with the caller's own id, in addition to the tag of their tenant.
pub(super) const SUBJECT_TAG: &str = "subject";

/// Every kind of caller that a rule names, in the order of the rules.
pub(super) fn roles(design: &Design) -> Vec<Role> {
    let mut roles: Vec<Role> = Vec::new();
    for who in design.rules.iter().flat_map(|rule| alternatives(&rule.grantee)) {
        let title = Grantee::All(who.clone()).to_string();
        if !roles.iter().any(|role| role.title == title) {
            roles.push(Role { title, who });
        }
    }
    roles
}

/// The sides of an `or`, each as what has to hold together.
fn alternatives(who: &Grantee) -> Vec<Vec<Grantee>> {
    match who {
        Grantee::Any(sides) => sides.iter().flat_map(alternatives).collect(),
        Grantee::All(parts) => parts.iter().fold(vec![Vec::new()], |known, part| {
            let sides = alternatives(part);
            known
                .iter()
                .flat_map(|start| sides.iter().map(move |side| [start.clone(), side.clone()].concat()))
                .collect()
        }),
        one => vec![vec![one.clone()]],
    }
}

impl Role {
    pub(super) fn is_operators(&self) -> bool {
        self.who.contains(&Grantee::Operators)
    }

    /// What the design allows this kind of caller to do with an entity: the role's own rules, and those for callers
    /// that it always is as well.
    pub(super) fn verbs(&self, design: &Design, entity: EntityId) -> BTreeSet<Verb> {
        let is_allowed =
            |rule_who: &Grantee| alternatives(rule_who).iter().any(|needed| needed.iter().all(|one| self.is(one)));
        design
            .rules
            .iter()
            .filter(|rule| rule.entities.contains(&entity) && is_allowed(&rule.grantee))
            .flat_map(|rule| rule.verbs.iter().copied())
            .collect()
    }

    /// The same for items of any owner.
    pub(super) fn verbs_on_all(&self, design: &Design, entity: EntityId) -> BTreeSet<Verb> {
        let others = Self {
            title: String::new(),
            who: self.who.iter().filter(|one| **one != Grantee::Owner).cloned().collect(),
        };
        others.verbs(design, entity)
    }

    fn is(&self, needed: &Grantee) -> bool {
        match needed {
            Grantee::Anyone => true,
            Grantee::SignedIn => !self.who.contains(&Grantee::Anyone),
            other => self.who.contains(other),
        }
    }

    /// What keeps sessions of this role apart on an entity.
    pub(super) fn fence(&self, design: &Design, entity: &Entity) -> Fence {
        if self.is_operators() {
            return Fence::None;
        }
        match (&entity.owner, &design.tenant) {
            (Some(owner), _) if self.who.contains(&Grantee::Owner) => Fence::Owner(owner.clone()),
            (_, Some(tenant)) if entity.scope.has_tenant() => Fence::Tenant(tenant.attribute.clone()),
            _ => Fence::None,
        }
    }
}
