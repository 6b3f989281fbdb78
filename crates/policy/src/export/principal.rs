//! Who a rule is for, as a condition on the principal.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Who};

use super::formula::Formula;
use crate::names::{member, quoted};

/// The condition for items of one entity.
pub fn formula(who: &Who, design: &Design, entity: &Entity) -> Formula {
    match who {
        Who::Operators => design.callers.operators.as_ref().map_or(Formula::Never, operators),
        // Tenancy itself keeps members to the items of their tenant, whatever a rule says.
        Who::Members => Formula::all([has("tenant"), has("subject")]),
        Who::Owner => entity.owner.as_ref().map_or(Formula::Never, |owner| owned_by_caller(owner)),
        Who::All(parts) => Formula::all(parts.iter().map(|part| formula(part, design, entity))),
        Who::Any(parts) => Formula::any(parts.iter().map(|part| formula(part, design, entity))),
        plain => of_caller(plain),
    }
}

/// Whom `callers: {operators: …}` names: nobody because of an item, and nobody because of a tenant.
fn operators(who: &Who) -> Formula {
    match who {
        Who::All(parts) => Formula::all(parts.iter().map(operators)),
        Who::Any(parts) => Formula::any(parts.iter().map(operators)),
        plain => of_caller(plain),
    }
}

fn of_caller(who: &Who) -> Formula {
    match who {
        Who::Anyone => Formula::Always,
        Who::SignedIn => has("subject"),
        Who::Role(role) => contains("roles", role),
        Who::Group(group) => contains("groups", group),
        Who::Permission(permission) => contains("permissions", permission),
        Who::Operators | Who::Members | Who::Owner | Who::All(_) | Who::Any(_) => Formula::Never,
    }
}

fn has(attribute: &str) -> Formula {
    Formula::atom(format!("principal has {attribute}"))
}

fn contains(set: &str, name: &str) -> Formula {
    Formula::atom(format!("principal.{set}.contains({})", quoted(name)))
}

fn owned_by_caller(owner: &str) -> Formula {
    Formula::all([
        has("subject"),
        Formula::atom(format!("resource has {}", crate::names::attribute(owner))),
        Formula::atom(format!("{} == principal.subject", member("resource", owner))),
    ])
}
