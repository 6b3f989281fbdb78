//! Keys in readable form.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keyfold_dynamo::{AttributeValue, Attributes};

/// `PK="ACCOUNT#1", SK=12`.
pub(crate) fn key_text(key: &Attributes) -> String {
    let parts: Vec<String> = key.iter().map(|(name, value)| format!("{name}={}", value_text(value))).collect();
    parts.join(", ")
}

fn value_text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => format!("{text:?}"),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => format!("base64 {}", STANDARD.encode(bytes)),
        other => format!("{other:?}"),
    }
}
