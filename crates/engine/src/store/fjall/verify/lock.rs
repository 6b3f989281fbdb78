//! The lock of a data folder, held while its files are read or a store is open on it.
//!
//! fjall locks the file `lock`. That file can be removed, by hand or by a backup tool, and a second process would then
//! lock another file of the same name. So the folder itself is locked as well, first and for longer: it cannot be
//! removed while it holds files, and a folder that takes its place is another data folder.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use super::fault::{unreadable, unwritable};
use super::folder::{LOCK, journal_number};
use crate::store::StoreError;

/// A process that ends releases the lock a moment after it is gone.
const ATTEMPTS: usize = 3;
const PAUSE: Duration = Duration::from_millis(100);

/// How often, and at which interval, the journals of a store that was dropped in this process are looked for.
const RELEASE_LOOKS: usize = 500;
const RELEASE_STEP: Duration = Duration::from_millis(1);

/// The open files of this process, where the system lists them.
const OPEN_FILES: &str = "/proc/self/fd";

/// Network file systems lock files that are open for writing alone, which no folder ever is. The `lock` file has to do
/// there. The same numbers on Linux and macOS: EBADF, EINVAL.
const NO_FOLDER_LOCKS: [i32; 2] = [9, 22];

/// The lock of a folder. Releases it when dropped.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _folder: File,
}

impl FolderLock {
    /// Fails if another process, or another store of this one, has the folder open.
    pub(super) fn take(folder: &Path) -> Result<Self, StoreError> {
        let file = File::open(folder).map_err(unreadable(folder))?;
        match lock(&file) {
            Err(Refused::Failed(error)) if is_without_locks(&error) => {}
            locked => locked.map_err(|refused| refused.into_error(folder))?,
        }
        Ok(Self { _folder: file })
    }
}

/// Waits a moment until no store of this process has a journal of the folder open. fjall's workers count as ended just
/// before they drop their share of the journal, and whoever drops the last one writes what is left of a failed write to
/// it: over commits of the next store. After some failures fjall never drops it, which does no harm.
pub(super) fn wait_for_journals(folder: &Path) {
    // Without such a list the wait is not possible, and the moment is short.
    let Ok(folder) = folder.canonicalize() else { return };
    for _ in 0..RELEASE_LOOKS {
        match is_journal_open(&folder) {
            Ok(true) => std::thread::sleep(RELEASE_STEP),
            Ok(false) | Err(_) => return,
        }
    }
    tracing::debug!("a journal is still open; it was not dropped after a failure");
}

fn is_journal_open(folder: &Path) -> io::Result<bool> {
    for entry in std::fs::read_dir(OPEN_FILES)? {
        // A file that was closed since the list was made has no link any more.
        if let Ok(file) = std::fs::read_link(entry?.path())
            && file.parent() == Some(folder)
            && journal_number(&file).is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The lock of the `lock` file, which the store takes itself when it is opened. Versions of the engine that do not lock
/// the folder take it, too.
#[derive(Debug)]
pub(super) struct FileLock {
    _file: Option<File>,
}

impl FileLock {
    /// A folder without the file is not in use, if [`FolderLock`] says so.
    pub(super) fn take(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(LOCK);
        if !path.is_file() {
            return Ok(Self { _file: None });
        }
        let file = File::open(&path).map_err(unreadable(&path))?;
        lock(&file).map_err(|refused| refused.into_error(&path))?;
        Ok(Self { _file: Some(file) })
    }
}

enum Refused {
    InUse,
    Failed(io::Error),
}

impl Refused {
    fn into_error(self, path: &Path) -> StoreError {
        match self {
            Self::InUse => StoreError::Locked,
            Self::Failed(error) => unreadable(path)(error),
        }
    }
}

fn lock(file: &File) -> Result<(), Refused> {
    for attempt in 1.. {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(Refused::InUse),
            Err(TryLockError::Error(error)) => return Err(Refused::Failed(error)),
        }
    }
    Ok(())
}

fn is_without_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
        || error.raw_os_error().is_some_and(|code| NO_FOLDER_LOCKS.contains(&code))
}

/// Makes the file that the store locks, if it is missing. The folder is locked, so that no other process has one of
/// that name.
pub(super) fn restore(folder: &Path) -> Result<(), StoreError> {
    let path = folder.join(LOCK);
    match File::create_new(&path) {
        Ok(_) => {
            tracing::warn!(file = %path.display(), "the lock file was missing; it is made again");
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(unwritable(&path)(error)),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::OpenOptions;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;
    use crate::store::{FjallStore, StoreSettings};

    #[test]
    fn a_store_is_opened_only_after_the_last_one_let_go_of_its_journals() {
        let folder = tempfile::tempdir().unwrap();
        drop(FjallStore::open(folder.path(), StoreSettings::default()).unwrap());
        let journals = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let journal = journals().find(|path| journal_number(path).is_some()).unwrap();
        let straggler = OpenOptions::new().append(true).open(journal).unwrap();
        let has_let_go = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(100));
                has_let_go.store(true, Ordering::SeqCst);
                drop(straggler);
            });
            let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
            assert!(has_let_go.load(Ordering::SeqCst), "the journal is still open elsewhere");
            drop(store);
        });
    }
}
