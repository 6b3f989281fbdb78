//! A table as a file: whether every byte of it is what was written, and its rows before and behind damage.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3Default;

use super::archive::{TRAILER_LENGTH, Trailer};
use super::block::{Block, BlockKind, HEADER_LENGTH};
use super::data_block::{self, RowVersion};
use super::fault::{Fault, unreadable};
use super::file;
use super::folder::Folder;
use super::reader::Reader;
use super::short_write::{DIRECT_BYTES, WrittenTable};
use super::version;
use super::walk::{Part, Walk, read_range};
use crate::store::{KeyGap, OnRead, StoreError, TableFault};

/// The sections of a table that are blocks, and nothing else.
const BLOCK_SECTIONS: [&[u8]; 6] = [b"data", b"index", b"tli", b"filter", b"filter_tli", b"meta"];
/// The section with the version of the format, one byte.
const TABLE_VERSION: &[u8] = b"table_version";
const CHUNK: usize = 1 << 18;

/// A table that the current version of a keyspace names.
#[derive(Debug, Clone)]
pub(crate) struct TableFile {
    pub path: PathBuf,
    /// Of the whole file, as the version records it; `None` if no version is known that names the table.
    pub checksum: Option<u128>,
}

/// What was found in a table file.
#[derive(Debug, Default)]
pub(crate) struct TableFindings {
    pub faults: Vec<TableFault>,
    /// Whether the file is whole, but its recorded checksum is wrong, because of a short write.
    pub has_wrong_record: bool,
}

impl TableFile {
    /// The tables of all keyspaces of a folder. In a folder that is in use, tables may be gone when they are checked.
    pub(crate) fn list(folder: &Path) -> Result<Vec<Self>, StoreError> {
        let mut files = Vec::new();
        let Some(folder) = Folder::list(folder)? else { return Ok(files) };
        for keyspace in folder.keyspaces() {
            for table in version::read(&keyspace.current())?.tables {
                files.push(Self { path: keyspace.table(table.id), checksum: Some(table.checksum) });
            }
        }
        Ok(files)
    }

    /// Reads the whole file, and finds what is damaged. A table that is gone was merged meanwhile, and has no fault.
    /// `on_read` is told about every piece that was read, and can end the check of the table.
    pub(crate) fn check(&self, on_read: &mut OnRead<'_>) -> Result<TableFindings, StoreError> {
        match self.is_as_written(on_read) {
            Ok(true) => return Ok(TableFindings::default()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(TableFindings::default()),
            // A file with an unreadable sector is damaged there.
            Ok(false) | Err(_) => {}
        }
        let faults = match OpenTable::open(self) {
            Ok(table) => {
                let faults = table.faults().map_err(unreadable(&self.path))?;
                if !faults.is_empty() {
                    return Ok(TableFindings { faults, has_wrong_record: false });
                }
                let Some(recorded) = self.checksum else { return Ok(TableFindings::default()) };
                match table.is_explained_by_short_writes(recorded, on_read).map_err(unreadable(&self.path))? {
                    Some(true) => return Ok(TableFindings { faults, has_wrong_record: true }),
                    Some(false) => vec![table.not_the_recorded_file()],
                    None => faults,
                }
            }
            // Not even its length is known.
            Err(StoreError::Other(_)) => {
                vec![TableFault { file: self.path.clone(), bytes: 0..0, keys: Some(KeyGap::ANY) }]
            }
            Err(error) => return Err(error),
        };
        Ok(TableFindings { faults, has_wrong_record: false })
    }

    fn is_as_written(&self, on_read: &mut OnRead<'_>) -> io::Result<bool> {
        let mut file = file::open(&self.path)?;
        let mut hasher = Xxh3Default::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = file.read(&mut chunk)?;
            if length == 0 {
                return Ok(Some(hasher.digest128()) == self.checksum);
            }
            hasher.update(chunk.get(..length).unwrap_or_default());
            if on_read(length as u64).is_break() {
                return Ok(true);
            }
        }
    }
}

