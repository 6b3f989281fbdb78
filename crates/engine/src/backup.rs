//! A copy of a data folder that no engine has open.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::data_folder::{CheckReport, DataFolder, Progress, Stage, text};
use crate::new_folder::{Draft, NewFolderError, require_outside, target};
use crate::store::folder_bytes;

/// What is read at once. Journals are mostly zeros, which are not written.
const PIECE: usize = 64 << 10;

/// Why a folder could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file of the old folder cannot be read.
    #[error("`{}` cannot be read", .0.display())]
    Source(PathBuf, #[source] io::Error),
    /// The copy is not sound. It was verified as it is on the disk, but the folder itself is damaged as a rule.
    #[error("the copy is not sound: {finding}; run `keyfold engine check --data {}`", folder.display())]
    Unsound {
        /// What is wrong, with paths relative to the folder.
        finding: String,
        /// The folder that was copied.
        folder: PathBuf,
    },
    /// The new folder could not be made.
    #[error(transparent)]
    New(NewFolderError),
}

impl From<NewFolderError> for BackupError {
    fn from(error: NewFolderError) -> Self {
        Self::New(error)
    }
}

impl DataFolder {
    /// Copies the folder to a new one, which must not exist, or be empty, and checks the copy. Every file is on disk
    /// when this returns. The folder stays locked meanwhile, and is not changed.
    pub fn back_up(&self, to: &Path, on_progress: &mut dyn FnMut(Progress)) -> Result<CheckReport, BackupError> {
        if let Some(foreign) = self.view.first_foreign() {
            let finding = text(foreign).replace(&format!("{}/", self.path.display()), "");
            return Err(BackupError::Unsound { finding, folder: self.path.clone() });
        }
        let total = folder_bytes(&self.path).map_err(source(&self.path))?;
        let mut done = 0;
        let mut on_read = |bytes: u64| {
            done += bytes;
            on_progress(Progress { stage: Stage::Copy, done: done.min(total), total });
        };
        let draft = Draft::of(to, &self.path)?;
        self.copy(&self.path, draft.path(), &mut on_read)?;
        draft.finish(on_progress).map_err(|error| match error {
            NewFolderError::Unsound(finding) => BackupError::Unsound { finding, folder: self.path.clone() },
            error => error.into(),
        })
    }

    /// Fails if a new file would be a part of the folder.
    pub fn require_outside(&self, file: &Path) -> Result<(), NewFolderError> {
        require_outside(file, &self.path)
    }

    /// `to` exists and is empty.
    fn copy(&self, from: &Path, to: &Path, on_read: &mut dyn FnMut(u64)) -> Result<(), BackupError> {
        for entry in fs::read_dir(from).map_err(source(from))? {
            let path = entry.map_err(source(from))?.path();
            let new = to.join(path.file_name().unwrap_or_default());
            if !self.view.is_needed(&path) || is_special(&path) {
                continue;
            }
            if path.is_dir() {
                fs::create_dir(&new).map_err(target(&new))?;
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

/// Whether it is neither a file nor a folder, nor a link to one: no part of a store. A folder that lacks a file because
/// of it is found to be unsound.
fn is_special(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => !metadata.is_file() && !metadata.is_dir(),
        Err(error) => error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(path).is_ok(),
    }
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
