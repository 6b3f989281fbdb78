//! `callers: {first administrator: …}`: the items that make a person the first administrator.

use super::codes::{BAD_CALLER, BAD_VALUE};
use super::entity_draft::{named_entity, unknown_attribute};
use super::reader::Reader;
use super::value_text;
use crate::model::{Design, Entity, NewItem, NewValue};
use crate::syntax::{Entry, Node, NodeKind};

const EXAMPLE: &str = "first administrator: [User: {subject: <subject>, role: admin}]";

/// A list of items with values and `<parameters>`. They are written in this order, and the last one is what makes the
/// person an administrator.
pub(super) fn build(stated: &Entry, design: &Design, reader: &mut Reader<'_>) -> Vec<NewItem> {
    let Some(items) = stated.value.items() else {
        let help = format!("write `{EXAMPLE}`");
        reader.fault(&BAD_CALLER, stated.value.span, "`first administrator` is a list of items", help);
        return Vec::new();
    };
    let built: Option<Vec<NewItem>> = items.iter().map(|item| new_item(item, design, reader)).collect();
    built.unwrap_or_default()
}

fn new_item(node: &Node, design: &Design, reader: &mut Reader<'_>) -> Option<NewItem> {
    let Some([one]) = node.entries() else {
        let help = format!("write `{EXAMPLE}`");
        reader.fault(&BAD_CALLER, node.span, "an item is one entity with its attributes", help);
        return None;
    };
    let entity = named_entity(one.name(), one.key.span, design, reader)?;
    let mut attributes = Vec::new();
    for stated in reader.mapping(&one.value, "an item", EXAMPLE) {
        let Some(attribute) = entity.attribute(stated.name()) else {
            unknown_attribute(entity, stated.name(), stated.key.span, reader);
            return None;
        };
        let value = match parameter(&stated.value) {
            Some(name) => NewValue::Given(name.to_owned()),
            None => match value_text::of_node(&stated.value, &attribute.value_type) {
                Ok(value) => NewValue::Fixed(value),
                Err(rule) => {
                    let message = format!("`{}` must be {rule}", stated.name());
                    reader.fault(
                        &BAD_VALUE,
                        stated.value.span,
                        message,
                        "give a value of the type, or a `<parameter>`",
                    );
                    return None;
                }
            },
        };
        attributes.push((stated.name().to_owned(), value));
    }
    if let Some(missing) = missing(entity, &attributes) {
        let message = format!("a new `{}` needs `{missing}`", entity.name);
        reader.fault(&BAD_CALLER, node.span, message, format!("add `{missing}: <{missing}>`"));
        return None;
    }
    Some(NewItem { span: node.span, entity: entity.id, attributes })
}

/// `subject` of `<subject>`.
fn parameter(node: &Node) -> Option<&str> {
    let NodeKind::Scalar(scalar) = &node.kind else { return None };
    let name = scalar.text.strip_prefix('<')?.strip_suffix('>')?;
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    (is_name && !scalar.quoted).then_some(name)
}

/// An attribute that every item has to be given.
fn missing<'e>(entity: &'e Entity, given: &[(String, NewValue)]) -> Option<&'e str> {
    let missing = entity.settable_attributes().find(|attribute| {
        !attribute.optional
            && attribute.default.is_none()
            && attribute.generator.is_none()
            && !given.iter().any(|(name, _)| *name == attribute.name)
    });
    missing.map(|attribute| attribute.name.as_str())
}
