//! Key schemas of tables and indexes against their attribute definitions.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::table::{AttributeDefinition, KeyRole, KeySchemaElement};

use crate::rows::key_schema::{KeyAttribute, KeySchema};

const INVALID: &str = "One or more parameter values were invalid: ";

pub(super) fn invalid(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::validation(format!("{INVALID}{message}"))
}

/// Checks the shape of a key schema, before types are looked at.
pub(super) fn check_shape(elements: &[KeySchemaElement]) -> Result<(), ServiceError> {
    match elements {
        [first, second] if first.name == second.name => Err(ServiceError::validation(
            "Both the Hash Key and the Range Key element in the KeySchema have the same name",
        )),
        [first, ..] if first.role != KeyRole::Hash => {
            Err(ServiceError::validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type"))
        }
        [_, second] if second.role != KeyRole::Range => {
            Err(ServiceError::validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"))
        }
        [_] | [_, _] => Ok(()),
        _ => Err(ServiceError::validation(
            "Key Schema too big.  Key Schema must at most consist of the hash and range key of a table",
        )),
    }
}

/// Resolves a key schema whose shape was checked and whose attributes are defined.
pub(super) fn resolve(elements: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> Option<KeySchema> {
    let attribute = |element: &KeySchemaElement| {
        let definition = definitions.iter().find(|definition| definition.name == element.name)?;
        Some(KeyAttribute { name: element.name.clone(), key_type: definition.key_type })
    };
    let mut elements = elements.iter();
    let partition = attribute(elements.next()?)?;
    let sort = match elements.next() {
        Some(element) => Some(attribute(element)?),
        None => None,
    };
    Some(KeySchema { partition, sort })
}

/// A list as DynamoDB prints it in errors.
pub(super) fn bracketed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", names.collect::<Vec<_>>().join(", "))
}
