//! A new data folder: it gets its name once it is complete and sound.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::data_folder::{CheckReport, DataFolder, Progress};
use crate::store::{FjallStore, StoreError};

/// Why a new folder could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NewFolderError {
    /// It holds something.
    #[error("`{}` is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// It would be a part of the data folder: its copy would never end, and the data folder would hold a foreign file.
    #[error("`{}` is inside the data folder `{}`; choose a place outside it", path.display(), folder.display())]
    Inside {
        /// What was to be made.
        path: PathBuf,
        /// The data folder.
        folder: PathBuf,
    },
    /// A mount point cannot be replaced by the new folder, which is made beside it, on another disk.
    #[error("`{}` is a mount point; name a new folder in it", .0.display())]
    MountPoint(PathBuf),
    /// It cannot be written.
    #[error("`{}` cannot be written", .0.display())]
    Target(PathBuf, #[source] io::Error),
    /// It cannot be read again.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is not sound. Paths are relative to it.
    #[error("the new folder is not sound: {0}")]
    Unsound(String),
}

/// A folder that is not complete must not be taken for a data folder, so it has another name. Dropping it removes it.
pub(crate) struct Draft<'a> {
    path: PathBuf,
    to: &'a Path,
}

impl<'a> Draft<'a> {
    /// Makes the folder, from the contents of `source`. The new folder must not exist, or be empty.
    pub(crate) fn of(to: &'a Path, source: &Path) -> Result<Self, NewFolderError> {
        let name = to.file_name().ok_or_else(|| invalid(to, "it does not end with the name of a folder"))?;
        require_outside(to, source)?;
        require_replaceable(to)?;
        let mut name = name.to_owned();
        name.push(".incomplete");
        let path = to.with_file_name(name);
        remove_leftover(&path)?;
        fs::create_dir(&path).map_err(target(&path))?;
        Ok(Self { path, to })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks the folder and gives it its name.
    pub(crate) fn finish(self, on_progress: &mut dyn FnMut(Progress)) -> Result<CheckReport, NewFolderError> {
        let report = DataFolder::open(&self.path)?.check(on_progress)?;
        if let Some(finding) = report.findings.first() {
            // Nobody will find the draft.
            return Err(NewFolderError::Unsound(finding.to_string().replace(&format!("{}/", self.path.display()), "")));
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

fn invalid(path: &Path, why: &'static str) -> NewFolderError {
    target(path)(io::Error::new(io::ErrorKind::InvalidInput, why))
}

/// Fails if a new file or folder would be a part of a data folder.
pub(crate) fn require_outside(new: &Path, folder: &Path) -> Result<(), NewFolderError> {
    let parent = parent(new);
    let (parent, source) =
        (parent.canonicalize().map_err(target(parent))?, folder.canonicalize().map_err(target(folder))?);
    if parent.starts_with(source) {
        return Err(NewFolderError::Inside { path: new.to_owned(), folder: folder.to_owned() });
    }
    Ok(())
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Fails if a finished folder could not get this name, before anything is copied.
fn require_replaceable(to: &Path) -> Result<(), NewFolderError> {
    let found = match fs::symlink_metadata(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(target(to))?,
    };
    if !found.is_dir() {
        return Err(invalid(to, "it is a file or a link, not a folder"));
    }
    if found.dev() != fs::metadata(parent(to)).map_err(target(to))?.dev() {
        return Err(NewFolderError::MountPoint(to.to_owned()));
    }
    match fs::read_dir(to).map_err(target(to))?.next() {
        Some(_) => Err(NewFolderError::NotEmpty(to.to_owned())),
        None => Ok(()),
    }
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
    if fs::read_dir(draft).map_err(target(draft))?.next().is_some() {
        return Err(NewFolderError::NotEmpty(draft.to_owned()));
    }
    fs::remove_dir(draft).map_err(target(draft))
}

fn publish(draft: &Path, to: &Path) -> io::Result<()> {
    fs::rename(draft, to)?;
    match to.canonicalize()?.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}
