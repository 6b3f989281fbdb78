//! Data and logs that only their owner can read.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::OnceLock;

use rustix::fs::Mode;

/// The mode bits of all but the owner.
const GROUP_AND_OTHERS: u32 = 0o077;
/// The mode bits of all but the owner and the group.
const OTHERS: u32 = 0o007;

/// The umask of the user, once this process has another.
static USERS_UMASK: OnceLock<u32> = OnceLock::new();

/// From now on, this process creates folders with mode 0700 and files with mode 0600. The store creates files as long
/// as it is open.
pub(crate) fn create_privately() {
    let before = rustix::process::umask(Mode::from_raw_mode(GROUP_AND_OTHERS));
    USERS_UMASK.get_or_init(|| before.as_raw_mode());
}

/// Creates a file that is not part of the data, such as a draft of a design, with the mode that the user expects.
pub(crate) fn create_publicly(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Some(umask) = USERS_UMASK.get() {
        file.set_permissions(Permissions::from_mode(0o666 & !umask))?;
    }
    Ok(file)
}

/// Closes an open data folder to other users, whatever the modes of the files in it. Only for folders that are known to
/// be data folders: `--data /tmp` must not close `/tmp`.
pub(crate) fn tighten_folder(folder: &Path) {
    tighten(folder, GROUP_AND_OTHERS, "data folder", "700");
}

/// Closes an open log file to other users, but not to its group, which may be that of a log collector. What is not a
/// file, such as `/dev/stderr`, stays as it is.
pub(crate) fn tighten_log(log: &Path) {
    if log.is_file() {
        tighten(log, OTHERS, "log file", "o=");
    }
}

fn tighten(path: &Path, excluded: u32, what: &str, private_mode: &str) {
    let Ok(metadata) = std::fs::metadata(path) else { return };
    let mode = metadata.permissions().mode() & 0o7777;
    if mode & excluded == 0 {
        return;
    }
    let shown = path.display();
    match std::fs::set_permissions(path, Permissions::from_mode(mode & !excluded)) {
        Ok(()) => {
            tracing::warn!(
                "other users had access to the {what} `{shown}` (mode {mode:03o}); it is closed to them now"
            );
        }
        // It has another owner, as in a container with a mounted volume.
        Err(error) => tracing::warn!(
            %error,
            "other users have access to the {what} `{shown}` (mode {mode:03o}); its owner can run: chmod {private_mode} '{shown}'"
        ),
    }
}
