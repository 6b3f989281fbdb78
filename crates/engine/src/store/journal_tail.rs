//! Mends the one kind of journal that a loss of power leaves and fjall refuses: a last batch that has its end but lost
//! a page in its middle.
//!
//! Commits go to disk one after the other, so only the last batch of the newest journal can be torn, and it was never
//! acknowledged: it may go. If a whole batch follows the broken one, the damage is of another kind and may have hit
//! acknowledged writes: then nothing is touched, and the store stays closed.
//!
//! The format is that of fjall 3: a batch is a start (tag 1, number of items, sequence number), its items (tag 2, with
//! their lengths) or clearings (tag 4), and an end (tag 3, checksum of the items, trailer).

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const TRAILER: &[u8] = b"FJL\x03";

const START_LENGTH: usize = 1 + 4 + 8;
const CLEAR_LENGTH: usize = 1 + 8;

/// Cuts a torn last batch off the newest journal of a folder; `false` if there is none to cut.
pub fn cut_torn_batch(folder: &Path) -> io::Result<bool> {
    let Some(journal) = newest_journal(folder)? else { return Ok(false) };
    let bytes = std::fs::read(&journal)?;
    let mut sound = 0;
    while let Some(length) = bytes.get(sound..).and_then(whole_batch) {
        sound += length;
    }
    let torn = bytes.get(sound..).unwrap_or_default();
    if torn.is_empty() || a_whole_batch_follows(torn) {
        return Ok(false);
    }
    tracing::warn!(
        journal = %journal.display(),
        bytes = torn.len(),
        "the last commit was torn by a loss of power before it was acknowledged; it is cut off"
    );
    let file = OpenOptions::new().write(true).open(&journal)?;
    file.set_len(sound as u64)?;
    file.sync_all()?;
    Ok(true)
}

/// Journals are numbered; the highest is the one being written.
fn newest_journal(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut newest: Option<(u64, PathBuf)> = None;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_journal = path.extension().is_some_and(|extension| extension == "jnl");
        let number = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
        if let (true, Some(number)) = (is_journal, number)
            && newest.as_ref().is_none_or(|(other, _)| number > *other)
        {
            newest = Some((number, path));
        }
    }
    Ok(newest.map(|(_, path)| path))
}

/// A batch begins where another one ended, so it is enough to look behind trailers.
fn a_whole_batch_follows(torn: &[u8]) -> bool {
    torn.windows(TRAILER.len())
        .enumerate()
        .filter(|(_, window)| *window == TRAILER)
        .any(|(at, _)| torn.get(at + TRAILER.len()..).and_then(whole_batch).is_some())
}

/// The length of the batch at the beginning of `bytes`, if it is whole and its checksum is right.
fn whole_batch(bytes: &[u8]) -> Option<usize> {
    if *bytes.first()? != START {
        return None;
    }
    let count = u32::from_le_bytes(bytes.get(1..5)?.try_into().ok()?);
    let mut at = START_LENGTH;
    for _ in 0..count {
        at += entry_length(bytes.get(at..)?)?;
    }
    let items = bytes.get(START_LENGTH..at)?;
    let end = bytes.get(at..at + 1 + 8 + TRAILER.len())?;
    let checksum = u64::from_le_bytes(end.get(1..9)?.try_into().ok()?);
    let is_whole = *end.first()? == END && end.get(9..)? == TRAILER && checksum == xxh3_64(items);
    is_whole.then_some(at + end.len())
}

fn entry_length(bytes: &[u8]) -> Option<usize> {
    match *bytes.first()? {
        CLEAR => Some(CLEAR_LENGTH),
        ITEM => {
            // Tag, kind of value, compression, keyspace; then the lengths of key and value, and of the value as stored.
            let key = u16::from_le_bytes(bytes.get(11..13)?.try_into().ok()?);
            let stored = u32::from_le_bytes(bytes.get(17..21)?.try_into().ok()?);
            21usize.checked_add(usize::from(key))?.checked_add(usize::try_from(stored).ok()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Change, Durability, FjallStore, Store, StoreSettings};

    /// Three commits of one large row each; gives the journal and where each commit ends.
    fn three_commits(folder: &Path) -> (PathBuf, Vec<usize>) {
        let store = FjallStore::open(folder, StoreSettings::default()).unwrap();
        let journal = newest_journal(folder).unwrap().unwrap();
        let mut ends = Vec::new();
        for key in 1u8..=3 {
            store.commit(vec![Change::Put(vec![key], vec![key; 20_000])], Durability::Durable).unwrap();
            ends.push(last_end(&journal));
        }
        (journal, ends)
    }

    fn last_end(journal: &Path) -> usize {
        let bytes = std::fs::read(journal).unwrap();
        let mut at = 0;
        while let Some(length) = bytes.get(at..).and_then(whole_batch) {
            at += length;
        }
        at
    }

    fn damage(journal: &Path, at: usize) {
        let mut bytes = std::fs::read(journal).unwrap();
        bytes[at..at + 4096].fill(0);
        std::fs::write(journal, bytes).unwrap();
    }

    #[test]
    fn a_torn_last_commit_is_cut_off_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, ends) = three_commits(folder.path());
        damage(&journal, ends[1] + 6000);
        let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
        assert_eq!(store.get(&[1]).unwrap().as_deref(), Some([1; 20_000].as_slice()));
        assert_eq!(store.get(&[2]).unwrap().as_deref(), Some([2; 20_000].as_slice()));
        assert_eq!(store.get(&[3]).unwrap(), None);
    }

    #[test]
    fn damage_before_an_acknowledged_commit_keeps_the_store_closed() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, ends) = three_commits(folder.path());
        damage(&journal, ends[0] + 6000);
        let before = std::fs::read(&journal).unwrap();
        assert!(FjallStore::open(folder.path(), StoreSettings::default()).is_err());
        assert_eq!(std::fs::read(&journal).unwrap(), before);
    }
}
