//! Why a request is not answered with a result: what the backend says, and what is wrong before it is asked.

use std::borrow::Cow;

use keyfold_dynamo::ServiceError;

use crate::json::Malformed;

/// A request that fails, in the terms of the service.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The body is not JSON (no text), or a member has a type that the operation does not expect.
    #[error("the request cannot be read: {}", .0.as_deref().unwrap_or("not JSON"))]
    Serialization(Option<Cow<'static, str>>),
    #[error("there is no such operation")]
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
