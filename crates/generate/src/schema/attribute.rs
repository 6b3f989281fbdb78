//! The types and bounds of attributes.

use keyfold_design::model::{
    Attribute, AttributeType, Bound, Entity, IndexKey, LARGEST_EXACT_INTEGER, Layout, Stamp, Unit, exact_json_number,
};
use keyfold_design::template::{Format, Placeholder, Template, TextFormat, TimestampFormat, Zone};
use keyfold_dynamo::AttributeValue;
use serde_json::{Map, Number, Value, json};

/// The schema of an entity's attribute: its type, within its bounds and within what its keys can hold.
pub(crate) fn attribute_schema(entity: &Entity, attribute: &Attribute) -> Map<String, Value> {
    let mut schema = Map::new();
    let settable_by = attribute.settable_by.as_ref().map(|who| format!("settable by {who}"));
    let description: Vec<&str> = attribute.description.as_deref().into_iter().chain(settable_by.as_deref()).collect();
    if !description.is_empty() {
        schema.insert("description".to_owned(), description.join("; ").into());
    }
    schema.extend(type_schema(&attribute.value_type));
    // JSON Schema does not count words.
    for bound in attribute.bounds.iter().filter(|bound| bound.unit != Unit::Words) {
        // Rounding would change the bound.
        let limit = exact_json_number(&bound.limit);
        let limit = if bound.unit == Unit::Bytes { limit.and_then(|bytes| base64_length(&bytes)) } else { limit };
        if let Some(limit) = limit {
            schema.insert(keyword(bound, &attribute.value_type).to_owned(), Value::Number(limit));
        }
    }
    bound_by_keys(entity, attribute, &mut schema);
    if let Some(pattern) = &attribute.pattern {
        schema.insert("pattern".to_owned(), format!("^(?:{})$", pattern.source).into());
    }
    if let Some(default) = attribute.default.as_ref().and_then(plain) {
        schema.insert("default".to_owned(), default);
    }
    schema
}

