//! The errors a DynamoDB service answers with.

use crate::value::Attributes;

/// An error of the service, with the texts SDKs and people match on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ServiceError {
    #[error("{0}")]
    Validation(String),
    #[error("The conditional request failed")]
    ConditionalCheckFailed {
        /// The stored item, where the request asked for it.
        item: Option<Attributes>,
    },
    #[error("{0}")]
    ResourceNotFound(String),
    /// What the operations on backups say of a table that does not exist.
    #[error("{0}")]
    TableNotFound(String),
    #[error("{0}")]
    ResourceInUse(String),
    #[error("{0}")]
    LimitExceeded(String),
    #[error("{}", cancellation_text(reasons))]
    TransactionCanceled { reasons: Vec<CancellationReason> },
    #[error("{0}")]
    IdempotentParameterMismatch(String),
    #[error("{0}")]
    TransactionInProgress(String),
    /// A write of one item met a transaction that was at the same item.
    #[error("{0}")]
    TransactionConflict(String),
    #[error("{0}")]
    ItemCollectionSizeLimitExceeded(String),
    #[error("{0}")]
    ProvisionedThroughputExceeded(String),
    #[error("{0}")]
    RequestLimitExceeded(String),
    #[error("{0}")]
    AccessDenied(String),
    /// The request was sent and no answer came: it may have been carried out, and sent again it may be so twice.
    #[error("{0}")]
    OutcomeUnknown(String),
    /// The backend cannot answer now; the request may be sent again.
    #[error("{0}")]
    Unavailable(String),
    /// The backend failed in a way that the caller cannot mend.
    #[error("{0}")]
    Internal(String),
}

/// Why one action of a transaction did or did not stand in its way; in the order of the actions.
#[derive(Debug, Clone, PartialEq)]
pub struct CancellationReason {
    pub code: CancellationCode,
    pub message: Option<String>,
    pub item: Option<Attributes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancellationCode {
    None,
    ConditionalCheckFailed,
    ItemCollectionSizeLimitExceeded,
    TransactionConflict,
    ProvisionedThroughputExceeded,
    ThrottlingError,
    ValidationError,
}

impl CancellationCode {
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
    pub const NONE: Self = Self { code: CancellationCode::None, message: None, item: None };

    pub fn condition_failed(item: Option<Attributes>) -> Self {
        Self {
            code: CancellationCode::ConditionalCheckFailed,
            message: Some("The conditional request failed".to_owned()),
            item,
        }
    }

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
    pub fn validation(message: impl Into<String>) -> Self {
        Self::Validation(message.into())
    }

    /// What a data operation answers for a table that does not exist.
    pub fn no_such_table() -> Self {
        Self::ResourceNotFound("Requested resource not found".to_owned())
    }

    /// The name SDKs map to an exception class.
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
