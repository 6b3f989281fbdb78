//! The design's `allow` rules as Cedar policies: the authorizer of a backend.
//!
//! Rules become policies and a schema once, when a design is loaded. What no policy needs an item for is decided before anything
//! is read; the rest is decided per item, with only those attributes that a policy reads.

mod cache;
mod candidate;
mod explanation;
mod files;
mod names;
mod policies;
mod problem;
mod request;
mod rules;
mod schema;
mod slice;
mod source;
mod stated;
mod tree;
mod types;

pub use explanation::{Explanation, Reason};
pub use policies::Policies;
pub use problem::PolicyProblem;
pub use stated::{Effect, Stated};
