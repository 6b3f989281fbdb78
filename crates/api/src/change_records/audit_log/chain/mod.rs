//! The hash chain of the audit log, so that removed and changed entries show.
//!
//! Entries are written in the transaction of their change, by any number of servers: they cannot be chained then
//! without waiting for each other. So entries stay as they are, and a server seals them later: a segment holds a digest
//! of the entries of each tenant within a period that has ended, and the hash of the segment before it.

mod leaf;
mod partitions;
mod seal;
mod segment;
mod verify;

pub(in crate::change_records) use self::leaf::{add_salts, fix_identity, fix_subject};
pub(in crate::change_records) use self::partitions::KnownPartitions;
pub(in crate::change_records) use self::seal::SealSchedule;
pub use self::verify::{ChainFinding, ChainHead, ChainReport};

/// The partition of the segments, by number.
const SEGMENTS: &str = "CHAIN";
/// The partition that names the partitions of the log.
const PARTITIONS: &str = "CHAIN#PARTITIONS";
/// Begins what takes the place of an erased value; a pseudonym follows.
pub(in crate::change_records) const ERASED: &str = "erased:";