/// What a table says about its rows.
#[derive(Debug, Clone)]
pub(super) struct Properties {
    pub first_key: Vec<u8>,
    pub last_key: Vec<u8>,
    pub highest_sequence: u64,
}

impl Properties {
    fn parse(meta: &[u8]) -> Option<Self> {
        let block = Block::parse(meta).filter(|block| block.kind == BlockKind::Meta)?;
        let entries: BTreeMap<&[u8], Option<&[u8]>> = block.entries()?.into_iter().collect();
        let value = |name: &str| entries.get(name.as_bytes()).copied().flatten();
        Some(Self {
            first_key: value("key#min")?.to_vec(),
            last_key: value("key#max")?.to_vec(),
            highest_sequence: u64::from_le_bytes(value("seqno#max")?.try_into().ok()?),
        })
    }
}

/// An open table, perhaps a damaged one.
pub(crate) struct OpenTable {
    pub(super) path: PathBuf,
    file: File,
    length: u64,
    /// `None` if the list of sections is damaged.
    sections: Option<BTreeMap<Vec<u8>, Range<u64>>>,
    /// `None` if they are damaged.
    pub(super) properties: Option<Properties>,
    /// Where the blocks of rows begin; empty if the index is damaged.
    starts: Vec<u64>,
}

impl OpenTable {
    pub(super) fn open(table: &TableFile) -> Result<Self, StoreError> {
        let failed = unreadable(&table.path);
        let file = file::open(&table.path).map_err(&failed)?;
        let length = file.metadata().map_err(&failed)?.len();
        let (sections, properties, starts) = (None, None, Vec::new());
        let mut open = Self { path: table.path.clone(), file, length, sections, properties, starts };
        open.sections = open.read_sections();
        open.properties = open.read_section(b"meta").and_then(|meta| Properties::parse(&meta));
        open.starts = open.read_starts().unwrap_or_default();
        Ok(open)
    }

    fn read_sections(&self) -> Option<BTreeMap<Vec<u8>, Range<u64>>> {
        let end = self.length.checked_sub(TRAILER_LENGTH)?..self.length;
        let trailer = Trailer::parse(&read_range(&self.file, end).ok()?, self.length)?;
        trailer.sections(&read_range(&self.file, trailer.list.clone()).ok()?)
    }

    /// The list of sections and the trailer, which points to it.
    fn end(&self) -> Range<u64> {
        let trailer = self.length.saturating_sub(TRAILER_LENGTH)..self.length;
        let found = read_range(&self.file, trailer.clone()).ok();
        match found.and_then(|bytes| Trailer::parse(&bytes, self.length)) {
            Some(found) => found.list.start..self.length,
            None => trailer,
        }
    }

    fn section(&self, name: &[u8]) -> Option<Range<u64>> {
        self.sections.as_ref()?.get(name).cloned()
    }

    fn read_section(&self, name: &[u8]) -> Option<Vec<u8>> {
        read_range(&self.file, self.section(name)?).ok()
    }

    /// The positions of the blocks of rows, from the index; `None` if a part of it is damaged.
    fn read_starts(&self) -> Option<Vec<u64>> {
        let section = self.section(b"index").or_else(|| self.section(b"tli"))?;
        let mut starts = Vec::new();
        for part in Walk::new(&self.file, section, &[]) {
            match part.ok()? {
                Part::Block { kind: BlockKind::Index, data, .. } => parse_starts(&data, &mut starts)?,
                Part::Block { .. } | Part::Damaged(_) => return None,
            }
        }
        Some(starts)
    }

    /// All damaged blocks, and other damage of the file.
    fn faults(&self) -> io::Result<Vec<TableFault>> {
        let mut faults = Vec::new();
        for part in self.rows() {
            if let RowPart::Gap { bytes, keys } = part? {
                faults.push(self.fault(bytes, Some(keys)));
            }
        }
        // If rows may be lost at the end, that says it all.
        if self.sections.is_none() && faults.iter().all(|fault| fault.bytes.end < self.length) {
            faults.push(self.fault(self.end(), None));
        }
        for name in BLOCK_SECTIONS.into_iter().filter(|name| *name != b"data") {
            for part in self.section(name).into_iter().flat_map(|range| Walk::new(&self.file, range, &[])) {
                if let Part::Damaged(bytes) = part? {
                    faults.push(self.fault(bytes, None));
                }
            }
        }
        if let Some(number) = self.section(TABLE_VERSION).filter(|_| !self.has_known_version()) {
            faults.push(self.fault(number, None));
        }
        Ok(faults)
    }

