//! Runs a design on a backend: authorize, plan, keys, execute, entities.
//!
//! A call is authorized first, and only an authorized call can be planned. A plan is a list of actions on items, each
//! with what its failure means; it is executed as one request or one transaction.

mod attribute_dependencies;
mod authorize;
mod caller;
mod clock;
mod deletion_mark;
mod error;
mod explain;
mod expression;
mod incoming_references;
mod items;
pub mod json;
mod membership;
mod read;
mod record;
mod retry;
mod runtime;
pub mod scenario;
mod table;
mod tenancy;
mod write;

pub use authorize::{Access, Authorizer, Decision, DesignRules};
pub use caller::Caller;
pub use error::{Error, Violation};
pub use explain::{Explanation, PlannedRequest};
pub use keyfold_environment::{Clock, Random, RandomError, SystemClock, SystemRandom};
pub use read::{Page, QueryOptions, Stopped};
pub use record::Record;
pub use runtime::{Options, Runtime};
pub use write::{BatchOutcome, DeleteOptions, PatchOptions, SideWrites, Write};
