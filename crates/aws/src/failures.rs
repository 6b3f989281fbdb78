//! Failed requests: the error of the service, and whether the request may have been executed.

use std::error::Error as StdError;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_dynamodb::Error as SdkServiceError;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types;
use hyper_util::client::legacy::Error as ConnectionError;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_environment::{error_chain, find_in_chain};

use crate::values::from_sdk;

/// A request that failed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub error: ServiceError,
    pub delivery: Delivery,
}

/// Whether a failed request may have been executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// It was not sent: the service cannot be reached.
    Unsent,
    /// The service refused it: nothing was changed.
    Refused,
    /// It was sent, and no response arrived.
    Unknown,
}

impl Failure {
    fn unsent(error: ServiceError) -> Self {
        Self { error, delivery: Delivery::Unsent }
    }

    fn unknown(error: ServiceError) -> Self {
        Self { error, delivery: Delivery::Unknown }
    }

    /// The error of a read, for which it does not matter whether the request was executed.
    pub(crate) fn into_read_error(self) -> ServiceError {
        self.error
    }

    /// The error of a write, which reports an unknown outcome as such.
    pub(crate) fn into_write_error(self) -> ServiceError {
        match self.delivery {
            Delivery::Unsent | Delivery::Refused => self.error,
            Delivery::Unknown => ServiceError::OutcomeUnknown(format!(
                "no response arrived, and the request may have been executed: {}",
                self.error
            )),
        }
    }
}

impl<E> From<SdkError<E>> for Failure
where
    E: StdError + Send + Sync + 'static,
    SdkServiceError: From<SdkError<E>>,
{
    fn from(error: SdkError<E>) -> Self {
        let text = error_chain(&error);
        match &error {
            SdkError::ConstructionFailure(_) => Self::unsent(ServiceError::Internal(text)),
            SdkError::TimeoutError(_) | SdkError::ResponseError(_) => Self::unknown(ServiceError::Unavailable(text)),
            SdkError::DispatchFailure(failure) => {
                let cause = failure.as_connector_error().map(|error| error as &(dyn StdError + 'static));
                if let Some(credentials) = cause.and_then(find_in_chain::<CredentialsError>) {
                    let text = format!("no AWS credentials were found: {}", error_chain(credentials));
                    return Self::unsent(ServiceError::AccessDenied(text));
                }
                let connecting =
                    cause.and_then(find_in_chain::<ConnectionError>).is_some_and(ConnectionError::is_connect);
                match connecting || failure.is_user() {
                    true => Self::unsent(ServiceError::Unavailable(text)),
                    false => Self::unknown(ServiceError::Unavailable(text)),
                }
            }
            SdkError::ServiceError(context) => {
                let status = context.raw().status();
                let error = service_error(SdkServiceError::from(error));
                let delivery = if status.is_server_error() { Delivery::Unknown } else { Delivery::Refused };
                Self { error, delivery }
            }
            _ => Self::unknown(ServiceError::Internal(text)),
        }
    }
}

/// Converts an error that the service returned.
fn service_error(error: SdkServiceError) -> ServiceError {
    let text = error.message().map_or_else(|| error.to_string(), str::to_owned);
    match error {
        SdkServiceError::ConditionalCheckFailedException(failed) => match failed.item.map(from_sdk).transpose() {
            Ok(item) => ServiceError::ConditionalCheckFailed { item },
            Err(error) => error,
        },
        SdkServiceError::TransactionCanceledException(canceled) => {
            let Some(reasons) = canceled.cancellation_reasons else {
                return ServiceError::Internal(format!("a transaction was cancelled without reasons: {text}"));
            };
            match reasons.into_iter().map(reason).collect() {
                Ok(reasons) => ServiceError::TransactionCanceled { reasons },
                Err(error) => error,
            }
        }
        SdkServiceError::TransactionConflictException(_) | SdkServiceError::ReplicatedWriteConflictException(_) => {
            ServiceError::TransactionConflict(text)
        }
        SdkServiceError::TransactionInProgressException(_) => ServiceError::TransactionInProgress(text),
        SdkServiceError::IdempotentParameterMismatchException(_) => ServiceError::IdempotentParameterMismatch(text),
        SdkServiceError::ItemCollectionSizeLimitExceededException(_) => {
            ServiceError::ItemCollectionSizeLimitExceeded(text)
        }
        SdkServiceError::ProvisionedThroughputExceededException(_) | SdkServiceError::ThrottlingException(_) => {
            ServiceError::ProvisionedThroughputExceeded(text)
        }
        SdkServiceError::RequestLimitExceeded(_) => ServiceError::RequestLimitExceeded(text),
        SdkServiceError::LimitExceededException(_) => ServiceError::LimitExceeded(text),
        SdkServiceError::ResourceNotFoundException(_) => ServiceError::ResourceNotFound(text),
        SdkServiceError::TableNotFoundException(_) => ServiceError::TableNotFound(text),
        SdkServiceError::ResourceInUseException(_) => ServiceError::ResourceInUse(text),
        SdkServiceError::InternalServerError(_) => ServiceError::Internal(text),
        other => match other.code() {
            Some(code) => by_code(code, text),
            None => ServiceError::Internal(format!("an error without a code: {text}")),
        },
    }
}

/// Errors that all of AWS's services have in common, and that the SDK has no types for.
fn by_code(code: &str, text: String) -> ServiceError {
    match code {
        "ValidationException" => ServiceError::Validation(text),
        "ThrottlingException" | "Throttling" => ServiceError::ProvisionedThroughputExceeded(text),
        "AccessDeniedException"
        | "ExpiredTokenException"
        | "IncompleteSignatureException"
        | "InvalidSignatureException"
        | "MissingAuthenticationTokenException"
        | "UnrecognizedClientException" => ServiceError::AccessDenied(format!("{code}: {text}")),
        "ServiceUnavailable" | "ServiceUnavailableException" | "RequestTimeoutException" => {
            ServiceError::Unavailable(text)
        }
        "InternalFailure" | "InternalServerError" => ServiceError::Internal(text),
        _ => ServiceError::Internal(format!("{code}: {text}")),
    }
}

fn reason(reason: types::CancellationReason) -> Result<CancellationReason, ServiceError> {
    let Some(code) = reason.code else {
        return Err(ServiceError::Internal("the service returned a cancellation reason without a code".to_owned()));
    };
    let known = match code.as_str() {
        "None" => Some(CancellationCode::None),
        "ConditionalCheckFailed" => Some(CancellationCode::ConditionalCheckFailed),
        "ItemCollectionSizeLimitExceeded" => Some(CancellationCode::ItemCollectionSizeLimitExceeded),
        "TransactionConflict" => Some(CancellationCode::TransactionConflict),
        "ProvisionedThroughputExceeded" => Some(CancellationCode::ProvisionedThroughputExceeded),
        "ThrottlingError" => Some(CancellationCode::ThrottlingError),
        "ValidationError" => Some(CancellationCode::ValidationError),
        _ => None,
    };
    let (code, message) = match (known, reason.message) {
        (Some(known), message) => (known, message),
        // A code of a later version is treated as permanent, with its own name and text.
        (None, Some(message)) => (CancellationCode::ValidationError, Some(format!("{code}: {message}"))),
        (None, None) => (CancellationCode::ValidationError, Some(code)),
    };
    Ok(CancellationReason { code, message, item: reason.item.map(from_sdk).transpose()? })
}

#[cfg(test)]
mod tests;
