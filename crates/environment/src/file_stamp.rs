//! Detects changes of a file.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::SystemTime;

/// The metadata that changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    /// Absent where the file system does not record it.
    modified: Option<SystemTime>,
    length: u64,
    inode: u64,
    mode: u32,
}

impl FileStamp {
    pub fn read(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self { modified: data.modified().ok(), length: data.len(), inode: data.ino(), mode: data.mode() })
    }
}
