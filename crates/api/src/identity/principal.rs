//! The caller of a request, and the trait of authenticators.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::request::Parts;
use keyfold_runtime::Caller;

/// The headers that identify the caller, on which a response depends.
pub(crate) const CALLER_HEADERS: &str = "authorization, x-api-key";

/// The caller of a request, with the kind of their credential.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Principal {
    /// Subject, tenant and roles; groups and permissions of the table are added per design.
    pub caller: Arc<Caller>,
    /// When the credential expires, in milliseconds since the epoch; `None` if it does not.
    pub expires_at_ms: Option<u64>,
    pub kind: CredentialKind,
}

/// The kind of a credential.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum CredentialKind {
    /// None.
    #[default]
    Anonymous,
    /// A signed token.
    Token,
    /// A machine key.
    Key,
}

/// The credential is not valid: 401, whatever the request is for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unauthenticated {
    /// The reason sent to the client; contains nothing that helps to forge a credential.
    pub reason: String,
    /// The credential could not be verified: 503, and a retry may succeed.
    pub temporary: bool,
}

/// The future of an authentication.
pub type Authenticating<'a> = Pin<Box<dyn Future<Output = Result<Principal, Unauthenticated>> + Send + 'a>>;

/// Authenticates requests. A request without a credential is anonymous, and the rules decide.
pub trait Authenticator: Send + Sync {
    fn authenticate<'a>(&'a self, parts: &'a Parts) -> Authenticating<'a>;
}
