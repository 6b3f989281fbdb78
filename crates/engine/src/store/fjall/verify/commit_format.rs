//! The format of a commit in a journal.
//!
//! It is a start (tag 1, number of entries, sequence number), its items (tag 2, with their lengths) or clearings (tag
//! 4), and an end (tag 3, checksum of the entries, trailer). Numbers are little endian.

use xxhash_rust::xxh3::xxh3_64;

use super::reader::Reader;
use crate::store::fjall::commit_mark;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const TRAILER: &[u8] = b"FJL\x03";
const START_LENGTH: usize = 1 + 4 + 8;
/// Before the key: tag, kind, compression, keyspace, and the lengths of the key and of the value, stored and not.
const ITEM_LENGTH: usize = 1 + 1 + 1 + 8 + 2 + 4 + 4;
/// Where the identity of the folder begins in a commit with a mark: the mark is the value of the first item.
pub(super) const MARK_POSITION: usize = START_LENGTH + ITEM_LENGTH + commit_mark::KEY.len();
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
    let Frame { commit, entries, checksum } = read_frame(&mut Reader::new(bytes), bytes, on_entry)?;
    (checksum == xxh3_64(entries)).then_some(commit)
}

/// The length of the commit at the beginning of the bytes by its own account, whether or not its content is damaged;
/// `None` if its structure is.
pub(super) fn stated_length(bytes: &[u8]) -> Option<usize> {
    let (length, is_framed) = readable_length(bytes);
    is_framed.then_some(length)
}

/// How many bytes have the structure of a commit, and whether they are a commit from its start to its end.
pub(super) fn readable_length(bytes: &[u8]) -> (usize, bool) {
    let mut reader = Reader::new(bytes);
    let is_framed = read_frame(&mut reader, bytes, |_| Some(())).is_some();
    (reader.position(), is_framed)
}

/// A commit from its start to its end, with any content.
struct Frame<'a> {
    commit: WholeCommit,
    entries: &'a [u8],
    checksum: u64,
}

fn read_frame<'a>(
    reader: &mut Reader<'a>,
    bytes: &'a [u8],
    mut on_entry: impl FnMut(Entry<'a>) -> Option<()>,
) -> Option<Frame<'a>> {
    if reader.u8()? != START {
        return None;
    }
    let (count, sequence) = (reader.u32()?, reader.u64()?);
    for _ in 0..count {
        on_entry(read_entry(reader)?)?;
    }
    let entries = bytes.get(START_LENGTH..reader.position())?;
    let is_ended = count > 0 && reader.u8()? == END;
    let checksum = reader.u64()?;
    let is_framed = is_ended && reader.take(TRAILER.len())? == TRAILER;
    is_framed.then_some(Frame { commit: WholeCommit { length: reader.position(), sequence }, entries, checksum })
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