/// The schema of a type's values.
pub(crate) fn type_schema(value_type: &AttributeType) -> Map<String, Value> {
    let schema = match value_type {
        AttributeType::String | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => json!({"type": "string"}),
        AttributeType::Integer => {
            json!({"type": "integer", "minimum": -LARGEST_EXACT_INTEGER, "maximum": LARGEST_EXACT_INTEGER})
        }
        AttributeType::Sequence(_) | AttributeType::Expiry(_) | AttributeType::Stamp(Stamp::Version) => {
            json!({"type": "integer", "minimum": 0, "maximum": LARGEST_EXACT_INTEGER})
        }
        AttributeType::Number => number(),
        AttributeType::Boolean => json!({"type": "boolean"}),
        AttributeType::Binary => json!({"type": "string", "contentEncoding": "base64"}),
        AttributeType::Date => json!({"type": "string", "format": "date"}),
        AttributeType::DateTime(format)
        | AttributeType::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => timestamp(*format),
        AttributeType::Moment(format) => json!({"anyOf": [timestamp(*format), {"type": "string", "format": "date"}]}),
        AttributeType::Ulid => json!({"type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"}),
        AttributeType::Uuid => {
            json!({"type": "string", "format": "uuid", "pattern": "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$"})
        }
        AttributeType::Url => json!({"type": "string", "format": "uri"}),
        AttributeType::Email => json!({"type": "string", "format": "email", "maxLength": 254}),
        AttributeType::Enumeration(values) => json!({"type": "string", "enum": values.as_ref()}),
        AttributeType::StringSet => set(json!({"type": "string"})),
        AttributeType::NumberSet => set(number()),
        AttributeType::List(None) => json!({"type": "array"}),
        AttributeType::List(Some(element)) => json!({"type": "array", "items": type_schema(element)}),
        AttributeType::Map => json!({"type": "object"}),
        AttributeType::Any => json!({}),
    };
    match schema {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Readers of `date-time` expect upper case and a zone.
fn timestamp(format: TimestampFormat) -> Value {
    let TimestampFormat::Text(text) = format else { return json!({"type": "integer"}) };
    let pattern = format!("^{}$", format.pattern());
    match text {
        TextFormat { zone: Zone::Utc | Zone::Offset, is_lower_case: false, .. } => {
            json!({"type": "string", "format": "date-time", "pattern": pattern})
        }
        _ => json!({"type": "string", "pattern": pattern}),
    }
}

/// A number with more digits than a double keeps is a string.
fn number() -> Value {
    json!({"type": ["number", "string"], "pattern": "^[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"})
}

/// Narrows the schema of an attribute to what the keys that are made of it can hold: no empty text, and no integer of
/// more digits than the key has for it.
fn bound_by_keys(entity: &Entity, attribute: &Attribute, schema: &mut Map<String, Value>) {
    let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
    let placeholders: Vec<&Placeholder> = layouts
        .flat_map(key_templates)
        .flat_map(Template::alternatives)
        .flat_map(Template::placeholders)
        .filter(|placeholder| placeholder.attribute == attribute.name)
        .collect();
    let is_in_key = !placeholders.is_empty();
    let digits = placeholders.iter().flat_map(|placeholder| &placeholder.formats).filter_map(|format| match format {
        Format::Width(width) | Format::Descending(width) => u32::try_from(*width).ok(),
        _ => None,
    });
    // The other types admit no empty text.
    let is_text = matches!(attribute.value_type, AttributeType::String | AttributeType::Binary);
    if is_in_key && is_text && !schema.contains_key("minLength") {
        schema.insert("minLength".to_owned(), 1.into());
    }
    if let Some(most) = digits.min().and_then(|digits| 10_i64.checked_pow(digits)) {
        let known = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
        let (least, most) = (known("minimum").unwrap_or(0).max(0), known("maximum").unwrap_or(i64::MAX).min(most - 1));
        schema.insert("minimum".to_owned(), least.into());
        schema.insert("maximum".to_owned(), most.into());
    }
}

fn key_templates(layout: &Layout) -> impl Iterator<Item = &Template> {
    let base = std::iter::once(&layout.partition).chain(&layout.sort);
    base.chain(layout.index_keys.iter().flat_map(IndexKey::parts)).map(|part| &part.template)
}

/// The characters of a number of bytes in base64; `None` for a bound that is not a number of bytes.
fn base64_length(bytes: &Number) -> Option<Number> {
    bytes.as_u64()?.div_ceil(3).checked_mul(4).map(Number::from)
}

fn set(items: Value) -> Value {
    json!({"type": "array", "items": items, "uniqueItems": true, "minItems": 1})
}

/// The same, or `null`.
pub(super) fn nullable(mut schema: Map<String, Value>) -> Map<String, Value> {
    match schema.get_mut("type") {
        Some(Value::Array(names)) => names.push("null".into()),
        Some(name) => *name = json!([name, "null"]),
        // A schema without a type accepts null already.
        None => {}
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    schema
}

/// The keyword of a bound. Bytes are counted as the characters of their base64.
fn keyword(bound: &Bound, value_type: &AttributeType) -> &'static str {
    let (least, most) = match (bound.unit, value_type) {
        (Unit::Value, _) => ("minimum", "maximum"),
        (Unit::Characters | Unit::Words | Unit::Bytes, _) => ("minLength", "maxLength"),
        (Unit::Items, AttributeType::Map) => ("minProperties", "maxProperties"),
        (Unit::Items, _) => ("minItems", "maxItems"),
    };
    if bound.at_least { least } else { most }
}

/// A default as JSON: designs have scalars and empty lists.
fn plain(value: &AttributeValue) -> Option<Value> {
    Some(match value {
        AttributeValue::S(text) => text.as_str().into(),
        AttributeValue::N(number) => exact_json_number(number).map_or_else(|| number.to_string().into(), Value::Number),
        AttributeValue::Bool(flag) => (*flag).into(),
        AttributeValue::L(items) => Value::Array(items.iter().map(plain).collect::<Option<_>>()?),
        _ => return None,
    })
}