    /// Every block is as some store wrote it, but this is not the file that the version names: its rows are lost, and
    /// those of another table are in their place.
    fn not_the_recorded_file(&self) -> TableFault {
        self.fault(0..self.length, Some(KeyGap::ANY))
    }

    /// Whether short writes explain why the recorded checksum is not that of the file, in which every block is whole;
    /// `None` if `on_read` ended the search.
    fn is_explained_by_short_writes(&self, recorded: u128, on_read: &mut OnRead<'_>) -> io::Result<Option<bool>> {
        let mut writes = Vec::new();
        for range in BLOCK_SECTIONS.into_iter().filter_map(|name| self.section(name)) {
            for part in Walk::new(&self.file, range, &[]) {
                if let Part::Block { range, .. } = part? {
                    writes.push(range.start + HEADER_LENGTH as u64..range.end);
                }
            }
        }
        writes.retain(|data| data.end - data.start >= DIRECT_BYTES);
        writes.sort_by_key(|data| data.start);
        if writes.is_empty() {
            return Ok(Some(false));
        }
        let bytes = match file::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Ok(Some(false)),
            bytes => bytes?,
        };
        Ok(WrittenTable { bytes: &bytes, writes: &writes, recorded }.is_explained(on_read))
    }

    /// The version of the format is the only part that no checksum of a block covers.
    fn has_known_version(&self) -> bool {
        self.read_section(TABLE_VERSION).as_deref() == Some(&[3])
    }

    fn fault(&self, bytes: Range<u64>, keys: Option<KeyGap>) -> TableFault {
        TableFault { file: self.path.clone(), bytes, keys }
    }

    /// The error of a damaged block of rows.
    pub(super) fn damaged(&self, bytes: Range<u64>) -> StoreError {
        Fault::Block.at(&self.path, bytes)
    }

    /// The newest row has this sequence number; `None` if no row is readable.
    pub(super) fn highest_sequence(&self) -> Option<u64> {
        if let Some(properties) = &self.properties {
            return Some(properties.highest_sequence);
        }
        let blocks = self.rows().filter_map(|part| match part {
            Ok(RowPart::Rows { versions, .. }) => versions.iter().map(|version| version.sequence).max(),
            Ok(RowPart::Gap { .. }) | Err(_) => None,
        });
        blocks.max()
    }

    /// Where to begin reading to find a key; `None` for the beginning.
    pub(super) fn seek(&self, key: &[u8]) -> Option<u64> {
        let mut range = 0..self.starts.len();
        while !range.is_empty() {
            let middle = usize::midpoint(range.start, range.end);
            let part = self.rows_from(self.starts.get(middle).copied(), None).next()?.ok()?;
            // Damage has no first key: what lies before it is read as well.
            let RowPart::Rows { versions, .. } = part else { return None };
            if versions.first().is_some_and(|version| version.key.as_slice() < key) {
                range.start = middle + 1;
            } else {
                range.end = middle;
            }
        }
        self.starts.get(range.start.checked_sub(1)?).copied()
    }

    /// The rows in the order of their keys, from the beginning.
    pub(super) fn rows(&self) -> RowParts<'_> {
        self.rows_from(None, None)
    }

    /// A position behind everything that can be read, damage included.
    pub(super) const END: u64 = u64::MAX;

    /// Where to go on behind damage. Only the damage at the end of a file that does not say how long it is reaches its
    /// end.
    pub(super) fn behind(&self, damaged: &Range<u64>) -> u64 {
        if damaged.end >= self.length { Self::END } else { damaged.end }
    }

    /// The rows from a block on, and the last key before it.
    pub(super) fn rows_from(&self, start: Option<u64>, last_key: Option<Vec<u8>>) -> RowParts<'_> {
        let data = self.section(b"data");
        let is_exact = data.is_some();
        let data = data.unwrap_or(0..self.length);
        let walk = Walk::new(&self.file, start.unwrap_or(data.start)..data.end, &self.starts);
        let ended = start == Some(Self::END);
        RowParts { table: self, walk, is_exact, last_key, next: None, ended }
    }
}

