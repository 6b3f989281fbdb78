//! Where the log lies and how its events are framed.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::event::Event;

/// The file of events inside the log folder.
pub(crate) fn events_path(log: &Path) -> PathBuf {
    log.join("events")
}

/// Where a file that lost its name by the event `number` is kept: it must lie on the watched folder's file system,
/// because it is kept by a second name, not by a copy.
pub(crate) fn kept_file_path(log: &Path, number: u64) -> PathBuf {
    kept_files_path(log).join(number.to_string())
}

pub(crate) fn kept_files_path(log: &Path) -> PathBuf {
    log.join("kept")
}

/// An event as it stands in the log: its length, then its bytes.
pub(crate) fn frame(event: &Event) -> Vec<u8> {
    let body = event.encode();
    let mut framed = (body.len() as u64).to_le_bytes().to_vec();
    framed.extend_from_slice(&body);
    framed
}

/// Reads the events of a log in order.
pub(crate) struct Events {
    source: BufReader<File>,
}

impl Events {
    pub(crate) fn open(log: &Path) -> io::Result<Self> {
        Ok(Self { source: BufReader::with_capacity(1 << 20, File::open(events_path(log))?) })
    }

    /// The next event; `None` at the end. A torn last event was never followed by the change it announces, because
    /// the change waits for the event to be written, so it is the end too.
    pub(crate) fn next(&mut self) -> io::Result<Option<Event>> {
        let mut length = [0; 8];
        if !self.fill(&mut length)? {
            return Ok(None);
        }
        let length =
            usize::try_from(u64::from_le_bytes(length)).map_err(|_| damaged("an event of impossible length"))?;
        let mut body = Vec::new();
        (&mut self.source).take(length as u64).read_to_end(&mut body)?;
        if body.len() < length {
            return Ok(None);
        }
        Event::decode(&body).map(Some).ok_or_else(|| damaged("bytes that are no event"))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<bool> {
        match self.source.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the power-loss log holds {what}"))
}
