//! Attribute values, from the JSON that wraps each in its type.
//!
//! A value that has the wrong JSON type cannot be read, which ends the request at once. A value that can be read but is
//! not allowed (an empty set, an invalid number) is a problem that is reported only after the other constraints of the
//! request; the first such problem is kept with the values.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use keyfold_dynamo::limits::NESTING_DEPTH;
use keyfold_dynamo::number::NumberError;
use keyfold_dynamo::value::ValueType;
use keyfold_dynamo::{AttributeValue, Attributes, Number, ServiceError};

use super::shape::{self, Position};
use crate::failure::Failure;
use crate::json::{JsonKind, Reader};

pub(super) const CLASS: &str = "com.amazonaws.dynamodb.v20120810.AttributeValue";
const EMPTY: &str = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const SEVERAL: &str =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
const TOO_DEEP: &str = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond \
                        supported limit";
/// The longest name of an attribute.
const NAME_BYTES: usize = 65_535;
/// How many elements of a set with duplicates a message names.
const SHOWN_ELEMENTS: usize = 100;
const INVALID: &str = "One or more parameter values were invalid: ";

/// Values, and the first thing about them that is not allowed.
#[derive(Default)]
pub(super) struct Checked<T> {
    value: T,
    problem: Option<String>,
}

impl<T> Checked<T> {
    /// The values, or their problem as an error.
    pub(super) fn accept(self) -> Result<T, Failure> {
        match self.problem {
            None => Ok(self.value),
            Some(problem) => Err(Failure::validation(problem)),
        }
    }

    /// The values as far as they could be read.
    pub(super) fn value(&self) -> &T {
        &self.value
    }

    /// The values as far as they could be read, and their problem.
    pub(super) fn into_parts(self) -> (T, Option<String>) {
        (self.value, self.problem)
    }

    pub(super) fn with_problem(value: T, problem: Option<String>) -> Self {
        Self { value, problem }
    }
}

/// The first problem found.
#[derive(Default)]
struct Problem(Option<String>);

impl Problem {
    fn note(&mut self, text: impl FnOnce() -> String) {
        if self.0.is_none() {
            self.0 = Some(text());
        }
    }
}

/// An item or a key.
pub(super) fn attributes(reader: &mut Reader<'_>) -> Result<Option<Checked<Attributes>>, Failure> {
    let mut value = Attributes::new();
    let mut problem = Problem::default();
    // An item is itself the first level.
    let there = shape::map(reader, CLASS, |name, reader| {
        named_value(name.into_owned(), reader, NESTING_DEPTH - 1, &mut value, &mut problem)
    })?;
    Ok(there.then_some(Checked { value, problem: problem.0 }))
}

/// `ExpressionAttributeValues`, whose problems are reported with the name of the value.
pub(super) fn aliased_values(reader: &mut Reader<'_>) -> Result<Option<Checked<Attributes>>, Failure> {
    let mut value = Attributes::new();
    let mut first_problem = None;
    let there = shape::map(reader, CLASS, |name, reader| {
        let mut problem = Problem::default();
        let one = if reader.take_null()? {
            problem.note(|| "The supplied Item contains a null AttributeValue".to_owned());
            AttributeValue::Null
        } else {
            attribute_value(reader, NESTING_DEPTH, &mut problem)?
        };
        if let (Some(text), None) = (problem.0, &first_problem) {
            first_problem = Some(format!("ExpressionAttributeValues contains invalid value: {text} for key {name}"));
        }
        value.insert(name.into_owned(), one);
        Ok(())
    })?;
    Ok(there.then_some(Checked { value, problem: first_problem }))
}

fn named_value(
    name: String,
    reader: &mut Reader<'_>,
    levels: usize,
    into: &mut Attributes,
    problem: &mut Problem,
) -> Result<(), Failure> {
    if name.is_empty() {
        problem.note(|| "Empty attribute name".to_owned());
    } else if name.len() > NAME_BYTES {
        problem.note(|| format!("{INVALID}Attribute name is too large, must be less than {} bytes", NAME_BYTES + 1));
    }
    if reader.take_null()? {
        problem.note(|| format!("The supplied Item contains a null AttributeValue: {name} is null"));
        return Ok(());
    }
    let value = attribute_value(reader, levels, problem)?;
    into.insert(name, value);
    Ok(())
}

