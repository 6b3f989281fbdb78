//! Undocumented details of fjall that Keyfold depends on: file names, and the journal format. They may change in any
//! release, so the version of fjall is pinned, and the tests below fail when it is raised: compare `file.rs` and `journal/`
//! of the new version with this file before you change the numbers there.
//!
//! They are needed to repair the one kind of journal that a loss of power can leave and fjall refuses: a last batch that
//! has its end but lost a page in its middle. Commits go to disk one after the other, so only the last batch of the newest
//! journal can be torn, and it was never acknowledged: it can be removed. If a whole batch follows the broken one,
//! the damage is of another kind and may affect acknowledged writes: then nothing is changed, and the store stays closed.
//!
//! A batch is a start (tag 1, number of items, sequence number), its items (tag 2, with their lengths) or clearings (tag
//! 4), and an end (tag 3, checksum of the items, trailer). Numbers are little endian. A journal that is being written is
//! zeros after its last batch.

use std::fs::OpenOptions;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// The folder of the tables of all keyspaces.
pub(super) const KEYSPACES_FOLDER: &str = "keyspaces";
/// Journals are numbered files; the highest is the one being written.
const JOURNAL_EXTENSION: &str = "jnl";

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const TRAILER: &[u8] = b"FJL\x03";

const START_LENGTH: usize = 1 + 4 + 8;
const CLEAR_LENGTH: usize = 1 + 8;
/// Tag, kind of value, compression, keyspace; the lengths of the key, of the value and of the value as stored.
const ITEM_HEAD_LENGTH: usize = 1 + 1 + 1 + 8 + 2 + 4 + 4;

/// Cuts a torn last batch off the newest journal of a folder; `false` if there is none to cut.
pub(super) fn cut_torn_batch(folder: &Path) -> io::Result<bool> {
    let Some(journal) = journals(folder)?.pop() else { return Ok(false) };
    let bytes = std::fs::read(&journal)?;
    let sound = sound_length(&bytes);
    let Some(torn) = bytes.get(sound..).filter(|torn| !torn.is_empty() && next_whole_batch(torn).is_none()) else {
        return Ok(false);
    };
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

/// The first bytes of the journals that are not a whole batch.
pub(super) fn find_journal_damage(folder: &Path) -> io::Result<Option<(PathBuf, Range<u64>)>> {
    for journal in journals(folder)? {
        let bytes = std::fs::read(&journal)?;
        let sound = sound_length(&bytes);
        let Some(rest) = bytes.get(sound..) else { continue };
        let Some(last) = rest.iter().rposition(|byte| *byte != 0) else { continue };
        let length = next_whole_batch(rest).unwrap_or(last + 1);
        return Ok(Some((journal, sound as u64..(sound + length) as u64)));
    }
    Ok(None)
}

/// The journals of a folder, oldest first.
fn journals(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut journals: Vec<(u64, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_journal = path.extension().is_some_and(|extension| extension == JOURNAL_EXTENSION);
        let number = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
        if let (true, Some(number)) = (is_journal, number) {
            journals.push((number, path));
        }
    }
    journals.sort();
    Ok(journals.into_iter().map(|(_, path)| path).collect())
}

/// How many bytes from the beginning are whole batches.
fn sound_length(journal: &[u8]) -> usize {
    let mut sound = 0;
    while let Some(length) = journal.get(sound..).and_then(whole_batch_length) {
        sound += length;
    }
    sound
}

/// Where the next whole batch begins after a broken one. A batch begins where another one ended, so it is enough to
/// look behind trailers.
fn next_whole_batch(broken: &[u8]) -> Option<usize> {
    broken
        .windows(TRAILER.len())
        .enumerate()
        .filter(|(_, window)| *window == TRAILER)
        .map(|(at, _)| at + TRAILER.len())
        .find(|start| broken.get(*start..).and_then(whole_batch_length).is_some())
}

/// The length of the batch at the beginning of `bytes`, if it is whole and its checksum is right.
fn whole_batch_length(bytes: &[u8]) -> Option<usize> {
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
            let key = u16::from_le_bytes(bytes.get(11..13)?.try_into().ok()?);
            let stored = u32::from_le_bytes(bytes.get(17..ITEM_HEAD_LENGTH)?.try_into().ok()?);
            ITEM_HEAD_LENGTH.checked_add(usize::from(key))?.checked_add(usize::try_from(stored).ok()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Change, Durability, FjallStore, Store, StoreError, StoreSettings};

    fn open(folder: &Path) -> Result<FjallStore, StoreError> {
        FjallStore::open(folder, StoreSettings::default())
    }

    #[test]
    fn fjall_is_the_version_that_this_file_was_compared_with() {
        let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
        for (package, version) in [("fjall", "3.1.13"), ("lsm-tree", "3.1.10")] {
            let entry = format!("name = \"{package}\"\nversion = \"{version}\"\n");
            assert!(lock.contains(&entry), "{package} is not {version}: compare its files with this one first");
        }
    }

    #[test]
    fn a_folder_and_its_journal_look_as_this_file_assumes() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).unwrap();
        assert!(folder.path().join(KEYSPACES_FOLDER).is_dir());
        let journal = journals(folder.path()).unwrap().pop().unwrap();
        assert_eq!(journal.file_name().unwrap(), "0.jnl");
        let before = sound_length(&std::fs::read(&journal).unwrap());
        let changes = vec![Change::Put(b"key".to_vec(), b"value".to_vec()), Change::Remove(b"gone".to_vec())];
        store.commit(changes, Durability::Durable).unwrap();
        let bytes = std::fs::read(&journal).unwrap();
        let after = sound_length(&bytes);
        assert!(bytes[after..].iter().all(|byte| *byte == 0));

        let batch = &bytes[before..after];
        assert_eq!(batch[..5], [START, 2, 0, 0, 0]);
        let items = &batch[START_LENGTH..batch.len() - 13];
        let keyspace = &items[3..11];
        let put = [&[ITEM, 0, 0], keyspace, &[3, 0, 5, 0, 0, 0, 5, 0, 0, 0], b"keyvalue"].concat();
        let remove = [&[ITEM, 1, 0], keyspace, &[4, 0, 0, 0, 0, 0, 0, 0, 0, 0], b"gone"].concat();
        assert_eq!(items, [put, remove].concat());
        let end = [&[END][..], &xxh3_64(items).to_le_bytes(), TRAILER].concat();
        assert_eq!(batch[batch.len() - 13..], end);
    }

    /// Three commits of one large row each; gives the journal and where each commit ends.
    fn three_commits(folder: &Path) -> (PathBuf, Vec<usize>) {
        let store = open(folder).unwrap();
        let journal = journals(folder).unwrap().pop().unwrap();
        let mut ends = Vec::new();
        for key in 1u8..=3 {
            store.commit(vec![Change::Put(vec![key], vec![key; 20_000])], Durability::Durable).unwrap();
            ends.push(sound_length(&std::fs::read(&journal).unwrap()));
        }
        (journal, ends)
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
        let store = open(folder.path()).unwrap();
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
        match open(folder.path()).err() {
            Some(StoreError::Corrupt { file, range, .. }) => {
                assert_eq!(file, Some(journal.clone()));
                assert_eq!(range, Some(ends[0] as u64..ends[1] as u64));
            }
            other => panic!("the store was opened, or failed otherwise: {other:?}"),
        }
        assert_eq!(std::fs::read(&journal).unwrap(), before);
    }
}
