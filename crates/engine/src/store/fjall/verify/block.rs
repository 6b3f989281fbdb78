//! A block of a table: a header with checksums, and entries.

use xxhash_rust::xxh3::xxh3_128;

use super::reader::Reader;

pub(super) const MAGIC: &[u8] = b"LSM\x03";
/// The header without its own checksum: magic, kind, checksum of the data, length as stored, length uncompressed.
const CHECKED_HEADER_LENGTH: usize = 4 + 1 + 16 + 4 + 4;
pub(super) const HEADER_LENGTH: usize = CHECKED_HEADER_LENGTH + 4;

/// Ends the entries of a block.
const ENTRIES_END: u8 = 255;
const VALUE: u8 = 0;

/// What a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Data,
    Index,
    Filter,
    Meta,
}

/// A key, and its value; `None` if the key is removed.
pub(super) type Entry<'a> = (&'a [u8], Option<&'a [u8]>);

/// What a block says about itself, with the right checksum.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockHeader {
    pub kind: BlockKind,
    checksum: u128,
    /// Of the data behind the header.
    pub length: usize,
}

impl BlockHeader {
    /// The header at the beginning of the bytes; `None` if it is damaged.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let kind = match reader.u8()? {
            0 => BlockKind::Data,
            1 => BlockKind::Index,
            2 => BlockKind::Filter,
            3 => BlockKind::Meta,
            _ => return None,
        };
        let (checksum, length, _uncompressed) = (reader.u128()?, reader.u32()?, reader.u32()?);
        let header = bytes.get(..CHECKED_HEADER_LENGTH)?;
        // The store keeps the lower half of a half.
        let is_whole = reader.u32()? == xxh3_128(header) as u32;
        is_whole.then_some(Self { kind, checksum, length: usize::try_from(length).ok()? })
    }

    /// Whether these are the bytes that belong to the header.
    pub(super) fn matches(&self, data: &[u8]) -> bool {
        data.len() == self.length && xxh3_128(data) == self.checksum
    }
}

/// A block with the right checksums.
pub(super) struct Block<'a> {
    pub kind: BlockKind,
    pub data: &'a [u8],
}

impl<'a> Block<'a> {
    /// The block at the beginning of the bytes; `None` if it is damaged.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let header = BlockHeader::parse(bytes)?;
        let data = bytes.get(HEADER_LENGTH..)?.get(..header.length)?;
        header.matches(data).then_some(Self { kind: header.kind, data })
    }

    /// The length of the block in its file.
    pub(super) fn length(&self) -> usize {
        HEADER_LENGTH + self.data.len()
    }

    /// The entries of a block whose keys are all written out, as in the meta block and in the list of keyspaces. `None`
    /// if the block is damaged.
    pub(super) fn entries(&self) -> Option<Vec<Entry<'a>>> {
        let mut reader = Reader::new(self.data);
        let mut entries = Vec::new();
        loop {
            let kind = reader.u8()?;
            if kind == ENTRIES_END {
                return Some(entries);
            }
            let _sequence = reader.varint()?;
            let key = reader.sized()?;
            let value = if kind == VALUE { Some(reader.sized()?) } else { None };
            entries.push((key, value));
        }
    }
}
