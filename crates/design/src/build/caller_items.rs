//! `callers: {are: …, members: …}`: the items that callers are, and those that make them members of tenants.

use super::caller_lookup::range_of;
use super::codes::{BAD_CALLER, MISSING};
use super::entity_draft::{named_entity, unknown_attribute};
use super::reader::{Reader, entry};
use super::reference_range;
use crate::model::{AttributeType, ClaimedAttribute, Design, Entity, MemberSource, Scope, UserSource};
use crate::span::Span;
use crate::syntax::{Entry, Located, Node};

const USERS: &str = "are: User by issuer and subject";
const MEMBERS: &str = "members: Membership by userId";

/// `User by issuer and subject`: an entity, and its attributes that hold what is known about a caller.
struct CallerItemSource<'d> {
    entity: &'d Entity,
    attributes: Vec<String>,
    span: Span,
}

/// `are: User by issuer and subject`, or `are: {from: …, role: …, created with: {…}}`.
pub(super) fn users(stated: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<UserSource> {
    let (from, entries) = parts(stated, &["from", "role", "created with"], USERS, reader)?;
    let source = source(from, USERS, design, reader)?;
    let (issuer, subject) = match source.attributes.as_slice() {
        [subject] => (None, subject.clone()),
        [issuer, subject] => (Some(issuer.clone()), subject.clone()),
        _ => {
            let help = format!("name the attributes with the issuer and the subject of a token: `{USERS}`");
            reader.fault(&BAD_CALLER, source.span, "a caller has an issuer and a subject", help);
            return None;
        }
    };
    let CallerItemSource { entity, attributes, span } = source;
    let [id] = entity.identity.as_slice() else {
        let message =
            format!("`{}` is not identified by one attribute, which would be the id of a caller", entity.name);
        let help = "name an entity whose key has one placeholder that is not the tenant";
        reader.fault(&BAD_CALLER, span, message, help);
        return None;
    };
    let is_same = |names: &[String]| {
        names.len() == attributes.len() && names.iter().all(|name| attributes.iter().any(|own| own == name))
    };
    // One that is unique under a condition only identifies nobody: people without a lookup item would be new users.
    let mut uniques = entity.uniques.iter().filter(|unique| unique.layout.condition.is_none());
    let unique = uniques.find(|unique| is_same(&unique.attributes)).map(|unique| unique.name.clone());
    if unique.is_none() && !is_same(&entity.identity) {
        let named = attributes.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
        let message = format!("several items of `{}` could have the same {named}", entity.name);
        let help = format!("make them unique: `unique: {{identity: [{}]}}`", attributes.join(", "));
        reader.fault(&BAD_CALLER, span, message, help);
        return None;
    }
    let mapping: Vec<(String, String)> = attributes.iter().map(|name| (name.clone(), name.clone())).collect();
    let without_lookup = unique.as_ref().and_then(|_| reference_range::find(entity, &subject, &mapping, design));
    let created_with = match entry(entries, "created with") {
        Some(stated) => Some(created_with(stated, entity, &attributes, reader)?),
        None => None,
    };
    let (id, entity_id) = (id.clone(), entity.id);
    let role = role(entries, entity, reader)?;
    Some(UserSource { span, entity: entity_id, issuer, subject, unique, without_lookup, id, role, created_with })
}

/// `members: Membership by userId`, or `members: {from: …, role: …}`.
pub(super) fn members(stated: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<MemberSource> {
    let (from, entries) = parts(stated, &["from", "role"], MEMBERS, reader)?;
    let source = source(from, MEMBERS, design, reader)?;
    let CallerItemSource { entity, attributes, span } = source;
    let [subject] = attributes.as_slice() else {
        let help = format!("name the attribute with the caller's id: `{MEMBERS}`");
        reader.fault(&BAD_CALLER, span, "a membership is found by one attribute", help);
        return None;
    };
    let Some(tenant) = design.tenant.as_ref().filter(|_| entity.scope == Scope::Tenant) else {
        let message = format!("`{}` does not belong to a tenant, so that it makes nobody a member of one", entity.name);
        let help = match design.tenant {
            Some(_) => format!("name an entity with `scope: tenant`, or give it to `{}`", entity.name),
            None => "add `tenant: ATTRIBUTE`, or remove `members`".to_owned(),
        };
        reader.fault(&BAD_CALLER, span, message, help);
        return None;
    };
    let alone = vec![(subject.clone(), subject.clone())];
    let Some(of_all_tenants) = reference_range::find(entity, subject, &alone, design) else {
        let message = format!("no key leads from a caller to their items of `{}` in all tenants", entity.name);
        let help = format!(
            "give `{}`, or an entity derived from it, a key or an index that begins with `{subject}` and not with `{}`",
            entity.name, tenant.attribute
        );
        reader.fault(&BAD_CALLER, span, message, help);
        return None;
    };
    let range = range_of(entity, subject, span, design, reader)?;
    let (subject, entity_id) = (subject.clone(), entity.id);
    Some(MemberSource { span, entity: entity_id, subject, range, of_all_tenants, role: role(entries, entity, reader)? })
}

/// The source, and the entries of the long form.
fn parts<'n>(
    stated: &'n Entry,
    keys: &[&str],
    example: &str,
    reader: &mut Reader<'_>,
) -> Option<(&'n Node, &'n [Entry])> {
    let Some(entries) = stated.value.entries() else { return Some((&stated.value, &[])) };
    for unknown in entries.iter().filter(|entry| !keys.contains(&entry.name())) {
        reader.unknown_key(unknown, keys, &format!("`{}`", stated.name()));
    }
    let Some(from) = entry(entries, "from") else {
        let message = format!("`{}` has no `from`", stated.name());
        reader.fault(&MISSING, stated.key.span, message, format!("write `{example}`"));
        return None;
    };
    Some((&from.value, entries))
}

fn source<'d>(node: &Node, example: &str, design: &'d Design, reader: &mut Reader<'_>) -> Option<CallerItemSource<'d>> {
    reader.text(node, "an entity and its attributes", example)?;
    let text = node.located()?;
    let Some(at) = text.text.find(" by ") else {
        let message = format!("`{}` does not say by which attribute a caller is found", text.text);
        reader.fault(&BAD_CALLER, text.span(), message, format!("write `{example}`"));
        return None;
    };
    let (name, by) = (text.slice(0, at).trim(), text.from(at + " by ".len()).trim());
    let entity = named_entity(name.text, name.span(), design, reader)?;
    let mut attributes = Vec::new();
    for name in by.text.split(" and ") {
        let name = Located::whole(name.trim(), by.span());
        if entity.attribute(name.text).is_none() {
            unknown_attribute(entity, name.text, name.span(), reader);
            return None;
        }
        attributes.push(name.text.to_owned());
    }
    Some(CallerItemSource { entity, attributes, span: text.span() })
}

/// The attribute with the role. Its values are declared, so that nobody gets a role that the design does not know.
#[expect(clippy::option_option, reason = "no role is stated, or the one that is stated is wrong")]
fn role(entries: &[Entry], entity: &Entity, reader: &mut Reader<'_>) -> Option<Option<String>> {
    let Some(stated) = entry(entries, "role") else { return Some(None) };
    let name = reader.text(&stated.value, "an attribute", "role: role")?;
    let Some(attribute) = entity.attribute(name) else {
        unknown_attribute(entity, name, stated.value.span, reader);
        return None;
    };
    if !matches!(attribute.value_type, AttributeType::Enumeration(_)) {
        let message = format!("`{name}` is not one of several roles");
        let help = format!("list the roles: `{name}: admin | editor`");
        reader.fault(&BAD_CALLER, stated.value.span, message, help);
        return None;
    }
    Some(Some(name.to_owned()))
}

/// `{name: name or email}`: every attribute that a new item has to have comes from a claim.
fn created_with(
    stated: &Entry,
    entity: &Entity,
    known: &[String],
    reader: &mut Reader<'_>,
) -> Option<Vec<ClaimedAttribute>> {
    let mut claimed = Vec::new();
    for entry in reader.mapping(&stated.value, "`created with`", "created with: {name: name or email}") {
        let name = entry.name();
        match entity.attribute(name) {
            None => {
                unknown_attribute(entity, name, entry.key.span, reader);
                return None;
            }
            Some(attribute) if !entity.is_settable(attribute) || known.iter().any(|known| known == name) => {
                let message = format!("`{name}` of a new `{}` does not come from a claim", entity.name);
                reader.fault(&BAD_CALLER, entry.key.span, message, format!("remove `{name}` from `created with`"));
                return None;
            }
            Some(_) => {}
        }
        let text = reader.text(&entry.value, "the name of a claim", "name: name or email")?;
        let claims = text.split(" or ").map(|claim| claim.trim().to_owned()).collect();
        claimed.push(ClaimedAttribute { attribute: name.to_owned(), claims });
    }
    let has_source =
        |name: &str| known.iter().any(|known| known == name) || claimed.iter().any(|claimed| claimed.attribute == name);
    let missing = entity.attributes.iter().find(|attribute| {
        entity.is_settable(attribute)
            && !attribute.optional
            && attribute.default.is_none()
            && attribute.generator.is_none()
            && !has_source(&attribute.name)
    });
    if let Some(missing) = missing {
        let message = format!("a new `{}` needs `{}`, and no claim gives it", entity.name, missing.name);
        let help = format!("name a claim: `created with: {{{}: CLAIM}}`", missing.name);
        reader.fault(&BAD_CALLER, stated.key.span, message, help);
        return None;
    }
    Some(claimed)
}
