//! Detects changes of a file.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The metadata that changes when a file is written or replaced, or when its owner or its permissions change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    /// The time of the last change of content or metadata, which no program can set back: seconds and nanoseconds.
    changed: (i64, i64),
    length: u64,
    inode: u64,
    is_file: bool,
}

impl FileStamp {
    pub(crate) fn read(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        let changed = (data.ctime(), data.ctime_nsec());
        Ok(Self { changed, length: data.len(), inode: data.ino(), is_file: data.is_file() })
    }

    /// Whether reading twice gives the same. A pipe, for example, gives its content once.
    pub(crate) fn is_of_a_file(&self) -> bool {
        self.is_file
    }
}
