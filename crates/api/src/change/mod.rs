//! Changes: admission of a request that changes something, and execution with its records: the stored response and the audit log.

mod admission;
pub(crate) mod execution;

pub(crate) use admission::AdmittedChange;
