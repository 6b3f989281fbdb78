//! How tables become rows of the store.
//!
//! Every table and every index has a number of its own, never used again, and owns the stretch of keys that begins
//! with it. Within the stretch, rows lie by the hash of the partition key, then by partition and sort key:
//!
//! ```text
//! item       0x10 | table | hash(pk) | pk | sk                 -> the item
//! index row  0x10 | index | hash(ipk) | ipk | isk | pk | sk    -> nothing: the row points to the item
//! expiry     0x11 | ttl   | second | pk | sk                   -> nothing
//! ```
//!
//! The hash spreads partitions as DynamoDB does: a Scan returns them in its order, and parallel segments are stretches
//! of it.

pub mod damage;
pub mod key_codec;
pub mod layout;
