//! YAML text to spanned syntax, with what designs do not use refused, and every error of a run told at once.

mod codes;
mod node;
mod traps;
mod yaml;

pub use codes::CODES;
pub use node::{Entry, Located, Node, NodeKind};
pub use traps::comment_after;
pub use yaml::read;
