//! Raw text and syntax to typed values: defaults, literals in conditions, the values of examples.

use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::model::AttributeType;
use crate::syntax::{Node, NodeKind};

/// The value that a text stands for in an attribute of a type; the error is the rule that it breaks.
pub(super) fn parse(text: &str, value_type: &AttributeType) -> Result<AttributeValue, String> {
    let unquoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    let value = match value_type {
        AttributeType::Any => guess(unquoted),
        AttributeType::Integer
        | AttributeType::Number
        | AttributeType::Sequence(_)
        | AttributeType::Expiry(_)
        | AttributeType::Stamp(crate::model::Stamp::Version) => {
            AttributeValue::N(Number::parse(text).map_err(|_| value_type.rule())?)
        }
        AttributeType::Moment(format) | AttributeType::DateTime(format) if format.is_number() => {
            value_type.argument(AttributeValue::S(unquoted.to_owned()))
        }
        AttributeType::Boolean => match text {
            "true" | "yes" => AttributeValue::Bool(true),
            "false" | "no" => AttributeValue::Bool(false),
            _ => return Err(value_type.rule()),
        },
        AttributeType::Binary => AttributeValue::B(unquoted.as_bytes().to_vec()),
        AttributeType::StringSet | AttributeType::NumberSet | AttributeType::List(_) | AttributeType::Map => {
            return Err(value_type.rule());
        }
        _ => AttributeValue::S(unquoted.to_owned()),
    };
    value_type.check("", &value).map_err(|violation| violation.rule)?;
    Ok(value)
}

/// The value of a node in an attribute of a type; the error is the rule that it breaks.
pub(super) fn of_node(node: &Node, value_type: &AttributeType) -> Result<AttributeValue, String> {
    match &node.kind {
        NodeKind::Scalar(scalar) => match value_type {
            AttributeType::Any if scalar.quoted => Ok(AttributeValue::S(scalar.text.clone())),
            _ if !scalar.quoted && scalar.text == "null" => Ok(AttributeValue::Null),
            _ => parse(&scalar.text, value_type),
        },
        NodeKind::Sequence(items) => sequence(items, value_type),
        NodeKind::Mapping(entries) => match value_type {
            AttributeType::Map | AttributeType::Any => {
                let map: Result<Attributes, String> = entries
                    .iter()
                    .map(|entry| Ok((entry.key.value.clone(), of_node(&entry.value, &AttributeType::Any)?)))
                    .collect();
                Ok(AttributeValue::M(map?))
            }
            _ => Err(value_type.rule()),
        },
    }
}

fn sequence(items: &[Node], value_type: &AttributeType) -> Result<AttributeValue, String> {
    let element = match value_type {
        AttributeType::Any => AttributeType::Any,
        other => other.element().ok_or_else(|| value_type.rule())?,
    };
    let values: Result<Vec<AttributeValue>, String> = items.iter().map(|item| of_node(item, &element)).collect();
    let values = values?;
    Ok(match value_type {
        AttributeType::StringSet => {
            AttributeValue::Ss(values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect())
        }
        AttributeType::NumberSet => {
            AttributeValue::Ns(values.iter().filter_map(|value| value.as_number().copied()).collect())
        }
        _ => AttributeValue::L(values),
    })
}

/// Where a type says nothing, a plain scalar means what it looks like.
fn guess(text: &str) -> AttributeValue {
    match text {
        "true" => AttributeValue::Bool(true),
        "false" => AttributeValue::Bool(false),
        "null" => AttributeValue::Null,
        _ => Number::parse(text).map_or_else(|_| AttributeValue::S(text.to_owned()), AttributeValue::N),
    }
}
