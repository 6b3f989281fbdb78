//! Whether a file is still the one that was read.

use std::path::Path;
use std::time::SystemTime;

/// What changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    modified: Option<SystemTime>,
    length: u64,
    #[cfg(unix)]
    number: u64,
}

impl FileStamp {
    pub fn of(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self {
            modified: data.modified().ok(),
            length: data.len(),
            #[cfg(unix)]
            number: std::os::unix::fs::MetadataExt::ino(&data),
        })
    }
}
