//! Failures of a store, by their remedy.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Shared, because every writer of a failed group commit gets the error.
type Cause = Arc<dyn Error + Send + Sync>;

/// A failure of the store. After a failed commit the engine rejects all writes: it no longer knows what is on disk.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Another process has the folder open.
    #[error("the data folder is in use by another process")]
    Locked,
    /// The disk, or the quota of the user, has no room left.
    #[error("the disk is full")]
    Full(#[source] Cause),
    /// The file system is mounted read-only, or became read-only because of an error. The source names the file.
    #[error("the file system is read-only")]
    ReadOnlyDisk(#[source] Cause),
    /// The process or the machine has too many files open.
    #[error("no more files can be opened")]
    OutOfDescriptors(#[source] Cause),
    /// Files are not those that were written: damaged, missing or not the store's. On opening, the source says what is
    /// wrong and what to do.
    #[error("{}", DamagePlace { kind: *kind, file, range })]
    Corrupt {
        /// What is wrong with the file.
        kind: CorruptKind,
        /// `None` where it is not known.
        file: Option<PathBuf>,
        /// The bytes of the file that are damaged; `None` where they are not known, or where it is not about bytes.
        range: Option<Range<u64>>,
        /// The error of the store or of the operating system.
        source: Cause,
    },
    /// A write could not be synced to disk. The operating system may have dropped it, so a successful retry proves
    /// nothing.
    #[error("a write could not be synced to disk")]
    SyncFailed(#[source] Cause),
    /// The store has stopped: a flush, a merge of tables or an earlier commit failed. The source says which, if it is
    /// known; if it is not, a journal may not have been synced.
    #[error("the store has stopped after a failure")]
    Stopped(#[source] Cause),
    /// The data folder was removed or replaced while it was in use.
    #[error("the data folder `{}` was removed or replaced while it was in use", folder.display())]
    FolderRemoved {
        /// The data folder.
        folder: PathBuf,
    },
    /// A file of the store was removed or replaced, or a part of it was cut off, while it was in use.
    #[error("`{}` was removed, replaced or shortened while it was in use", file.display())]
    FileRemoved {
        /// The file, or the folder that it was in.
        file: PathBuf,
    },
    /// A thread of the store does not make progress.
    #[error("the store has not responded for {seconds} s")]
    Unresponsive {
        /// How long it has been waited for.
        seconds: u64,
    },
    /// Anything else.
    #[error(transparent)]
    Other(Cause),
}

/// The cause of [`StoreError::Stopped`] where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the cause is not known, so that commits that were acknowledged may not be on disk")]
pub(crate) struct UnknownCause;

/// What the owner of a folder can do about a file that keeps it closed. Errors of opening end with it; commands that
/// report or repair the damage leave it out.
pub(crate) const RESTORE: &str =
    "nothing was changed; restore the folder from a backup, or salvage it with `keyfold engine repair`";

/// What is wrong with a file of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorruptKind {
    /// It is not there.
    Missing,
    /// It is not a file of the store.
    Foreign,
    /// It is whole, but not of the same folder or moment as the others.
    Mismatched,
    /// It is not what was written.
    Damaged,
}

/// Too many files are open in the process (EMFILE), or on the machine (ENFILE); the same numbers on Linux and macOS.
const DESCRIPTOR_ERRORS: [i32; 2] = [24, 23];

impl StoreError {
    /// A short name of the kind, for logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Full(_) => "full",
            Self::ReadOnlyDisk(_) => "read-only disk",
            Self::OutOfDescriptors(_) => "out of descriptors",
            Self::Corrupt { .. } => "corrupt",
            Self::SyncFailed(_) => "sync failed",
            Self::Stopped(_) => "stopped",
            Self::FolderRemoved { .. } => "folder removed",
            Self::FileRemoved { .. } => "file removed",
            Self::Unresponsive { .. } => "unresponsive",
            Self::Other(_) => "other",
        }
    }

    /// DamagePlace at an unknown position.
    pub fn corrupt(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Corrupt { kind: CorruptKind::Damaged, file: None, range: None, source: Arc::new(cause) }
    }

    /// A failure of any other kind.
    pub fn other(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Other(Arc::new(cause))
    }

    /// Whether only a new process, or a new engine, can help: opening the same folder again would not tell whether what
    /// was acknowledged is on disk, or where it is.
    pub fn is_final(&self) -> bool {
        self.is_unexplained()
            || matches!(
                self,
                Self::SyncFailed(_) | Self::FolderRemoved { .. } | Self::FileRemoved { .. } | Self::Unresponsive { .. }
            )
    }

    /// Whether the store has stopped and nobody knows why.
    pub(crate) fn is_unexplained(&self) -> bool {
        matches!(self, Self::Stopped(cause) if cause.is::<UnknownCause>())
    }

    /// The same failure, during a write.
    pub fn during_write(self) -> Self {
        match self {
            Self::Other(cause) => Self::SyncFailed(cause),
            classified => classified,
        }
    }

    /// The same failure, during a sync of what was written. The error of the operating system does not matter: even a
    /// sync that failed because the disk is full may have dropped what was written.
    pub fn during_sync(self) -> Self {
        match self {
            Self::Full(cause) | Self::ReadOnlyDisk(cause) | Self::OutOfDescriptors(cause) | Self::Other(cause) => {
                Self::SyncFailed(cause)
            }
            classified => classified,
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        let kind = error.kind();
        let no_descriptor = error.raw_os_error().is_some_and(|code| DESCRIPTOR_ERRORS.contains(&code));
        let cause: Cause = Arc::new(error);
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(cause),
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnlyDisk(cause),
            _ if no_descriptor => Self::OutOfDescriptors(cause),
            _ => Self::Other(cause),
        }
    }
}

/// Where damage was found, as far as it is known.
struct DamagePlace<'a> {
    kind: CorruptKind,
    file: &'a Option<PathBuf>,
    range: &'a Option<Range<u64>>,
}

