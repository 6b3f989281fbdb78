//! The errors of a DynamoDB service.

use crate::value::Attributes;

/// An error of the service, with the texts that SDKs and people match on. A `String` is the message.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ServiceError {
    /// The request is invalid: `ValidationException`.
    #[error("{0}")]
    Validation(String),
    /// The condition of a write was false: `ConditionalCheckFailedException`.
    #[error("The conditional request failed")]
    ConditionalCheckFailed {
        /// The stored item; `None` if the request did not ask for it.
        item: Option<Attributes>,
    },
    /// The table or index does not exist, or is not active: `ResourceNotFoundException`.
    #[error("{0}")]
    ResourceNotFound(String),
    /// The error of backup operations for a table that does not exist: `TableNotFoundException`.
    #[error("{0}")]
    TableNotFound(String),
    /// The table exists already, or another change of it is in progress: `ResourceInUseException`.
    #[error("{0}")]
    ResourceInUse(String),
    /// Too many tables or indexes, or too many changes of them at once: `LimitExceededException`.
    #[error("{0}")]
    LimitExceeded(String),
    /// No action of the transaction was carried out: `TransactionCanceledException`.
    #[error("{}", cancellation_text(reasons))]
    TransactionCanceled {
        /// One reason for each action, in the order of the request.
        reasons: Vec<CancellationReason>,
    },
    /// The client request token was used with other actions before: `IdempotentParameterMismatchException`.
    #[error("{0}")]
    IdempotentParameterMismatch(String),
    /// A transaction with this client request token is running: `TransactionInProgressException`.
    #[error("{0}")]
    TransactionInProgress(String),
    /// A transaction holds the item of a single-item write: `TransactionConflictException`.
    #[error("{0}")]
    TransactionConflict(String),
    /// A partition of a table with local indexes would exceed 10 GB: `ItemCollectionSizeLimitExceededException`.
    #[error("{0}")]
    ItemCollectionSizeLimitExceeded(String),
    /// The table was throttled; the request may be retried: `ProvisionedThroughputExceededException`.
    #[error("{0}")]
    ProvisionedThroughputExceeded(String),
    /// The account was throttled; the request may be retried: `RequestLimitExceeded`.
    #[error("{0}")]
    RequestLimitExceeded(String),
    /// The credentials are missing, invalid or not sufficient: `AccessDeniedException`.
    #[error("{0}")]
    AccessDenied(String),
    /// The request was sent and no response arrived: it may have been carried out, and a retry may carry it out twice.
    #[error("{0}")]
    OutcomeUnknown(String),
    /// The backend is not available at the moment; the request was not carried out and may be retried.
    #[error("{0}")]
    Unavailable(String),
    /// The backend failed in a way that the caller cannot correct.
    #[error("{0}")]
    Internal(String),
}

/// The result of one action of a cancelled transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct CancellationReason {
    /// Why this action failed; [`CancellationCode::None`] if it did not.
    pub code: CancellationCode,
    /// The explanation; absent if the action did not fail.
    pub message: Option<String>,
    /// The stored item; `None` unless a condition failed and the action asked for it.
    pub item: Option<Attributes>,
}

/// Why an action of a transaction failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancellationCode {
    /// The action did not fail.
    None,
    /// Its condition was false.
    ConditionalCheckFailed,
    /// Its partition would exceed 10 GB.
    ItemCollectionSizeLimitExceeded,
    /// Another transaction or write holds the item.
    TransactionConflict,
    /// The table was throttled.
    ProvisionedThroughputExceeded,
    /// The account was throttled.
    ThrottlingError,
    /// The action is invalid for its table or item.
    ValidationError,
}

impl CancellationCode {
    /// The code as the service spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::ConditionalCheckFailed => "ConditionalCheckFailed",
            Self::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceeded",
            Self::TransactionConflict => "TransactionConflict",
            Self::ProvisionedThroughputExceeded => "ProvisionedThroughputExceeded",
            Self::ThrottlingError => "ThrottlingError",
            Self::ValidationError => "ValidationError",
        }
    }
}

