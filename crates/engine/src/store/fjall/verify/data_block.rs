//! The rows of a data block: versions of keys, in the order of the keys and the newest version first.
//!
//! A row is a kind, a sequence number, a key and, unless it is a removal, a value. The first of every few rows has its
//! whole key; the others share a prefix with it. The end of the block says how many rows there are, and how many share
//! a key.

use super::reader::Reader;

/// The bytes behind the rows and their search structures, of which the first and the last four are needed here.
const TRAILER_LENGTH: usize = 31;
const ROWS_END: u8 = 255;
const VALUE: u8 = 0;
/// The kinds of removals.
const REMOVALS: [u8; 2] = [1, 2];

/// One version of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowVersion {
    pub key: Vec<u8>,
    /// Newer versions of a key have higher numbers.
    pub sequence: u64,
    /// `None` if the row is removed.
    pub value: Option<Vec<u8>>,
}

/// The rows of a block; `None` if it is not a block of rows.
pub(super) fn versions(data: &[u8]) -> Option<Vec<RowVersion>> {
    let trailer = data.get(data.len().checked_sub(TRAILER_LENGTH)?..)?;
    let (interval, count) = (*trailer.first()?, u32::from_le_bytes(*trailer.last_chunk()?));
    let mut reader = Reader::new(data);
    let mut versions = Vec::new();
    let mut head: &[u8] = &[];
    for number in 0..count {
        let kind = reader.u8()?;
        let sequence = reader.varint()?;
        let key = if number % u32::from(interval.max(1)) == 0 {
            head = reader.sized()?;
            head.to_vec()
        } else {
            let shared = usize::try_from(reader.varint()?).ok()?;
            let prefix = head.get(..shared)?;
            // The length of the rest precedes the rest.
            [prefix, reader.sized()?].concat()
        };
        let value = match kind {
            VALUE => Some(reader.sized()?.to_vec()),
            kind if REMOVALS.contains(&kind) => None,
            _ => return None,
        };
        versions.push(RowVersion { key, sequence, value });
    }
    (reader.u8()? == ROWS_END && !versions.is_empty()).then_some(versions)
}
