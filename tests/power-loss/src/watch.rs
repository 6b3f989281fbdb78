//! How a harness puts a process under the preloaded library.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::fault::Fault;
use crate::log;

/// Names the watched folder to the preloaded library.
pub(crate) const FOLDER_VARIABLE: &str = "KEYFOLD_POWER_LOSS_FOLDER";
/// Names the log folder to the preloaded library.
pub(crate) const LOG_VARIABLE: &str = "KEYFOLD_POWER_LOSS_LOG";

const LIBRARY: &str = "libkeyfold_power_loss.so";

/// Watches one folder for the life of one process.
pub struct Watch {
    folder: PathBuf,
    log: PathBuf,
    faults: AtomicU64,
}

impl Watch {
    /// Prepares to watch `folder`, which must exist. The log goes to `log`, a new folder on the same file system.
    pub fn new(folder: &Path, log: &Path) -> io::Result<Self> {
        fs::create_dir(log)?;
        fs::create_dir(log::kept_files_path(log))?;
        Ok(Self { folder: folder.canonicalize()?, log: log.canonicalize()?, faults: AtomicU64::new(0) })
    }

    /// Whether this system can run the preloaded library.
    #[must_use]
    pub fn is_supported() -> bool {
        cfg!(all(target_os = "linux", target_arch = "x86_64"))
    }

    /// Makes `command` run under the library. The process it starts must not start others that outlive it.
    pub fn preload(&self, command: &mut Command) -> io::Result<()> {
        command.env("LD_PRELOAD", library_path()?).env(FOLDER_VARIABLE, &self.folder).env(LOG_VARIABLE, &self.log);
        Ok(())
    }

    /// Lets system calls of the process fail from now on, instead of those that were ordered before.
    pub fn inject(&self, fault: &Fault<'_>) -> io::Result<()> {
        fault.write(&self.log, self.faults.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Whether the process got as far as loading the library.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        log::events_path(&self.log).exists()
    }

    #[must_use]
    pub fn log(&self) -> &Path {
        &self.log
    }
}

/// Cargo builds the shared library with the Rust library that the caller links, into the folder of the caller's own
/// executable or, for binaries, into the folder `deps` beside it.
fn library_path() -> io::Result<PathBuf> {
    let executable = std::env::current_exe()?;
    let beside = executable.parent().unwrap_or(Path::new("."));
    [beside.join(LIBRARY), beside.join("deps").join(LIBRARY)].into_iter().find(|path| path.exists()).ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, format!("{LIBRARY} is not in {} nor its deps", beside.display()))
    })
}
