//! What a scenario file may write instead of spelling a large or repeated value out.
//!
//! `{name}` inside a string is a parameter; a string that is nothing but `{name}` becomes the parameter's JSON value.
//! An object with one of these keys is replaced by what it describes:
//!
//! - `{"$repeat": ["x", 2048]}`: a string of 2048 times `x`
//! - `{"$binary": 2048}`: the base64 text of that many bytes
//! - `{"$concat": ["a", {"$repeat": ["b", 9]}]}`: one string
//! - `{"$times": {"count": 26, "of": {"id": "{i}"}}}`: a list, with `{i}` counting from 0
//! - `{"$join": {"count": 9, "of": "a{i}", "with": ", "}}`: one string
//! - `{"$map": {"count": 9, "key": "#n{i}", "of": "n{i}"}}`: an object
//! - `{"$nest": {"depth": 9, "of": {"L": ["$inner"]}, "around": {"S": "x"}}}`: `of` wrapped around `around`
//!
//! A member whose value is `{"$absent": true}` is left out, which undoes a default.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// The values of the parameters in force.
pub type Parameters = BTreeMap<String, Value>;

/// A macro whose arguments do not fit.
#[derive(Debug, thiserror::Error)]
#[error("bad arguments for `{name}`: {arguments}")]
pub struct TemplateError {
    name: String,
    arguments: String,
}

/// Fills in parameters and expands macros.
pub fn expand(template: &Value, parameters: &Parameters) -> Result<Value, TemplateError> {
    match template {
        Value::String(text) => Ok(expand_string(text, parameters)),
        Value::Array(values) => {
            values.iter().map(|value| expand(value, parameters)).collect::<Result<_, _>>().map(Value::Array)
        }
        Value::Object(members) => expand_object(members, parameters),
        other => Ok(other.clone()),
    }
}

fn expand_string(text: &str, parameters: &Parameters) -> Value {
    for (name, value) in parameters {
        if text.len() == name.len() + 2 && text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) == Some(name) {
            return value.clone();
        }
    }
    Value::String(interpolate(text, parameters))
}

/// `text` with every known `{name}` replaced.
#[must_use]
pub fn interpolate(text: &str, parameters: &Parameters) -> String {
    let mut result = text.to_owned();
    if text.contains('{') {
        for (name, value) in parameters {
            let printed = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            result = result.replace(&format!("{{{name}}}"), &printed);
        }
    }
    result
}

fn expand_object(members: &Map<String, Value>, parameters: &Parameters) -> Result<Value, TemplateError> {
    if let (1, Some((name, arguments))) = (members.len(), members.iter().next())
        && let Some(expansion) = expand_macro(name, arguments, parameters)
    {
        return expansion;
    }
    let mut result = Map::new();
    for (key, value) in members {
        if value.get("$absent").is_none() {
            result.insert(interpolate(key, parameters), expand(value, parameters)?);
        }
    }
    Ok(Value::Object(result))
}

/// `None` when `name` is not a macro, so that the object is an ordinary one.
fn expand_macro(name: &str, arguments: &Value, parameters: &Parameters) -> Option<Result<Value, TemplateError>> {
    let expansion = match name {
        "$repeat" => repeat(arguments, parameters),
        "$binary" => binary(arguments, parameters),
        "$concat" => concatenate(arguments, parameters),
        "$times" => times(arguments, parameters).map(|copies| copies.map(Value::Array)),
        "$join" => join(arguments, parameters),
        "$map" => map(arguments, parameters),
        "$nest" => nest(arguments, parameters),
        _ => return None,
    };
    Some(expansion.unwrap_or_else(|| Err(TemplateError { name: name.to_owned(), arguments: arguments.to_string() })))
}

type Expansion = Option<Result<Value, TemplateError>>;

fn repeat(arguments: &Value, parameters: &Parameters) -> Expansion {
    let text = arguments.get(0)?.as_str()?;
    let count = count(arguments.get(1)?, parameters)?;
    Some(Ok(Value::String(interpolate(text, parameters).repeat(count))))
}

fn binary(arguments: &Value, parameters: &Parameters) -> Expansion {
    let bytes = vec![b'x'; count(arguments, parameters)?];
    Some(Ok(Value::String(STANDARD.encode(bytes))))
}

fn concatenate(arguments: &Value, parameters: &Parameters) -> Expansion {
    let mut result = String::new();
    for part in arguments.as_array()? {
        match expand(part, parameters) {
            Ok(part) => result.push_str(part.as_str()?),
            Err(error) => return Some(Err(error)),
        }
    }
    Some(Ok(Value::String(result)))
}