fn parse_starts(index: &[u8], starts: &mut Vec<u64>) -> Option<()> {
    const ENTRIES_END: u8 = 255;
    let mut reader = Reader::new(index);
    while reader.u8()? != ENTRIES_END {
        let (start, _length, _sequence) = (reader.varint()?, reader.varint()?, reader.varint()?);
        reader.sized()?;
        starts.push(start);
    }
    Some(())
}

/// Rows of a table, or the lack of them.
pub(super) enum RowPart {
    /// A block.
    Rows {
        bytes: Range<u64>,
        versions: Vec<RowVersion>,
    },
    Gap {
        bytes: Range<u64>,
        keys: KeyGap,
    },
}

/// The position of a block, and its rows.
type RowBlock = (Range<u64>, Vec<RowVersion>);

/// Goes through the blocks of rows.
pub(super) struct RowParts<'a> {
    table: &'a OpenTable,
    walk: Walk<'a>,
    /// Whether the walk is over the blocks of rows alone.
    is_exact: bool,
    last_key: Option<Vec<u8>>,
    /// A block that was read ahead.
    next: Option<RowBlock>,
    ended: bool,
}

impl RowParts<'_> {
    /// The next block of rows, and the damaged bytes before it.
    fn read(&mut self) -> io::Result<(Option<Range<u64>>, Option<RowBlock>)> {
        let mut damaged: Option<Range<u64>> = None;
        while let Some(part) = self.walk.next() {
            let bytes = match part? {
                Part::Block { range, kind: BlockKind::Data, data } => match data_block::versions(&data) {
                    Some(versions) if self.follows(&versions) => return Ok((damaged, Some((range, versions)))),
                    _ => range,
                },
                Part::Block { range, .. } if self.is_exact => range,
                // The first block of the next section: all rows were before it.
                Part::Block { .. } => {
                    self.ended = true;
                    return Ok((damaged, None));
                }
                Part::Damaged(range) => range,
            };
            damaged = Some(damaged.map_or(bytes.clone(), |before| before.start..bytes.end));
        }
        self.ended = true;
        Ok((self.cut_off(damaged), None))
    }

    /// Behind the last byte of a file that says nothing about its own length: rows may have been there.
    fn cut_off(&self, damaged: Option<Range<u64>>) -> Option<Range<u64>> {
        let end = self.table.length;
        if self.is_exact { damaged } else { Some(damaged.map_or(end, |damaged| damaged.start)..end) }
    }

    /// Whether the rows are in order, and behind those before.
    fn follows(&self, versions: &[RowVersion]) -> bool {
        let first = versions.first().map(|version| version.key.as_slice());
        self.last_key.as_deref() <= first && versions.is_sorted_by(|one, other| one.key <= other.key)
    }

    fn gap(&self, bytes: Range<u64>) -> RowPart {
        let properties = self.table.properties.as_ref();
        let from = self.last_key.clone().or_else(|| Some(properties?.first_key.clone()));
        let next = self.next.as_ref().and_then(|(_, versions)| Some(versions.first()?.key.clone()));
        let to = next.or_else(|| Some(properties?.last_key.clone()));
        RowPart::Gap { bytes, keys: KeyGap { from, to } }
    }
}

impl Iterator for RowParts<'_> {
    type Item = io::Result<RowPart>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next.is_none() && !self.ended {
            let (damaged, next) = match self.read() {
                Ok(read) => read,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            };
            self.next = next;
            if let Some(bytes) = damaged {
                return Some(Ok(self.gap(bytes)));
            }
        }
        let (bytes, versions) = self.next.take()?;
        self.last_key = versions.last().map(|version| version.key.clone());
        Some(Ok(RowPart::Rows { bytes, versions }))
    }
}
