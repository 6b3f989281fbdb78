//! What is wrong with a data folder that is not opened, and what its owner can do.

use std::error::Error;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::fjall::synced_mark::SYNCED;
use crate::store::{CorruptKind, RESTORE, StoreError};

/// Why a file keeps the folder closed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// A commit is damaged although it was followed by another.
    #[error("a commit is damaged, and {behind} whole commits follow it; {RESTORE}")]
    Commit { behind: u64 },
    /// The end of the newest journal is not a whole commit.
    #[error("the last commit is damaged: a power failure or a full disk may have torn it before it was acknowledged")]
    LastCommit,
    /// The end of the newest journal is more than one commit.
    #[error("more than one commit is damaged, but a loss of power can tear the last one only; {RESTORE}")]
    LastCommits,
    /// Behind a damaged commit, values imitate commits.
    #[error(
        "a commit is damaged, and too much behind it looks like commits to tell whether whole ones follow; {RESTORE}"
    )]
    Unsearchable,
    /// A journal was complete when the next one was begun.
    #[error("the last commit of this journal is damaged, but a newer journal follows; {RESTORE}")]
    SealedJournal,
    /// Newer commits have higher sequence numbers.
    #[error("a commit has sequence number {found}, but the one before it has {before}; {RESTORE}")]
    SequenceNumber { found: u64, before: u64 },
    /// The mark of the commit says which sequence numbers it can have.
    #[error(
        "a commit has sequence number {found}, but it must be at least {floor}, and that of the one before lower; {RESTORE}"
    )]
    Floor { found: u64, floor: u64 },
    /// The manifest says which sequence numbers can exist.
    #[error("a commit has sequence number {found}, but none above {ceiling} was assigned; {RESTORE}")]
    Ceiling { found: u64, ceiling: u64 },
    /// Commits are numbered without a gap.
    #[error("commit {before} is followed by {}; {RESTORE}", numbered(*found))]
    Gap { before: u64, found: Option<u64> },
    /// Commits name the folder that they belong to.
    #[error("it holds commits of another data folder; {RESTORE}")]
    OtherFolder,
    /// The journals end before a commit that another file has recorded.
    #[error("the last commit is number {found}, but `{by}` has recorded number {recorded}{}; {RESTORE}", origin(by))]
    LastNumber { found: u64, recorded: u64, by: &'static str },
    /// The journals end before the last commit in the tables.
    #[error("its last commit is number {found}, but the tables hold number {stored}; {RESTORE}")]
    OlderThanTables { found: u64, stored: u64 },
    /// The tables hold rows that no journal has ever held.
    #[error("its last sequence number is {found}, but the tables hold number {stored}; {RESTORE}")]
    SequenceInTables { found: u64, stored: u64 },
    /// The tables are older than a commit or the manifest that was written after them.
    #[error("it names version {found}, but version {recorded} was already in use when {by} was written; {RESTORE}")]
    OlderVersion { found: u64, recorded: u64, by: String },
    /// A store that was closed has no torn commit.
    #[error("the last commit is damaged although the store was closed properly; {RESTORE}")]
    ClosedJournal,
    /// The tables do not hold what came before the oldest journal.
    #[error("the tables hold commits up to {stored}, but the oldest journal begins with number {first}; {RESTORE}")]
    MissingOldest { stored: u64, first: u64 },
    /// The store was opened, and does not hold the last commit.
    #[error(
        "the last commit is number {found}, but the files hold number {expected}; restore the folder from a backup"
    )]
    LostCommits { found: u64, expected: u64 },
    /// Another version of the engine wrote the manifest.
    #[error(
        "it is in format {found}, which this version does not read; open the folder with the version that wrote it"
    )]
    ManifestFormat { found: u32 },
    /// A commit of a part of the store that has no folder.
    #[error("it has commits for the folder `keyspaces/{id}`, which does not exist; {RESTORE}")]
    UnknownKeyspace { id: u64 },
    /// The file is needed, and not there.
    #[error("it is part of every data folder; {RESTORE}")]
    Missing,
    /// The data is gone.
    #[error(
        "only remains of a data folder are here; {RESTORE}; if it never held data, empty it, and a new store is created"
    )]
    Remains,
    /// A file between two others of the folder.
    #[error("the journals before and after it exist; {RESTORE}")]
    MissingJournal,
    /// Several files between two others of the folder.
    #[error("so are all journals up to `{last}.jnl`, but those before and after them exist; {RESTORE}")]
    MissingJournals { last: u64 },
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
    #[error(
        "the folder must hold the files of the store alone, and no links, pipes or folders in their place; move it \
         away, or use another folder"
    )]
    Foreign,
}

/// What else than damage leaves journals that end before the number in a file.
fn origin(file: &str) -> &'static str {
    if file == SYNCED { ", as in a copy that was made while the folder was in use" } else { "" }
}

fn numbered(number: Option<u64>) -> String {
    number.map_or("a commit without a number".to_owned(), |number| format!("commit {number}"))
}

