//! Writes: each verb becomes a plan of actions on items, executed as one request or one transaction.
//!
//! `plan` is pure. `planner` makes plans, `executor` carries them out, `cascade` deletes items that others refer to,
//! and `writer` takes a call through all of them. `verbs` holds the public calls.

mod batch;
mod cascade;
mod command;
mod executor;
mod item_condition;
mod operators;
mod plan;
mod planner;
mod side_writes;
mod verbs;
mod write_verb;
mod writer;

pub use batch::BatchOutcome;
pub use command::{DeleteOptions, PatchOptions, Write};
pub use item_condition::ItemCondition;
pub(crate) use item_condition::parsed as parsed_condition;
pub use operators::{Operator, OperatorAction, Operators};
pub(crate) use planner::referenced_identity;
pub(crate) use side_writes::NoSideWrites;
pub use side_writes::SideWrites;
pub use write_verb::WriteVerb;
