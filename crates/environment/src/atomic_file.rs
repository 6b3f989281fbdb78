//! Files that are written as a whole: readers, and a power failure, find the old or the new content.

#[cfg(test)]
mod tests;

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::plain_file::{self, Pipes};

const PRIVATE: u32 = 0o600;
/// As many as Linux follows.
const MAX_SYMBOLIC_LINKS: usize = 40;

/// Creates a file that only its owner can read, unless it exists: of several processes that create it at once, the
/// first wins.
pub fn create_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = resolve(path)?;
    let draft = Draft::write(&path, content, None)?;
    match std::fs::hard_link(&draft.path, &path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        linked => linked?,
    }
    drop(draft);
    sync_folder(&path)
}

/// Replaces the content of a file by what `change` makes of it. The file keeps its owner, group and mode, and a
/// symbolic link to it stays one; a missing file is created, empty and readable to its owner alone, before it is
/// changed. Concurrent updates wait for each other.
pub fn update_file<E: From<io::Error>>(
    path: &Path,
    change: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, E>,
) -> Result<(), E> {
    let path = resolve(path)?;
    // Locked until the end of the function.
    let mut file = open_locked(&path)?;
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    let draft = Draft::write(&path, &change(content)?, Some(&file.metadata()?))?;
    std::fs::rename(&draft.path, &path)?;
    sync_folder(&path)?;
    Ok(())
}

/// Opens the file and locks it. Whoever held the lock before may have replaced the file: then the lock is one of the
/// old file.
fn open_locked(path: &Path) -> io::Result<File> {
    loop {
        let file = match plain_file::open(path, Pipes::Refused) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(PRIVATE).open(path)?
            }
            opened => opened?,
        };
        file.lock()?;
        match std::fs::metadata(path) {
            Ok(current) if is_same(&current, &file.metadata()?) => return Ok(file),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The file that a symbolic link leads to, whether or not it exists. A rename would replace the link.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_SYMBOLIC_LINKS {
        match std::fs::read_link(&path) {
            Ok(target) => path = folder(&path).join(target),
            // Not a link, or nothing at all.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(format!("`{}` is a loop of symbolic links", path.display())))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A rename or a new file survives a power failure only after this.
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder(path))?.sync_all()
}

/// The new content in a file of its own, on disk; removed when it is dropped.
struct Draft {
    path: PathBuf,
}

impl Draft {
    fn write(target: &Path, content: &[u8], like: Option<&Metadata>) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut name = target.file_name().ok_or(ErrorKind::InvalidInput)?.to_owned();
        name.push(format!(".{}-{}.new", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
        let path = target.with_file_name(name);
        // One that an earlier process of this number left when it was killed.
        let _ = std::fs::remove_file(&path);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(PRIVATE).open(&path)?;
        let draft = Self { path };
        file.write_all(content)?;
        if let Some(like) = like {
            keep_access(&file, like)?;
        }
        file.sync_all()?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a rename there is nothing to remove.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Whoever could read the previous file, such as a server that runs as another user, can read the new one.
fn keep_access(file: &File, like: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (like.uid(), like.gid()) {
        fchown(file, Some(like.uid()), Some(like.gid())).map_err(|error| {
            let text = format!("its owner and group ({}:{}) cannot be kept: {error}", like.uid(), like.gid());
            io::Error::new(error.kind(), text)
        })?;
    }
    file.set_permissions(like.permissions())
}
