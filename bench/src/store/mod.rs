//! The bare store: what fjall gives without Keyfold above it.

pub(crate) mod group_commit;
pub(crate) mod index_rows;
pub(crate) mod opened;
pub(crate) mod probe;
pub(crate) mod rows;
pub(crate) mod settings;
pub(crate) mod sweep;
