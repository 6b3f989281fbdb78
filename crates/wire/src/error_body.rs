//! Failures as the service writes them: a status, a qualified type name and a text, in JSON.

use http::StatusCode;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::error::CancellationReason;

use crate::encode::attributes;
use crate::failure::Failure;
use crate::json::Writer;

const DYNAMO: &str = "com.amazonaws.dynamodb.v20120810#";
const VALIDATE: &str = "com.amazon.coral.validate#";
const CORAL: &str = "com.amazon.coral.service#";
const AVAILABILITY: &str = "com.amazon.coral.availability#";

/// The response to a failed request.
pub(crate) fn render(failure: &Failure) -> (StatusCode, Vec<u8>) {
    let status = status(failure);
    let mut out = Writer::with_capacity(256);
    out.object(|out| {
        let (prefix, code) = type_name(failure);
        out.key("__type").string(&format!("{prefix}{code}"));
        match failure {
            Failure::Serialization(None) | Failure::UnknownOperation => {}
            Failure::Serialization(Some(text)) => out.key("Message").string(beginning(text)),
            Failure::Service(ServiceError::TransactionCanceled { reasons }) => {
                out.key("CancellationReasons").array(reasons, write_reason);
                out.key("Message").string(beginning(&failure.to_string()));
            }
            Failure::Service(ServiceError::ConditionalCheckFailed { item: Some(item) }) => {
                out.key("message").string(beginning(&failure.to_string()));
                attributes(out.key("Item"), item);
            }
            Failure::Service(ServiceError::AccessDenied(text)) => out.key("Message").string(beginning(text)),
            _ => out.key("message").string(beginning(&failure.to_string())),
        }
    });
    (status, out.into_bytes())
}

/// Messages quote the request, which may have megabytes.
fn beginning(text: &str) -> &str {
    const CHARACTERS: usize = 8 * 1024;
    let end = text.char_indices().nth(CHARACTERS).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

/// The name of the failure, without its namespace.
pub(crate) fn code(failure: &Failure) -> &'static str {
    type_name(failure).1
}

fn status(failure: &Failure) -> StatusCode {
    match failure {
        Failure::Service(ServiceError::Internal(_) | ServiceError::OutcomeUnknown(_)) => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
        Failure::Service(ServiceError::Unavailable(_)) => StatusCode::SERVICE_UNAVAILABLE,
        Failure::TooLarge { .. } | Failure::TooManyValues => StatusCode::PAYLOAD_TOO_LARGE,
        Failure::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// The namespace and the name that SDKs map to an exception class.
fn type_name(failure: &Failure) -> (&'static str, &'static str) {
    match failure {
        Failure::Service(error) => {
            let prefix = match error {
                ServiceError::Validation(_) => VALIDATE,
                ServiceError::AccessDenied(_) => CORAL,
                ServiceError::Unavailable(_) => AVAILABILITY,
                _ => DYNAMO,
            };
            (prefix, service_code(error))
        }
        Failure::Serialization(_) => (CORAL, "SerializationException"),
        Failure::UnknownOperation => (CORAL, "UnknownOperationException"),
        Failure::MissingAuthenticationToken => (CORAL, "MissingAuthenticationTokenException"),
        Failure::IncompleteSignature(_) => (CORAL, "IncompleteSignatureException"),
        Failure::UnrecognizedClient => (CORAL, "UnrecognizedClientException"),
        Failure::InvalidSignature(_) => (CORAL, "InvalidSignatureException"),
        Failure::TooLarge { .. } | Failure::TooManyValues => (CORAL, "RequestEntityTooLargeException"),
        Failure::RequestTimeout => (CORAL, "RequestTimeoutException"),
    }
}

fn service_code(error: &ServiceError) -> &'static str {
    match error {
        // The name in AWS's namespace of availability errors ends like the others.
        ServiceError::Unavailable(_) => "ServiceUnavailableException",
        other => other.code(),
    }
}

fn write_reason(out: &mut Writer, reason: &CancellationReason) {
    out.object(|out| {
        out.key("Code").string(reason.code.as_str());
        if let Some(item) = &reason.item {
            attributes(out.key("Item"), item);
        }
        if let Some(message) = &reason.message {
            out.key("Message").string(message);
        }
    });
}
