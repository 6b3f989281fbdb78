//! Plays scenarios against two DynamoDB endpoints and reports what differs in results and errors.
//!
//! ```no_run
//! use keyfold_conformance::Endpoint;
//! use serde_json::json;
//!
//! let endpoint = Endpoint::new("http://127.0.0.1:8000")?;
//! let response = endpoint.call("ListTables", &json!({}))?;
//! assert_eq!(response.status, 200);
//! # Ok::<(), keyfold_conformance::EndpointError>(())
//! ```

pub mod compare;
pub mod endpoint;
mod index_keys;
pub mod ledger;
mod message;
pub mod normalize;
pub mod play;
pub mod random;
pub mod report;
pub mod scenario;
pub mod scenario_file;
pub mod shorten;
pub mod side;
mod signature;
pub mod template;

pub use endpoint::{Endpoint, EndpointError, Response};
