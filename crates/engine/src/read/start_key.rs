//! `ExclusiveStartKey`: the key a page begins after, checked.

use keyfold_dynamo::{Attributes, ServiceError};

use super::source::Source;
use crate::write::check_key;

/// The row of a start key; an error if it is not a key of the source.
pub(super) fn start_row(source: &Source<'_>, key: &Attributes) -> Result<Vec<u8>, ServiceError> {
    let invalid = |detail: &str| ServiceError::validation(format!("The provided starting key is invalid{detail}"));
    let attributes = source.start_key_attributes();
    let mismatch = if source.index.is_some() { "" } else { ": The provided key element does not match the schema" };
    if key.len() != attributes.len() {
        return Err(invalid(mismatch));
    }
    for attribute in attributes {
        match key.get(&attribute.name) {
            Some(value) if attribute.key_type.admits(value) => {}
            _ => return Err(invalid(mismatch)),
        }
    }
    check_key(&source.table.key, &source.table.key.key_of(key)).map_err(|error| invalid(&format!(": {error}")))?;
    source.start_row(key).ok_or_else(|| invalid(mismatch))
}
