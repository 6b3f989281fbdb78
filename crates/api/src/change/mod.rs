//! Changes: admission of a request that changes something, and execution with its records: the stored response and the
//! audit log.

mod admission;
mod execution;
mod replay;

pub(crate) use admission::AdmittedChange;
pub(crate) use replay::ResponseContent;
