//! The keys of all rows.

use std::ops::Bound;

use keyfold_dynamo::{AttributeValue, Attributes};
use xxhash_rust::xxh3::xxh3_64;

use super::damage::DamagedRow;
use super::key_codec::{self, NotAKeyValue};
use super::key_schema::KeySchema;
use crate::store::KeyRange;

/// The id of a table, an index or an expiry list. Each owns a contiguous range of rows.
pub(crate) type RangeId = u32;

const META: u8 = 0x01;
const TOKEN: u8 = 0x02;
const TOKEN_EXPIRY: u8 = 0x03;
const ROWS: u8 = 0x10;
const EXPIRY: u8 = 0x11;
// 0x20 is reserved for stream records.

const META_FORMAT: u8 = 0x00;
const META_TABLE: u8 = 0x01;
const META_NEXT_ID: u8 = 0x02;
const META_PURGE: u8 = 0x03;
const META_BACKFILL: u8 = 0x04;
const META_COUNTERS: u8 = 0x05;
const META_LAST_DROPPED: u8 = 0x06;
const META_NEWEST_TIME: u8 = 0x07;

/// What a record of the engine is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordKind {
    Format,
    Table,
    NextId,
    Purge,
    NewestTime,
    Token,
    /// Follows from the other rows, or from the state of background work.
    Derived,
}

pub(crate) fn record_kind(key: &[u8]) -> RecordKind {
    match key {
        [META, META_FORMAT] => RecordKind::Format,
        [META, META_TABLE, ..] => RecordKind::Table,
        [META, META_NEXT_ID] => RecordKind::NextId,
        [META, META_PURGE, ..] => RecordKind::Purge,
        [META, META_NEWEST_TIME] => RecordKind::NewestTime,
        [TOKEN, ..] => RecordKind::Token,
        _ => RecordKind::Derived,
    }
}

/// All rows but those of tables, indexes and expiries.
pub(crate) fn all_records() -> KeyRange {
    (Bound::Unbounded, Bound::Excluded(vec![ROWS]))
}

pub(crate) fn format_version() -> Vec<u8> {
    vec![META, META_FORMAT]
}

pub(crate) fn next_range_id() -> Vec<u8> {
    vec![META, META_NEXT_ID]
}

pub(crate) fn table_record(name: &str) -> Vec<u8> {
    let mut key = vec![META, META_TABLE];
    key.extend_from_slice(name.as_bytes());
    key
}

pub(crate) fn all_table_records() -> KeyRange {
    prefix_range(&[META, META_TABLE])
}

/// The record of a range whose rows are to be deleted.
pub(crate) fn purge_ticket(id: RangeId) -> Vec<u8> {
    with_id(&[META, META_PURGE], id)
}

pub(crate) fn all_purge_tickets() -> KeyRange {
    prefix_range(&[META, META_PURGE])
}

/// The id of the range that was dropped as a whole last.
pub(crate) fn last_dropped() -> Vec<u8> {
    vec![META, META_LAST_DROPPED]
}

/// The largest time seen, in milliseconds since the Unix epoch.
pub(crate) fn newest_time() -> Vec<u8> {
    vec![META, META_NEWEST_TIME]
}

/// The item count and bytes of a range.
pub(crate) fn counters(id: RangeId) -> Vec<u8> {
    with_id(&[META, META_COUNTERS], id)
}

pub(crate) fn all_counters() -> KeyRange {
    prefix_range(&[META, META_COUNTERS])
}

/// The progress of a backfill: the last item row that was added to the new index.
pub(crate) fn backfill_progress(id: RangeId) -> Vec<u8> {
    with_id(&[META, META_BACKFILL], id)
}

/// The range that a record of [`purge_ticket`], [`counters`] or [`backfill_progress`] belongs to.
pub(crate) fn range_id(key: &[u8]) -> Option<RangeId> {
    key.get(2..)?.try_into().ok().map(u32::from_be_bytes)
}

/// The record of a transaction's client request token.
pub(crate) fn token(fingerprint: &[u8]) -> Vec<u8> {
    let mut key = vec![TOKEN];
    key.extend_from_slice(fingerprint);
    key
}

