//! Stored rows that cannot be decoded.

use keyfold_dynamo::ServiceError;

/// A row whose bytes are not those that the engine writes. The operation that met it fails, and leaves the row as it
/// is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DamagedRow {
    #[error("the key of an item row cannot be decoded")]
    Item,
    #[error("an index row cannot be decoded")]
    Index,
    #[error("an index row refers to an item that does not exist")]
    DanglingIndex,
    #[error("an expiry row cannot be decoded")]
    Expiry,
    #[error("the record of a client request token cannot be decoded")]
    Token,
    #[error("the expiry row of a client request token cannot be decoded")]
    TokenExpiry,
    #[error("the record of a dropped table or index cannot be decoded")]
    Purge,
}

impl From<DamagedRow> for ServiceError {
    fn from(damage: DamagedRow) -> Self {
        tracing::error!(%damage, "the stored data is damaged");
        Self::Internal(damage.to_string())
    }
}
