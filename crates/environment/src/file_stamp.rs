//! Detects changes of a file.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The metadata that changes when a file is written or replaced, or when its owner or its permissions change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    /// The time of the last change of content or metadata, which no program can set back: seconds and nanoseconds.
    changed: (i64, i64),
    length: u64,
    inode: u64,
}

impl FileStamp {
    pub fn read(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self { changed: (data.ctime(), data.ctime_nsec()), length: data.len(), inode: data.ino() })
    }
}