fn times(arguments: &Value, parameters: &Parameters) -> Option<Result<Vec<Value>, TemplateError>> {
    let (count, of) = (count(arguments.get("count")?, parameters)?, arguments.get("of")?);
    Some((0..count).map(|i| expand(of, &counted(parameters, i))).collect())
}

fn join(arguments: &Value, parameters: &Parameters) -> Expansion {
    let with = arguments.get("with")?.as_str()?;
    let parts = match times(arguments, parameters)? {
        Ok(parts) => parts,
        Err(error) => return Some(Err(error)),
    };
    let texts: Option<Vec<_>> = parts
        .iter()
        .map(|part| part.as_str().map(str::to_owned).or_else(|| part.as_u64().map(|number| number.to_string())))
        .collect();
    Some(Ok(Value::String(texts?.join(with))))
}

fn map(arguments: &Value, parameters: &Parameters) -> Expansion {
    let (count, key) = (count(arguments.get("count")?, parameters)?, arguments.get("key")?.as_str()?);
    let of = arguments.get("of")?;
    let mut members = Map::new();
    for i in 0..count {
        let counted = counted(parameters, i);
        match expand(of, &counted) {
            Ok(value) => members.insert(interpolate(key, &counted), value),
            Err(error) => return Some(Err(error)),
        };
    }
    Some(Ok(Value::Object(members)))
}

fn nest(arguments: &Value, parameters: &Parameters) -> Expansion {
    let depth = count(arguments.get("depth")?, parameters)?;
    let (of, around) = (arguments.get("of")?, arguments.get("around")?);
    let mut result = match expand(around, parameters) {
        Ok(value) => value,
        Err(error) => return Some(Err(error)),
    };
    for _ in 0..depth {
        result = wrap(of, &result);
    }
    Some(Ok(result))
}

/// `of` with every string `$inner` replaced by `inner`.
fn wrap(of: &Value, inner: &Value) -> Value {
    match of {
        Value::String(text) if text == "$inner" => inner.clone(),
        Value::Array(values) => values.iter().map(|value| wrap(value, inner)).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), wrap(value, inner))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// A count may itself be a parameter.
fn count(value: &Value, parameters: &Parameters) -> Option<usize> {
    let number = match value {
        Value::String(text) => match expand_string(text, parameters) {
            Value::String(text) => text.parse().ok()?,
            other => other.as_u64()?,
        },
        other => other.as_u64()?,
    };
    usize::try_from(number).ok()
}

fn counted(parameters: &Parameters, i: usize) -> Parameters {
    let mut result = parameters.clone();
    result.insert("i".to_owned(), Value::from(i.to_string()));
    result
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn expanded(template: Value) -> Value {
        let parameters = [("n".to_owned(), json!(2)), ("t".to_owned(), json!("x"))].into();
        expand(&template, &parameters).unwrap()
    }

    #[test]
    fn parameters_keep_their_type_when_alone_and_are_text_inside_text() {
        assert_eq!(expanded(json!({"{t}": ["{n}", "{n}{t}", "{other}"]})), json!({"x": [2, "2x", "{other}"]}));
    }

    #[test]
    fn macros_expand_to_what_they_describe() {
        assert_eq!(expanded(json!({"$repeat": ["ab", 3]})), json!("ababab"));
        assert_eq!(expanded(json!({"$repeat": ["{t}", "{n}"]})), json!("xx"));
        assert_eq!(expanded(json!({"$binary": 3})), json!("eHh4"));
        assert_eq!(expanded(json!({"$concat": ["a", {"$repeat": ["b", 2]}]})), json!("abb"));
        assert_eq!(expanded(json!({"$times": {"count": 2, "of": {"k": "{i}"}}})), json!([{"k": "0"}, {"k": "1"}]));
        assert_eq!(expanded(json!({"$join": {"count": 2, "of": "a{i}", "with": ", "}})), json!("a0, a1"));
        assert_eq!(
            expanded(json!({"$map": {"count": 2, "key": "#{i}", "of": "n{i}"}})),
            json!({"#0": "n0", "#1": "n1"})
        );
        assert_eq!(
            expanded(json!({"$nest": {"depth": 2, "of": {"L": ["$inner"]}, "around": {"S": "{t}"}}})),
            json!({"L": [{"L": [{"S": "x"}]}]})
        );
        assert_eq!(expanded(json!({"a": {"$absent": true}, "b": 1})), json!({"b": 1}));
    }

    #[test]
    fn a_macro_with_wrong_arguments_is_an_error() {
        let error = expand(&json!({"$repeat": 3}), &Parameters::new()).unwrap_err();
        assert_eq!(error.to_string(), "bad arguments for `$repeat`: 3");
    }
}
