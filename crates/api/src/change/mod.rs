//! Changes: admission of a request that changes something, and execution with its records in the journal.

mod admission;
pub(crate) mod execution;

pub(crate) use admission::AdmittedChange;
