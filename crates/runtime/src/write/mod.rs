//! Writes: each verb becomes a plan of actions on items, executed as one request or one transaction.

mod action;
mod cascade;
mod changes;
mod execute;
mod ids;
mod input;
mod marks;
mod neighbours;
mod plan;
mod satellites;
mod verbs;

pub(crate) use action::Action;
pub(crate) use changes::Changes;
pub use verbs::{DeleteOptions, PatchOptions, Write};
