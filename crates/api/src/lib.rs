//! The REST backend of a design: who calls, what they may ask for, and how it is answered over HTTP.
//!
//! Routes are made from designs once, when an [`Api`] is built. A request passes the envelope (an id, a place, a time
//! limit, a line in the log), is authenticated, gets what the table says of its maker, and then asks the design's runtime,
//! which decides by the design's policies. `docs/rest.md` is the reference.

mod admission;
mod api;
mod body;
mod change;
mod collection_item;
mod cors;
mod docs_page;
mod etag;
mod exchange;
pub mod identity;
pub mod journal;
mod known_callers;
mod limits;
mod metrics;
mod openapi;
mod principal;
mod problem;
mod query_string;
mod rate;
mod refusal;
mod request_id;
mod resource;
mod routes;
mod served;
mod server;
mod shown;
mod taken;
mod tls;
mod whole_numbers;

pub use api::{Api, Options};
pub use cors::{BadOrigin, Cors, Origin};
pub use limits::Limits;
pub use openapi::openapi_server;
pub use principal::{Authenticating, Authenticator, Kind, Principal, Unauthenticated};
pub use problem::Kind as ProblemKind;
pub use rate::{BadRate, Rate, RateLimits};
pub use resource::href;
pub use served::{ServedDesign, Unservable};
pub use server::{BindError, Server};
pub use tls::{Tls, TlsError};
