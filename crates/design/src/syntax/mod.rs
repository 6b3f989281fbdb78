//! YAML text to spanned syntax. Rejects YAML features that designs do not use, and reports all errors of a run.

mod cause;
mod codes;
mod node;
mod traps;
mod yaml;

pub(crate) use codes::CODES;
pub(crate) use node::{Entry, Located, Node, NodeKind};
pub(crate) use traps::comment_after;
pub(crate) use yaml::read;
