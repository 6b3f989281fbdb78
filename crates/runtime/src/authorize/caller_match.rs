//! Whether a caller is one of those that a rule or `visible to` names.
//!
//! Without an item the result may be unknown, which is `None`: three-valued logic keeps every known result true for all items.

use keyfold_design::Design;
use keyfold_design::model::Grantee;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Access;

/// `None` where it depends on the item and none is given.
pub(super) fn matches(
    grantee: &Grantee,
    access: &Access<'_>,
    design: &Design,
    item: Option<&Attributes>,
) -> Option<bool> {
    let caller = access.caller;
    match grantee {
        Grantee::Operators => Some(caller.is_operator(design)),
        // Tenancy itself confines members to the items of their tenant.
        Grantee::Members => Some(caller.tenant.is_some() && caller.subject.is_some()),
        Grantee::Owner => is_owner(access, item),
        Grantee::All(parts) => parts.iter().map(|part| matches(part, access, design, item)).fold(Some(true), and),
        Grantee::Any(parts) => parts.iter().map(|part| matches(part, access, design, item)).fold(Some(false), or),
        Grantee::Anyone | Grantee::SignedIn | Grantee::Role(_) | Grantee::Group(_) | Grantee::Permission(_) => {
            Some(caller.is_included_in(grantee))
        }
    }
}

/// With an item nothing is unknown.
pub(super) fn matches_with_item(grantee: &Grantee, access: &Access<'_>, design: &Design, item: &Attributes) -> bool {
    matches(grantee, access, design, Some(item)) == Some(true)
}

fn is_owner(access: &Access<'_>, item: Option<&Attributes>) -> Option<bool> {
    let (Some(owner), Some(subject)) = (&access.entity.owner, &access.caller.subject) else { return Some(false) };
    item.map(|item| item.get(owner).and_then(AttributeValue::as_str) == Some(subject))
}

/// Unknown unless one side settles it.
pub(super) fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
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
