//! Hashes over several parts.

use sha2::digest::Update;

/// Adds a part to a hash, after its length: no part can be taken for the end of another.
pub(super) fn add_part(hash: &mut impl Update, part: &[u8]) {
    hash.update(&(part.len() as u64).to_be_bytes());
    hash.update(part);
}
