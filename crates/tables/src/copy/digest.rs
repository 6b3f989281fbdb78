//! A compact, order-independent digest of a table: items fall into buckets by their keys, and each bucket counts its
//! items and sums up their hashes. Tables with equal digests hold the same items; a differing bucket names the few
//! items to compare.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{CopyError, Side};

const BUCKETS: u64 = 4096;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bucket {
    items: u64,
    hashes: u128,
}

/// The buckets that have items, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Digest {
    buckets: BTreeMap<u64, Bucket>,
}

impl Digest {
    pub(super) fn add(&mut self, key: &Attributes, item: &Attributes) {
        let bucket = self.buckets.entry(bucket_number(key)).or_default();
        bucket.items += 1;
        bucket.hashes = bucket.hashes.wrapping_add(xxh3_128(&codec::encode(item)));
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (number, more) in &other.buckets {
            let bucket = self.buckets.entry(*number).or_default();
            bucket.items += more.items;
            bucket.hashes = bucket.hashes.wrapping_add(more.hashes);
        }
    }

    pub(super) fn items(&self) -> u64 {
        self.buckets.values().map(|bucket| bucket.items).sum()
    }

    /// The buckets in which two tables differ; `None` if they hold the same items.
    pub(super) fn differing(&self, other: &Self) -> Option<Suspects> {
        let numbers = self.buckets.keys().chain(other.buckets.keys());
        let differing: BTreeSet<u64> =
            numbers.filter(|number| self.buckets.get(number) != other.buckets.get(number)).copied().collect();
        (!differing.is_empty()).then_some(Suspects::Buckets(differing))
    }
}

/// The items to compare one by one.
#[derive(Debug, Clone)]
pub(super) enum Suspects {
    All,
    Buckets(BTreeSet<u64>),
}

impl Suspects {
    pub(super) fn contains(&self, key: &Attributes) -> bool {
        match self {
            Self::All => true,
            Self::Buckets(numbers) => numbers.contains(&bucket_number(key)),
        }
    }
}

fn bucket_number(key: &Attributes) -> u64 {
    xxh3_64(&codec::encode(key)) % BUCKETS
}

/// The key of an item that a side returned.
pub(super) fn key_of(item: &Attributes, key_names: &[String], side: &Side) -> Result<Attributes, CopyError> {
    let attribute = |name: &String| match item.get(name) {
        Some(value) => Ok((name.clone(), value.clone())),
        None => Err(CopyError::IncompleteKey { location: side.location.clone(), attribute: name.clone() }),
    };
    key_names.iter().map(attribute).collect()
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::AttributeValue;

    use super::*;

    fn item(key: &str, value: i64) -> Attributes {
        Attributes::from([
            ("PK".to_owned(), AttributeValue::S(key.to_owned())),
            ("value".to_owned(), AttributeValue::N(value.into())),
        ])
    }

    fn key(item: &Attributes) -> Attributes {
        item.iter().filter(|(name, _)| *name == "PK").map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn digest(items: &[(&str, i64)]) -> Digest {
        let mut digest = Digest::default();
        for (id, value) in items {
            let item = item(id, *value);
            digest.add(&key(&item), &item);
        }
        digest
    }

    #[test]
    fn order_and_division_do_not_matter() {
        let whole = digest(&[("a", 1), ("b", 2), ("c", 3)]);
        let mut parts = digest(&[("c", 3)]);
        parts.merge(&digest(&[("b", 2), ("a", 1)]));
        assert_eq!(whole, parts);
        assert_eq!(whole.items(), 3);
        assert!(whole.differing(&parts).is_none());
    }

    #[test]
    fn a_difference_is_found_where_it_is() {
        let suspects = digest(&[("a", 1), ("b", 2)]).differing(&digest(&[("a", 1), ("b", 3)])).unwrap();
        assert!(suspects.contains(&key(&item("b", 0))));
        assert!(!suspects.contains(&key(&item("a", 0))));
    }

    #[test]
    fn two_equal_items_do_not_cancel_out() {
        assert_ne!(digest(&[("a", 1), ("a", 1)]), digest(&[]));
    }
}
