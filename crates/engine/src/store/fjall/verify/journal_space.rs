//! Journals whose commits are in tables.
//!
//! fjall begins a new journal after 64 MB and deletes an old one once its commits are in tables. Until then every
//! opening reads all of it, a second of work, and on a disk of a few times that size it takes space that is needed. So
//! when a store was closed, which brings all commits to tables, opening replaces its journals by an empty one.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::folder::{journal_name, journal_paths};
use crate::store::fjall::disk::disk_space;

/// Smaller journals are read in no time.
const WORTHWHILE_BYTES: u64 = 1 << 20;

/// A running store is worth closing and opening if its journals take at least this part of the disk.
const LARGE_PART: u64 = 8;

/// `st_blocks` counts in units of this size, whatever the file system uses.
const BLOCK: u64 = 512;

/// The space that closing and opening the store returns: that of its journals if it is a good part of the disk, or else
/// 0.
pub(crate) fn replaceable_bytes(folder: &Path) -> io::Result<u64> {
    let bytes = journal_bytes(folder)?;
    let is_large = bytes >= disk_space(folder)?.total_bytes / LARGE_PART;
    Ok(if is_large { bytes } else { 0 })
}

fn journal_bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for journal in journal_paths(folder)? {
        match fs::metadata(&journal) {
            // The store may have just deleted it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Journals are extended before they are written, so that their length says nothing.
            found => bytes += found?.blocks() * BLOCK,
        }
    }
    Ok(bytes)
}

/// Replaces the journals of a closed store, unless they are small. Gives the number of the newest journal.
pub(super) fn replace(folder: &Path, journals: &[PathBuf], newest: u64) -> io::Result<u64> {
    if journal_bytes(folder)? < WORTHWHILE_BYTES {
        return Ok(newest);
    }
    // On disk before the others are deleted: a folder without journals is refused.
    let number = newest + 1;
    File::create_new(folder.join(journal_name(number)))?.sync_all()?;
    File::open(folder)?.sync_all()?;
    for journal in journals {
        fs::remove_file(journal)?;
    }
    Ok(number)
}
