//! Cedar: policy files beside a design, and the design's rules as an export format.
//!
//! [`Policies`] is the authorizer of a design with policy files. The `allow` rules are evaluated by
//! [`keyfold_runtime::DesignRules`]; Cedar evaluates the policies of files, whose permits add to the rules and whose
//! forbids override them. Where no policy needs the item, the decision is made before anything is read.

mod codes;
mod diagnostic;
mod explanation;
mod export;
mod file_policy;
mod files;
mod names;
mod policies;
mod request;
mod schema;
mod slice;
mod source;
mod statement;
mod tree;
mod types;
mod verdict;

pub use codes::CODES;
pub use diagnostic::PolicyDiagnostic;
pub use explanation::{DecisionExplanation, Reason};
pub use policies::Policies;
pub use statement::{Effect, Statement};
