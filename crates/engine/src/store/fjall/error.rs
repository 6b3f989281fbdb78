//! fjall's errors by kind.

use std::sync::Arc;

use ::fjall::{Error, LsmError};

use crate::store::StoreError;

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error {
            Error::Locked => Self::Locked,
            Error::Io(error) | Error::Storage(LsmError::Io(error)) => error.into(),
            Error::Poisoned => Self::Stopped(Arc::new(error)),
            Error::JournalRecovery(_)
            | Error::Decompress(_)
            | Error::InvalidTrailer
            | Error::InvalidTag(_)
            | Error::Unrecoverable => Self::corrupt(error),
            Error::Storage(
                LsmError::Decompress(_)
                | LsmError::Unrecoverable
                | LsmError::ChecksumMismatch { .. }
                | LsmError::InvalidTag(_)
                | LsmError::InvalidTrailer
                | LsmError::InvalidHeader(_)
                | LsmError::Utf8(_),
            ) => Self::corrupt(error),
            other => Self::other(other),
        }
    }
}

impl StoreError {
    /// Whether fjall has stopped and nobody knows why: its messages tell, but they are not forwarded.
    pub(crate) fn is_unexplained(&self) -> bool {
        match self {
            Self::Stopped(cause) => matches!(cause.downcast_ref(), Some(Error::Poisoned)),
            _ => false,
        }
    }
}
