//! Numbers in JSON. DynamoDB keeps 38 digits, most readers of JSON keep a double.

use keyfold_dynamo::Number;

/// The largest integer up to which a double keeps every integer.
pub const LARGEST_EXACT_INTEGER: i64 = 1 << 53;

/// The number as a JSON number, if a double keeps all of its digits.
pub fn exact_json_number(number: &Number) -> Option<serde_json::Number> {
    match number.to_i64() {
        Some(whole) if whole.abs() <= LARGEST_EXACT_INTEGER => Some(whole.into()),
        _ => number.to_f64().and_then(serde_json::Number::from_f64),
    }
}
