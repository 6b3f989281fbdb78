//! `callers:`, who callers are, where roles, groups and permissions come from, and what callers need besides.

use super::caller_items;
use super::caller_lookup::range_of;
use super::caller_requirements;
use super::codes::{BAD_RULE, MISSING};
use super::entity_draft::{named_entity, unknown_attribute};
use super::first_administrator;
use super::grantee;
use super::reader::{Reader, entry};
use crate::model::{Design, Entity, GroupSource, PermissionSource};
use crate::span::Span;
use crate::syntax::Entry;

pub(super) const KEYS: &[&str] =
    &["operators", "are", "members", "groups", "permissions", "requires", "first administrator"];

pub(super) fn build(stated: &Entry, design: &mut Design, reader: &mut Reader<'_>) {
    for stated in reader.mapping(&stated.value, "`callers`", "callers: {operators: role operator}") {
        match stated.name() {
            "operators" => {
                if reader.text(&stated.value, "`operators`", "operators: role operator").is_some()
                    && let Some(operators) = stated.value.located().and_then(|text| grantee::parse(text, reader))
                {
                    design.callers.operators = operators;
                }
            }
            "are" => design.callers.users = caller_items::users(stated, design, reader),
            // Everyone whose token states a tenant is a member of it: nothing to look up.
            "members" if stated.value.scalar() == Some("tenant") => {}
            "members" => design.callers.members = caller_items::members(stated, design, reader),
            "groups" => design.callers.groups = groups(stated, design, reader),
            "permissions" => design.callers.permissions = permissions(stated, design, reader),
            "requires" => design.callers.requirements = caller_requirements::build(stated, design, reader),
            "first administrator" => {
                design.callers.first_administrator = first_administrator::build(stated, design, reader);
            }
            _ => reader.unknown_key(stated, KEYS, "`callers`"),
        }
    }
}

fn groups(stated: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<GroupSource> {
    let example = "groups: {from: Membership, of: userId, group: groupName}";
    let entries = reader.mapping(&stated.value, "`groups`", example);
    let keys = ["from", "of", "group", "permissions"];
    for unknown in entries.iter().filter(|entry| !keys.contains(&entry.name())) {
        reader.unknown_key(unknown, &keys, "`groups`");
    }
    let membership = entity_of(entries, "from", stated.key.span, example, design, reader)?;
    let subject = attribute_of(entries, "of", stated.key.span, example, membership, reader)?;
    let group = attribute_of(entries, "group", stated.key.span, example, membership, reader)?;
    let permissions = match entry(entries, "permissions") {
        None => None,
        Some(stated) => {
            let (entity, attribute) = dotted(stated, design, reader)?;
            Some((entity.id, attribute))
        }
    };
    let range = range_of(membership, &subject, stated.key.span, design, reader)?;
    Some(GroupSource { span: stated.key.span, membership: membership.id, subject, range, group, permissions })
}

fn permissions(stated: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<PermissionSource> {
    let example = "permissions: {through: User.roleId, of: userId, from: Permission, key: menuKey, actions: actions}";
    let entries = reader.mapping(&stated.value, "`permissions`", example);
    let keys = ["through", "of", "from", "role", "key", "actions"];
    for unknown in entries.iter().filter(|entry| !keys.contains(&entry.name())) {
        reader.unknown_key(unknown, &keys, "`permissions`");
    }
    let span = stated.key.span;
    let Some(through) = entry(entries, "through") else {
        reader.fault(&MISSING, span, "`permissions` has no `through`", format!("write `{example}`"));
        return None;
    };
    let (caller, role) = dotted(through, design, reader)?;
    // The caller's own id is what identifies the entity, where the design does not say.
    let subject = match entry(entries, "of") {
        Some(_) => attribute_of(entries, "of", span, example, caller, reader)?,
        None => caller.identity.last()?.clone(),
    };
    let permission = entity_of(entries, "from", span, example, design, reader)?;
    let permission_role = match entry(entries, "role") {
        Some(_) => attribute_of(entries, "role", span, example, permission, reader)?,
        None => {
            if permission.attribute(&role).is_none() {
                unknown_attribute(permission, &role, span, reader);
                return None;
            }
            role.clone()
        }
    };
    let key = attribute_of(entries, "key", span, example, permission, reader)?;
    let actions = attribute_of(entries, "actions", span, example, permission, reader)?;
    Some(PermissionSource {
        span,
        caller: caller.id,
        range: range_of(caller, &subject, span, design, reader)?,
        subject,
        role,
        permission: permission.id,
        permission_range: range_of(permission, &permission_role, span, design, reader)?,
        permission_role,
        key,
        actions,
    })
}

fn entity_of<'d>(
    entries: &[Entry],
    key: &str,
    span: Span,
    example: &str,
    design: &'d Design,
    reader: &mut Reader<'_>,
) -> Option<&'d Entity> {
    let Some(stated) = entry(entries, key) else {
        reader.fault(&MISSING, span, format!("`{key}` is missing"), format!("write `{example}`"));
        return None;
    };
    let name = reader.text(&stated.value, "an entity", example)?;
    named_entity(name, stated.value.span, design, reader)
}

fn attribute_of(
    entries: &[Entry],
    key: &str,
    span: Span,
    example: &str,
    entity: &Entity,
    reader: &mut Reader<'_>,
) -> Option<String> {
    let Some(stated) = entry(entries, key) else {
        reader.fault(&MISSING, span, format!("`{key}` is missing"), format!("write `{example}`"));
        return None;
    };
    let name = reader.text(&stated.value, "an attribute", example)?;
    if entity.attribute(name).is_none() {
        unknown_attribute(entity, name, stated.value.span, reader);
        return None;
    }
    Some(name.to_owned())
}

/// `User.roleId`.
fn dotted<'d>(stated: &Entry, design: &'d Design, reader: &mut Reader<'_>) -> Option<(&'d Entity, String)> {
    let text = reader.text(&stated.value, "an entity and its attribute", "through: User.roleId")?;
    let Some((entity, attribute)) = text.split_once('.') else {
        let message = format!("`{text}` names no attribute of an entity");
        reader.fault(&BAD_RULE, stated.value.span, message, "write `ENTITY.ATTRIBUTE`");
        return None;
    };
    let entity = named_entity(entity, stated.value.span, design, reader)?;
    if entity.attribute(attribute).is_none() {
        unknown_attribute(entity, attribute, stated.value.span, reader);
        return None;
    }
    Some((entity, attribute.to_owned()))
}
