//! The parts of a table that every read relies on: the trailer, the list of sections and the properties.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::archive::{TRAILER_LENGTH, Trailer};
use super::block::{Block, BlockKind};
use super::fault::{Fault, unreadable};
use crate::store::StoreError;

/// A table whose end is whole.
pub(super) struct Table {
    file: File,
    sections: BTreeMap<Vec<u8>, Range<u64>>,
}

impl Table {
    /// Reads the end of the file; its name is the id that its properties must hold.
    pub(super) fn open(path: &Path, id: u64) -> Result<Self, StoreError> {
        let mut file = File::open(path).map_err(unreadable(path))?;
        let length = file.metadata().map_err(unreadable(path))?.len();
        let damaged = |range: Range<u64>| Fault::Structure { what: "the end of the table is damaged" }.at(path, range);
        let end = length.saturating_sub(TRAILER_LENGTH)..length;
        let bytes = read_range(&mut file, end.clone()).map_err(unreadable(path))?;
        let trailer = Trailer::parse(&bytes, length).ok_or_else(|| damaged(end))?;
        let bytes = read_range(&mut file, trailer.list.clone()).map_err(unreadable(path))?;
        let sections = trailer.sections(&bytes).ok_or_else(|| damaged(trailer.list))?;
        let mut table = Self { file, sections };
        let properties = table.section(b"meta").ok_or_else(|| damaged(0..length))?;
        let bytes = table.read(properties.clone()).map_err(unreadable(path))?;
        match table_id(&bytes) {
            None => Err(damaged(properties)),
            Some(found) if found != id => Err(Fault::WrongTable { found }.of_file(path)),
            Some(_) => Ok(table),
        }
    }

    /// The position of a section; `None` if the table has none of this name.
    pub(super) fn section(&self, name: &[u8]) -> Option<Range<u64>> {
        self.sections.get(name).cloned()
    }

    pub(super) fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        read_range(&mut self.file, range)
    }
}

fn read_range(file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    file.seek(SeekFrom::Start(range.start))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn table_id(properties: &[u8]) -> Option<u64> {
    let block = Block::parse(properties).filter(|block| block.kind == BlockKind::Meta)?;
    let entries = block.entries()?;
    let (_, id) = entries.iter().find(|(key, _)| *key == b"table_id")?;
    (*id)?.try_into().ok().map(u64::from_le_bytes)
}