/// One value; lists and maps may be nested in it `levels` deep.
fn attribute_value(reader: &mut Reader<'_>, levels: usize, problem: &mut Problem) -> Result<AttributeValue, Failure> {
    let mut found: Option<AttributeValue> = None;
    let mut several = false;
    shape::structure(reader, "AttributeValue", Position::Element, |name, reader| {
        let Some(value_type) = ValueType::parse(name) else { return Ok(reader.skip()?) };
        if reader.take_null()? {
            return Ok(());
        }
        let value = typed_value(value_type, reader, levels, problem)?;
        several |= found.as_ref().is_some_and(|earlier| earlier.value_type() != value_type);
        found = Some(value);
        Ok(())
    })?;
    if several {
        problem.note(|| SEVERAL.to_owned());
    }
    Ok(found.unwrap_or_else(|| {
        problem.note(|| EMPTY.to_owned());
        AttributeValue::Null
    }))
}

/// The content of a value, of the type that it is labelled with. The content is not `null`.
fn typed_value(
    value_type: ValueType,
    reader: &mut Reader<'_>,
    levels: usize,
    problem: &mut Problem,
) -> Result<AttributeValue, Failure> {
    Ok(match value_type {
        ValueType::S => AttributeValue::S(non_null(shape::owned_string(reader)?)?),
        ValueType::N => AttributeValue::N(number(&non_null(shape::string(reader)?)?, problem)),
        ValueType::B => AttributeValue::B(bytes(reader)?),
        ValueType::Bool => AttributeValue::Bool(non_null(shape::boolean(reader)?)?),
        ValueType::Null => {
            if shape::boolean(reader)? == Some(false) {
                problem.note(|| format!("{INVALID}Null attribute value types must have the value of true"));
            }
            AttributeValue::Null
        }
        ValueType::Ss => AttributeValue::Ss(string_set(reader, problem)?),
        ValueType::Ns => AttributeValue::Ns(number_set(reader, problem)?),
        ValueType::Bs => AttributeValue::Bs(binary_set(reader, problem)?),
        ValueType::L => AttributeValue::L(nested_list(reader, levels, problem)?),
        ValueType::M => AttributeValue::M(nested_map(reader, levels, problem)?),
    })
}

/// The content of a value: [`attribute_value`] passes over members that are `null`.
fn non_null<T>(content: Option<T>) -> Result<T, Failure> {
    content.ok_or_else(|| Failure::wrong_type("Unexpected token received from parser"))
}

fn nested_list(reader: &mut Reader<'_>, levels: usize, problem: &mut Problem) -> Result<Vec<AttributeValue>, Failure> {
    let mut elements = Vec::new();
    let Some(levels) = levels.checked_sub(1) else { return too_deep(reader, problem).map(|()| elements) };
    shape::list(reader, |reader| {
        if reader.take_null()? {
            problem.note(|| "The supplied Item contains a null AttributeValue".to_owned());
            return Ok(());
        }
        elements.push(attribute_value(reader, levels, problem)?);
        Ok(())
    })?;
    // Many lists are short, and a vector begins with room for four.
    elements.shrink_to_fit();
    Ok(elements)
}

fn nested_map(reader: &mut Reader<'_>, levels: usize, problem: &mut Problem) -> Result<Attributes, Failure> {
    let mut members = Attributes::new();
    let Some(levels) = levels.checked_sub(1) else { return too_deep(reader, problem).map(|()| members) };
    shape::map(reader, CLASS, |name, reader| named_value(name.into_owned(), reader, levels, &mut members, problem))?;
    Ok(members)
}

