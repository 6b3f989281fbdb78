//! The data folder while the store is open: whether it is still there, and the space of its disk.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::verify::LOCK;
use crate::store::{DiskSpace, StoreError};

/// The folder that was opened, recognised by the file that is locked in it.
pub(super) struct Presence {
    folder: PathBuf,
    lock_file: (u64, u64),
}

impl Presence {
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        Ok(Self { folder: folder.to_owned(), lock_file: identity(folder)? })
    }

    /// A folder that was removed, moved away or replaced does not get what is written: the store's open files are no
    /// longer in it.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match identity(&self.folder) {
            Ok(found) if found == self.lock_file => Ok(()),
            Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Err(error.into())
            }
            _ => Err(StoreError::FolderRemoved { folder: self.folder.clone() }),
        }
    }

    pub(super) fn disk_space(&self) -> Result<DiskSpace, StoreError> {
        let found = rustix::fs::statvfs(&self.folder).map_err(io::Error::from)?;
        Ok(DiskSpace {
            free_bytes: found.f_bavail.saturating_mul(found.f_frsize),
            total_bytes: found.f_blocks.saturating_mul(found.f_frsize),
        })
    }
}

fn identity(folder: &Path) -> io::Result<(u64, u64)> {
    let found = fs::metadata(folder.join(LOCK))?;
    Ok((found.dev(), found.ino()))
}
