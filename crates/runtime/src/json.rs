//! Attributes as plain JSON and back, by the design's types.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use keyfold_design::access::{AccessParameter, AccessPlan};
use keyfold_design::model::{AttributeType, Entity, exact_json_number};
use keyfold_design::template::Timestamp;
use keyfold_dynamo::value::ValueType;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use serde_json::{Map, Value};

use crate::error::Error;

/// How much of a wrong value an error shows.
const SHOWN_CHARACTERS: usize = 100;

/// Reads the attributes of an entity from a JSON object. `null` removes an attribute.
pub fn attributes(entity: &Entity, object: Map<String, Value>) -> Result<Attributes, Error> {
    object
        .into_iter()
        .map(|(name, value)| {
            let value_type = entity.attribute(&name).map_or(&AttributeType::Any, |attribute| &attribute.value_type);
            let value = match value {
                // Most values are strings, which need not be copied.
                Value::String(text) if is_text(value_type) => AttributeValue::S(text),
                value => value_of(&name, value_type, &value)?,
            };
            Ok((name, value))
        })
        .collect()
}

/// Whether any string is a value of the type.
pub(crate) fn is_text(value_type: &AttributeType) -> bool {
    *value_type == AttributeType::Any || value_type.stored() == Some(ValueType::S)
}

/// Reads the arguments of a pattern from a JSON object.
pub fn arguments(plan: &AccessPlan, object: &Map<String, Value>) -> Result<Attributes, Error> {
    object
        .iter()
        .map(|(name, value)| {
            let argument_type = plan.parameter(name).map_or(AttributeType::Any, AccessParameter::argument_type);
            Ok((name.clone(), value_of(name, &argument_type, value)?))
        })
        .collect()
}

/// The beginning of a value, as errors show it.
pub(crate) fn truncate_for_message(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => {
            let text = value.to_string();
            match text.char_indices().nth(SHOWN_CHARACTERS) {
                Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
                None => text,
            }
        }
    }
}

/// Reads a value of a type.
pub fn value_of(name: &str, value_type: &AttributeType, value: &Value) -> Result<AttributeValue, Error> {
    let wrong = || {
        Error::constraint(
            name,
            Some(name),
            format!("`{name}` must be {} but is {}", value_type.rule(), truncate_for_message(value)),
        )
    };
    if value.is_null() {
        return Ok(AttributeValue::Null);
    }
    Ok(match value_type {
        AttributeType::Any => any(value).ok_or_else(wrong)?,
        AttributeType::Map if value.is_object() => any(value).ok_or_else(wrong)?,
        AttributeType::Boolean => AttributeValue::Bool(value.as_bool().ok_or_else(wrong)?),
        AttributeType::Binary => {
            let bytes = value.as_str().and_then(|text| BASE64.decode(text).ok());
            AttributeValue::B(bytes.ok_or_else(wrong)?)
        }
        AttributeType::StringSet => {
            let items = value.as_array().ok_or_else(wrong)?;
            let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
            AttributeValue::Ss(texts.collect::<Option<_>>().ok_or_else(wrong)?)
        }
        AttributeType::NumberSet => {
            let items = value.as_array().ok_or_else(wrong)?;
            AttributeValue::Ns(items.iter().map(number).collect::<Option<_>>().ok_or_else(wrong)?)
        }
        AttributeType::List(element) => {
            let items = value.as_array().ok_or_else(wrong)?;
            let element = element.as_deref().unwrap_or(&AttributeType::Any);
            AttributeValue::L(items.iter().map(|item| value_of(name, element, item)).collect::<Result<_, _>>()?)
        }
        // An argument may be a date or a timestamp where numbers are stored.
        AttributeType::Moment(format) if format.is_number() && !value.is_string() => {
            AttributeValue::N(number(value).ok_or_else(wrong)?)
        }
        other if is_spelt_out(other, value) => AttributeValue::S(value.as_str().ok_or_else(wrong)?.to_owned()),
        other if other.stored() == Some(ValueType::N) => AttributeValue::N(number(value).ok_or_else(wrong)?),
        _ => AttributeValue::S(value.as_str().ok_or_else(wrong)?.to_owned()),
    })
}

/// Whether a number is given as the text of a timestamp.
fn is_spelt_out(value_type: &AttributeType, value: &Value) -> bool {
    value_type.timestamp_format().is_some() && value.as_str().is_some_and(|text| Timestamp::parse(text).is_some())
}

fn any(value: &Value) -> Option<AttributeValue> {
    Some(match value {
        Value::Null => AttributeValue::Null,
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::Number(_) => AttributeValue::N(number(value)?),
        Value::String(text) => AttributeValue::S(text.clone()),
        Value::Array(items) => AttributeValue::L(items.iter().map(any).collect::<Option<_>>()?),
        Value::Object(members) => AttributeValue::M(
            members.iter().map(|(name, value)| Some((name.clone(), any(value)?))).collect::<Option<_>>()?,
        ),
    })
}

pub(crate) fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Some(Number::from(whole)),
            (None, Some(whole)) => Some(Number::from(whole)),
            (None, None) => Number::parse(&number.to_string()).ok(),
        },
        Value::String(text) => Number::parse(text).ok(),
        _ => None,
    }
}

/// Attributes as a JSON object.
pub fn object(attributes: &Attributes) -> Map<String, Value> {
    attributes.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
}

/// A value as JSON; numbers that JSON readers would round become strings.
pub fn plain(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => Value::String(text.clone()),
        AttributeValue::N(number) => plain_number(number),
        AttributeValue::B(bytes) => Value::String(BASE64.encode(bytes)),
        AttributeValue::Bool(flag) => Value::Bool(*flag),
        AttributeValue::Null => Value::Null,
        AttributeValue::M(members) => Value::Object(object(members)),
        AttributeValue::L(items) => Value::Array(items.iter().map(plain).collect()),
        AttributeValue::Ss(set) => Value::Array(set.iter().cloned().map(Value::String).collect()),
        AttributeValue::Ns(set) => Value::Array(set.iter().map(plain_number).collect()),
        AttributeValue::Bs(set) => Value::Array(set.iter().map(|bytes| Value::String(BASE64.encode(bytes))).collect()),
    }
}

fn plain_number(number: &Number) -> Value {
    exact_json_number(number).map_or_else(|| Value::String(number.to_string()), Value::Number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json_text;

    /// The number that is stored for a JSON text, and what is returned for it.
    fn stored(text: &str) -> (Number, Value) {
        let value = serde_json::from_str(text).unwrap();
        let AttributeValue::N(number) = value_of("total", &AttributeType::Number, &value).unwrap() else { panic!() };
        (number, plain(&AttributeValue::N(number)))
    }

    #[test]
    fn decimals_at_the_limits_are_stored_as_written() {
        for text in ["9135.141165457897", "7.52e31", "1e-130", "9.99e125", "-0.1"] {
            assert_eq!(stored(text).0, Number::parse(text).unwrap(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn numbers_are_stored_as_written_or_rejected(text in r"-?[1-9](\.[0-9]{1,17})?(e(-1?[0-2]?[0-9]|1[01][0-9]|[0-9]?[0-9]))?") {
            if json_text::check(&text, 1).is_ok() {
                let (number, returned) = stored(&text);
                prop_assert_eq!(Ok(number), Number::parse(&text));
                prop_assert_eq!(number.to_f64(), returned.as_f64());
            }
        }
    }
}
