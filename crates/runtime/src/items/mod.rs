//! Reads of stored items: by key, by identity, in a key range. Shared by `read` and `write`.

mod find;
mod key_range;

pub(crate) use find::{exists, identity_of, not_found};
