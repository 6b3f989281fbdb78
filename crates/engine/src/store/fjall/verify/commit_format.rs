//! The format of a commit in a journal.
//!
//! It is a start (tag 1, number of entries, sequence number), its items (tag 2, with their lengths) or clearings (tag
//! 4), and an end (tag 3, checksum of the entries, trailer). Numbers are little endian.

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
const UNCOMPRESSED: u8 = 0;

/// An entry of a commit.
pub(super) struct Entry<'a> {
    pub keyspace: u64,
    pub kind: EntryKind,
    /// Empty for a clearing.
    pub key: &'a [u8],
    /// Empty for a clearing.
    pub value: &'a [u8],
}

/// What an entry does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    Put,
    Remove,
    /// Removes all rows of the keyspace. The engine never does.
    Clear,
}

/// A whole commit with the right checksum.
pub(super) struct WholeCommit {
    /// In bytes.
    pub length: usize,
    /// Not covered by the checksum.
    pub sequence: u64,
}

/// Reads the commit at the beginning of the bytes, which has at least one entry; `None` if it is not whole. `on_entry`
/// gets each entry before the checksum is compared, and refuses the commit with `None`.
pub(super) fn read<'a>(bytes: &'a [u8], on_entry: impl FnMut(Entry<'a>) -> Option<()>) -> Option<WholeCommit> {
    let Frame { commit, entries, checksum } = read_frame(bytes, on_entry)?;
    (checksum == xxh3_64(entries)).then_some(commit)
}

/// The length of the commit at the beginning of the bytes by its own account, whether or not its content is damaged;
/// `None` if its structure is.
pub(super) fn stated_length(bytes: &[u8]) -> Option<usize> {
    read_frame(bytes, |_| Some(())).map(|frame| frame.commit.length)
}

/// A commit from its start to its end, with any content.
struct Frame<'a> {
    commit: WholeCommit,
    entries: &'a [u8],
    checksum: u64,
}

fn read_frame<'a>(bytes: &'a [u8], mut on_entry: impl FnMut(Entry<'a>) -> Option<()>) -> Option<Frame<'a>> {
    let mut reader = Reader::new(bytes);
    if reader.u8()? != START {
        return None;
    }
    let (count, sequence) = (reader.u32()?, reader.u64()?);
    for _ in 0..count {
        on_entry(read_entry(&mut reader)?)?;
    }
    let entries = bytes.get(START_LENGTH..reader.position())?;
    let is_ended = count > 0 && reader.u8()? == END;
    let checksum = reader.u64()?;
    let is_framed = is_ended && reader.take(TRAILER.len())? == TRAILER;
    is_framed.then_some(Frame { commit: WholeCommit { length: reader.position(), sequence }, entries, checksum })
}

/// The first whole commit behind a broken one that begins with `bytes`, and its position. `is_genuine` tells it from a
/// value that looks like a commit: whoever can write a value can write anything into a journal.
pub(super) fn find_after<'a, C>(
    bytes: &'a [u8],
    parse: impl Fn(&'a [u8]) -> Option<C>,
    is_genuine: impl Fn(&C) -> bool,
) -> Option<(usize, C)> {
    let starts = bytes.iter().enumerate().skip(1).filter(|(_, byte)| **byte == START);
    starts.filter_map(|(at, _)| Some((at, parse(bytes.get(at..)?)?))).find(|(_, commit)| is_genuine(commit))
}

fn read_entry<'a>(reader: &mut Reader<'a>) -> Option<Entry<'a>> {
    match reader.u8()? {
        CLEAR => Some(Entry { keyspace: reader.u64()?, kind: EntryKind::Clear, key: &[], value: &[] }),
        ITEM => {
            let kind = match reader.u8()? {
                VALUE => EntryKind::Put,
                REMOVAL => EntryKind::Remove,
                _ => return None,
            };
            let (compression, keyspace) = (reader.u8()?, reader.u64()?);
            let (key, value, stored) = (reader.u16()?, reader.u32()?, reader.u32()?);
            if compression != UNCOMPRESSED || value != stored {
                return None;
            }
            let (key, value) = (reader.take(usize::from(key))?, reader.take(usize::try_from(stored).ok()?)?);
            Some(Entry { keyspace, kind, key, value })
        }
        _ => None,
    }
}
