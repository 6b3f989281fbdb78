//! Attributes that every record has, and the error for an item that lacks them.

use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_runtime::Error;

use super::ChangeRecordError;
use super::table::{AUDIT_PREFIX, EXPIRES, PARTITION, RESPONSE_PREFIX, SORT};

/// The end of the year 9999, in seconds since the epoch: no record expires later.
const LATEST: u64 = 253_402_300_799;

/// A text that every record of its kind has.
pub(super) fn text<'i>(item: &'i Attributes, name: &str) -> Result<&'i str, ChangeRecordError> {
    let text = item.get(name).and_then(AttributeValue::as_str);
    text.ok_or_else(|| undecodable(item, format!("`{name}` is missing or not a text")))
}

/// When a record expires, in seconds since the epoch.
pub(super) fn expires(item: &Attributes) -> Result<u64, ChangeRecordError> {
    let seconds = item.get(EXPIRES).and_then(AttributeValue::as_number).and_then(Number::to_u64);
    seconds
        .filter(|seconds| *seconds <= LATEST)
        .ok_or_else(|| undecodable(item, format!("`{EXPIRES}` is missing or not a time")))
}

/// The error for an item that is not what its key says.
pub(super) fn undecodable(item: &Attributes, cause: impl Into<String>) -> ChangeRecordError {
    let partition = item.get(PARTITION).and_then(AttributeValue::as_str);
    let is_in = |prefix: &str| partition.is_some_and(|partition| partition.starts_with(prefix));
    let expected = if is_in(AUDIT_PREFIX) {
        "audit log entry"
    } else if is_in(RESPONSE_PREFIX) {
        "stored response"
    } else {
        "segment of the audit log"
    };
    ChangeRecordError::Runtime(Error::Undecodable {
        key: key_text(item),
        expected: expected.to_owned(),
        cause: cause.into(),
    })
}

/// The key of an item, for people.
pub(super) fn key_text(item: &Attributes) -> String {
    [PARTITION, SORT].map(|name| item.get(name).and_then(AttributeValue::as_str).unwrap_or("?")).join(" ")
}
