//! Changes: admission of a request that changes something, and execution with its records in the journal.

mod admission;
pub mod execution;

pub use admission::AdmittedChange;
