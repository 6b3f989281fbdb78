//! Numbers in JSON. DynamoDB keeps 38 digits, most readers of JSON keep a double.

use keyfold_dynamo::Number;
use keyfold_dynamo::number::NumberError;

/// The largest integer up to which a double keeps every integer.
pub const LARGEST_EXACT_INTEGER: i64 = 1 << 53;

/// The number as a JSON number, if a double keeps all of its digits.
pub fn exact_json_number(number: &Number) -> Option<serde_json::Number> {
    match number.to_i64() {
        Some(whole) if whole.abs() <= LARGEST_EXACT_INTEGER => Some(whole.into()),
        _ => number.to_f64().and_then(serde_json::Number::from_f64),
    }
}

/// Whether a JSON parser keeps all digits of a number as it is written. One that DynamoDB cannot hold is reported with
/// its attribute, unless a parser cannot hold it either.
pub fn is_exact_in_json(number: &str) -> bool {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return true;
    }
    match Number::parse(number) {
        Ok(exact) => exact.to_f64().is_some(),
        Err(NumberError::Overflow | NumberError::Underflow) => number.parse::<f64>().is_ok_and(f64::is_finite),
        Err(NumberError::Precision | NumberError::Syntax) => false,
    }
}
