//! Where log lines go: standard error, or a file that is reopened on SIGHUP, so that it can be rotated.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::OFlags;
use rustix::io::Errno;
use tracing_subscriber::fmt::MakeWriter;

use crate::private_files;

/// Shared by the log and the handler of SIGHUP.
#[derive(Clone)]
pub(crate) enum LogOutput {
    StandardError,
    File(Arc<LogFile>),
}

pub(crate) struct LogFile {
    path: PathBuf,
    file: Mutex<File>,
}

impl LogOutput {
    /// Opens the file, if there is one, for appending.
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        let Some(path) = path else { return Ok(Self::StandardError) };
        Ok(Self::File(Arc::new(LogFile { path: path.to_owned(), file: Mutex::new(append(path)?) })))
    }

    /// Opens the file again, after it was moved away. If that fails, the previous one stays in use.
    pub(crate) fn reopen(&self) -> io::Result<()> {
        let Self::File(log) = self else { return Ok(()) };
        let file = append(&log.path)?;
        *log.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
        self.tighten();
        Ok(())
    }

    /// Closes an existing file to other users, who could read in it what requests are about.
    pub(crate) fn tighten(&self) {
        if let Self::File(log) = self {
            private_files::tighten_log(&log.path);
        }
    }

    /// Whether lines may have colours.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::StandardError) && io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
    }
}

fn append(path: &Path) -> io::Result<File> {
    // To open a pipe without it is to wait for whoever reads from it.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let opened = OpenOptions::new().create(true).append(true).mode(0o600).custom_flags(flags).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(code) if code == Errno::NXIO.raw_os_error() => io::Error::other(format!(
            "`{}` is a pipe that nobody reads, or a socket: use a file, or start its reader first",
            path.display()
        )),
        _ => error,
    })
}

impl MakeWriter<'_> for LogOutput {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// Never fails: a closed pipe or a full disk must not stop the server, and there is no other place to report it.
impl Write for LogOutput {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let _ = match self {
            Self::StandardError => io::stderr().write_all(line),
            Self::File(log) => log.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line),
        };
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_moved_away_is_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let (path, moved) = (folder.path().join("log"), folder.path().join("log.1"));
        let mut output = LogOutput::open(Some(&path)).unwrap();
        output.write_all(b"one\n").unwrap();
        std::fs::rename(&path, &moved).unwrap();
        output.write_all(b"two\n").unwrap();
        output.clone().reopen().unwrap();
        output.write_all(b"three\n").unwrap();
        assert_eq!(std::fs::read_to_string(moved).unwrap(), "one\ntwo\n");
        assert_eq!(std::fs::read_to_string(path).unwrap(), "three\n");
        assert!(!output.is_terminal());
    }

    #[test]
    fn lines_go_to_the_previous_file_if_there_can_be_no_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, moved) = (folder.path().join("logs/log"), folder.path().join("moved"));
        std::fs::create_dir(folder.path().join("logs")).unwrap();
        let mut output = LogOutput::open(Some(&path)).unwrap();
        std::fs::rename(folder.path().join("logs"), &moved).unwrap();
        assert!(output.reopen().is_err());
        output.write_all(b"still here\n").unwrap();
        assert_eq!(std::fs::read_to_string(moved.join("log")).unwrap(), "still here\n");
    }

    #[test]
    fn a_pipe_without_a_reader_is_refused_and_a_slow_reader_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let error = LogOutput::open(Some(&path)).err().unwrap().to_string();
        assert!(error.ends_with("is a pipe that nobody reads, or a socket: use a file, or start its reader first"));
        // Both ends, so that opening it does not wait.
        let _reader = OpenOptions::new().read(true).write(true).open(&path).unwrap();
        let mut output = LogOutput::open(Some(&path)).unwrap();
        // More than a pipe holds.
        for _ in 0..2000 {
            assert_eq!(output.write(&[b'x'; 1000]).unwrap(), 1000);
        }
    }

    #[test]
    fn a_full_disk_is_not_an_error() {
        let mut output = LogOutput::open(Some(Path::new("/dev/full"))).unwrap();
        assert_eq!(output.write(b"lost\n").unwrap(), 5);
    }
}
