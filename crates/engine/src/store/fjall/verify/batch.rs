//! One commit in a journal.
//!
//! It is a start (tag 1, number of entries, sequence number), its items (tag 2, with their lengths) or clearings (tag 4), and
//! an end (tag 3, checksum of the entries, trailer). Numbers are little endian.

use xxhash_rust::xxh3::xxh3_64;

use super::reader::Reader;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const TRAILER: &[u8] = b"FJL\x03";
const START_LENGTH: usize = 1 + 4 + 8;

/// The kinds of values that the store writes: a value, and the removal of one.
const VALUE_KINDS: [u8; 2] = [0, 1];
const UNCOMPRESSED: u8 = 0;

/// A whole commit with the right checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Batch {
    /// In bytes.
    pub length: usize,
    /// Not covered by the checksum.
    pub sequence: u64,
    /// The part of the store that the commit changes; the store writes one at a time.
    pub keyspace: u64,
}

impl Batch {
    /// The commit at the beginning of the bytes; `None` if it is not whole.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.u8()? != START {
            return None;
        }
        let (count, sequence) = (reader.u32()?, reader.u64()?);
        let mut keyspace = None;
        for _ in 0..count {
            let found = parse_entry(&mut reader)?;
            if *keyspace.get_or_insert(found) != found {
                return None;
            }
        }
        let entries = bytes.get(START_LENGTH..reader.position())?;
        let is_whole =
            reader.u8()? == END && reader.u64()? == xxh3_64(entries) && reader.take(TRAILER.len())? == TRAILER;
        is_whole.then_some(Self { length: reader.position(), sequence, keyspace: keyspace? })
    }

    /// The first whole commit behind a broken one that begins with `bytes`, newer than a sequence number, and its position.
    /// The number tells it from a value that happens to look like a commit.
    pub(super) fn find_after(bytes: &[u8], sequence: Option<u64>) -> Option<(usize, Self)> {
        let starts = bytes.iter().enumerate().skip(1).filter(|(_, byte)| **byte == START);
        starts
            .filter_map(|(at, _)| Some((at, Self::parse(bytes.get(at..)?)?)))
            .find(|(_, batch)| sequence.is_none_or(|before| batch.sequence > before))
    }
}

/// Gives the keyspace of the entry.
fn parse_entry(reader: &mut Reader<'_>) -> Option<u64> {
    match reader.u8()? {
        CLEAR => reader.u64(),
        ITEM => {
            let (kind, compression) = (reader.u8()?, reader.u8()?);
            let keyspace = reader.u64()?;
            let (key, value, stored) = (reader.u16()?, reader.u32()?, reader.u32()?);
            if !VALUE_KINDS.contains(&kind) || compression != UNCOMPRESSED || value != stored {
                return None;
            }
            reader.take(usize::from(key))?;
            reader.take(usize::try_from(stored).ok()?)?;
            Some(keyspace)
        }
        _ => None,
    }
}
