//! Plays scenarios against two DynamoDB endpoints and reports what differs in results and errors.

pub mod endpoint;
mod signature;

pub use endpoint::{Answer, Endpoint, EndpointError};
