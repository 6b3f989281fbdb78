//! Operators of patches: a method for each attribute and each operator that it takes.

use keyfold_design::model::{Attribute, AttributeType, Entity};
use keyfold_design::{Design, with_article};

use super::entities::fields;
use super::layout::{call, function};
use super::names::{Inputs, Names};
use super::types::of_attribute;
use crate::lines::Lines;

/// Adds the operators of an entity, if an attribute takes one.
pub(super) fn add(design: &Design, names: &Names, entity: &Entity, inputs: &Inputs, out: &mut Lines) {
    let changing = design.changing_attributes(entity);
    let fields = fields(entity, &changing);
    if fields.iter().all(|(attribute, _)| operators_of(attribute).is_empty()) {
        return;
    }
    let name = &inputs.operators;
    out.blank();
    out.line(format!("/// Operators of a patch of {}.", with_article(&entity.name)));
    out.line("#[derive(Debug, Clone, PartialEq, Default)]");
    out.line(format!("pub struct {name}(pub typed::Operators);"));
    out.blank();
    out.block(format!("impl {name} {{"), "}", |out| {
        let mut is_first = true;
        for (attribute, field) in &fields {
            for operator in operators_of(attribute) {
                if !std::mem::take(&mut is_first) {
                    out.blank();
                }
                method(names, entity, attribute, field, operator, out);
            }
        }
    });
}

/// The operators that an attribute takes.
fn operators_of(attribute: &Attribute) -> &'static [&'static str] {
    match attribute.value_type {
        AttributeType::Integer | AttributeType::Number | AttributeType::StringSet | AttributeType::NumberSet => {
            &["add", "subtract"]
        }
        AttributeType::List(_) => &["append", "prepend"],
        _ => &[],
    }
}

fn method(names: &Names, entity: &Entity, attribute: &Attribute, field: &str, operator: &str, out: &mut Lines) {
    let meaning = match (operator, &attribute.value_type) {
        ("add", _) => "Adds to",
        ("subtract", AttributeType::StringSet | AttributeType::NumberSet) => "Removes members from",
        ("subtract", _) => "Subtracts from",
        ("append", _) => "Adds elements at the end of",
        _ => "Adds elements at the beginning of",
    };
    let owned = of_attribute(names, entity, attribute);
    let value = match owned.strip_prefix("Vec<").and_then(|element| element.strip_suffix('>')) {
        Some(element) => format!("&[{element}]"),
        None if owned.contains('<') => format!("&{owned}"),
        None => owned,
    };
    let operand = if value.starts_with('&') { "value" } else { "&value" };
    out.line(format!("/// {meaning} `{}`.", attribute.name));
    let head = format!("pub fn {operator}_{}", field.trim_start_matches("r#"));
    function(out, &head, &["&mut self".to_owned(), format!("value: {value}")], " -> &mut Self", |out| {
        let arguments = ["&mut self.0".to_owned(), format!("{:?}", attribute.name), operand.to_owned()];
        call(out, &format!("typed::{operator}"), &arguments, ";");
        out.line("self");
    });
}
