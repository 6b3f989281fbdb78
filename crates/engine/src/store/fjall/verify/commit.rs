//! A commit in a journal with its changes, for reading behind damage.

use xxhash_rust::xxh3::xxh3_64;

use super::reader::Reader;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const TRAILER: &[u8] = b"FJL\x03";
const START_LENGTH: usize = 1 + 4 + 8;
const VALUE: u8 = 0;
const REMOVAL: u8 = 1;

/// A whole commit with the right checksum.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Commit<'a> {
    /// In bytes.
    pub length: usize,
    /// Not covered by the checksum.
    pub sequence: u64,
    /// In their order; of two changes of a row, the later one counts.
    pub changes: Vec<RowChange<'a>>,
}

/// A change of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowChange<'a> {
    pub keyspace: u64,
    pub key: &'a [u8],
    /// `None` if the row is removed.
    pub value: Option<&'a [u8]>,
}

impl<'a> Commit<'a> {
    /// The commit at the beginning of the bytes; `None` if it is not whole.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.u8()? != START {
            return None;
        }
        let (count, sequence) = (reader.u32()?, reader.u64()?);
        let mut changes = Vec::new();
        for _ in 0..count {
            changes.extend(parse_change(&mut reader)?);
        }
        let entries = bytes.get(START_LENGTH..reader.position())?;
        let is_whole = count > 0
            && reader.u8()? == END
            && reader.u64()? == xxh3_64(entries)
            && reader.take(TRAILER.len())? == TRAILER;
        is_whole.then_some(Self { length: reader.position(), sequence, changes })
    }

    /// The first whole commit behind a broken one that begins with `bytes`, and its position. It is newer than a sequence
    /// number, which tells it from a value that happens to look like a commit.
    pub(super) fn find_after(bytes: &'a [u8], sequence: Option<u64>) -> Option<(usize, Self)> {
        let starts = bytes.iter().enumerate().skip(1).filter(|(_, byte)| **byte == START);
        starts
            .filter_map(|(at, _)| Some((at, Self::parse(bytes.get(at..)?)?)))
            .find(|(_, commit)| sequence.is_none_or(|before| commit.sequence > before))
    }
}

/// `Some(None)` for an entry that changes no row: the engine never clears a keyspace.
fn parse_change<'a>(reader: &mut Reader<'a>) -> Option<Option<RowChange<'a>>> {
    match reader.u8()? {
        CLEAR => reader.u64().map(|_| None),
        ITEM => {
            let (kind, compression, keyspace) = (reader.u8()?, reader.u8()?, reader.u64()?);
            let (key, value, stored) = (reader.u16()?, reader.u32()?, reader.u32()?);
            if ![VALUE, REMOVAL].contains(&kind) || compression != 0 || value != stored {
                return None;
            }
            let key = reader.take(usize::from(key))?;
            let value = reader.take(usize::try_from(stored).ok()?)?;
            Some(Some(RowChange { keyspace, key, value: (kind == VALUE).then_some(value) }))
        }
        _ => None,
    }
}
