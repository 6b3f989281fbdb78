//! One commit in a journal.
//!
//! It is a start (tag 1, number of entries, sequence number), its items (tag 2, with their lengths) or clearings (tag 4), and
//! an end (tag 3, checksum of the entries, trailer). Numbers are little endian.

use xxhash_rust::xxh3::xxh3_64;

use super::reader::Reader;
use crate::store::fjall::commit_mark::{self, CommitMark};

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
    /// Its first item; `None` in commits of versions of the engine that did not number them.
    pub mark: Option<CommitMark>,
}

struct Item<'a> {
    keyspace: u64,
    /// Empty for a clearing.
    key: &'a [u8],
    value: &'a [u8],
}

impl Batch {
    /// The commit at the beginning of the bytes; `None` if it is not whole. `marks` is the keyspace of the marks.
    pub(super) fn parse(bytes: &[u8], marks: Option<u64>) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.u8()? != START {
            return None;
        }
        let (count, sequence) = (reader.u32()?, reader.u64()?);
        let (mut keyspace, mut mark) = (None, None);
        for position in 0..count {
            let item = parse_item(&mut reader)?;
            if position == 0 && marks == Some(item.keyspace) && item.key == commit_mark::KEY {
                mark = Some(CommitMark::decode(item.value)?);
            } else if *keyspace.get_or_insert(item.keyspace) != item.keyspace {
                return None;
            }
        }
        let entries = bytes.get(START_LENGTH..reader.position())?;
        let is_whole =
            reader.u8()? == END && reader.u64()? == xxh3_64(entries) && reader.take(TRAILER.len())? == TRAILER;
        is_whole.then_some(Self { length: reader.position(), sequence, keyspace: keyspace?, mark })
    }

    /// The first whole commit behind a broken one that begins with `bytes`, newer than a sequence number, and its position.
    /// The number tells it from a value that happens to look like a commit.
    pub(super) fn find_after(bytes: &[u8], marks: Option<u64>, sequence: Option<u64>) -> Option<(usize, Self)> {
        let starts = bytes.iter().enumerate().skip(1).filter(|(_, byte)| **byte == START);
        starts
            .filter_map(|(at, _)| Some((at, Self::parse(bytes.get(at..)?, marks)?)))
            .find(|(_, batch)| sequence.is_none_or(|before| batch.sequence > before))
    }
}

fn parse_item<'a>(reader: &mut Reader<'a>) -> Option<Item<'a>> {
    match reader.u8()? {
        CLEAR => Some(Item { keyspace: reader.u64()?, key: &[], value: &[] }),
        ITEM => {
            let (kind, compression) = (reader.u8()?, reader.u8()?);
            let keyspace = reader.u64()?;
            let (key, value, stored) = (reader.u16()?, reader.u32()?, reader.u32()?);
            if !VALUE_KINDS.contains(&kind) || compression != UNCOMPRESSED || value != stored {
                return None;
            }
            let (key, value) = (reader.take(usize::from(key))?, reader.take(usize::try_from(stored).ok()?)?);
            Some(Item { keyspace, key, value })
        }
        _ => None,
    }
}
