//! The container of version files and tables: named sections, a list of them, and a trailer that points to the list.

use std::collections::BTreeMap;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128;

use super::reader::Reader;

const TRAILER_MAGIC: &[u8] = b"SFA!";
const LIST_MAGIC: &[u8] = b"TOC!";
const VERSION: u8 = 1;
const CHECKSUM_KIND: u8 = 0;

/// Magic, version, kind and value of the list's checksum, position and length of the list.
pub(super) const TRAILER_LENGTH: u64 = 4 + 1 + 1 + 16 + 8 + 8;

/// Where the list of sections lies.
pub(super) struct Trailer {
    pub list: Range<u64>,
    checksum: u128,
}

impl Trailer {
    /// From the last [`TRAILER_LENGTH`] bytes of a file; `None` if they are damaged.
    pub(super) fn parse(bytes: &[u8], file_length: u64) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.take(TRAILER_MAGIC.len())? != TRAILER_MAGIC
            || reader.u8()? != VERSION
            || reader.u8()? != CHECKSUM_KIND
        {
            return None;
        }
        let (checksum, position, length) = (reader.u128()?, reader.u64()?, reader.u64()?);
        let end = position.checked_add(length)?;
        (end.checked_add(TRAILER_LENGTH)? == file_length).then_some(Self { list: position..end, checksum })
    }

    /// The sections by name, from the bytes of the list; `None` if they are damaged.
    pub(super) fn sections(&self, list: &[u8]) -> Option<BTreeMap<Vec<u8>, Range<u64>>> {
        if xxh3_128(list) != self.checksum {
            return None;
        }
        let mut reader = Reader::new(list);
        if reader.take(LIST_MAGIC.len())? != LIST_MAGIC {
            return None;
        }
        let count = reader.u32()?;
        let mut sections = BTreeMap::new();
        for _ in 0..count {
            let (position, length, name) = (reader.u64()?, reader.u64()?, reader.u16()?);
            let name = reader.take(usize::from(name))?;
            let end = position.checked_add(length).filter(|end| *end <= self.list.start)?;
            sections.insert(name.to_vec(), position..end);
        }
        Some(sections)
    }
}

/// The sections of a whole file, with their bytes.
pub(super) fn sections(file: &[u8]) -> Option<BTreeMap<Vec<u8>, &[u8]>> {
    let trailer = file.get(file.len().checked_sub(usize::try_from(TRAILER_LENGTH).ok()?)?..)?;
    let trailer = Trailer::parse(trailer, file.len() as u64)?;
    let slice = |range: Range<u64>| file.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?);
    let sections = trailer.sections(slice(trailer.list.clone())?)?;
    sections.into_iter().map(|(name, range)| Some((name, slice(range)?))).collect()
}
