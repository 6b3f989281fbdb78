//! A new data folder: it gets its name once it is complete and sound.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::check::Finding;
use crate::data_folder::{CheckReport, DataFolder, Progress};
use crate::store::{FjallStore, StoreError};

/// Why a new folder could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NewFolderError {
    /// It holds something.
    #[error("`{}` is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// It cannot be written.
    #[error("`{}` cannot be written", .0.display())]
    Target(PathBuf, #[source] io::Error),
    /// It cannot be read again.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is not sound.
    #[error("the new folder is not sound: {0}")]
    Unsound(Finding),
}

/// A folder that is not complete must not be taken for a data folder, so it has another name. Dropping it removes it.
pub(crate) struct Draft<'a> {
    path: PathBuf,
    to: &'a Path,
}

impl<'a> Draft<'a> {
    /// The new folder must not exist, or be empty.
    pub(crate) fn of(to: &'a Path) -> Result<Self, NewFolderError> {
        if to.exists() && fs::read_dir(to).map_err(target(to))?.next().is_some() {
            return Err(NewFolderError::NotEmpty(to.to_owned()));
        }
        let mut name = to.file_name().unwrap_or_default().to_owned();
        name.push(".incomplete");
        let path = to.with_file_name(name);
        remove_leftover(&path)?;
        Ok(Self { path, to })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks the folder and gives it its name.
    pub(crate) fn finish(self, on_progress: &mut dyn FnMut(Progress)) -> Result<CheckReport, NewFolderError> {
        let mut report = DataFolder::open(&self.path)?.check(on_progress)?;
        if !report.findings.is_empty() {
            return Err(NewFolderError::Unsound(report.findings.swap_remove(0)));
        }
        publish(&self.path, self.to).map_err(target(self.to))?;
        Ok(report)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, folder = %self.path.display(), "an incomplete folder could not be removed");
            }
            _ => {}
        }
    }
}

/// A failure to write the new folder, or a file in it.
pub(crate) fn target(path: &Path) -> impl Fn(io::Error) -> NewFolderError {
    move |error| NewFolderError::Target(path.to_owned(), error)
}

/// Removes what a command that was killed has left. A folder of the same name that is not a data folder belongs to
/// someone else.
fn remove_leftover(draft: &Path) -> Result<(), NewFolderError> {
    if !draft.exists() {
        return Ok(());
    }
    if FjallStore::exists_in(draft) {
        // Fails if another command is at work there.
        drop(DataFolder::open(draft)?);
        return fs::remove_dir_all(draft).map_err(target(draft));
    }
    let is_empty = fs::read_dir(draft).map_err(target(draft))?.next().is_none();
    if is_empty { Ok(()) } else { Err(NewFolderError::NotEmpty(draft.to_owned())) }
}

fn publish(draft: &Path, to: &Path) -> io::Result<()> {
    fs::rename(draft, to)?;
    match to.canonicalize()?.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}
