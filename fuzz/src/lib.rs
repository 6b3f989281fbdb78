//! What the fuzz targets share: the aliases and items that expressions meet, a way to parse what a tree is printed as,
//! items made from the fuzzer's bytes, a table to keep them in, and a design with a runtime.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod aliases;
mod expression_text;
mod item_of_bytes;
mod notes;
mod reparse;
mod table;

pub use aliases::{ITEMS, NAMES, VALUES};
pub use expression_text::expression_text;
pub use item_of_bytes::{attributes, number, value};
pub use notes::{block_on, member, notes_design, notes_runtime};
pub use reparse::reparse;
pub use table::{TABLE, create_table, engine_on};
