//! Faults of the disk that a harness orders from the preloaded library.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Creating a file.
    Create,
    /// Reading from a file at a position.
    Read,
    /// Reading on from where the last read of the file ended.
    ReadOn,
    /// Writing to a file.
    Write,
    /// Syncing a file or a folder.
    Sync,
}

/// A fault of the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault<'a> {
    pub operation: Operation,
    /// A part of the path of the files that it concerns.
    pub file: &'a str,
    /// The number of the error, such as `libc::EIO`; 0 for a write of a part of the bytes, and [`HANG`].
    pub error: i32,
    /// How often it occurs; the disk works again afterwards.
    pub times: u32,
}

/// Instead of the number of an error: the call does not return before another fault is ordered.
pub const HANG: i32 = -1;

/// A fault as the library reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Orders are told apart by it.
    pub(crate) number: u64,
    pub(crate) operation: Operation,
    pub(crate) error: i64,
    pub(crate) times: u32,
    pub(crate) file: String,
}

/// Where the order is, beside the log.
pub(crate) fn path_of(log: &Path) -> PathBuf {
    log.join("fault")
}

impl Fault<'_> {
    pub(crate) fn write(&self, log: &Path, number: u64) -> io::Result<()> {
        let operation = match self.operation {
            Operation::Create => "create",
            Operation::Read => "read",
            Operation::ReadOn => "read-on",
            Operation::Write => "write",
            Operation::Sync => "sync",
        };
        let text = format!("{number} {operation} {} {} {}\n", self.error, self.times, self.file);
        // Replaced as a whole: the library reads it at any time.
        let draft = log.join("fault-draft");
        fs::write(&draft, text)?;
        fs::rename(draft, path_of(log))
    }
}

impl Order {
    /// `None` if the text is no order.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = text.trim_end().splitn(5, ' ');
        let number = words.next()?.parse().ok()?;
        let operation = match words.next()? {
            "create" => Operation::Create,
            "read" => Operation::Read,
            "read-on" => Operation::ReadOn,
            "write" => Operation::Write,
            "sync" => Operation::Sync,
            _ => return None,
        };
        let (error, times) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Self { number, operation, error, times, file: words.next()?.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_reads_back_as_written() {
        let log = tempfile::tempdir().unwrap();
        let fault = Fault { operation: Operation::Sync, file: "my data/0.jnl", error: 5, times: 2 };
        fault.write(log.path(), 7).unwrap();
        let text = fs::read_to_string(path_of(log.path())).unwrap();
        let order = Order::parse(&text).unwrap();
        assert_eq!((order.number, order.operation, order.error, order.times), (7, Operation::Sync, 5, 2));
        assert_eq!(order.file, "my data/0.jnl");
        assert_eq!(Order::parse("7 sync"), None);
    }
}
