//! Writes: each verb becomes a plan of actions on items, executed as one request or one transaction.

mod batch;
mod cascade;
mod executor;
mod plan;
mod planner;
mod side_writes;
mod verbs;

pub use batch::BatchOutcome;
pub(crate) use plan::{Action, Effect};
pub use side_writes::SideWrites;
pub use verbs::{DeleteOptions, PatchOptions, Write};
