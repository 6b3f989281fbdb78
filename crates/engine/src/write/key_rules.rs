//! DynamoDB's rules for key attributes, with its error texts.

use keyfold_dynamo::limits;
use keyfold_dynamo::operation::check_item_size;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

use crate::catalog::TableDefinition;
use crate::rows::key_schema::{KeyAttribute, KeySchema};

/// A key given on its own (GetItem, UpdateItem, …): exactly the key attributes, of their types.
pub(crate) fn check_key(schema: &KeySchema, key: &Attributes) -> Result<(), ServiceError> {
    let mismatch = || ServiceError::validation("The provided key element does not match the schema");
    if key.len() != schema.attributes().count() {
        return Err(mismatch());
    }
    for attribute in schema.attributes() {
        let value = key.get(&attribute.name).ok_or_else(mismatch)?;
        if !attribute.key_type.admits(value) {
            return Err(mismatch());
        }
    }
    check_key_values(schema, key)
}

/// A whole item about to be stored: its keys, those of its indexes, and its size.
pub(super) fn check_item(table: &TableDefinition, item: &Attributes) -> Result<(), ServiceError> {
    for attribute in table.key.attributes() {
        let Some(value) = item.get(&attribute.name) else {
            return Err(ServiceError::validation(format!(
                "One or more parameter values were invalid: Missing the key {} in the item",
                attribute.name
            )));
        };
        if !attribute.key_type.admits(value) {
            return Err(ServiceError::validation(format!(
                "One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
                attribute.name,
                attribute.key_type.as_str(),
                value.value_type().as_str()
            )));
        }
    }
    check_key_values(&table.key, item)?;
    check_index_keys(table, item)?;
    check_item_size(item)
}

/// An attribute that is an index key must have the index's type, or be absent.
pub(super) fn check_index_keys(table: &TableDefinition, item: &Attributes) -> Result<(), ServiceError> {
    for index in &table.indexes {
        for attribute in index.key.attributes() {
            let Some(value) = item.get(&attribute.name) else { continue };
            if !attribute.key_type.admits(value) {
                return Err(ServiceError::validation(format!(
                    "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}",
                    attribute.name,
                    attribute.key_type.as_str(),
                    value.value_type().as_str(),
                    index.name
                )));
            }
            if let Some(kind) = empty_kind(value)
                && !table.key.contains(&attribute.name)
            {
                return Err(ServiceError::validation(format!(
                    "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty {kind} value. IndexName: {}, IndexKey: {}",
                    index.name, attribute.name
                )));
            }
        }
        check_sizes(&index.key, item)?;
    }
    Ok(())
}

/// DynamoDB has a separate error text for an update that makes an index key empty, whatever the type of the key.
pub(super) fn refuse_empty_index_keys(table: &TableDefinition, item: &Attributes) -> Result<(), ServiceError> {
    let empty = table
        .indexes
        .iter()
        .flat_map(|index| index.key.attributes())
        .find_map(|attribute| item.get(&attribute.name).and_then(empty_kind));
    match empty {
        None => Ok(()),
        Some(kind) => Err(ServiceError::validation(format!(
            "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {kind} value."
        ))),
    }
}

/// Whether a value can be the key of an index row. A backfill leaves out items whose value cannot.
pub(super) fn is_valid_key(attribute: &KeyAttribute, value: &AttributeValue, limit: usize) -> bool {
    attribute.key_type.admits(value) && empty_kind(value).is_none() && value.size() <= limit
}

fn check_key_values(schema: &KeySchema, attributes: &Attributes) -> Result<(), ServiceError> {
    for attribute in schema.attributes() {
        if let Some(kind) = attributes.get(&attribute.name).and_then(empty_kind) {
            return Err(ServiceError::validation(format!(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {kind} value. Key: {}",
                attribute.name
            )));
        }
    }
    check_sizes(schema, attributes)
}

fn check_sizes(schema: &KeySchema, attributes: &Attributes) -> Result<(), ServiceError> {
    if let Some(value) = attributes.get(&schema.partition.name) {
        check_partition_size(value)?;
    }
    match schema.sort.as_ref().and_then(|sort| attributes.get(&sort.name)) {
        Some(value) => check_sort_size(value),
        None => Ok(()),
    }
}

pub(crate) fn check_partition_size(value: &AttributeValue) -> Result<(), ServiceError> {
    if value.size() <= limits::PARTITION_KEY_BYTES {
        return Ok(());
    }
    Err(ServiceError::validation(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
    ))
}

pub(crate) fn check_sort_size(value: &AttributeValue) -> Result<(), ServiceError> {
    if value.size() <= limits::SORT_KEY_BYTES {
        return Ok(());
    }
    Err(ServiceError::validation(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes",
    ))
}

fn empty_kind(value: &AttributeValue) -> Option<&'static str> {
    match value {
        AttributeValue::S(text) if text.is_empty() => Some("string"),
        AttributeValue::B(bytes) if bytes.is_empty() => Some("binary"),
        _ => None,
    }
}
