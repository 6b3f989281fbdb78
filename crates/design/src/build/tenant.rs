//! `tenant:`, the attribute that isolates tenants from each other.

use super::codes::{MISSING, NO_TENANT_ATTRIBUTE};
use super::entity_draft;
use super::reader::{Reader, entry, keyword, suggest};
use crate::entity_keyword::EntityKeyword;
use crate::model::Tenant;
use crate::span::Span;
use crate::syntax::Entry;

/// `tenant: accountId`, or with the entity whose own id it is.
pub(super) fn build(stated: Option<&Entry>, declared: &[Entry], reader: &mut Reader<'_>) -> Option<Tenant> {
    let stated = stated?;
    let span = stated.value.span;
    let Some(entries) = stated.value.entries() else {
        let attribute = reader.text(&stated.value, "`tenant`", "tenant: accountId")?;
        let attribute = known_attribute(attribute, span, declared, reader);
        return Some(Tenant { span, attribute, entity: None });
    };
    for unknown in entries.iter().filter(|entry| !["attribute", "entity"].contains(&entry.name())) {
        reader.unknown_key(unknown, &["attribute", "entity"], "`tenant`");
    }
    let Some(stated_attribute) = entry(entries, "attribute") else {
        reader.fault(
            &MISSING,
            span,
            "`tenant` names no attribute",
            "write `tenant: {attribute: agencyId, entity: Agency}`",
        );
        return None;
    };
    let named = &stated_attribute.value;
    let attribute = reader.text(named, "the tenant's attribute", "attribute: agencyId")?;
    let attribute = known_attribute(attribute, named.span, declared, reader);
    let entity = entry(entries, "entity").and_then(|stated| {
        let name = reader.text(&stated.value, "the tenant's entity", "entity: Agency")?;
        entity_draft::position(declared, name, stated.value.span, reader)
    });
    Some(Tenant { span, attribute, entity })
}

/// The attribute, if any entity of tenants has it. Otherwise the mistake is reported once, and the name that was
/// probably meant stands in.
fn known_attribute(attribute: &str, span: Span, declared: &[Entry], reader: &mut Reader<'_>) -> String {
    let entities: Vec<&Entry> = declared.iter().filter(|entity| belongs_to_tenants(entity)).collect();
    if entities.iter().any(|entity| mentions(entity, attribute, reader.source)) {
        return attribute.to_owned();
    }
    let names: Vec<&str> = entities.iter().flat_map(|entity| attributes(entity)).collect();
    let (meant, help) = match (suggest(attribute, names.iter().copied()), common_attribute(&entities)) {
        (Some(close), _) => (close, format!("did you mean `{close}`?")),
        (None, Some(common)) => {
            reader.has_stand_ins = true;
            (common, format!("name an attribute that all of them have, such as `{common}`, or add it to them"))
        }
        // Each entity is told what it lacks.
        (None, None) => return attribute.to_owned(),
    };
    let message = format!("no entity with `scope: tenant` has the attribute `{attribute}`");
    reader.fault(&NO_TENANT_ATTRIBUTE, span, message, help);
    meant.to_owned()
}

fn belongs_to_tenants(entity: &Entry) -> bool {
    let scope = entity.value.entries().and_then(|entries| keyword(entries, EntityKeyword::Scope));
    scope.and_then(|scope| scope.value.scalar()).is_some_and(|scope| scope.starts_with("tenant"))
}

fn attributes(entity: &Entry) -> impl Iterator<Item = &str> {
    let stated = entity.value.entries().and_then(|entries| keyword(entries, EntityKeyword::Attributes));
    stated.and_then(|stated| stated.value.entries()).unwrap_or_default().iter().map(Entry::name)
}

/// The first attribute that several entities have in common.
fn common_attribute<'e>(entities: &[&'e Entry]) -> Option<&'e str> {
    let [first, others @ ..] = entities else { return None };
    let has = |entity: &Entry, name: &str| attributes(entity).any(|own| own == name);
    attributes(first).find(|name| !others.is_empty() && others.iter().all(|other| has(other, name)))
}

/// Whether an entity has the attribute: declared, or in a key only.
fn mentions(entity: &Entry, attribute: &str, source: &str) -> bool {
    let text = source.get(entity.value.span.range()).unwrap_or_default();
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == attribute)
}
