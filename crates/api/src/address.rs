//! Paths of items: `/v1/{design}/{plural}/{identity…}`.

use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Entity, Resource};
use keyfold_dynamo::limits::PARTITION_KEY_BYTES;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::json;
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use serde_json::Value;

use crate::response::problem::{Problem, ProblemKind};

/// The characters that a path segment contains unencoded.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A path as URLs spell it: percent-encoded where it is not ASCII. Segments that are encoded already stay as they are.
pub(crate) fn ascii_path(path: &str) -> PercentEncode<'_> {
    utf8_percent_encode(path, CONTROLS)
}

/// The identity in the segments of a path; not found if a value cannot be that of any item.
pub(crate) fn identity<'s>(
    resource: &Resource,
    entity: &Entity,
    segments: impl Iterator<Item = &'s str>,
) -> Result<Attributes, Problem> {
    let not_found = || Problem::new(ProblemKind::NOT_FOUND, format!("{} not found", entity.name));
    let mut identity = Attributes::new();
    for (name, text) in resource.path.iter().zip(segments) {
        let value_type = entity.attribute(name).map_or(&AttributeType::String, |attribute| &attribute.value_type);
        let value = scalar(name, value_type, text).ok_or_else(not_found)?;
        if text.len() > PARTITION_KEY_BYTES || value_type.check(name, &value).is_err() {
            return Err(not_found());
        }
        identity.insert(name.clone(), value);
    }
    Ok(identity)
}

/// The path of an item, with the tenant for callers who act on all tenants.
pub fn href(design: &Design, resource: &Resource, attributes: &Attributes, names_tenant: bool) -> String {
    let mut href = String::with_capacity(128);
    href.push_str("/v1/");
    href.extend(ascii_path(&design.name));
    href.push('/');
    href.extend(ascii_path(&resource.segment));
    for name in &resource.path {
        href.push('/');
        match attributes.get(name) {
            // Clients take such a segment for a step within the path and send another address.
            Some(AttributeValue::S(text)) if text == "." || text == ".." => href.push_str(&text.replace('.', "%2E")),
            value => push_encoded(&mut href, value),
        }
    }
    if let Some(tenant) = resource.tenant.as_ref().filter(|_| names_tenant && resource.found_by_tenant) {
        href.push_str("?tenant=");
        push_encoded(&mut href, attributes.get(tenant));
    }
    href
}

/// A value as a segment of a path.
pub(crate) fn encode_value(value: Option<&AttributeValue>) -> String {
    let mut segment = String::new();
    push_encoded(&mut segment, value);
    segment
}

fn push_encoded(path: &mut String, value: Option<&AttributeValue>) {
    let mut push = |text: &str| path.extend(utf8_percent_encode(text, SEGMENT));
    match value {
        Some(AttributeValue::S(text)) => push(text),
        Some(value) => match json::plain(value) {
            Value::String(text) => push(&text),
            value => push(&value.to_string()),
        },
        None => {}
    }
}

/// A text as a segment of a path.
pub(crate) fn encode_segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// The value of a text in a path or query; `None` if it is not valid for the type.
pub(crate) fn scalar(name: &str, value_type: &AttributeType, text: &str) -> Option<AttributeValue> {
    let value = match value_type {
        AttributeType::Boolean => Value::Bool(text.parse().ok()?),
        _ => Value::String(text.to_owned()),
    };
    json::value_of(name, value_type, &value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_an_address_have_the_type_of_the_attribute() {
        let number = |text: &str| scalar("n", &AttributeType::Integer, text);
        assert_eq!(number("7").unwrap(), AttributeValue::N(7u64.into()));
        assert_eq!(number("x"), None);
        assert_eq!(scalar("b", &AttributeType::Boolean, "true").unwrap(), AttributeValue::Bool(true));
        assert_eq!(scalar("s", &AttributeType::String, "é").unwrap(), AttributeValue::S("é".to_owned()));
    }
}
