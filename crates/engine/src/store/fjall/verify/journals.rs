//! The journals, one after the other, commit by commit.
//!
//! Commits go to disk one after the other, so a loss of power can tear only the last commit of the newest journal, and that one
//! was never acknowledged. Anything else that is not a whole commit is damage, and may be an acknowledged write.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use super::batch::Batch;
use super::fault::{Fault, unreadable};
use super::folder::Journal;
use crate::store::StoreError;

/// What whole journals hold.
#[derive(Debug, Default)]
pub(super) struct Journals {
    /// The number of commits.
    pub commits: u64,
    /// The parts of the store that the commits change.
    pub keyspaces: BTreeSet<u64>,
    /// The last commit of the newest journal, if it was torn.
    pub torn: Option<TornCommit>,
    last_sequence: Option<u64>,
}

/// The bytes after the last whole commit, to the end of the journal.
#[derive(Debug)]
pub(super) struct TornCommit {
    journal: PathBuf,
    start: u64,
    length: u64,
}

impl TornCommit {
    /// Removes it: it was never acknowledged.
    pub(super) fn cut(&self) -> io::Result<()> {
        tracing::warn!(
            journal = %self.journal.display(),
            position = self.start,
            bytes = self.length,
            "the last commit was torn by a loss of power before it was acknowledged; it is cut off"
        );
        let file = OpenOptions::new().write(true).open(&self.journal)?;
        file.set_len(self.start)?;
        file.sync_all()
    }
}

/// Reads all journals of a folder, oldest first.
pub(super) fn verify(journals: &[Journal]) -> Result<Journals, StoreError> {
    for pair in journals.windows(2) {
        let [before, after] = pair else { continue };
        if after.number != before.number + 1 {
            let missing = before.path.with_file_name(format!("{}.jnl", before.number + 1));
            return Err(Fault::MissingJournal.of_file(missing));
        }
    }
    let mut found = Journals::default();
    for (position, journal) in journals.iter().enumerate() {
        let bytes = std::fs::read(&journal.path).map_err(unreadable(&journal.path))?;
        found.read(&journal.path, &bytes, position + 1 == journals.len())?;
    }
    Ok(found)
}

impl Journals {
    fn read(&mut self, path: &Path, bytes: &[u8], is_newest: bool) -> Result<(), StoreError> {
        let mut position = 0;
        while let Some(batch) = bytes.get(position..).and_then(Batch::parse) {
            let end = position + batch.length;
            if let Some(before) = self.last_sequence.filter(|before| batch.sequence <= *before) {
                let fault = Fault::SequenceNumber { found: batch.sequence, before };
                return Err(fault.at(path, position as u64..end as u64));
            }
            self.last_sequence = Some(batch.sequence);
            self.commits += 1;
            self.keyspaces.insert(batch.keyspace);
            position = end;
        }
        let rest = bytes.get(position..).unwrap_or_default();
        if is_zero(rest) {
            return Ok(());
        }
        match Batch::find_after(rest, self.last_sequence) {
            Some((length, batch)) => {
                let behind = 1 + count_commits(rest.get(length + batch.length..).unwrap_or_default());
                Err(Fault::Commit { behind }.at(path, position as u64..(position + length) as u64))
            }
            None if is_newest => {
                self.torn =
                    Some(TornCommit { journal: path.to_owned(), start: position as u64, length: rest.len() as u64 });
                Ok(())
            }
            None => Err(Fault::SealedJournal.at(path, position as u64..bytes.len() as u64)),
        }
    }
}

/// How many whole commits follow each other.
fn count_commits(mut bytes: &[u8]) -> u64 {
    let mut count = 0;
    while let Some(rest) = Batch::parse(bytes).and_then(|batch| bytes.get(batch.length..)) {
        (count, bytes) = (count + 1, rest);
    }
    count
}

/// A journal that is being written is zeros after its last commit. Compares whole pages: a journal is tens of megabytes.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    const ZEROS: [u8; 4096] = [0; 4096];
    bytes.chunks(ZEROS.len()).all(|chunk| ZEROS.get(..chunk.len()) == Some(chunk))
}
