//! How an entity is addressed: `/v1/{design}/{plural}/{identity…}`.

use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Entity, EntityId, Verb};
use keyfold_dynamo::limits::PARTITION_KEY_BYTES;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::json;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::problem::{Kind, Problem};

/// What stands for itself in a segment of a path.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The address of an entity's items.
#[derive(Debug, Clone)]
pub struct Resource {
    pub entity: EntityId,
    /// `tech-users` of TechUser.
    pub segment: String,
    /// The attributes of the identity, one segment each. The tenant's is not among them: it is the caller's own, or what
    /// `?tenant=` says, unless the items are the tenants themselves.
    pub path: Vec<String>,
    /// The tenant's attribute, where items have one that the path does not tell.
    pub tenant: Option<String>,
    /// Whether the tenant is needed to find an item.
    pub found_by_tenant: bool,
    /// The verbs that the address takes.
    pub verbs: Vec<Verb>,
}

impl Resource {
    pub fn of(design: &Design, entity: &Entity) -> Self {
        let tenant = design.tenant.as_ref().filter(|_| entity.scope.has_tenant());
        let is_tenant = tenant.is_some_and(|tenant| tenant.entity == Some(entity.id));
        let tenant = tenant.filter(|_| !is_tenant).map(|tenant| tenant.attribute.clone());
        let path = entity.identity.iter().filter(|name| Some(*name) != tenant.as_ref()).cloned().collect();
        let found_by_tenant = tenant.as_ref().is_some_and(|tenant| entity.identity.contains(tenant));
        let written = entity.is_written_directly() && !entity.keeps_sequences;
        let verbs = match (written, entity.append_only) {
            (false, _) => vec![Verb::Get],
            (true, true) => vec![Verb::Get, Verb::Create],
            (true, false) => vec![Verb::Get, Verb::Create, Verb::Update, Verb::Delete],
        };
        Self { entity: entity.id, segment: segment(&entity.plural), path, tenant, found_by_tenant, verbs }
    }

    pub fn takes(&self, verb: Verb) -> bool {
        self.verbs.contains(&verb)
    }

    /// Whether there is one item only, at the address of the collection.
    pub fn is_single(&self) -> bool {
        self.path.is_empty()
    }

    /// The path below `/v1/{design}`, for people and for the router.
    pub fn template(&self) -> String {
        let names: Vec<String> = self.path.iter().map(|name| format!("/{{{name}}}")).collect();
        format!("/{}{}", self.segment, names.concat())
    }

    /// The identity that the segments of a path say. One that no item can have is that of no item.
    pub fn identity<'s>(
        &self,
        entity: &Entity,
        segments: impl Iterator<Item = &'s str>,
    ) -> Result<Attributes, Problem> {
        let absent = || Problem::new(Kind::NOT_FOUND, format!("there is no such {}", entity.name));
        let mut identity = Attributes::new();
        for (name, text) in self.path.iter().zip(segments) {
            let value_type = entity.attribute(name).map_or(&AttributeType::String, |attribute| &attribute.value_type);
            let value = scalar(name, value_type, text).ok_or_else(absent)?;
            if text.len() > PARTITION_KEY_BYTES || value_type.check(name, &value).is_err() {
                return Err(absent());
            }
            identity.insert(name.clone(), value);
        }
        Ok(identity)
    }

    /// Where an item is, for one who acts on all tenants or for a member of its own.
    pub fn href(&self, design: &Design, attributes: &Attributes, names_tenant: bool) -> String {
        let mut href = String::with_capacity(128);
        href.extend(["/v1/", &design.name, "/", &self.segment]);
        for name in &self.path {
            href.push('/');
            push_encoded(&mut href, attributes.get(name));
        }
        if let Some(tenant) = self.tenant.as_ref().filter(|_| names_tenant && self.found_by_tenant) {
            href.push_str("?tenant=");
            push_encoded(&mut href, attributes.get(tenant));
        }
        href
    }
}

/// A value as a segment of a path.
pub fn encoded(value: Option<&AttributeValue>) -> String {
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
pub fn encoded_segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// A value out of an address; `None` where the text is none of the type.
pub fn scalar(name: &str, value_type: &AttributeType, text: &str) -> Option<AttributeValue> {
    let value = match value_type {
        AttributeType::Boolean => Value::Bool(text.parse().ok()?),
        _ => Value::String(text.to_owned()),
    };
    json::value_of(name, value_type, &value).ok()
}

/// `TechUsers` is `tech-users`.
fn segment(plural: &str) -> String {
    let mut segment = String::with_capacity(plural.len() + 4);
    for character in plural.chars() {
        if !character.is_alphanumeric() {
            segment.push('-');
            continue;
        }
        if character.is_uppercase() && !segment.is_empty() && !segment.ends_with('-') {
            segment.push('-');
        }
        segment.extend(character.to_lowercase());
    }
    segment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_segments() {
        for (plural, expected) in
            [("Licenses", "licenses"), ("TechUsers", "tech-users"), ("Lost things", "lost-things")]
        {
            assert_eq!(segment(plural), expected);
        }
    }

    #[test]
    fn texts_of_an_address_have_the_type_of_the_attribute() {
        let number = |text: &str| scalar("n", &AttributeType::Integer, text);
        assert_eq!(number("7").unwrap(), AttributeValue::N(7u64.into()));
        assert_eq!(number("x"), None);
        assert_eq!(scalar("b", &AttributeType::Boolean, "true").unwrap(), AttributeValue::Bool(true));
        assert_eq!(scalar("s", &AttributeType::String, "é").unwrap(), AttributeValue::S("é".to_owned()));
    }
}
