//! DynamoDB's rules for values, for callers in this process. The wire protocol checks the same rules earlier.

use keyfold_dynamo::limits;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

/// Refuses empty sets and values nested too deeply.
pub(super) fn check_values(item: &Attributes) -> Result<(), ServiceError> {
    item.values().try_for_each(|value| check_value(value, 1))
}

fn check_value(value: &AttributeValue, depth: usize) -> Result<(), ServiceError> {
    if depth > limits::NESTING_DEPTH {
        return Err(ServiceError::validation("Nesting Levels have exceeded supported limits"));
    }
    let empty = |kind: &str| {
        Err(ServiceError::validation(format!(
            "One or more parameter values were invalid: An {kind} set  may not be empty"
        )))
    };
    match value {
        AttributeValue::Ss(set) if set.is_empty() => empty("string"),
        AttributeValue::Ns(set) if set.is_empty() => empty("number"),
        AttributeValue::Bs(set) if set.is_empty() => empty("binary"),
        AttributeValue::M(map) => map.values().try_for_each(|value| check_value(value, depth + 1)),
        AttributeValue::L(list) => list.iter().try_for_each(|value| check_value(value, depth + 1)),
        _ => Ok(()),
    }
}
