//! Attributes that are text: dates, ids, addresses, enumerations, stamps.

use std::sync::Arc;

use keyfold_design::model::AttributeType;
use keyfold_design::template::{TimestampFormat, is_datetime};
use keyfold_dynamo::AttributeValue;

use super::{AttributeContext, enumeration, stamps};

pub(super) fn guess(about: AttributeContext<'_>, texts: &[&str], notes: &mut Vec<String>) -> AttributeType {
    let is_everywhere = texts.len() == about.of;
    if texts.iter().all(|text| is_datetime(text)) {
        if let Some(stamp) = stamps::instant(about.name).filter(|_| is_everywhere) {
            notes.push("guess by its name".to_owned());
            return AttributeType::Stamp(stamp);
        }
        return AttributeType::DateTime(TimestampFormat::default());
    }
    if texts.iter().all(|text| is_other_instant(text)) {
        notes.push("instants, but not in UTC with milliseconds, so not a `datetime`".to_owned());
        return AttributeType::String;
    }
    if let Some(stamp) = stamps::actor(about.name).filter(|_| is_everywhere) {
        notes.push("guess by its name".to_owned());
        return AttributeType::Stamp(stamp);
    }
    for simple in
        [AttributeType::Date, AttributeType::Ulid, AttributeType::Uuid, AttributeType::Url, AttributeType::Email]
    {
        if texts.iter().all(|text| simple.check("", &AttributeValue::S((*text).to_owned())).is_ok()) {
            return simple;
        }
    }
    match enumeration::values(about.name, texts) {
        Some(values) => {
            notes.push("guess: there may be further values".to_owned());
            AttributeType::Enumeration(Arc::from(values))
        }
        None => AttributeType::String,
    }
}

/// `2026-11-15T08:00:00Z`, `2026-11-15T08:00:00+01:00`.
fn is_other_instant(text: &str) -> bool {
    let bytes = text.as_bytes();
    (16..=40).contains(&bytes.len())
        && text.get(..10).is_some_and(keyfold_design::template::is_date)
        && matches!(bytes.get(10), Some(b'T' | b' '))
        && text.get(11..13).is_some_and(|hour| hour.bytes().all(|byte| byte.is_ascii_digit()))
        && bytes.get(13) == Some(&b':')
}