impl fmt::Display for DamagePlace<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file, self.kind) {
            (Some(file), CorruptKind::Missing) => write!(out, "`{}` is missing", file.display())?,
            (Some(file), CorruptKind::Foreign) => write!(out, "`{}` is not a file of the store", file.display())?,
            (Some(file), CorruptKind::Mismatched) => {
                write!(out, "`{}` does not match the other files", file.display())?;
            }
            (Some(file), CorruptKind::Damaged) => write!(out, "`{}` is damaged", file.display())?,
            (None, _) => out.write_str("the stored data is damaged")?,
        }
        match self.range {
            Some(range) => write!(out, " at bytes {} to {}", range.start, range.end),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_operating_system_are_classified() {
        let kind = |code| StoreError::from(io::Error::from_raw_os_error(code)).kind();
        let (enospc, edquot, emfile, enfile, eio, erofs) = (28, 122, 24, 23, 5, 30);
        assert_eq!([enospc, edquot].map(kind), ["full", "full"]);
        assert_eq!([emfile, enfile].map(kind), ["out of descriptors", "out of descriptors"]);
        assert_eq!(kind(erofs), "read-only disk");
        assert_eq!(kind(eio), "other");
    }

    #[test]
    fn a_write_that_fails_for_an_unknown_reason_was_not_synced() {
        let during_write = |code| StoreError::from(io::Error::from_raw_os_error(code)).during_write();
        assert_eq!(during_write(5).kind(), "sync failed");
        assert_eq!(during_write(28).kind(), "full");
        assert!(std::error::Error::source(&during_write(5)).is_some());
    }

    #[test]
    fn a_failed_sync_is_one_whatever_the_error() {
        for code in [5, 24, 28, 30, 122] {
            let failed = StoreError::from(io::Error::from_raw_os_error(code)).during_sync();
            assert_eq!(failed.kind(), "sync failed", "{code}");
        }
        let stopped = StoreError::Stopped(Arc::new(io::Error::other("a merge failed")));
        assert_eq!(stopped.during_sync().kind(), "stopped");
    }

    #[test]
    fn damage_names_its_position() {
        let damaged = |file: Option<&str>, range| StoreError::Corrupt {
            kind: CorruptKind::Damaged,
            file: file.map(PathBuf::from),
            range,
            source: Arc::new(io::Error::other("a checksum")),
        };
        assert_eq!(damaged(None, None).to_string(), "the stored data is damaged");
        assert_eq!(damaged(Some("/d/0.jnl"), Some(7..9)).to_string(), "`/d/0.jnl` is damaged at bytes 7 to 9");
    }
}
