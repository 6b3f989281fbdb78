//! Files of a data folder, which may be anything: a folder, a pipe, a device.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Larger than anything that the store reads at once: it begins a new journal after 64 MiB, and a commit is not larger.
const LONGEST: u64 = 1 << 30;

/// Opens a file for reading. Opening a pipe would wait for a writer, so its kind is looked at first.
pub(super) fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

/// The bytes of a file that the store reads as a whole.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    if file.metadata()?.len() > LONGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than any file of this kind"));
    }
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes)?;
    Ok(bytes)
}
