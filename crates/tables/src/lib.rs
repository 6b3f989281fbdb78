//! Tables as wholes, on any backend: what it takes to make a live table what it should be, doing that, and moving a
//! table from one backend to another. Nothing here knows of entities: keys, indexes and settings only.

pub mod apply;
pub mod copy;
mod key_text;
mod live;
pub mod patience;
pub mod plan;

pub use apply::{ApplyError, ApplyOptions, apply};
pub use live::read_live;
pub use patience::Patience;
pub use plan::{Change, DesiredTable, LiveTable, Loss, Plan, plan};
