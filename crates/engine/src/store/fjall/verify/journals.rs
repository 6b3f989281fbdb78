//! The journals, one after the other, commit by commit.
//!
//! Commits go to disk one after the other, so a loss of power can tear only the last commit of the newest journal, and
//! that one was never acknowledged; see `journal_end`. Anything else that is not a whole commit is damage, and may be
//! an acknowledged write. Only commits that were acknowledged before they were synced may have a hole before them, and
//! everything behind it is lost.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use super::batch::Batch;
use super::commit_search::{Recognition, TooManyCandidates};
use super::fault::{Fault, name, unreadable};
use super::file;
use super::folder::{Journal, journal_name, journal_paths};
use super::journal_end::KnownCommits;
use crate::store::StoreError;
use crate::store::fjall::commit_mark::CommitMark;
use crate::store::fjall::manifest::{Cut, FolderState, Manifest};

/// What the journals are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expectation<'a> {
    /// `None` in folders of older versions of the engine.
    pub manifest: Option<&'a Manifest>,
    /// What the other files know of the last commits.
    pub known: KnownCommits,
    /// The keyspace of the marks; `None` if the folder has none yet.
    pub marks: Option<u64>,
}

impl Expectation<'_> {
    fn state(&self) -> Option<FolderState> {
        self.manifest.map(|manifest| manifest.state)
    }
}

/// What whole journals hold.
#[derive(Debug, Default)]
pub(super) struct Journals {
    /// The number of commits.
    pub commits: u64,
    /// The parts of the store that the commits change.
    pub keyspaces: BTreeSet<u64>,
    /// The end of the newest journal, if its last commit was torn.
    pub torn: Option<TornCommit>,
    /// The first commit of the oldest journal, if it has a mark.
    pub first: Option<CommitMark>,
    /// The last commit, if it has a mark.
    pub last: Option<CommitMark>,
    /// Of the last commit.
    pub last_sequence: Option<u64>,
}

/// The bytes after the last whole commit, without the zeros at the end of the journal.
#[derive(Debug)]
pub(super) struct TornCommit {
    journal: PathBuf,
    start: u64,
    length: u64,
    /// Whole commits after the torn one. They were acknowledged, but never synced.
    behind: u64,
}

impl TornCommit {
    /// What the manifest keeps of it.
    pub(super) fn record(&self) -> Cut {
        let Self { start, length, behind, .. } = *self;
        Cut { journal: name(&self.journal), position: start, bytes: length, commits_behind: behind }
    }

    /// The journal, and where it will end.
    pub(super) fn place(&self) -> (&Path, u64) {
        (&self.journal, self.start)
    }

    /// Removes it: it was never acknowledged, or never synced.
    pub(super) fn cut(&self) -> io::Result<()> {
        let text = if self.behind == 0 {
            "the last commit is damaged; a power failure or a full disk may have torn it before it was acknowledged; \
             it is cut off"
        } else {
            "a loss of power left a hole in the relaxed commits; it and the commits behind it are cut off"
        };
        let Self { start, length, behind, .. } = self;
        tracing::warn!(journal = %self.journal.display(), position = start, bytes = length, commits_behind = behind, "{text}");
        let file = OpenOptions::new().write(true).open(&self.journal)?;
        file.set_len(self.start)?;
        file.sync_all()
    }
}

/// Reads all journals of a folder, oldest first.
pub(super) fn verify(journals: &[Journal], expected: Expectation<'_>) -> Result<Journals, StoreError> {
    for pair in journals.windows(2) {
        let [before, after] = pair else { continue };
        // They are sorted, so that there is a number above that of the journal before.
        let first = before.number.saturating_add(1);
        if after.number != first {
            let missing = before.path.with_file_name(journal_name(first));
            return Err(Fault::missing_journals(first..after.number).of_file(missing));
        }
    }
    let mut found = Journals::default();
    for (position, journal) in journals.iter().enumerate() {
        let bytes = journal.read().map_err(unreadable(&journal.path))?;
        found.read(&journal.path, &bytes, position + 1 == journals.len(), expected)?;
    }
    Ok(found)
}

