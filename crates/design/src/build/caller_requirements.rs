//! `callers: {requires: …}`, the items that callers need.

use super::caller_lookup::range_of;
use super::codes::{BAD_RULE, NO_SOURCE};
use super::entity_draft::{named_entity, unknown_attribute};
use super::expression::{self, ExpressionScope};
use super::reader::Reader;
use crate::model::{CallerItem, CallerItemKey, CallerRequirement, Design, Entity};
use crate::span::Span;
use crate::syntax::{Entry, Located};

const EXAMPLE: &str = "requires: [User: status == \"active\"]";

/// The condition of an item that only has to exist.
const EXISTS: &str = "exists";

/// A list of requirements, each a mapping from entities to conditions: one of them has to hold.
pub(super) fn build(stated: &Entry, design: &Design, reader: &mut Reader<'_>) -> Vec<CallerRequirement> {
    let Some(items) = stated.value.items() else {
        let help = "begin each with `- `: `- User: status == \"active\"`";
        reader.fault(&BAD_RULE, stated.value.span, "`requires` is a list of items that callers need", help);
        return Vec::new();
    };
    let mut requirements = Vec::new();
    for item in items {
        let entries = reader.mapping(item, "an item that callers need", EXAMPLE);
        let alternatives: Option<Vec<CallerItem>> =
            entries.iter().map(|entry| alternative(entry, design, reader)).collect();
        if let Some(alternatives) = alternatives.filter(|alternatives| !alternatives.is_empty()) {
            requirements.push(CallerRequirement { span: item.span, alternatives });
        }
    }
    requirements
}

/// `User: status == "active"`, `Membership by userId: exists`.
fn alternative(entry: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<CallerItem> {
    let key = Located::of_key(&entry.key);
    let (name, by) = match key.text.find(" by ") {
        Some(at) => (key.slice(0, at).trim(), Some(key.from(at + " by ".len()).trim())),
        None => (key, None),
    };
    let entity = named_entity(name.text, name.span(), design, reader)?;
    let found_by = match by {
        None if is_tenant(design, entity) => CallerItemKey::Tenant,
        by => by_subject(entity, by, entry.key.span, design, reader)?,
    };
    reader.text(&entry.value, "a condition", EXAMPLE)?;
    let condition = match entry.value.located()?.trim() {
        text if text.text == EXISTS => None,
        text => Some(expression::compile(text, &[entity], ExpressionScope::CallerItem, reader)?),
    };
    Some(CallerItem { entity: entity.id, found_by, condition })
}

fn is_tenant(design: &Design, entity: &Entity) -> bool {
    let tenant = design.tenant.as_ref();
    tenant.is_some_and(|tenant| tenant.entity == Some(entity.id) && entity.identity == [tenant.attribute.as_str()])
}

/// The subject is in the attribute that the design names, or else in the owner, or in the end of the identity.
fn by_subject(
    entity: &Entity,
    by: Option<Located<'_>>,
    span: Span,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Option<CallerItemKey> {
    let attribute = match by {
        Some(by) if entity.attribute(by.text).is_none() => {
            unknown_attribute(entity, by.text, by.span(), reader);
            return None;
        }
        Some(by) => by.text.to_owned(),
        None => match entity.owner.as_ref().or(entity.identity.last()) {
            Some(name) => name.clone(),
            None => {
                let message = format!("no attribute of `{}` holds the subject of a caller", entity.name);
                let help = format!("name it: `{} by ATTRIBUTE`", entity.name);
                reader.fault(&NO_SOURCE, span, message, help);
                return None;
            }
        },
    };
    let range = Box::new(range_of(entity, &attribute, span, design, reader)?);
    Some(CallerItemKey::Subject { attribute, range })
}
