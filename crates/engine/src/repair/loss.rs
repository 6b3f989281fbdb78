//! What a repair could not salvage.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use keyfold_dynamo::Attributes;

/// Something that is lost, or may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// Commits of a journal. They may have changed or deleted any row that was last written before them.
    Commits {
        /// The journal.
        journal: PathBuf,
        /// The bytes that are damaged; `None` if the journal is missing.
        bytes: Option<Range<u64>>,
        /// How many there are at most, if it is known.
        at_most: Option<u64>,
        /// Whether the commits were acknowledged, as far as it is known: not if they are the end of the newest journal.
        was_acknowledged: bool,
    },
    /// Rows of a table file.
    Rows {
        /// The table file.
        file: PathBuf,
        /// The bytes that are damaged.
        bytes: Range<u64>,
        /// The rows, as people write them; `None` if none is lost.
        rows: Option<String>,
    },
    /// A file that is damaged, missing, or not the engine's.
    File {
        /// What is wrong, with the file.
        text: String,
    },
    /// A file that is damaged, missing, or not the engine's, and holds nothing that the others do not.
    Replaceable {
        /// What is wrong, with the file.
        text: String,
    },
    /// An item that cannot be decoded, or is stored under the key of another.
    Item {
        /// The name of the table.
        table: String,
        /// The key of the row.
        key: String,
    },
    /// The definition of a table, or another record of the engine.
    Record {
        /// The record.
        what: &'static str,
        /// Its key in the store, in hexadecimal.
        row: String,
    },
    /// The definition of a table, or its deletion. Its items are in a table with another name, under the key that they
    /// have in common, without indexes and time to live.
    Definition {
        /// The name in the new folder.
        table: String,
    },
    /// Rows of an index, or of something else, whose definition is lost, or whose deletion is.
    Unknown {
        /// The number of the table or index.
        range: u32,
        /// The number of rows.
        rows: u64,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commits { journal, bytes, at_most, was_acknowledged } => {
                match bytes {
                    Some(bytes) => {
                        write!(out, "`{}` at bytes {} to {}: ", journal.display(), bytes.start, bytes.end)?;
                    }
                    None => write!(out, "`{}`: ", journal.display())?,
                }
                match at_most {
                    Some(0 | 1) => out.write_str("a commit is lost")?,
                    Some(count) => write!(out, "1 to {count} commits are lost")?,
                    None => out.write_str("commits are lost")?,
                }
                if !was_acknowledged {
                    out.write_str("; they may not have been acknowledged, if the power failed")?;
                }
                out.write_str("; items that were last written before may be older, or deleted")
            }
            Self::Rows { file, bytes, rows } => {
                if bytes.is_empty() {
                    write!(out, "`{}` ends too early, at byte {}: ", file.display(), bytes.start)?;
                } else {
                    write!(out, "`{}` at bytes {} to {}: ", file.display(), bytes.start, bytes.end)?;
                }
                match rows {
                    Some(rows) => write!(out, "{rows} are lost, unless a newer write of them is elsewhere"),
                    None => out.write_str("no row is lost"),
                }
            }
            Self::File { text } => out.write_str(text),
            Self::Replaceable { text } => write!(out, "{text}; nothing is lost with it"),
            Self::Item { table, key } => write!(out, "table `{table}`: the item with {key} cannot be decoded"),
            Self::Record { what, row } => write!(out, "{what} at {row} cannot be decoded"),
            Self::Definition { table } => write!(
                out,
                "the definition of a table is lost, or its deletion: its items are in `{table}`, without indexes and expiry"
            ),
            Self::Unknown { range, rows } => write!(
                out,
                "{rows} rows of number {range}: the definition of their table or index is lost, or their deletion"
            ),
        }
    }
}

impl Loss {
    /// Whether rows are lost, or may be; otherwise only a file that the new folder does not need.
    pub fn loses_rows(&self) -> bool {
        !matches!(self, Self::Replaceable { .. } | Self::Rows { rows: None, .. })
    }
}

/// An item that was kept, although damage may hide a newer version of it or its deletion.
#[derive(Debug, Clone, PartialEq)]
pub struct UncertainItem {
    /// The name of the table.
    pub table: String,
    /// The attributes of its key.
    pub key: Attributes,
}
