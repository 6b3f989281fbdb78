//! Operations on whole tables, on any backend: planning and applying the changes that make a live table match a desired
//! one, and copying a table to another backend. This crate knows keys, indexes and settings, and no entities.

pub mod apply;
pub mod copy;
mod key_text;
mod live;
pub mod plan;
pub mod retry;

pub use apply::{ApplyError, ApplyOptions, apply};
pub use live::read_live;
pub use plan::{DesiredTable, LiveTable, Loss, Plan, TableChange, missing_for_serving, plan};
