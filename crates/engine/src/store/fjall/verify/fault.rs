//! What is wrong with a data folder that is not opened, and what its owner can do.

use std::error::Error;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::StoreError;

/// Why a file keeps the folder closed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// A commit is damaged although it was followed by another.
    #[error("a commit is damaged, and {behind} whole commits follow it; {RESTORE}")]
    Commit { behind: u64 },
    /// The end of the newest journal is not a whole commit.
    #[error("the last commit is damaged: a loss of power tore it before it was acknowledged; opening cuts it off")]
    LastCommit,
    /// A journal was complete when the next one was begun.
    #[error("the last commit of this journal is damaged, but a newer journal follows; {RESTORE}")]
    SealedJournal,
    /// Newer commits have higher sequence numbers.
    #[error("a commit has sequence number {found}, but the one before it has {before}; {RESTORE}")]
    SequenceNumber { found: u64, before: u64 },
    /// A commit of a part of the store that has no folder.
    #[error("it has commits for the folder `keyspaces/{id}`, which does not exist; {RESTORE}")]
    UnknownKeyspace { id: u64 },
    /// The file is needed, and not there.
    #[error("it is part of every data folder; {RESTORE}")]
    Missing,
    /// A file between two others of the folder.
    #[error("the journals before and after it exist; {RESTORE}")]
    MissingJournal,
    /// Another file of the folder names it.
    #[error("`{named_by}` names it; {RESTORE}")]
    MissingReferenced { named_by: String },
    /// The checksum that another file holds does not match.
    #[error("its checksum is not the one in `{recorded_in}`; {RESTORE}")]
    Checksum { recorded_in: String },
    /// The structure of the file is not what it must be.
    #[error("{what}; {RESTORE}")]
    Structure { what: &'static str },
    /// Some rows of a table cannot be read.
    #[error("a block of rows is damaged; {RESTORE}")]
    Block,
    /// A file of another table.
    #[error("it is the file of table {found}; {RESTORE}")]
    WrongTable { found: u64 },
    /// The list of the parts of the store does not name this one.
    #[error("the list of keyspaces does not name it, so opening would delete it; {RESTORE}")]
    UnlistedKeyspace,
    /// A file that the store does not know.
    #[error("the folder must hold the files of the store alone; move the file away, or use another folder")]
    Foreign,
}

const RESTORE: &str =
    "nothing was changed; restore the folder from a backup, or salvage it with `keyfold engine repair`";

impl Fault {
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing | Self::MissingJournal | Self::MissingReferenced { .. })
    }

    pub(crate) fn is_foreign(&self) -> bool {
        *self == Self::Foreign
    }

    /// The error of a whole file.
    pub(super) fn of_file(self, file: impl Into<PathBuf>) -> StoreError {
        StoreError::Corrupt { file: Some(file.into()), range: None, source: Arc::new(self) }
    }

    /// The error of some bytes of a file.
    pub(super) fn at(self, file: impl Into<PathBuf>, range: Range<u64>) -> StoreError {
        StoreError::Corrupt { file: Some(file.into()), range: Some(range), source: Arc::new(self) }
    }
}

/// A failure of the operating system, with the file.
#[derive(Debug, thiserror::Error)]
#[error("`{}` cannot be read", file.display())]
struct Unreadable {
    file: PathBuf,
    source: Arc<dyn Error + Send + Sync>,
}

/// Adds the file to a failure of the operating system, unless its kind says enough.
pub(super) fn unreadable(file: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| match StoreError::from(error) {
        StoreError::Other(source) => StoreError::other(Unreadable { file: file.to_owned(), source }),
        classified => classified,
    }
}

/// The name of a file, for texts about another one in the same folder.
pub(super) fn name(file: &Path) -> String {
    file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