impl Journals {
    fn read(
        &mut self,
        path: &Path,
        bytes: &[u8],
        is_newest: bool,
        expected: Expectation<'_>,
    ) -> Result<(), StoreError> {
        let mut position = 0;
        while let Some(batch) = bytes.get(position..).and_then(|rest| Batch::parse(rest, expected.marks)) {
            let end = position + batch.length;
            self.add(&batch, expected).map_err(|fault| fault.at(path, position as u64..end as u64))?;
            position = end;
        }
        let rest = without_zeros(bytes.get(position..).unwrap_or_default());
        if rest.is_empty() {
            return Ok(());
        }
        let is_later = |batch: &Batch| {
            self.last_sequence.is_none_or(|before| batch.sequence > before)
                && expected.known.may_follow(self.last, batch.mark)
        };
        let recognition = expected.known.recognition(self.last);
        let damage = |length: usize| {
            let bytes = position as u64..(position + length) as u64;
            move |fault: Fault| fault.at(path, bytes.clone())
        };
        let next = Batch::find_after(rest, expected.marks, recognition, is_later);
        let next = next.map_err(|TooManyCandidates| damage(rest.len())(Fault::Unsearchable))?;
        let count = |at| count_commits(rest.get(at..).unwrap_or_default(), expected.marks, recognition, is_later);
        let behind = next.map_or(0, |(at, _)| count(at));
        let damage = damage(next.map_or(rest.len(), |(at, _)| at));
        let damaged = |fault: Fault| Err(damage(fault));
        match (is_newest, behind, expected.state()) {
            (true, _, Some(FolderState::Relaxed)) | (true, 0, Some(FolderState::Open | FolderState::Closed) | None) => {
                let found = self.last.map(|last| last.number);
                expected.known.verify_rest(found, rest).or_else(damaged)?;
                let (start, length) = (position as u64, rest.len() as u64);
                self.torn = Some(TornCommit { journal: path.to_owned(), start, length, behind });
                Ok(())
            }
            (true, 0, Some(FolderState::Creating)) => damaged(Fault::Structure {
                what: "it is not empty, although the creation of the store was not finished",
            }),
            (false, 0, _) => damaged(Fault::SealedJournal),
            (_, behind, _) => damaged(Fault::Commit { behind }),
        }
    }

    /// Compares a commit with the one before it.
    fn add(&mut self, batch: &Batch, expected: Expectation<'_>) -> Result<(), Fault> {
        let found = batch.sequence;
        if let Some(before) = self.last_sequence.filter(|before| found <= *before) {
            return Err(Fault::SequenceNumber { found, before });
        }
        if let Some(ceiling) = expected.manifest.map(|manifest| manifest.ceiling).filter(|ceiling| found > *ceiling) {
            return Err(Fault::Ceiling { found, ceiling });
        }
        match (batch.mark, self.last) {
            (None, None) => {}
            (None, Some(before)) => return Err(Fault::Gap { before: before.number, found: None }),
            (Some(mark), _) => self.add_mark(mark, found, expected)?,
        }
        self.last_sequence = Some(found);
        self.commits += 1;
        self.keyspaces.insert(batch.keyspace);
        Ok(())
    }

    fn add_mark(&mut self, mark: CommitMark, sequence: u64, expected: Expectation<'_>) -> Result<(), Fault> {
        if expected.manifest.is_some_and(|manifest| manifest.identity != mark.identity) {
            return Err(Fault::OtherFolder);
        }
        let is_next = match self.last {
            Some(before) => before.next(mark.floor, mark.version) == mark,
            // Commits without a mark are from before the upgrade of the folder.
            None => self.commits == 0 || mark.number == 1,
        };
        if !is_next {
            let before = self.last.map_or(0, |before| before.number);
            return Err(Fault::Gap { before, found: Some(mark.number) });
        }
        if mark.floor > sequence || self.last_sequence.is_some_and(|before| before >= mark.floor) {
            return Err(Fault::Floor { found: sequence, floor: mark.floor });
        }
        if self.commits == 0 {
            self.first = Some(mark);
        }
        self.last = Some(mark);
        Ok(())
    }
}

/// Whether the journals of a folder that is in use hold a whole commit. `marks` is the keyspace of the marks.
pub(crate) fn is_in_journal(folder: &Path, marks: Option<u64>, mark: CommitMark) -> io::Result<bool> {
    for journal in journal_paths(folder)? {
        let bytes = file::read(&journal)?;
        let mut rest = bytes.as_slice();
        while let Some(batch) = Batch::parse(rest, marks) {
            if batch.mark == Some(mark) {
                return Ok(true);
            }
            rest = rest.get(batch.length..).unwrap_or_default();
        }
    }
    Ok(false)
}

/// How many whole commits the bytes hold, whatever is between them; at least, if values imitate commits. They begin
/// with a whole one.
fn count_commits(
    mut bytes: &[u8],
    marks: Option<u64>,
    recognition: Recognition,
    is_genuine: impl Fn(&Batch) -> bool,
) -> u64 {
    let mut count = 0;
    loop {
        match Batch::parse(bytes, marks).map(|batch| batch.length) {
            Some(length) => (count, bytes) = (count + 1, bytes.get(length..).unwrap_or_default()),
            None => match Batch::find_after(bytes, marks, recognition, &is_genuine) {
                Ok(Some((at, _))) => bytes = bytes.get(at..).unwrap_or_default(),
                Ok(None) | Err(TooManyCandidates) => return count,
            },
        }
    }
}

/// A journal that is being written is zeros after its last commit.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    without_zeros(bytes).is_empty()
}

/// The bytes up to the last one that is not zero. Compares whole pages: a journal is tens of megabytes.
pub(super) fn without_zeros(bytes: &[u8]) -> &[u8] {
    const ZEROS: [u8; 4096] = [0; 4096];
    let zero_pages = bytes.rchunks(ZEROS.len()).take_while(|page| ZEROS.get(..page.len()) == Some(*page));
    let length = bytes.len() - zero_pages.map(<[u8]>::len).sum::<usize>();
    let bytes = bytes.get(..length).unwrap_or_default();
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    bytes.get(..length).unwrap_or_default()
}