/// What lies deeper than a value may be nested is read over, so that the depth of the stack has a bound.
fn too_deep(reader: &mut Reader<'_>, problem: &mut Problem) -> Result<(), Failure> {
    problem.note(|| TOO_DEEP.to_owned());
    Ok(reader.skip()?)
}

fn number(text: &str, problem: &mut Problem) -> Number {
    Number::parse(text).unwrap_or_else(|error| {
        problem.note(|| {
            let message = ServiceError::from(error).to_string();
            match error {
                NumberError::Syntax if !text.is_empty() => format!("{message}: {text}"),
                _ => message,
            }
        });
        Number::ZERO
    })
}

fn string_set(reader: &mut Reader<'_>, problem: &mut Problem) -> Result<BTreeSet<String>, Failure> {
    let texts = set_of_texts(reader, "string", problem)?;
    if has_duplicates(&texts) {
        problem.note(|| format!("{INVALID}Input collection [{}] contains duplicates.", joined(&texts)));
    }
    Ok(texts.into_iter().collect())
}

fn number_set(reader: &mut Reader<'_>, problem: &mut Problem) -> Result<BTreeSet<Number>, Failure> {
    let texts = set_of_texts(reader, "number", problem)?;
    let set: BTreeSet<Number> = texts.iter().map(|text| number(text, problem)).collect();
    if set.len() < texts.len() {
        problem.note(|| "Input collection contains duplicates".to_owned());
    }
    Ok(set)
}

fn set_of_texts(reader: &mut Reader<'_>, what: &str, problem: &mut Problem) -> Result<Vec<String>, Failure> {
    let elements = non_null(shape::strings(reader)?)?;
    if elements.is_empty() {
        problem.note(|| format!("{INVALID}An {what} set  may not be empty"));
    }
    let count = elements.len();
    let texts: Vec<String> = elements.into_iter().flatten().collect();
    if texts.len() < count {
        problem.note(|| format!("{INVALID}An {what} set may not have a null {what} as a member"));
    }
    Ok(texts)
}

fn binary_set(reader: &mut Reader<'_>, problem: &mut Problem) -> Result<BTreeSet<Vec<u8>>, Failure> {
    let mut elements = Vec::new();
    shape::list(reader, |reader| {
        if reader.take_null()? {
            problem.note(|| format!("{INVALID}Binary sets may not contain null values"));
        } else {
            elements.push(bytes(reader)?);
        }
        Ok(())
    })?;
    if elements.is_empty() {
        problem.note(|| format!("{INVALID}Binary sets should not be empty"));
    }
    if has_duplicates(&elements) {
        problem.note(|| {
            let shown: Vec<String> = elements.iter().take(SHOWN_ELEMENTS).map(|bytes| BASE64.encode(bytes)).collect();
            format!("{INVALID}Input collection [{}]of type BS contains duplicates.", joined(&shown))
        });
    }
    Ok(elements.into_iter().collect())
}

fn has_duplicates<T: Ord>(elements: &[T]) -> bool {
    let mut sorted: Vec<&T> = elements.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| matches!(pair, [one, other] if one == other))
}

/// The first elements of a set, as messages show them.
fn joined(texts: &[String]) -> String {
    let shown: Vec<&str> = texts.iter().take(SHOWN_ELEMENTS).map(String::as_str).collect();
    shown.join(", ")
}

fn bytes(reader: &mut Reader<'_>) -> Result<Vec<u8>, Failure> {
    match reader.kind()? {
        JsonKind::String => {}
        kind => return Err(shape::not_bytes(kind)),
    }
    let text = reader.string()?;
    if !text.len().is_multiple_of(4) {
        return Err(Failure::wrong_type(format!(
            "Base64 encoded length is expected a multiple of 4 bytes but found: {}",
            text.len()
        )));
    }
    BASE64.decode(text.as_bytes()).map_err(|error| match error {
        base64::DecodeError::InvalidByte(_, byte) if byte != b'=' => {
            Failure::wrong_type(format!("Invalid Base64 character: '{}'", char::from(byte)))
        }
        _ => Failure::wrong_type("Invalid last non-pad Base64 character dectected"),
    })
}
