//! What is read into each input, and the text of each refusal.

mod failures;
mod inputs;
mod values;

use crate::{Failure, Request, decode_request};
use keyfold_dynamo::ServiceError;

fn decode(operation: &str, body: &str) -> Result<Request, Failure> {
    decode_request(&format!("DynamoDB_20120810.{operation}"), body.as_bytes())
}

/// The text of the validation error that a request is refused with.
fn refusal(operation: &str, body: &str) -> String {
    match decode(operation, body) {
        Err(Failure::Service(ServiceError::Validation(text))) => text,
        other => panic!("{operation} {body} gave {other:?}"),
    }
}

/// The text with which a request cannot be read.
fn unreadable(operation: &str, body: &str) -> Option<String> {
    match decode(operation, body) {
        Err(Failure::Serialization(text)) => text.map(|text| text.into_owned()),
        other => panic!("{operation} {body} gave {other:?}"),
    }
}
