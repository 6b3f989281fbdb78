//! Detects changes of a file.

use std::path::Path;
use std::time::SystemTime;

/// The metadata that changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    modified: Option<SystemTime>,
    length: u64,
    #[cfg(unix)]
    inode: u64,
}

impl FileStamp {
    pub(crate) fn read(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self {
            modified: data.modified().ok(),
            length: data.len(),
            #[cfg(unix)]
            inode: std::os::unix::fs::MetadataExt::ino(&data),
        })
    }
}
