//! `… when unread`: the conditions of index entries and of lookup items.

use keyfold_dynamo::AttributeValue;

use super::codes::BAD_ENTRY_CONDITION;
use super::expression::{self, ExpressionScope};
use super::reader::Reader;
use super::templates::Names;
use crate::constraint::Expression;
use crate::diagnostic::Diagnostic;
use crate::model::{Attribute, AttributeType, Design, EntryCondition};
use crate::syntax::Located;

/// So many combinations of values are tried to find out whether a condition can be true and can be false.
const MOST_COMBINATIONS: usize = 1_000;

/// Compiles the condition behind ` when `.
pub(super) fn compile(text: Located<'_>, names: &Names<'_>, reader: &mut Reader<'_>) -> Option<EntryCondition> {
    if text.text.is_empty() {
        let help = "write a condition behind it, as in `INBOX#<userId> when unread`";
        reader.fault(&BAD_ENTRY_CONDITION, text.span(), "` when ` has no condition", help);
        return None;
    }
    let expression = expression::compile_over(text, std::slice::from_ref(names), ExpressionScope::Entry, reader)?;
    if let Some(outcome) = constant_outcome(&expression, names) {
        let message = format!("`{}` is {outcome} for every item", text.text);
        let help = match outcome {
            true => "remove the condition",
            false => "no item would have the key: correct the condition, or remove the key",
        };
        reader.fault(&BAD_ENTRY_CONDITION, text.span(), message, help);
        return None;
    }
    Some(EntryCondition { span: text.span(), expression })
}

/// The outcome that all items have in common, where the values that they can have are few enough to try.
fn constant_outcome(expression: &Expression, names: &Names<'_>) -> Option<bool> {
    let mut combinations: Vec<Vec<(&str, Option<AttributeValue>)>> = vec![Vec::new()];
    for name in expression.variables() {
        let values = values_of(names.find(name)?)?;
        if combinations.len() * values.len() > MOST_COMBINATIONS {
            return None;
        }
        let with = |known: &Vec<(_, _)>, value: &Option<AttributeValue>| {
            known.iter().cloned().chain([(name.as_str(), value.clone())]).collect()
        };
        combinations =
            combinations.iter().flat_map(|known| values.iter().map(move |value| with(known, value))).collect();
    }
    let outcome = |values: &Vec<(&str, Option<AttributeValue>)>| {
        let lookup = |name: &str| values.iter().find(|(known, _)| *known == name).and_then(|(_, value)| value.as_ref());
        expression.is_true_of(lookup)
    };
    let first = combinations.first().map(outcome)?;
    combinations.iter().all(|values| outcome(values) == first).then_some(first)
}

/// All values of an attribute, where they can be listed; `None` among them if it may be absent.
fn values_of(attribute: &Attribute) -> Option<Vec<Option<AttributeValue>>> {
    let values: Vec<AttributeValue> = match &attribute.value_type {
        AttributeType::Boolean => vec![AttributeValue::Bool(false), AttributeValue::Bool(true)],
        AttributeType::Enumeration(values) => values.iter().cloned().map(AttributeValue::S).collect(),
        _ => return None,
    };
    let absent = attribute.may_be_absent().then_some(None);
    Some(values.into_iter().map(Some).chain(absent).collect())
}

/// The one condition of a whole key: stated with one part of it, or the same with several.
pub(super) fn of_whole_key(
    conditions: &[(&str, EntryCondition)],
    is_part: impl Fn(&str) -> bool,
    what: &str,
    reader: &mut Reader<'_>,
) -> Option<EntryCondition> {
    let mut own = conditions.iter().filter(|(name, _)| is_part(name)).map(|(_, condition)| condition);
    let first = own.next()?;
    for other in own.filter(|other| other.source() != first.source()) {
        let message = format!("{what} has two conditions, `{}` and `{}`", first.source(), other.source());
        let help = "a key has one condition: join them with `&&`, and state it once";
        reader.push(
            Diagnostic::new(&BAD_ENTRY_CONDITION, other.span, message)
                .also(first.span, "the other condition")
                .help(help),
        );
    }
    Some(first.clone())
}

/// Reports the condition of a key of the table, or of an attribute that is no key.
pub(super) fn refuse(name: &str, is_table_key: bool, text: Located<'_>, reader: &mut Reader<'_>) {
    let (message, help) = match is_table_key {
        true => (
            format!("`{name}` is a key of the table, which every item has"),
            "state the condition with the key of an index",
        ),
        false => (
            format!("`{name}` is not a key of an index, so that it has no condition"),
            "` when ` begins a condition; a text that contains it goes into an attribute",
        ),
    };
    reader.fault(&BAD_ENTRY_CONDITION, text.span(), message, help);
}

/// Reports conditions on counters, which change without the keys of their item.
pub(super) fn refuse_counters(design: &Design, reader: &mut Reader<'_>) {
    for entity in &design.entities {
        let is_counter = |name: &&str| entity.keeps_sequences || entity.is_counter(name);
        let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
        for condition in layouts.flat_map(|layout| layout.conditions()) {
            if let Some(counter) = condition.attributes().find(is_counter) {
                let message = format!("the condition of a key cannot use `{counter}`, which counts");
                let help = "a counter changes without its item being written, and the key would not follow";
                reader.fault(&BAD_ENTRY_CONDITION, condition.span, message, help);
            }
        }
    }
}
