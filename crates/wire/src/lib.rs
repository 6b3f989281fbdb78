//! DynamoDB's own protocol, `DynamoDB_20120810` in JSON 1.0 over HTTP/1.1, in front of any [`Backend`].
//!
//! ```no_run
//! # async fn example(backend: std::sync::Arc<dyn keyfold_dynamo::Backend>) -> Result<(), Box<dyn std::error::Error>> {
//! use keyfold_environment::SystemRandom;
//! use keyfold_wire::{Config, Credentials, Server};
//!
//! let address = ([127, 0, 0, 1], 8000).into();
//! let server = Server::bind(Config::new(address, Credentials::AnyOnLoopback, &SystemRandom)?).await?;
//! println!("listening on {}", server.local_addr());
//! server.serve(backend, async { tokio::signal::ctrl_c().await.unwrap_or_default() }).await;
//! # Ok(())
//! # }
//! ```
//!
//! [`Backend`]: keyfold_dynamo::Backend

mod access;
mod body;
mod config;
mod decode;
mod decoded_size;
mod encode;
mod error_body;
mod exchange;
mod failure;
mod json;
mod limits;
mod operation;
mod probes;
mod request_id;
mod request_tables;
mod response;
mod response_size;
mod server;
mod signature;

pub use config::{Config, Credentials};
pub use encode::attributes_json;
pub use failure::Failure;
pub use keyfold_connections::{Readiness, ReadinessSource, Tls, TlsError, waiting_connections};
pub use limits::Limits;
pub use operation::{Operation, Request, decode_request, execute};
pub use server::{BindError, Server};
pub use signature::{AccessKeys, CredentialsError, Mistake, verify_signature};
