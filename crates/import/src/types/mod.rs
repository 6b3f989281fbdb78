//! The types of attributes, by the values of a group's items.

mod enumeration;
mod stamps;
mod text;

use keyfold_design::counted;
use keyfold_design::model::{AttributeType, Stamp};
use keyfold_design::template::ValueKind;
use keyfold_dynamo::{AttributeValue, Number};

/// What an attribute seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guess {
    pub value_type: AttributeType,
    /// Items of the group that have it, and items of the group.
    pub found: usize,
    pub of: usize,
    /// What led to the type, where it is more than the values' own type; and what to beware of.
    pub notes: Vec<String>,
}

impl Guess {
    pub(crate) fn is_optional(&self) -> bool {
        self.found < self.of
    }

    /// How values look in a key, as a design with this type reads them.
    pub(crate) fn kind(&self) -> Option<ValueKind> {
        self.value_type.kind()
    }
}

/// What is known of an attribute besides its values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttributeContext<'a> {
    pub name: &'a str,
    /// Whether it is the table's attribute for the time to live.
    pub is_ttl: bool,
    pub of: usize,
}

/// The type of an attribute from its values in a group; a null counts as absent.
pub(crate) fn guess(about: AttributeContext<'_>, values: &[&AttributeValue]) -> Guess {
    let present: Vec<&AttributeValue> =
        values.iter().copied().filter(|value| !matches!(value, AttributeValue::Null)).collect();
    let found = present.len();
    let mut notes = Vec::new();
    if found < values.len() {
        notes.push(format!("null in {}", counted(values.len() - found, "item")));
    }
    let value_type = of_values(about, &present, &mut notes);
    Guess { value_type, found, of: about.of, notes }
}

fn of_values(about: AttributeContext<'_>, values: &[&AttributeValue], notes: &mut Vec<String>) -> AttributeType {
    if values.is_empty() {
        return AttributeType::Any;
    }
    let texts: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
    if texts.len() == values.len() {
        return text::guess(about, &texts, notes);
    }
    let numbers: Vec<&Number> = values.iter().filter_map(|value| value.as_number()).collect();
    if numbers.len() == values.len() {
        return number(about, &numbers, notes);
    }
    let all = |fits: fn(&AttributeValue) -> bool| values.iter().all(|value| fits(value));
    if all(|value| matches!(value, AttributeValue::Bool(_))) {
        AttributeType::Boolean
    } else if all(|value| matches!(value, AttributeValue::B(_))) {
        AttributeType::Binary
    } else if all(|value| matches!(value, AttributeValue::Ss(_))) {
        AttributeType::StringSet
    } else if all(|value| matches!(value, AttributeValue::Ns(_))) {
        AttributeType::NumberSet
    } else if all(|value| matches!(value, AttributeValue::M(_))) {
        AttributeType::Map
    } else if all(|value| matches!(value, AttributeValue::L(_))) {
        list(values)
    } else {
        let mut kinds: Vec<&str> = values.iter().map(|value| value.value_type().as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        notes.push(format!("values of type {}", kinds.join(", ")));
        AttributeType::Any
    }
}

fn number(about: AttributeContext<'_>, numbers: &[&Number], notes: &mut Vec<String>) -> AttributeType {
    let whole: Vec<i64> = numbers.iter().filter_map(|number| number.to_i64()).collect();
    if whole.len() < numbers.len() {
        return if numbers.iter().all(|number| number.is_whole()) {
            AttributeType::Integer
        } else {
            AttributeType::Number
        };
    }
    let counts = whole.iter().all(|number| *number >= 0);
    if about.is_ttl && counts {
        return AttributeType::Expiry(None);
    }
    if counts && numbers.len() == about.of && stamps::is_version(about.name) {
        notes.push("guess by its name".to_owned());
        return AttributeType::Stamp(Stamp::Version);
    }
    let within = |least: i64, most: i64| whole.iter().all(|number| (least..most).contains(number));
    if within(1_000_000_000, 4_000_000_000) {
        notes.push("seconds since the epoch?".to_owned());
    } else if within(1_000_000_000_000, 4_000_000_000_000) {
        notes.push("milliseconds since the epoch?".to_owned());
    }
    AttributeType::Integer
}

/// A list of one simple type; where the items differ, or are none, just a list.
fn list(values: &[&AttributeValue]) -> AttributeType {
    let items: Vec<&AttributeValue> = values
        .iter()
        .filter_map(|value| match value {
            AttributeValue::L(items) => Some(items.iter()),
            _ => None,
        })
        .flatten()
        .collect();
    let simple = [
        AttributeType::Ulid,
        AttributeType::Uuid,
        AttributeType::String,
        AttributeType::Integer,
        AttributeType::Number,
        AttributeType::Boolean,
        AttributeType::Map,
    ];
    let element = simple.into_iter().find(|element| items.iter().all(|item| element.check("", item).is_ok()));
    AttributeType::List(element.filter(|_| !items.is_empty()).map(Box::new))
}

#[cfg(test)]
mod tests;
