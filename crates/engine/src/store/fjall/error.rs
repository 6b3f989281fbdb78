//! fjall's errors by kind.

use std::sync::Arc;

use ::fjall::{Error, LsmError};

use crate::store::StoreError;
use crate::store::error::UnknownCause;

/// What fjall has met in its files. Its own texts are for programmers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Unreadable {
    #[error("a block is not what was written: its checksum is wrong")]
    Checksum,
    #[error("a block cannot be decompressed")]
    Compression,
    #[error("a block does not have the structure of one")]
    Structure,
    #[error("a journal cannot be read")]
    Journal,
    #[error("files that belong together do not fit")]
    Files,
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let unreadable = match error {
            Error::Locked => return Self::Locked,
            Error::Io(error) | Error::Storage(LsmError::Io(error)) => return error.into(),
            Error::Poisoned => return Self::Stopped(Arc::new(UnknownCause)),
            Error::Storage(LsmError::ChecksumMismatch { .. }) => Unreadable::Checksum,
            Error::Decompress(_) | Error::Storage(LsmError::Decompress(_)) => Unreadable::Compression,
            Error::InvalidTrailer
            | Error::InvalidTag(_)
            | Error::Storage(
                LsmError::InvalidTag(_) | LsmError::InvalidTrailer | LsmError::InvalidHeader(_) | LsmError::Utf8(_),
            ) => Unreadable::Structure,
            Error::JournalRecovery(_) => Unreadable::Journal,
            Error::Unrecoverable | Error::Storage(LsmError::Unrecoverable) => Unreadable::Files,
            other => return Self::other(other),
        };
        Self::corrupt(unreadable)
    }
}

#[cfg(test)]
mod tests {
    use keyfold_environment::error_chain;

    use super::*;

    #[test]
    fn damage_is_told_in_sentences() {
        let told = |error: Error| error_chain(&StoreError::from(error));
        let damaged = "the stored data is damaged: a block does not have the structure of one";
        assert_eq!(told(Error::InvalidTrailer), damaged);
        assert_eq!(told(Error::Storage(LsmError::InvalidHeader("Block"))), damaged);
        assert_eq!(
            told(Error::Storage(LsmError::Unrecoverable)),
            "the stored data is damaged: files that belong together do not fit"
        );
    }
}
