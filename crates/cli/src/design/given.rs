//! `name=value` arguments, parsed by the design's types.

use anyhow::bail;
use keyfold_design::access::{AccessParameter, AccessPlan};
use keyfold_design::model::{AttributeType, Entity};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::value::ValueType;
use keyfold_runtime::{json, json_text};
use serde_json::{Map, Value};

/// The attributes of an entity.
pub(super) fn attributes(entity: &Entity, given: &[String]) -> anyhow::Result<Attributes> {
    let object = object(given, |name| entity.attribute(name).map(|attribute| attribute.value_type.clone()))?;
    Ok(json::attributes(entity, object)?)
}

/// Values by the paths at which they are in the items of an entity.
pub(super) fn at_paths(entity: &Entity, given: &[String]) -> anyhow::Result<Map<String, Value>> {
    object(given, |path| {
        let places =
            entity.value_path(path).and_then(|path| entity.declared_along(&path).map(|found| found.last().copied()));
        places.ok().flatten().map(|declared| declared.value_type().clone())
    })
}

/// The arguments of a condition.
pub(super) fn condition_arguments(
    parameters: &[(String, AttributeType)],
    given: &[String],
) -> anyhow::Result<Map<String, Value>> {
    object(given, |name| parameters.iter().find(|(known, _)| known == name).map(|(_, value_type)| value_type.clone()))
}

/// The arguments of a pattern.
pub(super) fn arguments(plan: &AccessPlan, given: &[String]) -> anyhow::Result<Attributes> {
    let object = object(given, |name| plan.parameter(name).map(AccessParameter::argument_type))?;
    Ok(json::arguments(plan, &object)?)
}

fn object(given: &[String], type_of: impl Fn(&str) -> Option<AttributeType>) -> anyhow::Result<Map<String, Value>> {
    let mut object = Map::new();
    for part in given {
        // A whole object at once.
        if part.trim_start().starts_with('{') {
            match parse(part)? {
                Some(Value::Object(members)) => object.extend(members),
                Some(_) | None => bail!("`{part}` is not a JSON object"),
            }
            continue;
        }
        let Some((name, text)) = part.split_once('=') else {
            bail!("`{part}` has no value; write name=value, name=null to remove an attribute, or a JSON object");
        };
        let value = value(type_of(name).unwrap_or(AttributeType::Any), text)?;
        if object.insert(name.to_owned(), value).is_some() {
            bail!("`{name}` appears twice");
        }
    }
    Ok(object)
}

fn value(value_type: AttributeType, text: &str) -> anyhow::Result<Value> {
    if text == "null" {
        return Ok(Value::Null);
    }
    Ok(match value_type.stored() {
        Some(ValueType::S | ValueType::N | ValueType::B) => Value::String(text.to_owned()),
        Some(ValueType::Bool) => match text {
            "true" | "yes" => Value::Bool(true),
            "false" | "no" => Value::Bool(false),
            _ => bail!("expected true or false, found `{text}`"),
        },
        Some(ValueType::L | ValueType::Ss | ValueType::Ns | ValueType::Bs) if !text.starts_with('[') => {
            Value::Array(text.split(',').map(|item| Value::String(item.trim().to_owned())).collect())
        }
        // Anything that is not JSON is a string.
        _ => parse(text)?.unwrap_or_else(|| Value::String(text.to_owned())),
    })
}

/// The value of a JSON text, `None` for another text; an error if digits of a number would be lost.
fn parse(text: &str) -> anyhow::Result<Option<Value>> {
    let Ok(value) = serde_json::from_str(text) else { return Ok(None) };
    json_text::check(text, usize::MAX)?;
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[&str]) -> anyhow::Result<Value> {
        let given: Vec<String> = given.iter().map(|part| (*part).to_owned()).collect();
        let types = |name: &str| match name {
            "seats" => Some(AttributeType::Integer),
            "tags" => Some(AttributeType::List(None)),
            "on" => Some(AttributeType::Boolean),
            "name" => Some(AttributeType::String),
            _ => None,
        };
        object(&given, types).map(Value::Object)
    }

    #[test]
    fn values_by_their_types() {
        let given = ["seats=5", "tags=a, b", "on=yes", "name=12", "note=null", "{\"more\": [1]}"];
        let expected = serde_json::json!({
            "seats": "5", "tags": ["a", "b"], "on": true, "name": "12", "note": null, "more": [1]
        });
        assert_eq!(read(&given).unwrap(), expected);
    }

    #[test]
    fn invalid_values_are_reported() {
        assert!(read(&["seats"]).unwrap_err().to_string().starts_with("`seats` has no value"));
        assert_eq!(read(&["on=maybe"]).unwrap_err().to_string(), "expected true or false, found `maybe`");
        assert_eq!(read(&["a=1", "a=2"]).unwrap_err().to_string(), "`a` appears twice");
        assert_eq!(
            read(&["{\"total\": 0.1234567890123456789}"]).unwrap_err().to_string(),
            "`0.1234567890123456789` has more digits than JSON readers keep; write it as a string"
        );
        assert_eq!(read(&["{oops"]).unwrap_err().to_string(), "`{oops` is not a JSON object");
    }
}
