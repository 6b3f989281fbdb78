//! Which unsynced changes a disk keeps by chance.
//!
//! A disk need not lose everything that was not synced: the kernel may have written any of it already, in any order.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::event::Change;

/// The unit in which the kernel writes a file's bytes to the disk.
const PAGE: usize = 4096;

/// Repeats the same choices for the same seed.
pub(crate) struct Chance {
    state: u64,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }

    /// Spares the changes of folders before some point: file systems keep them in order.
    pub(crate) fn spare_entries(&mut self, pending: &mut BTreeMap<u64, Change>) {
        let entries: Vec<u64> =
            pending.iter().filter(|(_, change)| !change.is_content()).map(|(number, _)| *number).collect();
        let spared = self.next() as usize % (entries.len() + 1);
        for number in entries.iter().take(spared) {
            pending.remove(number);
        }
    }
}

/// Files as the process left them, before they are rolled back.
pub(crate) struct Unsynced {
    files: BTreeMap<u64, (PathBuf, Vec<u8>)>,
}

impl Unsynced {
    pub(crate) fn read(pending: &BTreeMap<u64, Change>, paths: &HashMap<u64, PathBuf>) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for change in pending.values() {
            if let Change::Content { file, .. } = change
                && let Some(path) = paths.get(file)
                && !files.contains_key(file)
            {
                files.insert(*file, (path.clone(), fs::read(path)?));
            }
        }
        Ok(Self { files })
    }

    /// Puts back some of the pages that the roll back took, and perhaps the length.
    pub(crate) fn spare_pages(&self, chance: &mut Chance) -> io::Result<()> {
        for (path, unsynced) in self.files.values() {
            spare_pages_of(path, unsynced, chance)?;
        }
        Ok(())
    }
}

fn spare_pages_of(path: &Path, unsynced: &[u8], chance: &mut Chance) -> io::Result<()> {
    let synced = fs::read(path)?;
    let file = OpenOptions::new().write(true).open(path)?;
    let length = if chance.flip() { unsynced.len() } else { synced.len() };
    file.set_len(length as u64)?;
    for (number, page) in unsynced.get(..length).unwrap_or(unsynced).chunks(PAGE).enumerate() {
        let start = number * PAGE;
        let before = synced.get(start..).unwrap_or_default();
        let before = before.get(..page.len()).unwrap_or(before);
        if page != before && chance.flip() {
            file.write_all_at(page, start as u64)?;
        }
    }
    Ok(())
}
