//! The update operators and the condition of an example: `when: {update: …, add: {stock: -1}, if: stock >= 1}`.

use std::collections::BTreeMap;

use keyfold_dynamo::AttributeValue;

use super::codes::{BAD_EXAMPLE, BAD_VALUE};
use super::item_filter::item_filter;
use super::reader::{Reader, entry};
use super::value_text;
use crate::model::{AttributeType, Declared, Entity, ExampleOperators};
use crate::span::Span;
use crate::syntax::{Entry, Node};

/// The operators with values by path.
const VALUES: [&str; 5] = ["set", "add", "subtract", "append", "prepend"];

/// The words beside `update`.
pub(super) const WORDS: [&str; 8] = ["set", "remove", "add", "subtract", "append", "prepend", "if", "with"];

pub(super) fn read(steps: &[Entry], entity: &Entity, reader: &mut Reader<'_>) -> Option<ExampleOperators> {
    let mut operators = ExampleOperators::default();
    for operator in VALUES {
        let Some(stated) = entry(steps, operator) else { continue };
        for changed in reader.mapping(&stated.value, &format!("`{operator}`"), &format!("{operator}: {{stock: 1}}")) {
            let value_type = type_at(changed.name(), entity, changed.key.span, reader)?;
            let value = value(&changed.value, changed.name(), &value_type, reader)?;
            operators.values.push((operator.to_owned(), changed.name().to_owned(), value));
        }
    }
    if let Some(stated) = entry(steps, "remove") {
        for (path, span) in reader.list(&stated.value, "a path", "remove: [note]") {
            type_at(path, entity, span, reader)?;
            operators.remove.push(path.to_owned());
        }
    }
    if let Some(stated) = entry(steps, "if") {
        let text = reader.text(&stated.value, "a condition", "if: stock >= 1")?;
        let parameters = match item_filter(entity, text) {
            Ok(found) => found.parameters,
            Err(message) => {
                reader.fault(&BAD_EXAMPLE, stated.value.span, message, "write the condition as a filter of a pattern");
                return None;
            }
        };
        operators.condition = Some(text.to_owned());
        operators.with = arguments(steps, &parameters, reader)?;
    } else if let Some(stated) = entry(steps, "with") {
        let help = "arguments need a pattern or a condition: `if: stock >= <least>`";
        reader.fault(&BAD_EXAMPLE, stated.key.span, "`with` has nothing to fill in", help);
    }
    Some(operators)
}

fn arguments(
    steps: &[Entry],
    parameters: &[(String, AttributeType)],
    reader: &mut Reader<'_>,
) -> Option<BTreeMap<String, AttributeValue>> {
    let mut arguments = BTreeMap::new();
    let stated = entry(steps, "with");
    for given in stated.map(|with| reader.mapping(&with.value, "`with`", "with: {least: 1}")).unwrap_or_default() {
        let Some((name, value_type)) = parameters.iter().find(|(name, _)| name == given.name()) else {
            let message = format!("the condition has no parameter `{}`", given.name());
            reader.fault(&BAD_EXAMPLE, given.key.span, message, "use the names of its placeholders");
            return None;
        };
        arguments.insert(name.clone(), value(&given.value, name, value_type, reader)?);
    }
    Some(arguments)
}

/// The type of the values at a path.
fn type_at(path: &str, entity: &Entity, span: Span, reader: &mut Reader<'_>) -> Option<AttributeType> {
    let declared = entity.value_path(path).and_then(|path| Ok(entity.declared_along(&path)?.last().copied()));
    match declared {
        Ok(declared) => Some(declared.map_or(&AttributeType::Any, Declared::value_type).clone()),
        Err(error) => {
            reader.fault(&BAD_EXAMPLE, span, error.to_string(), "write the path of a declared attribute");
            None
        }
    }
}

fn value(node: &Node, name: &str, value_type: &AttributeType, reader: &mut Reader<'_>) -> Option<AttributeValue> {
    match value_text::of_node(node, value_type) {
        Ok(value) => Some(value),
        Err(rule) => {
            let message = format!("`{name}` must be {rule}");
            reader.fault(&BAD_VALUE, node.span, message, "give a value of the attribute's type");
            None
        }
    }
}
