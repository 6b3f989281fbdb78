//! The lock of the folder, held while its files are read: a running server changes them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use super::fault::unreadable;
use super::folder::LOCK;
use crate::store::StoreError;

/// A process that ends releases the lock a moment after it is gone.
const ATTEMPTS: usize = 3;
const PAUSE: Duration = Duration::from_millis(100);

/// Releases the lock when dropped.
pub(super) struct Lock {
    _file: Option<File>,
}

/// Takes the lock; a folder without a lock file is not in use.
pub(super) fn take(folder: &Path) -> Result<Lock, StoreError> {
    let path = folder.join(LOCK);
    let file = match OpenOptions::new().read(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Lock { _file: None }),
        Err(error) => return Err(unreadable(&path)(error)),
    };
    for attempt in 1.. {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked),
            Err(TryLockError::Error(error)) => return Err(unreadable(&path)(error)),
        }
    }
    Ok(Lock { _file: Some(file) })
}