impl Fault {
    fn kind(&self) -> CorruptKind {
        match self {
            Self::Missing
            | Self::Remains
            | Self::MissingJournal
            | Self::MissingJournals { .. }
            | Self::MissingOldest { .. }
            | Self::MissingReferenced { .. } => CorruptKind::Missing,
            Self::Foreign => CorruptKind::Foreign,
            mismatch if mismatch.is_mismatch() => CorruptKind::Mismatched,
            _ => CorruptKind::Damaged,
        }
    }

    /// Whether the file is whole, but not of the same folder or moment as the others.
    pub(crate) fn is_mismatch(&self) -> bool {
        matches!(
            self,
            Self::Gap { .. }
                | Self::OtherFolder
                | Self::LastNumber { .. }
                | Self::OlderThanTables { .. }
                | Self::SequenceInTables { .. }
                | Self::OlderVersion { .. }
        )
    }

    /// The journals of a range of numbers that has one at least. The fault is that of the first.
    pub(super) fn missing_journals(numbers: Range<u64>) -> Self {
        match numbers.end.saturating_sub(1) {
            last if last <= numbers.start => Self::MissingJournal,
            last => Self::MissingJournals { last },
        }
    }

    /// What of the rows the fault takes away.
    pub(super) fn loss(&self) -> FaultLoss {
        match self {
            Self::Commit { .. }
            | Self::LastCommit
            | Self::LastCommits
            | Self::Unsearchable
            | Self::SealedJournal
            | Self::SequenceNumber { .. }
            | Self::Floor { .. }
            | Self::Ceiling { .. }
            | Self::Gap { .. }
            | Self::OtherFolder
            | Self::LastNumber { .. }
            | Self::OlderThanTables { .. }
            | Self::SequenceInTables { .. }
            | Self::ClosedJournal
            | Self::MissingOldest { .. }
            | Self::LostCommits { .. }
            | Self::UnknownKeyspace { .. }
            | Self::MissingJournal
            | Self::MissingJournals { .. } => FaultLoss::Commits,
            Self::OlderVersion { .. } => FaultLoss::Tables,
            // What these files hold is read and judged by itself.
            Self::ManifestFormat { .. }
            | Self::Missing
            | Self::Remains
            | Self::MissingReferenced { .. }
            | Self::Checksum { .. }
            | Self::Structure { .. }
            | Self::Block
            | Self::WrongTable { .. }
            | Self::UnlistedKeyspace
            | Self::Foreign => FaultLoss::Nothing,
        }
    }

    pub(crate) fn is_foreign(&self) -> bool {
        *self == Self::Foreign
    }

    /// The error of a whole file.
    pub(crate) fn of_file(self, file: impl Into<PathBuf>) -> StoreError {
        StoreError::Corrupt { kind: self.kind(), file: Some(file.into()), range: None, source: Arc::new(self) }
    }

    /// The error of some bytes of a file.
    pub(super) fn at(self, file: impl Into<PathBuf>, range: Range<u64>) -> StoreError {
        StoreError::Corrupt { kind: self.kind(), file: Some(file.into()), range: Some(range), source: Arc::new(self) }
    }
}

/// What of the rows is lost with the file that has a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultLoss {
    /// Commits that no journal has.
    Commits,
    /// Rows of tables, but not those that are in the journals.
    Tables,
    /// Nothing by itself.
    Nothing,
}

/// A failure of the operating system, with the file.
#[derive(Debug, thiserror::Error)]
#[error("`{}` cannot be {act}", file.display())]
struct FileFailure {
    file: PathBuf,
    act: &'static str,
    source: Arc<dyn Error + Send + Sync>,
}

/// Adds the file to a failure of the operating system.
pub(crate) fn failure<E: Into<StoreError>>(file: &Path, act: &'static str) -> impl Fn(E) -> StoreError {
    let named = move |source| FileFailure { file: file.to_owned(), act, source };
    move |error| match error.into() {
        StoreError::Other(source) if !source.is::<FileFailure>() => StoreError::other(named(source)),
        StoreError::ReadOnlyDisk(source) if !source.is::<FileFailure>() => {
            StoreError::ReadOnlyDisk(Arc::new(named(source)))
        }
        StoreError::Full(source) if !source.is::<FileFailure>() => StoreError::Full(Arc::new(named(source))),
        StoreError::OutOfDescriptors(source) if !source.is::<FileFailure>() => {
            StoreError::OutOfDescriptors(Arc::new(named(source)))
        }
        classified => classified,
    }
}

/// The failure of reading a file or a folder.
pub(super) fn unreadable(file: &Path) -> impl Fn(io::Error) -> StoreError {
    failure(file, "read")
}

/// The failure of writing or making a file or a folder.
pub(crate) fn unwritable(file: &Path) -> impl Fn(io::Error) -> StoreError {
    failure(file, "written")
}

/// The name of a file, for texts about another one in the same folder.
pub(super) fn name(file: &Path) -> String {
    file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
