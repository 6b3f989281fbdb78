//! Whether a caller is one of those that a rule or `visible to` names.
//!
//! Without an item the result may be unknown, which is `None`: three-valued logic keeps every known result true for all
//! items.

use keyfold_design::Design;
use keyfold_design::model::Grantee;

use crate::caller::Caller;

/// A relation that makes a caller a grantee, besides their own attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// They act on the whole platform.
    Operator,
    /// They act in a tenant.
    Member,
    /// They own the item.
    Owner,
}

impl Caller {
    /// Whether the caller acts on the whole platform: a superuser, or an operator of the design.
    pub fn is_operator(&self, design: &Design) -> bool {
        // Nobody is an operator because of an item or a tenant.
        let no_relation = |_: Relation| Some(false);
        self.superuser || includes(&design.callers.operators, self, &no_relation) == Some(true)
    }
}

/// Whether a grantee includes a caller; `has` decides about relations. `None` where it is unknown.
pub(crate) fn includes(grantee: &Grantee, caller: &Caller, has: &dyn Fn(Relation) -> Option<bool>) -> Option<bool> {
    let has_name = |names: &[String], name: &str| Some(names.iter().any(|own| own == name));
    match grantee {
        Grantee::Anyone => Some(true),
        Grantee::SignedIn => Some(caller.subject.is_some()),
        Grantee::Role(role) => has_name(&caller.roles, role),
        Grantee::Group(group) => has_name(&caller.groups, group),
        Grantee::Permission(permission) => has_name(&caller.permissions, permission),
        Grantee::Operators => has(Relation::Operator),
        Grantee::Members => has(Relation::Member),
        Grantee::Owner => has(Relation::Owner),
        Grantee::All(parts) => parts.iter().map(|part| includes(part, caller, has)).fold(Some(true), and),
        Grantee::Any(parts) => parts.iter().map(|part| includes(part, caller, has)).fold(Some(false), or),
    }
}

/// Unknown unless one side decides.
pub(crate) fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}
