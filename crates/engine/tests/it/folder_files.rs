//! The files of a data folder. The tests of `cli` use this as well.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Everything that a change of a folder would change.
pub(crate) fn listing(folder: &Path) -> BTreeMap<PathBuf, (u64, SystemTime, Vec<u8>)> {
    let mut files = BTreeMap::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let metadata = path.metadata().unwrap();
        let bytes = if path.is_dir() {
            files.extend(listing(&path));
            Vec::new()
        } else {
            std::fs::read(&path).unwrap()
        };
        files.insert(path, (metadata.len(), metadata.modified().unwrap(), bytes));
    }
    files
}

/// Copies a folder. Whether it was copied completely: a store that is open may remove a table that it has merged.
#[must_use]
pub(crate) fn copy(from: &Path, to: &Path) -> bool {
    std::fs::create_dir_all(to).unwrap();
    let mut is_complete = true;
    for path in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let target = to.join(path.file_name().unwrap());
        is_complete &= if path.is_dir() { copy(&path, &target) } else { std::fs::copy(&path, target).is_ok() };
    }
    is_complete
}
