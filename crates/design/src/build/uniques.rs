//! `unique:` of an entity.

use keyfold_dynamo::table::KeyType;

use super::codes::{BAD_FORMAT, KEY_TYPE, UNKNOWN_KEY};
use super::entity_draft::{EntityDraft, unknown_attribute};
use super::entity_keys::{self, Owner};
use super::entry_condition;
use super::reader::{Reader, keyword};
use super::templates::{Names, split_condition};
use crate::entity_keyword::EntityKeyword;
use crate::model::{Attribute, Computed, Design, Entity, EntityId, EntryCondition, KeyPart, Layout, Unique};
use crate::span::Span;
use crate::syntax::{Entry, Node, NodeKind};
use crate::template::{Format, Part, Placeholder, Template, ValueKind};

pub(super) fn build(id: EntityId, draft: &EntityDraft<'_>, design: &Design, reader: &mut Reader<'_>) -> Vec<Unique> {
    let Some(stated) = keyword(draft.entries, EntityKeyword::Unique) else { return Vec::new() };
    let entity = &design[id];
    // `unique: email` and `unique: [email, phone]` name attributes that are unique each by itself.
    if stated.value.entries().is_none() {
        let (names, condition) = short_form(&stated.value, "`unique`", "unique: {email: [email]}", entity, reader);
        return names
            .into_iter()
            .filter_map(|(name, span)| {
                let attributes = attributes(entity, &[(name, span)], reader)?;
                let unique = generated(name, span, &attributes, entity, design, reader);
                Some(under(condition.clone(), unique))
            })
            .collect();
    }
    let entries = reader.mapping(&stated.value, "`unique`", "unique: {email: [email]}");
    entries.iter().filter_map(|stated| one(stated, entity, design, reader)).collect()
}

fn one(stated: &Entry, entity: &Entity, design: &Design, reader: &mut Reader<'_>) -> Option<Unique> {
    let NodeKind::Mapping(entries) = &stated.value.kind else {
        let (names, condition) = short_form(&stated.value, "a unique", "email: [email]", entity, reader);
        let attributes = attributes(entity, &names, reader)?;
        let unique = generated(stated.name(), stated.key.span, &attributes, entity, design, reader);
        return Some(under(condition, unique));
    };
    let names = Names::of_entity(entity);
    let templates: Vec<&Entry> = entries.iter().collect();
    for template in &templates {
        if template.value.scalar().is_none() {
            let message = format!("`{}` is not a key of a lookup item", template.name());
            reader.fault(
                &UNKNOWN_KEY,
                template.key.span,
                message,
                "a lookup item has keys and attributes with templates",
            );
        }
    }
    let what = format!("{}.{}", entity.name, stated.name());
    let owner = Owner { name: &what, span: stated.key.span, is_lookup: true };
    let layout = entity_keys::layout(&templates, &names, &[], &owner, design, reader);
    let attributes: Vec<String> = layout.key_attributes().into_iter().map(str::to_owned).collect();
    Some(Unique {
        name: stated.name().to_owned(),
        span: stated.key.span,
        attributes,
        layout,
        carries: entity.identity.clone(),
        generated: false,
    })
}

/// `email when active`: names of attributes, and the condition under which they are unique.
fn short_form<'n>(
    node: &'n Node,
    what: &str,
    example: &str,
    entity: &Entity,
    reader: &mut Reader<'_>,
) -> (Vec<(&'n str, Span)>, Option<EntryCondition>) {
    let stated = node.located().map(split_condition);
    let Some((names, Some(condition))) = stated else { return (reader.list(node, what, example), None) };
    let condition = entry_condition::compile(condition, &Names::of_entity(entity), reader);
    (Reader::pieces(names), condition)
}

fn under(condition: Option<EntryCondition>, mut unique: Unique) -> Unique {
    unique.layout.condition = condition;
    unique
}

fn attributes<'e>(entity: &'e Entity, names: &[(&str, Span)], reader: &mut Reader<'_>) -> Option<Vec<&'e Attribute>> {
    let mut found = Vec::new();
    for (name, span) in names {
        match entity.attribute(name) {
            Some(attribute) if attribute.value_type.kind().is_some() => found.push(attribute),
            Some(attribute) => {
                let message = format!("`{name}` is {}, which cannot be part of a key", attribute.value_type.rule());
                reader.fault(&BAD_FORMAT, *span, message, "use attributes with one value");
            }
            None => unknown_attribute(entity, name, *span, reader),
        }
    }
    (found.len() == names.len() && !found.is_empty()).then_some(found)
}

/// The lookup item of the short form: `UNIQUE#User#email#<email:url>`, encoded so that no two values give one key.
fn generated(
    name: &str,
    span: Span,
    attributes: &[&Attribute],
    entity: &Entity,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Unique {
    let delimiter = design.table.delimiter;
    let table = &design.table;
    if table.partition.key_type != KeyType::S || table.sort.as_ref().is_some_and(|sort| sort.key_type != KeyType::S) {
        let message = format!("the lookup item of `{name}` needs keys that are strings");
        reader.fault(&KEY_TYPE, span, message, "write the lookup item's keys yourself");
    }
    let mut source = ["UNIQUE", &entity.name, name].join(&delimiter.to_string());
    let mut parts = vec![Part::Literal(source.clone())];
    for attribute in attributes {
        let kind = attribute.value_type.kind().unwrap_or(ValueKind::Text);
        let formats = if kind == ValueKind::Text { vec![Format::Url] } else { Vec::new() };
        let spelt = if formats.is_empty() { attribute.name.clone() } else { format!("{}:url", attribute.name) };
        source.push_str(&format!("{delimiter}<{spelt}>"));
        parts.push(Part::Literal(delimiter.to_string()));
        parts.push(Part::Placeholder(Placeholder {
            attribute: attribute.name.clone(),
            span,
            formats,
            fallback: None,
            kind,
            optional: attribute.may_be_absent(),
            range: attribute.integer_range(),
            sentinel: None,
        }));
    }
    // Two literals in a row are one.
    let parts = parts.into_iter().fold(Vec::new(), |mut joined: Vec<Part>, part| {
        match (joined.last_mut(), part) {
            (Some(Part::Literal(text)), Part::Literal(more)) => text.push_str(&more),
            (_, part) => joined.push(part),
        }
        joined
    });
    let partition = KeyPart { key: table.partition.clone(), template: Template::new(source, span, parts, delimiter) };
    let sort = table
        .sort
        .as_ref()
        .map(|key| KeyPart { key: key.clone(), template: Template::literal("UNIQUE", span, delimiter) });
    let computed = std::iter::once(&partition)
        .chain(&sort)
        .map(|part| Computed { name: part.key.name.clone(), template: part.template.clone(), indexes: Vec::new() })
        .collect();
    Unique {
        name: name.to_owned(),
        span,
        attributes: attributes.iter().map(|attribute| attribute.name.clone()).collect(),
        layout: Layout { partition, sort, index_keys: Vec::new(), computed, condition: None },
        carries: entity.identity.clone(),
        generated: true,
    }
}