impl CancellationReason {
    /// The reason of an action that did not fail.
    pub const NONE: Self = Self { code: CancellationCode::None, message: None, item: None };

    /// The reason of an action whose condition was false; `item` is the stored item, where the action asked for it.
    pub fn condition_failed(item: Option<Attributes>) -> Self {
        Self {
            code: CancellationCode::ConditionalCheckFailed,
            message: Some("The conditional request failed".to_owned()),
            item,
        }
    }

    /// The reason of an invalid action.
    pub fn validation(message: impl Into<String>) -> Self {
        Self { code: CancellationCode::ValidationError, message: Some(message.into()), item: None }
    }
}

fn cancellation_text(reasons: &[CancellationReason]) -> String {
    let codes: Vec<&str> = reasons.iter().map(|reason| reason.code.as_str()).collect();
    format!("Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes.join(", "))
}

impl From<crate::item::Undecodable> for ServiceError {
    fn from(damage: crate::item::Undecodable) -> Self {
        Self::Internal(damage.to_string())
    }
}

impl ServiceError {
    /// Whether the table or the account was throttled: nothing was carried out, and the request may be sent again
    /// later.
    pub fn is_throttling(&self) -> bool {
        matches!(self, Self::ProvisionedThroughputExceeded(_) | Self::RequestLimitExceeded(_))
    }

    /// Whether nothing was carried out, and the same request may succeed a little later: it was throttled, or a
    /// transaction holds the item.
    pub fn is_refused_for_now(&self) -> bool {
        self.is_throttling() || matches!(self, Self::TransactionConflict(_))
    }

    /// A [`ServiceError::Validation`] with this message.
    pub fn validation(message: impl Into<String>) -> Self {
        Self::Validation(message.into())
    }

    /// The error of data operations for a table that does not exist.
    pub fn no_such_table() -> Self {
        Self::ResourceNotFound("Requested resource not found".to_owned())
    }

    /// The name that SDKs map to an exception class, such as `ValidationException`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Validation(_) => "ValidationException",
            Self::ConditionalCheckFailed { .. } => "ConditionalCheckFailedException",
            Self::ResourceNotFound(_) => "ResourceNotFoundException",
            Self::TableNotFound(_) => "TableNotFoundException",
            Self::ResourceInUse(_) => "ResourceInUseException",
            Self::LimitExceeded(_) => "LimitExceededException",
            Self::TransactionCanceled { .. } => "TransactionCanceledException",
            Self::IdempotentParameterMismatch(_) => "IdempotentParameterMismatchException",
            Self::TransactionInProgress(_) => "TransactionInProgressException",
            Self::TransactionConflict(_) => "TransactionConflictException",
            Self::ItemCollectionSizeLimitExceeded(_) => "ItemCollectionSizeLimitExceededException",
            Self::ProvisionedThroughputExceeded(_) => "ProvisionedThroughputExceededException",
            Self::RequestLimitExceeded(_) => "RequestLimitExceeded",
            Self::AccessDenied(_) => "AccessDeniedException",
            Self::OutcomeUnknown(_) => "InternalServerError",
            Self::Unavailable(_) => "ServiceUnavailable",
            Self::Internal(_) => "InternalServerError",
        }
    }
}

/// Most failures of pure code are validation errors with a text.
impl From<crate::number::NumberError> for ServiceError {
    fn from(error: crate::number::NumberError) -> Self {
        use crate::number::NumberError;
        Self::validation(match error {
            NumberError::Syntax => "The parameter cannot be converted to a numeric value",
            NumberError::Precision => "Attempting to store more than 38 significant digits in a Number",
            NumberError::Overflow => {
                "Number overflow. Attempting to store a number with magnitude larger than supported range"
            }
            NumberError::Underflow => {
                "Number underflow. Attempting to store a number with magnitude smaller than supported range"
            }
        })
    }
}
