//! The parts of a table that every read relies on: the trailer, the list of sections and the properties.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::archive::{TRAILER_LENGTH, Trailer};
use super::block::{Block, BlockKind};
use super::fault::{Fault, unreadable};
use super::file;
use crate::store::StoreError;

/// A key, and its value; `None` if the key is removed.
pub(super) type TableRow = (Vec<u8>, Option<Vec<u8>>);

/// A table whose end is whole.
pub(super) struct WholeTable {
    file: File,
    /// The highest sequence number of its rows.
    pub highest_sequence: u64,
    sections: BTreeMap<Vec<u8>, Range<u64>>,
}

impl WholeTable {
    /// Reads the end of the file; its name is the id that its properties must hold.
    pub(super) fn open(path: &Path, id: u64) -> Result<Self, StoreError> {
        let mut file = file::open(path).map_err(unreadable(path))?;
        let length = file.metadata().map_err(unreadable(path))?.len();
        let damaged = |range: Range<u64>| Fault::Structure { what: "the end of the table is damaged" }.at(path, range);
        let end = length.saturating_sub(TRAILER_LENGTH)..length;
        let bytes = read_range(&mut file, end.clone()).map_err(unreadable(path))?;
        let trailer = Trailer::parse(&bytes, length).ok_or_else(|| damaged(end))?;
        let bytes = read_range(&mut file, trailer.list.clone()).map_err(unreadable(path))?;
        let sections = trailer.sections(&bytes).ok_or_else(|| damaged(trailer.list))?;
        let mut table = Self { file, highest_sequence: 0, sections };
        let properties = table.section(b"meta").ok_or_else(|| damaged(0..length))?;
        let bytes = table.read(properties.clone()).map_err(unreadable(path))?;
        let Some((found, highest_sequence)) = parse_properties(&bytes) else { return Err(damaged(properties)) };
        if found != id {
            return Err(Fault::WrongTable { found }.of_file(path));
        }
        table.highest_sequence = highest_sequence;
        Ok(table)
    }

    /// The position of a section; `None` if the table has none of this name.
    pub(super) fn section(&self, name: &[u8]) -> Option<Range<u64>> {
        self.sections.get(name).cloned()
    }

    /// The rows of a table whose keys are all written out, each with its versions. Tombstones have no value.
    pub(super) fn rows(&mut self, path: &Path) -> Result<Vec<TableRow>, StoreError> {
        let damaged = |position: u64| {
            Fault::Structure { what: "a block of the table is damaged" }.at(path, position..position + 1)
        };
        let data = self.section(b"data").ok_or_else(|| damaged(0))?;
        let bytes = self.read(data.clone()).map_err(unreadable(path))?;
        let (mut rows, mut position) = (Vec::new(), 0);
        while let Some(rest) = bytes.get(position..).filter(|rest| !rest.is_empty()) {
            let at = data.start + position as u64;
            let block = Block::parse(rest).filter(|block| block.kind == BlockKind::Data).ok_or_else(|| damaged(at))?;
            let entries = block.entries().ok_or_else(|| damaged(at))?;
            rows.extend(entries.into_iter().map(|(key, value)| (key.to_vec(), value.map(<[u8]>::to_vec))));
            position += block.length();
        }
        Ok(rows)
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

/// The id of the table, and the highest sequence number of its rows.
fn parse_properties(bytes: &[u8]) -> Option<(u64, u64)> {
    let block = Block::parse(bytes).filter(|block| block.kind == BlockKind::Meta)?;
    let entries = block.entries()?;
    let number = |name: &[u8]| {
        let (_, value) = entries.iter().find(|(key, _)| *key == name)?;
        (*value)?.try_into().ok().map(u64::from_le_bytes)
    };
    Some((number(b"table_id")?, number(b"seqno#max")?))
}
