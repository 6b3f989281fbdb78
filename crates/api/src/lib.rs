//! The REST server of a design: authentication, routes, requests and responses over HTTP.
//!
//! Routes are made from designs once, when an [`Api`] is built. A request passes the envelope (an id, a slot, a
//! timeout, a line in the log), is authenticated, gets its groups and permissions from the table, and then goes to the
//! design's runtime, which decides by the design's policies. `docs/rest.md` is the reference.

mod address;
mod api;
mod change;
pub mod change_records;
mod documents;
pub mod identity;
mod limits;
mod metrics;
mod request;
mod request_id;
mod response;
mod routes;
mod served_design;
mod server;

pub use address::href;
pub use api::{Api, Options};
pub use documents::openapi::openapi_server;
pub use identity::authenticator::{Authenticating, Authenticator};
pub use identity::browser_sign_in::{
    BrowserSignIn, ResponseCookies, SignInError, SignInOutcome, SignInStep, SigningIn,
};
pub use identity::principal::{CredentialKind, Grants, Principal, Unauthenticated};
pub use keyfold_connections::{Tls, TlsError};
pub use limits::Limits;
pub use limits::cors::{BadOrigin, Cors, Origin};
pub use limits::rate::{BadRate, Rate, RateLimits, RateTable};
pub use response::problem::ProblemKind;
pub use served_design::{ServedDesign, Unservable};
pub use server::{BindError, Server};
