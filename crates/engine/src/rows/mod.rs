//! The layout of tables as rows of the store.
//!
//! Every table and every index has an id, which is never reused, and owns the range of keys that begins with it. Within
//! the range, rows are ordered by the hash of the partition key, then by partition and sort key:
//!
//! ```text
//! item       0x10 | table | hash(pk) | pk | sk                 -> the item
//! index row  0x10 | index | hash(ipk) | ipk | isk | pk | sk    -> empty: the key refers to the item
//! expiry     0x11 | ttl   | second | pk | sk                   -> empty
//! ```
//!
//! The hash distributes partitions as DynamoDB does: a Scan returns them in hash order, and parallel segments are
//! ranges of hashes.

pub(crate) mod damage;
pub(crate) mod key_codec;
pub(crate) mod key_schema;
pub(crate) mod key_text;
pub(crate) mod layout;
