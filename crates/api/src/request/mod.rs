//! Requests: the exchange that a handler works on, and the parts of a request that it reads.

pub mod body;
pub mod denial;
pub mod etag;
pub mod exact_integers;
pub mod exchange;
pub mod query_string;
