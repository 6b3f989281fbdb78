//! Authorization rules.

use std::collections::BTreeSet;

use super::EntityId;
use crate::constraint::Expression;
use crate::span::Span;

/// One line of `allow`. A call that no rule allows is denied.
#[derive(Debug, Clone)]
pub struct Rule {
    pub span: Span,
    pub grantee: Grantee,
    pub verbs: BTreeSet<Verb>,
    pub entities: BTreeSet<EntityId>,
    /// Over the item's attributes and `caller`.
    pub when: Option<Expression>,
}

/// The callers to whom a rule grants access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grantee {
    /// Also callers without a token.
    Anyone,
    SignedIn,
    Operators,
    /// Callers of the item's tenant.
    Members,
    /// The subject that the entity's `owner` attribute names.
    Owner,
    Role(String),
    Group(String),
    Permission(String),
    All(Vec<Grantee>),
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Read one item by its identity.
    Get,
    /// Read items through access patterns.
    List,
    Create,
    Update,
    Delete,
}

impl Verb {
    pub const ALL: [Self; 5] = [Self::Get, Self::List, Self::Create, Self::Update, Self::Delete];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}
