//! The number of the last commit that was synced, in a file of its own.
//!
//! A journal that ends in zeros or in random bytes looks as if fewer commits had been made. This file says how many
//! were. It is written once a commit is synced, and is never synced itself, so it costs one system call; after a loss
//! of power it holds an earlier number, or none. Whatever it holds is on disk in the journal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

/// The name of the file in the data folder. Folders of older versions of the engine do not have it.
pub(super) const SYNCED: &str = "keyfold.synced";

/// The file of an open store; `None` if it cannot be written. An earlier number proves less, but is not wrong.
#[derive(Default)]
pub(super) struct SyncedMark(Option<File>);

impl SyncedMark {
    /// Replaces what is in the place of the file and cannot be used: what is written there could not be read either.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let path = folder.join(SYNCED);
        let file = open_file(&path).or_else(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::PermissionDenied => {
                fs::remove_file(&path).and_then(|()| open_file(&path))
            }
            _ => Err(error),
        })?;
        Ok(Self(Some(file)))
    }

    /// Takes note that a commit was synced.
    pub(super) fn write(&self, identity: u64, number: u64) {
        if let Some(file) = &self.0 {
            let _ = file.write_all_at(&encode(identity, number), 0);
        }
    }
}

/// Opens the file for writing, or makes it. Fails if it cannot be read, or is longer than a number. Opening a pipe
/// would wait for a reader, and a link to nothing would make a file elsewhere.
fn open_file(path: &Path) -> io::Result<File> {
    let is_usable = fs::metadata(path).map_or_else(|_| fs::symlink_metadata(path).is_err(), |found| found.is_file());
    if !is_usable {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
    if file.read(&mut [0; LENGTH + 1]).is_ok_and(|length| length <= LENGTH) {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "it cannot be read, or is longer than a number"))
}

/// Within one sector of a disk, so that it is written as a whole.
const LENGTH: usize = 16;

fn encode(identity: u64, number: u64) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let (place, checksum) = bytes.split_at_mut(8);
    place.copy_from_slice(&number.to_le_bytes());
    checksum.copy_from_slice(&xxh3_64(&[identity.to_le_bytes(), number.to_le_bytes()].concat()).to_le_bytes());
    bytes
}

/// The number; `None` if the file of a folder with this identity holds none.
pub(super) fn parse(bytes: &[u8], identity: u64) -> Option<u64> {
    let number = u64::from_le_bytes(*bytes.first_chunk()?);
    (bytes == encode(identity, number)).then_some(number)
}

/// Whether the file of a folder with this identity holds something else than a number. Zeros are what a loss of power
/// leaves of a file that was not synced.
pub(super) fn is_damaged(bytes: &[u8], identity: u64) -> bool {
    parse(bytes, identity).is_none() && bytes.iter().any(|byte| *byte != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_number_of_the_same_folder_counts() {
        let bytes = encode(7, 300);
        assert_eq!(parse(&bytes, 7), Some(300));
        assert_eq!(parse(&bytes, 8), None);
        assert_eq!(parse(&bytes[..8], 7), None);
        assert_eq!(parse(&[0; 16], 7), None);
        assert_eq!(parse(&[], 7), None);
        assert!(is_damaged(&bytes, 8) && is_damaged(&bytes[..8], 7));
        assert!(!is_damaged(&bytes, 7) && !is_damaged(&[0; 16], 7) && !is_damaged(&[], 7));
        for bit in 0..128 {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse(&damaged, 7), None, "bit {bit}");
        }
    }
}
