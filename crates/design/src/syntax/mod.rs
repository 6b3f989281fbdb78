//! YAML text to spanned syntax. Rejects YAML features that designs do not use, and reports all errors of a run.

mod codes;
mod node;
mod traps;
mod yaml;

pub use codes::CODES;
pub use node::{Entry, Located, Node, NodeKind};
pub use traps::comment_after;
pub use yaml::read;
