//! Requests: the exchange that a handler works on, and the parts of a request that it reads.

pub(crate) mod admitted_caller;
pub(crate) mod attempt;
mod audited_read;
pub(crate) mod body;
pub(crate) mod chosen_tenant;
pub(crate) mod denial;
pub(crate) mod etag;
pub(crate) mod exact_integers;
pub(crate) mod exchange;
pub(crate) mod first_sign_in;
pub(crate) mod query_string;
