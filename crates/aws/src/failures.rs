//! What went wrong with a request: the service's error, and whether the request may have been carried out.

use std::error::Error as StdError;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_dynamodb::Error as Told;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types;
use hyper_util::client::legacy::Error as ConnectionError;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::error::{CancellationCode, CancellationReason};

use crate::values::from_sent;

/// A request that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub error: ServiceError,
    pub delivery: Delivery,
}

/// How far a request that failed has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It never left: the service cannot be reached.
    Unsent,
    /// The service refused it: nothing was changed.
    Refused,
    /// It was sent, and no answer tells what became of it.
    Unknown,
}

impl Failure {
    fn unsent(error: ServiceError) -> Self {
        Self { error, delivery: Delivery::Unsent }
    }

    fn unknown(error: ServiceError) -> Self {
        Self { error, delivery: Delivery::Unknown }
    }

    /// What a caller is told for whom it does not matter whether the request was carried out.
    pub fn of_read(self) -> ServiceError {
        self.error
    }

    /// What a caller is told for whom it does.
    pub fn of_write(self) -> ServiceError {
        match self.delivery {
            Delivery::Unsent | Delivery::Refused => self.error,
            Delivery::Unknown => ServiceError::OutcomeUnknown(format!(
                "no answer came, and the request may have been carried out: {}",
                self.error
            )),
        }
    }
}

impl<E> From<SdkError<E>> for Failure
where
    E: StdError + Send + Sync + 'static,
    Told: From<SdkError<E>>,
{
    fn from(error: SdkError<E>) -> Self {
        let text = causes(&error);
        match &error {
            SdkError::ConstructionFailure(_) => Self::unsent(ServiceError::Internal(text)),
            SdkError::TimeoutError(_) | SdkError::ResponseError(_) => Self::unknown(ServiceError::Unavailable(text)),
            SdkError::DispatchFailure(failure) => {
                let cause = failure.as_connector_error().map(|error| error as &(dyn StdError + 'static));
                if let Some(credentials) = cause.and_then(source::<CredentialsError>) {
                    let text = format!("there are no credentials for AWS: {}", causes(credentials));
                    return Self::unsent(ServiceError::AccessDenied(text));
                }
                let connecting = cause.and_then(source::<ConnectionError>).is_some_and(ConnectionError::is_connect);
                match connecting || failure.is_user() {
                    true => Self::unsent(ServiceError::Unavailable(text)),
                    false => Self::unknown(ServiceError::Unavailable(text)),
                }
            }
            SdkError::ServiceError(context) => {
                let status = context.raw().status();
                let error = told(Told::from(error));
                let delivery = if status.is_server_error() { Delivery::Unknown } else { Delivery::Refused };
                Self { error, delivery }
            }
            _ => Self::unknown(ServiceError::Internal(text)),
        }
    }
}

/// An error with its causes, each told once: the outer ones often repeat the inner ones.
fn causes(error: &(dyn StdError + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut cause = Some(error);
    while let Some(error) = cause {
        let text = error.to_string();
        if texts.last().is_none_or(|last| !last.ends_with(&text)) {
            texts.push(text);
        }
        cause = error.source();
    }
    texts.join(": ")
}

/// The first cause of a type.
fn source<'e, E: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e E> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}

/// The service's answer.
fn told(error: Told) -> ServiceError {
    let text = error.message().unwrap_or_default().to_owned();
    match error {
        Told::ConditionalCheckFailedException(failed) => match failed.item.map(from_sent).transpose() {
            Ok(item) => ServiceError::ConditionalCheckFailed { item },
            Err(error) => error,
        },
        Told::TransactionCanceledException(canceled) => {
            let reasons = canceled.cancellation_reasons.unwrap_or_default().into_iter().map(reason).collect();
            match reasons {
                Ok(reasons) => ServiceError::TransactionCanceled { reasons },
                Err(error) => error,
            }
        }
        Told::TransactionConflictException(_) | Told::ReplicatedWriteConflictException(_) => {
            ServiceError::TransactionConflict(text)
        }
        Told::TransactionInProgressException(_) => ServiceError::TransactionInProgress(text),
        Told::IdempotentParameterMismatchException(_) => ServiceError::IdempotentParameterMismatch(text),
        Told::ItemCollectionSizeLimitExceededException(_) => ServiceError::ItemCollectionSizeLimitExceeded(text),
        Told::ProvisionedThroughputExceededException(_) | Told::ThrottlingException(_) => {
            ServiceError::ProvisionedThroughputExceeded(text)
        }
        Told::RequestLimitExceeded(_) => ServiceError::RequestLimitExceeded(text),
        Told::LimitExceededException(_) => ServiceError::LimitExceeded(text),
        Told::ResourceNotFoundException(_) => ServiceError::ResourceNotFound(text),
        Told::TableNotFoundException(_) => ServiceError::TableNotFound(text),
        Told::ResourceInUseException(_) => ServiceError::ResourceInUse(text),
        Told::InternalServerError(_) => ServiceError::Internal(text),
        other => by_code(other.code().unwrap_or_default(), text),
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

fn reason(told: types::CancellationReason) -> Result<CancellationReason, ServiceError> {
    let code = told.code.unwrap_or_default();
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
    // A reason of a later version stands in the way for good, and says in its own words why.
    let message = match known {
        Some(_) => told.message,
        None => Some(format!("{code}: {}", told.message.unwrap_or_default())),
    };
    Ok(CancellationReason {
        code: known.unwrap_or(CancellationCode::ValidationError),
        message,
        item: told.item.map(from_sent).transpose()?,
    })
}

#[cfg(test)]
mod tests;
