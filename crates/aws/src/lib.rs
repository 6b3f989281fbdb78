//! [`Backend`](keyfold_dynamo::Backend) over the AWS SDK: Amazon DynamoDB, DynamoDB Local, ScyllaDB's Alternator, or a
//! served engine.
//!
//! ```no_run
//! # async fn example() {
//! use keyfold_aws::{Aws, Options};
//!
//! let endpoint = Some("http://127.0.0.1:8000".to_owned());
//! let backend = Aws::connect(Options { endpoint, ..Options::default() }).await;
//! # }
//! ```

mod backend;
mod capabilities;
mod connect;
mod conversion;
mod failures;
mod resend;
mod single_write;
mod values;

pub use backend::Aws;
pub use capabilities::Capabilities;
pub use connect::Options;
