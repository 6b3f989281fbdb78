//! Writes: each verb becomes a plan of actions on items, executed as one request or one transaction.

mod action;
mod ancestry;
mod batch;
mod beside;
mod cascade;
mod change;
mod changes;
mod collected;
mod create;
mod execute;
mod find;
mod given_ids;
mod guards;
mod ids;
mod input;
mod joined;
mod marks;
mod neighbours;
mod patch;
mod plan;
mod replace;
mod satellites;
mod verbs;

pub(crate) use action::{Action, Effect};
pub use batch::BatchOutcome;
pub use beside::Beside;
pub(crate) use changes::Changes;
pub use verbs::{DeleteOptions, PatchOptions, Write};
