//! How an item and its index rows look in the one key space.
//!
//! A row's key starts with a table or index id and a hash of the partition, so that partitions spread evenly, then
//! holds the partition, the sort key and, for index rows, the base key that makes it unique.

use crate::dataset::License;
use xxhash_rust::xxh3::xxh3_64;

/// What an index row holds beside its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexRows {
    /// Nothing: the reader fetches the item by the base key at the end of the row's key.
    Pointing,
    /// The whole projected item.
    Carrying,
}

const TABLE: u32 = 1;
/// The id of GSI2, the index that queries of 20 go through.
pub(crate) const GSI2: u32 = 3;

fn partition_prefix(id: u32, partition: &str, capacity: usize) -> Vec<u8> {
    let mut key = Vec::with_capacity(capacity);
    key.extend_from_slice(&id.to_be_bytes());
    #[allow(clippy::cast_possible_truncation)]
    let spread = xxh3_64(partition.as_bytes()) as u32;
    key.extend_from_slice(&spread.to_be_bytes());
    key.extend_from_slice(partition.as_bytes());
    key.push(0);
    key
}

/// The key of the item row.
pub(crate) fn item_key(pk: &str, sk: &str) -> Vec<u8> {
    let mut key = partition_prefix(TABLE, pk, 9 + pk.len() + sk.len());
    key.extend_from_slice(sk.as_bytes());
    key
}

/// The prefix shared by all rows of one table partition.
pub(crate) fn table_prefix(pk: &str) -> Vec<u8> {
    partition_prefix(TABLE, pk, 9 + pk.len())
}

/// The prefix shared by all rows of one partition of an index.
pub(crate) fn index_prefix(id: u32, partition: &str) -> Vec<u8> {
    partition_prefix(id, partition, 9 + partition.len())
}

fn index_key(id: u32, partition: &str, sort: &str, license: &License) -> Vec<u8> {
    let capacity = 12 + partition.len() + sort.len() + license.pk.len() + license.sk.len();
    let mut key = partition_prefix(id, partition, capacity);
    key.extend_from_slice(sort.as_bytes());
    key.push(0);
    key.extend_from_slice(license.pk.as_bytes());
    key.push(0);
    key.extend_from_slice(license.sk.as_bytes());
    key
}

/// The item key an index row points to: its last two components.
pub(crate) fn pointed_item_key(index_key: &[u8]) -> Option<Vec<u8>> {
    let mut parts = index_key.rsplitn(3, |byte| *byte == 0);
    let sk = std::str::from_utf8(parts.next()?).ok()?;
    let pk = std::str::from_utf8(parts.next()?).ok()?;
    Some(item_key(pk, sk))
}

/// Every row a put of this license writes.
pub(crate) fn put_rows(license: &License, item: &[u8], kind: IndexRows) -> [(Vec<u8>, Vec<u8>); 4] {
    let index_value = || match kind {
        IndexRows::Pointing => Vec::new(),
        IndexRows::Carrying => item.to_vec(),
    };
    [
        (item_key(&license.pk, &license.sk), item.to_vec()),
        (index_key(2, &license.gsi1_pk, &license.gsi1_sk, license), index_value()),
        (index_key(GSI2, &license.gsi2_pk, &license.gsi2_sk, license), index_value()),
        (index_key(4, &license.gsi3_pk, &license.gsi3_sk, license), index_value()),
    ]
}

/// The rows an update of a non-key attribute writes: pointing index rows stay as they are.
pub(crate) fn update_rows(license: &License, item: &[u8], kind: IndexRows) -> Vec<(Vec<u8>, Vec<u8>)> {
    match kind {
        IndexRows::Pointing => vec![(item_key(&license.pk, &license.sk), item.to_vec())],
        IndexRows::Carrying => put_rows(license, item, kind).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_row_points_to_its_item() {
        let license = License::new(4711, 20_000);
        let rows = put_rows(&license, b"{}", IndexRows::Pointing);
        for (key, _) in &rows[1..] {
            assert_eq!(pointed_item_key(key), Some(rows[0].0.clone()));
        }
    }
}
