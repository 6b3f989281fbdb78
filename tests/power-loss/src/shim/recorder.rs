//! What the library knows of the watched folder, and its pen.

use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirEntryExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::give_up;
use super::kernel::{self, Status};
use crate::event::{Change, Entry, Event};
use crate::log;

/// Changes are made while the recorder is locked, so that the log tells them in the order in which they happened.
pub(super) struct Recorder {
    process: u32,
    log: PathBuf,
    events: i64,
    /// How many events the log holds.
    pub(super) count: u64,
    device: u64,
    /// Inodes, of which none is used twice while the library watches: removed files keep a second name beside the
    /// log, removed folders an open descriptor.
    pub(super) folders: HashSet<u64>,
    pub(super) files: HashSet<u64>,
    /// Descriptors to read a file by which the program may only write.
    readers: HashMap<u64, i64>,
}

impl Recorder {
    /// Runs before the filter is in place.
    pub(super) fn begin(folder: &Path, log: PathBuf) -> io::Result<Self> {
        let events = kernel::open(
            &kernel::terminated(&log::events_path(&log)),
            libc::O_CREAT | libc::O_EXCL | libc::O_WRONLY | libc::O_APPEND,
        )
        .map_err(|error| io::Error::from_raw_os_error(i32::try_from(-error).unwrap_or_default()))?;
        let mut recorder = Self {
            process: std::process::id(),
            log,
            events,
            count: 0,
            device: folder.metadata()?.dev(),
            folders: HashSet::new(),
            files: HashSet::new(),
            readers: HashMap::new(),
        };
        recorder.learn(folder)?;
        Ok(recorder)
    }

    fn learn(&mut self, folder: &Path) -> io::Result<()> {
        self.folders.insert(folder.metadata()?.ino());
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                self.learn(&entry.path())?;
            } else {
                self.files.insert(entry.ino());
            }
        }
        Ok(())
    }

    pub(super) fn has_file(&self, status: &Status) -> bool {
        status.device == self.device && status.is_file() && self.files.contains(&status.inode)
    }

    pub(super) fn has_folder(&self, status: &Status) -> bool {
        status.device == self.device && status.is_folder() && self.folders.contains(&status.inode)
    }

    /// The watched folder and the name in it that a path leads to; `None` outside the watched folder.
    pub(super) fn entry(&self, at: i64, path: &CStr) -> Option<Entry> {
        let bytes = path.to_bytes();
        let end = bytes.iter().rposition(|byte| *byte != b'/')? + 1;
        let trimmed = bytes.get(..end)?;
        let (folder, name) = match trimmed.iter().rposition(|byte| *byte == b'/') {
            Some(slash) => (trimmed.get(..=slash)?, trimmed.get(slash + 1..)?),
            None => (b".".as_slice(), trimmed),
        };
        let status = kernel::status_at(at, &CString::new(folder).ok()?, 0)?;
        self.has_folder(&status).then(|| Entry { folder: status.inode, name: OsStr::from_bytes(name).to_owned() })
    }

    /// Notes a change that is about to happen; returns its number.
    pub(super) fn note(&mut self, change: Change) -> u64 {
        if std::process::id() != self.process {
            give_up("a child process changes the watched folder");
        }
        self.write(&Event::Change(change))
    }

    pub(super) fn write(&mut self, event: &Event) -> u64 {
        let number = self.count;
        if let Err(error) = kernel::append(self.events, &log::frame(event)) {
            give_up(&format!("cannot write the log: error {}", -error));
        }
        self.count += 1;
        number
    }

    /// Notes that a change did not happen after all, if the kernel said so.
    pub(super) fn settle(&mut self, change: u64, result: i64) -> i64 {
        if result < 0 {
            self.write(&Event::Refused { change });
        }
        result
    }

    /// Gives a file that is about to lose its name a second one beside the log, under the next event's number.
    pub(super) fn keep_file(&self, at: i64, path: &CStr) {
        let kept = kernel::terminated(&log::kept_file_path(&self.log, self.count));
        let here = i64::from(libc::AT_FDCWD);
        let arguments = [at, path.as_ptr() as i64, here, kept.as_ptr() as i64, 0, 0];
        let linked = kernel::call(libc::SYS_linkat, arguments);
        if linked < 0 {
            give_up(&format!("cannot keep a removed file beside the log: error {}", -linked));
        }
    }

    /// Notes that a file's bytes from `offset` on, `span` at most, are about to change, or only its length.
    pub(super) fn note_content(&mut self, file: &Status, reader: impl FnOnce() -> CString, offset: u64, span: u64) {
        let span = span.min(file.length.saturating_sub(offset));
        let mut kept = Vec::new();
        if span > 0 {
            kept = self.read(file, reader, offset, span);
            let used = kept.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            kept.truncate(used);
        }
        self.note(Change::Content { file: file.inode, length: file.length, offset, span, kept });
    }

    fn read(&mut self, file: &Status, reader: impl FnOnce() -> CString, offset: u64, span: u64) -> Vec<u8> {
        let descriptor = match self.readers.get(&file.inode) {
            Some(descriptor) => *descriptor,
            None => {
                let opened = kernel::open(&reader(), libc::O_RDONLY)
                    .unwrap_or_else(|error| give_up(&format!("cannot read a watched file: error {}", -error)));
                self.readers.insert(file.inode, opened);
                opened
            }
        };
        kernel::read_at(descriptor, offset, span)
            .unwrap_or_else(|error| give_up(&format!("cannot read a watched file: error {}", -error)))
    }
}
