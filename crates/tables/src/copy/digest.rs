//! What a table holds, in little space and whatever the order: items fall into buckets by their keys, and each bucket
//! counts them and sums up their hashes. Two tables with the same digest hold the same items; where they differ, the
//! bucket tells which few items to look at.

use keyfold_dynamo::item::codec;
use keyfold_dynamo::{AttributeValue, Attributes};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

pub const BUCKETS: usize = 4096;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bucket {
    items: u64,
    hashes: u128,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    buckets: Vec<Bucket>,
}

impl Digest {
    pub fn new() -> Self {
        Self { buckets: vec![Bucket::default(); BUCKETS] }
    }

    pub fn add(&mut self, key: &Attributes, item: &Attributes) {
        if let Some(bucket) = self.buckets.get_mut(bucket_of(key)) {
            bucket.items += 1;
            bucket.hashes = bucket.hashes.wrapping_add(xxh3_128(&codec::encode(item)));
        }
    }

    pub fn merge(&mut self, other: &Self) {
        for (bucket, more) in self.buckets.iter_mut().zip(&other.buckets) {
            bucket.items += more.items;
            bucket.hashes = bucket.hashes.wrapping_add(more.hashes);
        }
    }

    pub fn items(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.items).sum()
    }

    /// The buckets in which two tables differ.
    pub fn differing(&self, other: &Self) -> Suspects {
        Suspects { buckets: self.buckets.iter().zip(&other.buckets).map(|(one, other)| one != other).collect() }
    }
}

/// Buckets to look at item by item.
#[derive(Debug, Clone)]
pub struct Suspects {
    buckets: Vec<bool>,
}

impl Suspects {
    pub fn all() -> Self {
        Self { buckets: vec![true; BUCKETS] }
    }

    pub fn is_empty(&self) -> bool {
        !self.buckets.contains(&true)
    }

    pub fn contains(&self, key: &Attributes) -> bool {
        self.buckets.get(bucket_of(key)).copied().unwrap_or(true)
    }
}

fn bucket_of(key: &Attributes) -> usize {
    (xxh3_64(&codec::encode(key)) as usize) % BUCKETS
}

/// The key of an item.
pub fn key_of(item: &Attributes, key_names: &[String]) -> Attributes {
    let value = |name: &String| item.get(name).map(|value: &AttributeValue| (name.clone(), value.clone()));
    key_names.iter().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(key: &str, value: i64) -> Attributes {
        Attributes::from([
            ("PK".to_owned(), AttributeValue::S(key.to_owned())),
            ("value".to_owned(), AttributeValue::N(value.into())),
        ])
    }

    fn digest(items: &[(&str, i64)]) -> Digest {
        let mut digest = Digest::new();
        for (key, value) in items {
            let item = item(key, *value);
            digest.add(&key_of(&item, &["PK".to_owned()]), &item);
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
        assert!(whole.differing(&parts).is_empty());
    }

    #[test]
    fn a_difference_is_found_where_it_is() {
        let suspects = digest(&[("a", 1), ("b", 2)]).differing(&digest(&[("a", 1), ("b", 3)]));
        let key = |key: &str| key_of(&item(key, 0), &["PK".to_owned()]);
        assert!(!suspects.is_empty());
        assert!(suspects.contains(&key("b")));
        assert!(!suspects.contains(&key("a")));
    }

    #[test]
    fn two_equal_items_do_not_cancel_out() {
        assert_ne!(digest(&[("a", 1), ("a", 1)]), digest(&[]));
    }
}
