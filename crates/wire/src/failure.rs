//! Failed requests: errors of the backend, and errors found before it is called.

use std::borrow::Cow;

use keyfold_dynamo::ServiceError;

use crate::json::Malformed;

/// The failure of a request, in DynamoDB's terms.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The body is not JSON (no text), or a member has a type that the operation does not expect.
    #[error("the request cannot be parsed: {}", .0.as_deref().unwrap_or("not JSON"))]
    Serialization(Option<Cow<'static, str>>),
    #[error("unknown operation")]
    UnknownOperation,
    #[error("Request is missing Authentication Token")]
    MissingAuthenticationToken,
    #[error("{0}")]
    IncompleteSignature(String),
    #[error("The security token included in the request is invalid.")]
    UnrecognizedClient,
    #[error("{0}")]
    InvalidSignature(String),
    #[error("the request is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the request holds more values than can be read at a time; send fewer items per request")]
    TooManyValues,
    /// The client did not send its request in time.
    #[error("the request did not arrive in time")]
    RequestTimeout,
}

impl Failure {
    pub(crate) fn validation(message: impl Into<String>) -> Self {
        Self::Service(ServiceError::Validation(message.into()))
    }

    pub(crate) fn wrong_type(text: impl Into<Cow<'static, str>>) -> Self {
        Self::Serialization(Some(text.into()))
    }
}

impl From<Malformed> for Failure {
    fn from(_: Malformed) -> Self {
        Self::Serialization(None)
    }
}
