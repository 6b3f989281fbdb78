//! The files of a data folder in memory: copied from a store, damaged, and written to a new folder.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Journals are tens of megabytes of zeros, which are not held.
#[derive(Clone, PartialEq, Eq)]
struct Content {
    bytes: Vec<u8>,
    length: u64,
}

/// Files by their path within the folder.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Image(BTreeMap<PathBuf, Content>);

impl Image {
    pub(super) fn of(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        add(folder, folder, &mut files);
        Self(files)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }

    /// The bytes of a file up to its last one that is not zero.
    pub(super) fn bytes(&self, path: impl AsRef<Path>) -> &Vec<u8> {
        &self.0[path.as_ref()].bytes
    }

    /// The same, if there is such a file.
    pub(super) fn find(&self, path: impl AsRef<Path>) -> Option<&Vec<u8>> {
        self.0.get(path.as_ref()).map(|content| &content.bytes)
    }

    pub(super) fn change(mut self, path: impl AsRef<Path>, change: impl FnOnce(&mut Vec<u8>)) -> Self {
        change(&mut self.0.get_mut(path.as_ref()).unwrap().bytes);
        self
    }

    pub(super) fn flip(self, path: impl AsRef<Path>, at: usize, bit: u8) -> Self {
        self.change(path, |bytes| bytes[at] ^= 1 << bit)
    }

    /// Cuts the file off, so that nothing follows.
    pub(super) fn truncate(mut self, path: impl AsRef<Path>, length: usize) -> Self {
        let content = self.0.get_mut(path.as_ref()).unwrap();
        content.bytes.truncate(length);
        content.length = length as u64;
        self
    }

    pub(super) fn add(mut self, path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        self.0.insert(path.into(), Content { bytes, length });
        self
    }

    pub(super) fn remove(mut self, path: impl AsRef<Path>) -> Self {
        self.0.remove(path.as_ref()).expect("the file exists");
        self
    }

    pub(super) fn remove_below(mut self, folder: impl AsRef<Path>) -> Self {
        self.0.retain(|path, _| !path.starts_with(folder.as_ref()));
        self
    }

    pub(super) fn swap(mut self, one: impl AsRef<Path>, other: impl AsRef<Path>) -> Self {
        let (first, second) = (self.0[one.as_ref()].clone(), self.0[other.as_ref()].clone());
        self.0.insert(one.as_ref().to_owned(), second);
        self.0.insert(other.as_ref().to_owned(), first);
        self
    }

    /// A new folder with these files.
    pub(super) fn write(&self) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in &self.0 {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &content.bytes).unwrap();
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            file.set_len(content.length.max(content.bytes.len() as u64)).unwrap();
        }
        // Folders without files are part of a store as well.
        for keyspace in fs::read_dir(folder.path().join("keyspaces")).into_iter().flatten() {
            fs::create_dir_all(keyspace.unwrap().path().join("tables")).unwrap();
        }
        folder
    }
}

fn add(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Content>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add(root, &path, files);
            continue;
        }
        let is_journal = path.extension().is_some_and(|extension| extension == "jnl");
        // A table that was merged meanwhile is gone.
        let Ok(length) = path.metadata().map(|metadata| metadata.len()) else { continue };
        let Ok(bytes) = (if is_journal { Ok(journal_bytes(&path)) } else { fs::read(&path) }) else { continue };
        files.insert(path.strip_prefix(root).unwrap().to_owned(), Content { bytes, length });
    }
}

/// The journal up to its last byte that is not zero. It is made with a length of 64 MiB, of which the tests here use
/// little.
pub(super) fn journal_bytes(path: &Path) -> Vec<u8> {
    const USED: u64 = 2 << 20;
    let mut bytes = Vec::new();
    File::open(path).unwrap().take(USED).read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.get(USED as usize - 1).copied().unwrap_or_default(), 0, "the journal is longer");
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    bytes.truncate(length);
    bytes
}
