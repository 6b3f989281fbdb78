//! Segments: what was sealed, and the link to the segment before.

use keyfold_dynamo::{AttributeValue, Attributes, Number, hexadecimal};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::SEGMENTS;
use crate::change_records::table::{EXPIRES, PARTITION, SORT};

const CONTENT: &str = "content";
const HASH: &str = "hash";
/// The largest number of a segment: its key sorts as numbers do.
const LARGEST: u64 = 999_999_999_999;

/// The entries of a period. A period with many tenants has several segments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Segment {
    pub number: u64,
    /// The hash of the segment before; empty for the first.
    pub previous: String,
    /// When the segment before expires, in seconds since the epoch: earlier than that it cannot be missing.
    pub previous_expires: u64,
    /// The period: its beginning is inclusive, its end exclusive. The first begins with an empty text.
    pub from: String,
    pub to: String,
    /// Whether it is the last of its period.
    pub is_last: bool,
    /// When the segment itself expires, in seconds since the epoch: a day after its last entry, and not before the
    /// segment before it.
    pub expires: u64,
    pub parts: Vec<Part>,
}

/// The entries of one partition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part {
    pub partition: String,
    /// The beginning of its period: that of the segment, or earlier where the partition was not sealed before.
    pub from: String,
    pub count: u64,
    /// The hash of the hashes of its entries, in the order of their keys.
    pub digest: String,
    /// When its first entry expires.
    pub expires: u64,
}

/// A segment as it is stored: the hash is that of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredSegment {
    pub segment: Segment,
    pub hash: String,
    /// Whether the stored hash is the hash of the stored text, and the number that of the key.
    pub is_intact: bool,
}

impl Segment {
    /// The item that stores it, and its hash.
    pub(super) fn item(&self) -> Result<(Attributes, String), serde_json::Error> {
        let content = serde_json::to_string(self)?;
        let hash = hash_of(&content);
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let item = Attributes::from([
            (PARTITION.to_owned(), text(SEGMENTS)),
            (SORT.to_owned(), AttributeValue::S(sort_key(self.number))),
            (CONTENT.to_owned(), AttributeValue::S(content)),
            (HASH.to_owned(), text(&hash)),
            (EXPIRES.to_owned(), AttributeValue::N(Number::from(self.expires))),
        ]);
        Ok((item, hash))
    }
}

impl StoredSegment {
    /// `None` if the item is not a segment.
    pub(super) fn read(item: &Attributes) -> Option<Self> {
        let content = item.get(CONTENT)?.as_str()?;
        let hash = item.get(HASH)?.as_str()?.to_owned();
        let segment: Segment =
            serde_json::from_str(content).ok().filter(|segment: &Segment| segment.number <= LARGEST)?;
        let has_own_key = item.get(SORT)?.as_str()? == sort_key(segment.number);
        Some(Self { is_intact: has_own_key && hash == hash_of(content), segment, hash })
    }
}

/// Sorts as numbers do.
pub(super) fn sort_key(number: u64) -> String {
    format!("{number:012}")
}

fn hash_of(content: &str) -> String {
    hexadecimal(&Sha256::digest(content))
}
