//! The callers of a rule as a condition on the principal.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Grantee};

use super::formula::Formula;
use crate::names::{member, quote};

/// The condition for items of one entity.
pub(super) fn formula(who: &Grantee, design: &Design, entity: &Entity) -> Formula {
    match who {
        Grantee::Operators => operators(&design.callers.operators),
        // Tenancy itself keeps members to the items of their tenant, regardless of the rules.
        Grantee::Members => Formula::all([has("tenant"), has("subject")]),
        Grantee::Owner => entity.owner.as_ref().map_or(Formula::Never, |owner| owned_by_caller(owner)),
        Grantee::All(parts) => Formula::all(parts.iter().map(|part| formula(part, design, entity))),
        Grantee::Any(parts) => Formula::any(parts.iter().map(|part| formula(part, design, entity))),
        plain => caller_formula(plain),
    }
}

/// The callers that `callers: {operators: …}` names; an item or a tenant makes nobody an operator.
fn operators(who: &Grantee) -> Formula {
    match who {
        Grantee::All(parts) => Formula::all(parts.iter().map(operators)),
        Grantee::Any(parts) => Formula::any(parts.iter().map(operators)),
        plain => caller_formula(plain),
    }
}

fn caller_formula(who: &Grantee) -> Formula {
    match who {
        Grantee::Anyone => Formula::Always,
        Grantee::SignedIn => has("subject"),
        Grantee::Role(role) => contains("roles", role),
        Grantee::Group(group) => contains("groups", group),
        Grantee::Permission(permission) => contains("permissions", permission),
        Grantee::Operators | Grantee::Members | Grantee::Owner | Grantee::All(_) | Grantee::Any(_) => Formula::Never,
    }
}

fn has(attribute: &str) -> Formula {
    Formula::atom(format!("principal has {attribute}"))
}

fn contains(set: &str, name: &str) -> Formula {
    Formula::atom(format!("principal.{set}.contains({})", quote(name)))
}

fn owned_by_caller(owner: &str) -> Formula {
    Formula::all([
        has("subject"),
        Formula::atom(format!("resource has {}", crate::names::attribute(owner))),
        Formula::atom(format!("{} == principal.subject", member("resource", owner))),
    ])
}
