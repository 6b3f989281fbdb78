//! The space of a disk.

use std::io;
use std::path::Path;

use crate::store::DiskSpace;

/// The space of the disk that holds a folder, without what the store needs of it.
pub(super) fn disk_space(folder: &Path) -> io::Result<DiskSpace> {
    let found = rustix::fs::statvfs(folder)?;
    Ok(DiskSpace {
        free_bytes: found.f_bavail.saturating_mul(found.f_frsize),
        total_bytes: found.f_blocks.saturating_mul(found.f_frsize),
        needed_bytes: 0,
    })
}
