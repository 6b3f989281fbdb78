//! Authorization rules.

use std::collections::BTreeSet;

use super::EntityId;
use crate::constraint::Expression;
use crate::span::Span;

/// One line of `allow`. A call that no rule allows is denied.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Where the design file states it.
    pub span: Span,
    /// Who is allowed.
    pub grantee: Grantee,
    /// What they may do; at least one.
    pub verbs: BTreeSet<Verb>,
    /// With items of which entities; at least one.
    pub entities: BTreeSet<EntityId>,
    /// The condition on the item's attributes and `caller`; `None` if the rule applies to all items.
    pub when: Option<Expression>,
}

/// The callers to whom a rule grants access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grantee {
    /// Also callers without a token.
    Anyone,
    /// Callers with a valid token.
    SignedIn,
    /// Callers who act on all tenants, see [`Callers::operators`](super::Callers::operators).
    Operators,
    /// Callers of the item's tenant.
    Members,
    /// The subject that the entity's `owner` attribute names.
    Owner,
    /// Callers with a role.
    Role(String),
    /// Callers in a group.
    Group(String),
    /// Callers with a permission, such as `licenses.write`.
    Permission(String),
    /// Callers who are all of these.
    All(Vec<Grantee>),
    /// Callers who are at least one of these.
    Any(Vec<Grantee>),
}

impl Grantee {
    /// Visits this grantee and its parts.
    pub fn walk(&self, visit: &mut dyn FnMut(&Grantee)) {
        visit(self);
        if let Self::All(parts) | Self::Any(parts) = self {
            for part in parts {
                part.walk(visit);
            }
        }
    }
}

/// What a caller does with items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Read one item by its identity.
    Get,
    /// Read items through access patterns.
    List,
    /// Create an item, also by a `put` of one that does not exist.
    Create,
    /// Change or replace an item.
    Update,
    /// Delete an item.
    Delete,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Self; 5] = [Self::Get, Self::List, Self::Create, Self::Update, Self::Delete];

    /// As the design spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}
