//! Numbers as doubles: DynamoDB keeps 38 digits, JSON and the expression language about 16.

use keyfold_dynamo::Number;

/// The double that is closest to a number.
pub(crate) fn nearest_double(number: &Number) -> f64 {
    // The standard library rounds correctly, and reads every text of a number.
    number.to_string().parse().unwrap_or(f64::NAN)
}