pub(crate) fn token_expiry(second: u64, fingerprint: &[u8]) -> Vec<u8> {
    let mut key = vec![TOKEN_EXPIRY];
    key.extend_from_slice(&second.to_be_bytes());
    key.extend_from_slice(fingerprint);
    key
}

pub(crate) fn all_tokens() -> KeyRange {
    prefix_range(&[TOKEN])
}

/// The fingerprint within the key of a token's record.
pub(crate) fn token_name(row: &[u8]) -> Option<&[u8]> {
    row.get(1..).filter(|name| !name.is_empty())
}

/// The fingerprint within a token's expiry row.
pub(crate) fn token_fingerprint(expiry_row: &[u8]) -> Result<&[u8], DamagedRow> {
    expiry_row.get(TOKEN_EXPIRY_HEAD..).filter(|fingerprint| !fingerprint.is_empty()).ok_or(DamagedRow::TokenExpiry)
}

/// The bytes before the fingerprint of a token's expiry row: kind, second.
const TOKEN_EXPIRY_HEAD: usize = 9;

/// The lists that background work walks over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WorkList {
    /// The ranges whose rows are to be deleted.
    Purges,
    /// The expiries of client request tokens.
    Tokens,
    /// The expiries of a table's items.
    Expiries(RangeId),
}

/// The list that a row belongs to; `None` for most rows.
pub(crate) fn work_list(key: &[u8]) -> Option<WorkList> {
    match key {
        [META, META_PURGE, ..] => Some(WorkList::Purges),
        [TOKEN_EXPIRY, ..] => Some(WorkList::Tokens),
        [EXPIRY, rest @ ..] => Some(WorkList::Expiries(u32::from_be_bytes(*rest.first_chunk()?))),
        _ => None,
    }
}

/// The rows of all tables and indexes.
pub(crate) fn all_ranges() -> KeyRange {
    prefix_range(&[ROWS])
}

/// The rows of all lists of expiries.
pub(crate) fn all_expiry_lists() -> KeyRange {
    prefix_range(&[EXPIRY])
}

/// The table, index or list that a row belongs to; `None` for other rows.
pub(crate) fn range_of_row(key: &[u8]) -> Option<RangeId> {
    match key {
        [ROWS | EXPIRY, rest @ ..] => Some(u32::from_be_bytes(*rest.first_chunk()?)),
        _ => None,
    }
}

/// All rows of a table or an index.
pub(crate) fn all_rows(id: RangeId) -> KeyRange {
    prefix_range(&row_prefix(id))
}

/// The rows of a table or an index begin with this.
pub(crate) fn row_prefix(id: RangeId) -> Vec<u8> {
    with_id(&[ROWS], id)
}

/// The rows of one segment of a parallel scan: an even part of the hash space.
pub(crate) fn segment_rows(id: RangeId, segment: u64, total: u64) -> KeyRange {
    let bound = |segment: u64| {
        let hash = (segment << 32) / total.max(1);
        let mut key = with_id(&[ROWS], id);
        key.extend_from_slice(&u32::try_from(hash).unwrap_or(u32::MAX).to_be_bytes());
        key
    };
    let low = Bound::Included(bound(segment));
    if segment + 1 >= total {
        return (low, all_rows(id).1);
    }
    (low, Bound::Excluded(bound(segment + 1)))
}

/// The rows of one partition of a table or an index begin with this.
pub(crate) fn partition_prefix(id: RangeId, partition: &AttributeValue) -> Result<Vec<u8>, NotAKeyValue> {
    let mut encoded = Vec::with_capacity(64);
    key_codec::encode(partition, &mut encoded)?;
    Ok(hashed(id, &encoded))
}

fn hashed(id: RangeId, encoded_partition: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(encoded_partition.len() + 73);
    key.push(ROWS);
    key.extend_from_slice(&id.to_be_bytes());
    key.extend_from_slice(&hash(encoded_partition).to_be_bytes());
    key.extend_from_slice(encoded_partition);
    key
}

