//! The data folder while the store is open: whether it is still there.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::verify::LOCK;
use crate::store::StoreError;

/// The folder that was opened, recognized by the file that is locked in it.
pub(super) struct Presence {
    folder: PathBuf,
    inode: u64,
    lock_file: (u64, u64),
}

impl Presence {
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let inode = fs::metadata(folder)?.ino();
        Ok(Self { folder: folder.to_owned(), inode, lock_file: identity(folder)? })
    }

    /// A folder that was removed, moved away or replaced does not get what is written: the store's open files are no
    /// longer in it.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match identity(&self.folder) {
            Ok(found) if found == self.lock_file => Ok(()),
            Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Err(error.into())
            }
            Err(_) if fs::metadata(&self.folder).is_ok_and(|found| found.ino() == self.inode) => {
                Err(StoreError::FileRemoved { file: self.folder.join(LOCK) })
            }
            _ => Err(StoreError::FolderRemoved { folder: self.folder.clone() }),
        }
    }
}

fn identity(folder: &Path) -> io::Result<(u64, u64)> {
    let found = fs::metadata(folder.join(LOCK))?;
    Ok((found.dev(), found.ino()))
}
