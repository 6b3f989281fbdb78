//! Damaged places of tables, as any store reports them.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

/// Told about the bytes that were read; breaks to end the work.
pub type OnRead<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// A damaged place of a table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFault {
    /// The table file.
    pub file: PathBuf,
    /// The damaged bytes.
    pub bytes: Range<u64>,
    /// The rows that may be damaged; `None` if no row is, but what is needed to find rows.
    pub keys: Option<KeyGap>,
}

/// The keys between two others, which may be damaged in part. `None` where there is no bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyGap {
    /// The last key before the damage, of which older versions may be damaged; `None` if there is no such key.
    pub from: Option<Vec<u8>>,
    /// The first key after it, of which newer versions may be damaged; `None` if there is no such key.
    pub to: Option<Vec<u8>>,
}

impl KeyGap {
    /// Any rows: nothing says which ones.
    pub(crate) const ANY: Self = Self { from: None, to: None };

    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        self.from.as_deref().is_none_or(|from| key >= from) && self.to.as_deref().is_none_or(|to| key <= to)
    }
}
