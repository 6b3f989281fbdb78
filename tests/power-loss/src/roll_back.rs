//! Undoes in a folder what its log says was never made durable.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirEntryExt, FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::event::{Change, Entry};
use crate::log::{self, Events};
use crate::pending::{Pending, Promise};
use crate::survival::{Chance, Unsynced};

/// What a roll back took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RolledBack {
    /// Writes, truncations and the like whose file was not synced after them.
    pub content_changes: usize,
    /// Created, renamed and removed names whose folder was not synced after them.
    pub entry_changes: usize,
}

/// Turns `folder` into what a disk would hold that kept only what [`Promise::Strict`] promises, and removes the log.
/// The process that wrote the log must be dead.
pub fn roll_back(log: &Path, folder: &Path) -> io::Result<RolledBack> {
    roll_back_as(Promise::Strict, log, folder)
}

/// As [`roll_back`], under a promise of the caller's choice.
pub fn roll_back_as(promise: Promise, log: &Path, folder: &Path) -> io::Result<RolledBack> {
    let pending = Pending::read(&mut Events::open(log)?, promise)?.changes;
    undo(&pending, log, folder, || Ok(()))
}

/// As [`roll_back`], but some of what was not synced survives: pages of files in any order, each by chance, and the
/// changes of folders up to some point. The same seed makes the same choices. It counts what might have been lost.
pub fn roll_back_in_part(seed: u64, log: &Path, folder: &Path) -> io::Result<RolledBack> {
    let mut chance = Chance::new(seed);
    let mut pending = Pending::read(&mut Events::open(log)?, Promise::Strict)?.changes;
    chance.spare_entries(&mut pending);
    let unsynced = Unsynced::read(&pending, &files(log, folder)?)?;
    undo(&pending, log, folder, || unsynced.spare_pages(&mut chance))
}

fn undo(
    pending: &BTreeMap<u64, Change>,
    log: &Path,
    folder: &Path,
    after_contents: impl FnOnce() -> io::Result<()>,
) -> io::Result<RolledBack> {
    // Bytes first: a file is found by its inode, wherever its name is now, and its name does not matter to its bytes.
    let files = files(log, folder)?;
    for change in pending.values().rev() {
        if let Change::Content { file, length, offset, span, kept } = change
            && let Some(path) = files.get(file)
        {
            restore_content(path, *length, *offset, *span, kept)?;
        }
    }
    after_contents()?;

    let mut names = Names { log, folder, paths: HashMap::new() };
    names.look_again()?;
    for (number, change) in pending.iter().rev() {
        names.undo(*number, change)?;
    }
    fs::remove_dir_all(log)?;
    let content_changes = pending.values().filter(|change| change.is_content()).count();
    Ok(RolledBack { content_changes, entry_changes: pending.len() - content_changes })
}

/// Every file of the folder, and those kept beside the log, by inode.
fn files(log: &Path, folder: &Path) -> io::Result<HashMap<u64, PathBuf>> {
    let mut files = HashMap::new();
    find_inodes(folder, &mut files)?;
    find_inodes(&log::kept_files_path(log), &mut files)?;
    Ok(files)
}

fn restore_content(path: &Path, length: u64, offset: u64, span: u64, kept: &[u8]) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    let current = file.metadata()?.len();
    file.set_len(length)?;
    file.write_all_at(kept, offset)?;
    // What `set_len` added is zero already; only what was there before needs to be cleared.
    let end = (offset + span).min(current);
    write_zeros(&file, offset + kept.len() as u64, end)
}

fn write_zeros(file: &File, mut from: u64, to: u64) -> io::Result<()> {
    let zeros = [0; 1 << 16];
    while from < to {
        let step = zeros.get(..usize::try_from(to - from).unwrap_or(usize::MAX)).unwrap_or(&zeros);
        file.write_all_at(step, from)?;
        from += step.len() as u64;
    }
    Ok(())
}

/// The names in the folder while they are put back.
struct Names<'a> {
    log: &'a Path,
    folder: &'a Path,
    /// Folders by inode. A removed folder that was put back has a new inode; it is found under its old one too.
    paths: HashMap<u64, PathBuf>,
}

impl Names<'_> {
    fn look_again(&mut self) -> io::Result<()> {
        find_inodes(self.folder, &mut self.paths)
    }

    fn path(&self, entry: &Entry) -> Option<PathBuf> {
        Some(self.paths.get(&entry.folder)?.join(&entry.name))
    }

    fn undo(&mut self, number: u64, change: &Change) -> io::Result<()> {
        match change {
            Change::Content { .. } => Ok(()),
            Change::Created { entry } => match self.path(entry) {
                Some(path) => unless_missing(fs::remove_file(path)),
                None => Ok(()),
            },
            Change::Unlinked { entry } => match self.path(entry) {
                // The name is still there if the process died before it could remove it.
                Some(path) if !path.exists() => fs::rename(log::kept_file_path(self.log, number), path),
                _ => Ok(()),
            },
            Change::MadeFolder { entry } => match self.path(entry) {
                // What the folder holds is lost with it, synced or not: nothing leads there.
                Some(path) => unless_missing(fs::remove_dir_all(path)),
                None => Ok(()),
            },
            Change::RemovedFolder { entry, inode } => {
                if let Some(path) = self.path(entry)
                    && !path.exists()
                {
                    fs::create_dir(&path)?;
                    self.paths.insert(*inode, path);
                }
                Ok(())
            }
            Change::Renamed { from, to, inode, replaced } => self.undo_rename(number, from, to, *inode, *replaced),
        }
    }

    fn undo_rename(&mut self, number: u64, from: &Entry, to: &Entry, inode: u64, replaced: bool) -> io::Result<()> {
        let (Some(from), Some(to)) = (self.path(from), self.path(to)) else { return Ok(()) };
        match to.symlink_metadata() {
            Ok(metadata) if metadata.ino() == inode => {
                fs::rename(&to, &from)?;
                if replaced {
                    fs::rename(log::kept_file_path(self.log, number), &to)?;
                }
                if metadata.is_dir() { self.look_again() } else { Ok(()) }
            }
            // The process died before it could rename.
            Ok(_) => Ok(()),
            Err(error) => unless_missing(Err(error)),
        }
    }
}

fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Adds `folder` and everything below it.
fn find_inodes(folder: &Path, found: &mut HashMap<u64, PathBuf>) -> io::Result<()> {
    found.insert(folder.metadata()?.ino(), folder.to_path_buf());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            find_inodes(&entry.path(), found)?;
        } else {
            found.insert(entry.ino(), entry.path());
        }
    }
    Ok(())
}
