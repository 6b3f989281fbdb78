//! What a check can find.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// A fault. Keys are as people write them: `pk = "a", sk = 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A file is damaged, missing, or does not belong to the engine.
    DamagedFile {
        /// What is wrong, with the file.
        text: String,
    },
    /// A part of a table file is damaged.
    DamagedBlock {
        /// The file, relative to the data folder.
        file: PathBuf,
        /// The damaged bytes.
        bytes: Range<u64>,
        /// The rows that may be damaged, as people write them; `None` if no row is.
        rows: Option<String>,
    },
    /// The definition of a table, or another record of the engine, cannot be decoded.
    UndecodableRecord {
        /// The record.
        what: &'static str,
        /// Its key in the store, in hexadecimal.
        row: String,
    },
    /// The value of a row is not an item.
    UndecodableItem {
        /// The name of the table.
        table: String,
        /// The key.
        key: String,
    },
    /// An item is stored under a row key that does not match its own key.
    MisplacedItem {
        /// The name of the table.
        table: String,
        /// The key of the row.
        key: String,
    },
    /// An item that belongs to an index has no row there.
    MissingIndexRow {
        /// The name of the table.
        table: String,
        /// The name of the index.
        index: String,
        /// The key of the item.
        key: String,
    },
    /// An index has a row that does not belong to any item.
    StaleIndexRow {
        /// The name of the table.
        table: String,
        /// The name of the index.
        index: String,
        /// The key of the row in the index.
        key: String,
    },
    /// An item that expires is not in the list of expiries.
    MissingExpiryRow {
        /// The name of the table.
        table: String,
        /// The key of the item.
        key: String,
    },
    /// The list of expiries has a row that does not belong to any item.
    StaleExpiryRow {
        /// The name of the table.
        table: String,
        /// The row, in hexadecimal.
        row: String,
    },
    /// The recorded size of a table or an index is wrong.
    WrongCount {
        /// The name of the table.
        table: String,
        /// The name of the table or of the index.
        range: String,
        /// The number of items and of bytes that are recorded.
        recorded: (u64, u64),
        /// The number of items and of bytes that are stored.
        found: (u64, u64),
    },
    /// The record of a client request token has no expiry, so that it would never be deleted.
    MissingTokenExpiry {
        /// Its key in the store, in hexadecimal.
        row: String,
    },
    /// Rows that belong to no table, and that no deletion is under way for.
    StrayRows {
        /// The number of the table, index or list that they belonged to.
        range: u32,
        /// How many there are.
        rows: u64,
    },
    /// The number for the next table or index was given out already.
    ReusedNumber {
        /// The next number.
        next: u32,
        /// The highest number that is in use.
        highest: u32,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DamagedFile { text } => out.write_str(text),
            Self::DamagedBlock { file, bytes, rows } => {
                if bytes.is_empty() {
                    write!(out, "`{}` ends too early, at byte {}", file.display(), bytes.start)?;
                } else {
                    write!(out, "`{}` is damaged at bytes {} to {}", file.display(), bytes.start, bytes.end)?;
                }
                match rows {
                    Some(rows) => write!(out, ": {rows}"),
                    None => out.write_str(": no row is lost, but reads fail"),
                }
            }
            Self::UndecodableRecord { what, row } => write!(out, "{what} at {row} cannot be decoded"),
            Self::UndecodableItem { table, key } => {
                write!(out, "table `{table}`: the item with {key} cannot be decoded")
            }
            Self::MisplacedItem { table, key } => {
                write!(out, "table `{table}`: the item stored at {key} has another key")
            }
            Self::MissingIndexRow { table, index, key } => {
                write!(out, "table `{table}`: index `{index}` lacks the item with {key}")
            }
            Self::StaleIndexRow { table, index, key } => {
                write!(out, "table `{table}`: index `{index}` has a row for {key} that belongs to no item")
            }
            Self::MissingExpiryRow { table, key } => {
                write!(out, "table `{table}`: the item with {key} would never expire")
            }
            Self::StaleExpiryRow { table, row } => {
                write!(out, "table `{table}`: the expiry {row} belongs to no item")
            }
            Self::WrongCount { table, range, recorded, found } => write!(
                out,
                "table `{table}`: the recorded size of `{range}` is {} items and {} bytes, but {} items and {} bytes are stored",
                recorded.0, recorded.1, found.0, found.1
            ),
            Self::MissingTokenExpiry { row } => write!(out, "the client request token at {row} would never expire"),
            Self::StrayRows { range, rows } => {
                write!(out, "{rows} rows of number {range} belong to no table and are not being deleted")
            }
            Self::ReusedNumber { next, highest } => {
                write!(out, "the next table would get number {next}, but {highest} is in use")
            }
        }
    }
}

impl Finding {
    /// A short name of the kind, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::DamagedFile { .. } => "damagedFile",
            Self::DamagedBlock { .. } => "damagedBlock",
            Self::UndecodableRecord { .. } => "undecodableRecord",
            Self::UndecodableItem { .. } => "undecodableItem",
            Self::MisplacedItem { .. } => "misplacedItem",
            Self::MissingIndexRow { .. } => "missingIndexRow",
            Self::StaleIndexRow { .. } => "staleIndexRow",
            Self::MissingExpiryRow { .. } => "missingExpiryRow",
            Self::StaleExpiryRow { .. } => "staleExpiryRow",
            Self::WrongCount { .. } => "wrongCount",
            Self::MissingTokenExpiry { .. } => "missingTokenExpiry",
            Self::StrayRows { .. } => "strayRows",
            Self::ReusedNumber { .. } => "reusedNumber",
        }
    }
}
