//! A copy of a data folder that no engine has open.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::data_folder::{CheckReport, DataFolder, Progress, Stage};
use crate::new_folder::{Draft, NewFolderError, target};
use crate::store::folder_bytes;

/// What is read at once. Journals are mostly zeros, which are not written.
const PIECE: usize = 64 << 10;

/// Why a folder could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file of the old folder cannot be read.
    #[error("`{}` cannot be read", .0.display())]
    Source(PathBuf, #[source] io::Error),
    /// The new folder could not be made, or the copy is damaged.
    #[error(transparent)]
    New(#[from] NewFolderError),
}

impl DataFolder {
    /// Copies the folder to a new one, which must not exist, or be empty, and checks the copy. Every file is on disk
    /// when this returns. The folder stays locked meanwhile, and is not changed.
    pub fn back_up(&self, to: &Path, on_progress: &mut dyn FnMut(Progress)) -> Result<CheckReport, BackupError> {
        let total = folder_bytes(&self.path).map_err(source(&self.path))?;
        let mut done = 0;
        let mut on_read = |bytes: u64| {
            done += bytes;
            on_progress(Progress { stage: Stage::Files, done: done.min(total), total });
        };
        let draft = Draft::of(to)?;
        self.copy(&self.path, draft.path(), &mut on_read)?;
        Ok(draft.finish(on_progress)?)
    }

    fn copy(&self, from: &Path, to: &Path, on_read: &mut dyn FnMut(u64)) -> Result<(), BackupError> {
        fs::create_dir(to).map_err(target(to))?;
        for entry in fs::read_dir(from).map_err(source(from))? {
            let path = entry.map_err(source(from))?.path();
            let new = to.join(path.file_name().unwrap_or_default());
            if !self.view.is_needed(&path) {
                continue;
            }
            if path.is_dir() {
                self.copy(&path, &new, on_read)?;
            } else {
                copy_file(&path, &new, on_read)?;
            }
        }
        Ok(File::open(to).and_then(|folder| folder.sync_all()).map_err(target(to))?)
    }
}

fn source(path: &Path) -> impl Fn(io::Error) -> BackupError {
    move |error| BackupError::Source(path.to_owned(), error)
}

fn copy_file(from: &Path, to: &Path, on_read: &mut dyn FnMut(u64)) -> Result<(), BackupError> {
    let (unreadable, unwritable) = (source(from), target(to));
    // Opening a pipe would wait for a writer.
    if !fs::metadata(from).map_err(&unreadable)?.is_file() {
        return Err(unreadable(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
    }
    let mut old = File::open(from).map_err(&unreadable)?;
    let mut new = File::create_new(to).map_err(&unwritable)?;
    let (mut piece, mut length) = (vec![0; PIECE], 0);
    loop {
        let read = old.read(&mut piece).map_err(&unreadable)?;
        let bytes = piece.get(..read).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        if bytes.iter().all(|byte| *byte == 0) {
            new.seek(SeekFrom::Current(read as i64)).map_err(&unwritable)?;
        } else {
            new.write_all(bytes).map_err(&unwritable)?;
        }
        length += read as u64;
        on_read(read as u64);
    }
    Ok(new.set_len(length).and_then(|()| new.sync_all()).map_err(&unwritable)?)
}
