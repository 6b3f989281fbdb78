//! Who makes a request, and the trait of whoever finds that out.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::request::Parts;
use keyfold_runtime::Caller;

/// The headers that say who calls, and so what an answer depends on.
pub(crate) const CALLER_HEADERS: &str = "authorization, x-api-key";

/// The maker of a request, with what they showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Principal {
    /// Subject, tenant and roles; groups and permissions of the table are added per design.
    pub caller: Arc<Caller>,
    /// When what they showed expires, in milliseconds since the epoch; `None` where it does not.
    pub expires_at_ms: Option<u64>,
    pub kind: Kind,
}

/// What a principal showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing.
    #[default]
    Anonymous,
    /// A signed token.
    Token,
    /// The key of a machine.
    Key,
}

/// A credential was shown that does not count: 401, whatever was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unauthenticated {
    /// For whoever sent it: nothing in it helps to make a better forgery.
    pub reason: String,
    /// It could not be found out whether it counts: 503, and the same credential may do later.
    pub temporary: bool,
}

/// The future of an authentication.
pub type Authenticating<'a> = Pin<Box<dyn Future<Output = Result<Principal, Unauthenticated>> + Send + 'a>>;

/// Finds out who makes a request. A request without any credential is an anonymous one, and the rules decide.
pub trait Authenticator: Send + Sync {
    fn authenticate<'a>(&'a self, parts: &'a Parts) -> Authenticating<'a>;
}
