//! The draft as text: written line by line, and repaired until it checks.

mod entities;
mod example;
mod from_items;
mod key_mismatch;
mod repair;
mod scalar;
mod sheet;
mod table_part;

pub use example::from_table;
pub use from_items::from_items;
pub use repair::Draft;
pub use table_part::design_name;
