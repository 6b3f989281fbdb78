//! Data that only its owner can read.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::Mode;

const OTHERS: u32 = 0o077;

/// From now on, this process creates folders with mode 0700 and files with mode 0600.
pub(crate) fn create_privately() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// Closes an open data folder to other users, whatever the modes of the files in it. Only for folders that are known to be data
/// folders: `--data /tmp` must not close `/tmp`.
pub(crate) fn tighten(folder: &Path) {
    let Ok(metadata) = std::fs::metadata(folder) else { return };
    let mode = metadata.permissions().mode() & 0o7777;
    if mode & OTHERS == 0 {
        return;
    }
    let shown = folder.display();
    match std::fs::set_permissions(folder, Permissions::from_mode(mode & !OTHERS)) {
        Ok(()) => tracing::warn!(
            "other users had access to the data folder `{shown}` (mode {mode:03o}); it is closed to them now"
        ),
        // The folder of another owner, as in a container with a mounted volume.
        Err(error) => tracing::warn!(
            %error,
            "other users have access to the data folder `{shown}` (mode {mode:03o}); its owner can run: chmod 700 '{shown}'"
        ),
    }
}
