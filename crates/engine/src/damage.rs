//! Damaged blocks of table files that were found while the engine is open.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use crate::catalog::TableDefinition;
use crate::row_place::gap_text;
use crate::store::TableFault;

/// A damaged part of a table file. Rows elsewhere can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The table file.
    pub file: PathBuf,
    /// The damaged bytes.
    pub bytes: Range<u64>,
    /// The rows that may be damaged, by table and keys; `None` if no row is, but what is needed to find rows.
    pub rows: Option<String>,
}

impl Damage {
    pub(crate) fn new(tables: &[TableDefinition], fault: &TableFault) -> Self {
        let rows = fault.keys.as_ref().map(|keys| gap_text(tables, keys));
        Self { file: fault.file.clone(), bytes: fault.bytes.clone(), rows }
    }

    /// Without the path of the data folder, which clients must not learn.
    pub(crate) fn text_for_clients(&self) -> String {
        let number = self.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let rows = self.rows.as_deref().unwrap_or("no rows, but what is needed to find them");
        format!("table file {number}, bytes {} to {}: {rows}", self.bytes.start, self.bytes.end)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is damaged at bytes {} to {}", self.file.display(), self.bytes.start, self.bytes.end)?;
        match &self.rows {
            Some(rows) => write!(out, ": {rows}"),
            None => Ok(()),
        }
    }
}
