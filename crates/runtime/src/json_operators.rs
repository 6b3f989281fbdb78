//! Update operators and conditions of patches as JSON, by the design's types.

use keyfold_design::model::{AttributeType, Declared, Entity};
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::json::{number, truncate_for_message, value_of};
use crate::write::{ItemCondition, Operator, OperatorAction, Operators, PatchOptions, parsed_condition};

/// The members that hold operators: an object of values by their paths, or for `remove` a list of paths.
pub const OPERATORS: &[&str] = &["set", "remove", "add", "subtract", "append", "prepend"];
/// The member with the condition.
pub const IF: &str = "if";
/// The member with the arguments of the condition.
pub const WITH: &str = "with";

/// Takes the operators and the condition of a patch from the members of an object:
/// `{"add": {"stock": -2}, "remove": ["note"], "if": "stock >= <least>", "with": {"least": 2}}`. Other members stay.
pub fn take(entity: &Entity, members: &mut Map<String, Value>) -> Result<PatchOptions, Error> {
    let mut operators = Operators::new();
    for name in OPERATORS {
        let Some(member) = members.remove(*name) else { continue };
        match (*name, member) {
            ("remove", Value::Array(paths)) => {
                for path in paths {
                    let Value::String(path) = path else { return Err(wrong_shape(name)) };
                    operators.push(Operator { path, action: OperatorAction::Remove });
                }
            }
            ("remove", _) => return Err(wrong_shape(name)),
            (_, Value::Object(values)) => {
                for (path, value) in values {
                    let action = action(entity, name, &path, &value)?;
                    operators.push(Operator { path, action });
                }
            }
            _ => return Err(wrong_shape(name)),
        }
    }
    let condition = condition(entity, members.remove(IF), members.remove(WITH))?;
    Ok(PatchOptions { operators, condition, ..PatchOptions::default() })
}

fn wrong_shape(name: &str) -> Error {
    let shape = if name == "remove" { "a list of paths" } else { "an object of values by their paths" };
    Error::InvalidArgument { name: name.to_owned(), message: format!("`{name}` must be {shape}") }
}

fn action(entity: &Entity, operator: &str, path: &str, value: &Value) -> Result<OperatorAction, Error> {
    // What is wrong with a path is reported when the patch is planned.
    let found = entity.value_path(path).ok();
    let places = found.and_then(|found| entity.declared_along(&found).ok());
    let declared = places.and_then(|places| places.last().copied());
    let value_type = declared.map_or(&AttributeType::Any, Declared::value_type);
    Ok(match operator {
        "set" => OperatorAction::Set(value_of(path, value_type, value)?),
        "add" => OperatorAction::Add(amount(path, value_type, value)?),
        "subtract" => OperatorAction::Subtract(amount(path, value_type, value)?),
        "append" => OperatorAction::Append(elements(path, value_type, value)?),
        _ => OperatorAction::Prepend(elements(path, value_type, value)?),
    })
}

/// A number, or the members of a set.
fn amount(path: &str, value_type: &AttributeType, value: &Value) -> Result<AttributeValue, Error> {
    if matches!(value_type, AttributeType::StringSet | AttributeType::NumberSet) && value.is_array() {
        return value_of(path, value_type, value);
    }
    // A text is a number only where the type says so, since `any` may hold either.
    let is_number = value.is_number() || *value_type != AttributeType::Any;
    let amount = number(value).filter(|_| is_number).map(AttributeValue::N);
    amount.ok_or_else(|| unsuitable(path, "a number, or a list of members of a set", value))
}

fn elements(path: &str, value_type: &AttributeType, value: &Value) -> Result<Vec<AttributeValue>, Error> {
    let list = match value_type {
        AttributeType::List(_) => value_type.clone(),
        _ => AttributeType::List(None),
    };
    match value.is_array().then(|| value_of(path, &list, value)).transpose()? {
        Some(AttributeValue::L(elements)) => Ok(elements),
        _ => Err(unsuitable(path, "a list of elements", value)),
    }
}

fn unsuitable(path: &str, wanted: &str, value: &Value) -> Error {
    let message = format!("the operator of `{path}` takes {wanted}, not {}", truncate_for_message(value));
    Error::constraint(path, Some(path), message)
}

fn condition(entity: &Entity, text: Option<Value>, arguments: Option<Value>) -> Result<Option<ItemCondition>, Error> {
    let invalid =
        |name: &str, message: &str| Error::InvalidArgument { name: name.to_owned(), message: message.to_owned() };
    let text = match text {
        None if arguments.is_some() => return Err(invalid(WITH, "`with` needs a condition: `if`")),
        None => return Ok(None),
        Some(Value::String(text)) => text,
        Some(_) => return Err(invalid(IF, "`if` must be a text such as `stock >= <least>`")),
    };
    let given = match arguments {
        None => Map::new(),
        Some(Value::Object(given)) => given,
        Some(_) => return Err(invalid(WITH, "`with` must be an object of values by their parameters")),
    };
    let parameters = parsed_condition(entity, &text)?.parameters;
    let mut arguments = Attributes::new();
    for (name, value) in given {
        let known = parameters.iter().find(|(known, _)| *known == name);
        let value_type = known.map_or(&AttributeType::Any, |(_, value_type)| value_type);
        let value = value_of(&name, value_type, &value)
            .map_err(|error| Error::InvalidArgument { name: name.clone(), message: error.to_string() })?;
        arguments.insert(name, value);
    }
    ItemCondition::parse(entity, &text, arguments).map(Some)
}
