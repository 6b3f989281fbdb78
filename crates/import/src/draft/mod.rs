//! The draft as text: written line by line, and repaired until it checks.

mod entities;
mod example;
mod of_items;
mod scalar;
mod settle;
mod sheet;
mod sound;
mod table_part;

pub use example::of_table_alone;
pub use of_items::of_items;
pub use settle::Settled;
pub use table_part::design_name;