fn hash(encoded_partition: &[u8]) -> u32 {
    // The upper half of a 64-bit hash; only its spread matters.
    (xxh3_64(encoded_partition) >> 32) as u32
}

/// The row of an item, given the item or its key; `None` where a key attribute is missing or cannot be a key.
pub(crate) fn item_row(id: RangeId, schema: &KeySchema, attributes: &Attributes) -> Option<Vec<u8>> {
    let mut key = partition_prefix(id, attributes.get(&schema.partition.name)?).ok()?;
    if let Some(sort) = &schema.sort {
        key_codec::encode(attributes.get(&sort.name)?, &mut key).ok()?;
    }
    Some(key)
}

/// The index row of an item whose own row is `item_row`; `None` where the index does not contain the item.
pub(crate) fn index_row(id: RangeId, schema: &KeySchema, attributes: &Attributes, item_row: &[u8]) -> Option<Vec<u8>> {
    let mut key = self::item_row(id, schema, attributes)?;
    key.extend_from_slice(key_values(item_row)?);
    Some(key)
}

/// The bytes before the encoded partition key: kind, range, hash.
const ROW_HEAD: usize = 9;

/// The encoded key values of a row, after its head; `None` for a row that is too short to have one.
pub(crate) fn key_values(row: &[u8]) -> Option<&[u8]> {
    row.get(ROW_HEAD..)
}

/// The row of the item that an index row refers to.
pub(crate) fn referenced_item_row(
    table: RangeId,
    table_schema: &KeySchema,
    index_schema: &KeySchema,
    row: &[u8],
) -> Option<Vec<u8>> {
    let mut rest = key_values(row)?;
    rest = rest.get(key_codec::encoded_length(index_schema.partition.key_type, rest)?..)?;
    if let Some(sort) = &index_schema.sort {
        rest = rest.get(key_codec::encoded_length(sort.key_type, rest)?..)?;
    }
    item_row_of_values(table, table_schema, rest)
}

fn item_row_of_values(table: RangeId, schema: &KeySchema, values: &[u8]) -> Option<Vec<u8>> {
    let partition_length = key_codec::encoded_length(schema.partition.key_type, values)?;
    let (partition, sort) = values.split_at_checked(partition_length)?;
    let mut key = hashed(table, partition);
    key.extend_from_slice(sort);
    Some(key)
}

/// The row that lists an item under the second at which it expires.
pub(crate) fn expiry_row(id: RangeId, second: u64, item_row: &[u8]) -> Result<Vec<u8>, DamagedRow> {
    let mut key = with_id(&[EXPIRY], id);
    key.extend_from_slice(&second.to_be_bytes());
    key.extend_from_slice(key_values(item_row).ok_or(DamagedRow::Item)?);
    Ok(key)
}

/// The key at which the expiry rows of a second begin.
pub(crate) fn expiries_from(id: RangeId, second: u64) -> Vec<u8> {
    let mut key = with_id(&[EXPIRY], id);
    key.extend_from_slice(&second.to_be_bytes());
    key
}

pub(crate) fn all_expiries(id: RangeId) -> KeyRange {
    prefix_range(&with_id(&[EXPIRY], id))
}

/// The row of the item that an expiry row refers to.
pub(crate) fn expiring_item_row(table: RangeId, schema: &KeySchema, expiry_row: &[u8]) -> Result<Vec<u8>, DamagedRow> {
    let values = expiry_row.get(EXPIRY_HEAD..).ok_or(DamagedRow::Expiry)?;
    item_row_of_values(table, schema, values).ok_or(DamagedRow::Expiry)
}

/// The bytes before the encoded keys of an expiry row: kind, range, second.
const EXPIRY_HEAD: usize = 13;

pub(crate) fn prefix_range(prefix: &[u8]) -> KeyRange {
    let high = key_codec::after_prefix(prefix).map_or(Bound::Unbounded, Bound::Excluded);
    (Bound::Included(prefix.to_vec()), high)
}

fn with_id(head: &[u8], id: RangeId) -> Vec<u8> {
    let mut key = head.to_vec();
    key.extend_from_slice(&id.to_be_bytes());
    key
}
