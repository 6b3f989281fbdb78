//! Whether the design can have the callers that a rule, `visible to` or `settable by` names.

use super::codes::{NO_OWNER, NO_SOURCE};
use super::reader::Reader;
use crate::diagnostic::Code;
use crate::model::{Design, Entity, Grantee};
use crate::span::Span;

/// Checks `visible to` and `settable by` of every attribute, once the callers are known.
pub(super) fn check_attributes(design: &Design, reader: &mut Reader<'_>) {
    for entity in &design.entities {
        for attribute in &entity.attributes {
            for grantee in [&attribute.visible_to, &attribute.settable_by].into_iter().flatten() {
                check(grantee, attribute.span, &[entity], design, reader);
            }
        }
    }
}

/// Checks that there can be callers of each kind, for each of the entities.
pub(super) fn check(grantee: &Grantee, span: Span, entities: &[&Entity], design: &Design, reader: &mut Reader<'_>) {
    let mut faults: Vec<(&'static Code, String, String)> = Vec::new();
    grantee.walk(&mut |part| match part {
        Grantee::Members if design.tenant.is_none() => faults.push((
            &NO_SOURCE,
            "`members` requires a tenant".to_owned(),
            "add `tenant: ATTRIBUTE`, or write `signed in`".to_owned(),
        )),
        Grantee::Permission(name) if !has_permissions(design) => faults.push((
            &NO_SOURCE,
            format!("the permission `{name}` has no source"),
            "declare where permissions are: `callers: {permissions: {through: User.roleId, from: Permission, key: menuKey, actions: actions}}`"
                .to_owned(),
        )),
        Grantee::Group(name) if design.callers.groups.is_none() => faults.push((
            &NO_SOURCE,
            format!("the group `{name}` has no source"),
            "declare where groups are: `callers: {groups: {from: Membership, of: userId, group: groupName}}`".to_owned(),
        )),
        Grantee::Owner => {
            for entity in entities.iter().filter(|entity| entity.owner.is_none()) {
                faults.push((
                    &NO_OWNER,
                    format!("`{}` has no owner", entity.name),
                    format!("add `owner: ATTRIBUTE` to `{}`", entity.name),
                ));
            }
        }
        _ => {}
    });
    for (code, message, help) in faults {
        reader.fault(code, span, message, help);
    }
}

fn has_permissions(design: &Design) -> bool {
    let callers = &design.callers;
    callers.permissions.is_some() || callers.groups.as_ref().is_some_and(|groups| groups.permissions.is_some())
}
