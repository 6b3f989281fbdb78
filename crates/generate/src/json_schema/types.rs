//! The types and bounds of attributes.

use keyfold_design::model::{Attribute, AttributeType, Bound, Stamp, Unit};
use keyfold_dynamo::{AttributeValue, Number};
use serde_json::Value;

use crate::json::{Json, object, texts};

type Fields = Vec<(String, Json)>;

/// The schema of an attribute: its type within its bounds.
pub fn of_attribute(attribute: &Attribute) -> Json {
    let mut fields: Fields = Vec::new();
    if let Some(description) = &attribute.description {
        push(&mut fields, "description", description.as_str());
    }
    fields.extend(of_type(&attribute.value_type));
    for bound in &attribute.bounds {
        if let Some(word) = word(bound, &attribute.value_type) {
            push(&mut fields, word, number(&bound.limit));
        }
    }
    if let Some(pattern) = &attribute.pattern {
        fields.retain(|(name, _)| name != "pattern");
        push(&mut fields, "pattern", format!("^(?:{})$", pattern.source));
    }
    if let Some(default) = attribute.default.as_ref().and_then(plain) {
        push(&mut fields, "default", default);
    }
    Json::Object(fields)
}

fn push(fields: &mut Fields, name: &str, value: impl Into<Json>) {
    fields.push((name.to_owned(), value.into()));
}

/// The schema of a type's values.
fn of_type(value_type: &AttributeType) -> Fields {
    let of = |name: &str| vec![("type".to_owned(), Json::from(name))];
    let text_with = |word: &str, value: &str| {
        let mut fields = of("string");
        push(&mut fields, word, value);
        fields
    };
    match value_type {
        AttributeType::String | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => of("string"),
        AttributeType::Integer => of("integer"),
        AttributeType::Sequence(_) | AttributeType::Expiry(_) | AttributeType::Stamp(Stamp::Version) => {
            let mut fields = of("integer");
            push(&mut fields, "minimum", 0);
            fields
        }
        // A number of more digits than a double keeps is a text.
        AttributeType::Number => vec![("type".to_owned(), texts(["number", "string"]))],
        AttributeType::Boolean => of("boolean"),
        AttributeType::Binary => text_with("contentEncoding", "base64"),
        AttributeType::Date => text_with("format", "date"),
        AttributeType::DateTime | AttributeType::Stamp(Stamp::CreatedAt | Stamp::ModifiedAt) => {
            let mut fields = text_with("format", "date-time");
            push(&mut fields, "pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$");
            fields
        }
        AttributeType::Ulid => text_with("pattern", "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"),
        AttributeType::Uuid => text_with("format", "uuid"),
        AttributeType::Url => text_with("format", "uri"),
        AttributeType::Email => text_with("format", "email"),
        AttributeType::Enumeration(values) => vec![("enum".to_owned(), texts(values.iter()))],
        AttributeType::StringSet => set(object([("type", Json::from("string"))])),
        AttributeType::NumberSet => set(object([("type", texts(["number", "string"]))])),
        AttributeType::List(element) => {
            let mut fields = of("array");
            if let Some(element) = element {
                fields.push(("items".to_owned(), Json::Object(of_type(element))));
            }
            fields
        }
        AttributeType::Map => of("object"),
        AttributeType::Any => Vec::new(),
    }
}

fn set(items: Json) -> Fields {
    let Json::Object(fields) =
        object([("type", Json::from("array")), ("items", items), ("uniqueItems", true.into()), ("minItems", 1.into())])
    else {
        return Vec::new();
    };
    fields
}

/// The word for a bound; bytes cannot be said.
fn word(bound: &Bound, value_type: &AttributeType) -> Option<&'static str> {
    let (least, most) = match (bound.unit, value_type) {
        (Unit::Value, _) => ("minimum", "maximum"),
        (Unit::Characters, _) => ("minLength", "maxLength"),
        (Unit::Items, AttributeType::Map) => ("minProperties", "maxProperties"),
        (Unit::Items, _) => ("minItems", "maxItems"),
        (Unit::Bytes, _) => return None,
    };
    Some(if bound.at_least { least } else { most })
}

fn number(number: &Number) -> Value {
    match number.to_i64() {
        Some(whole) => Value::from(whole),
        None => number.to_string().parse::<f64>().map_or(Value::Null, Value::from),
    }
}

/// A default; those of designs are scalars and empty lists.
fn plain(value: &AttributeValue) -> Option<Json> {
    Some(match value {
        AttributeValue::S(text) => Json::from(text.as_str()),
        AttributeValue::N(found) => Json::from(number(found)),
        AttributeValue::Bool(flag) => Json::from(*flag),
        AttributeValue::L(items) => Json::List(items.iter().map(plain).collect::<Option<_>>()?),
        _ => return None,
    })
}
