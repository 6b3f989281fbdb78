//! The trait of authenticators.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::request::Parts;

use super::browser_sign_in::BrowserSignIn;
use super::machine_keys::MachineKeyFile;
use super::principal::{Principal, Unauthenticated};

/// The future of an authentication.
pub type Authenticating<'a> = Pin<Box<dyn Future<Output = Result<Principal, Unauthenticated>> + Send + 'a>>;

/// Authenticates requests. A request without a credential is anonymous, and the rules decide.
pub trait Authenticator: Send + Sync {
    fn authenticate<'a>(&'a self, parts: &'a Parts) -> Authenticating<'a>;

    /// Why credentials of some kind cannot be verified, if so: the server is then not ready. Must not wait; called
    /// within a tokio runtime.
    fn fault(&self) -> Option<String> {
        None
    }

    /// The issuers that are trusted with a design and may give the same subject to different people; none where each
    /// subject is one person. The server refuses a design that does not tell the people of these issuers apart.
    fn ambiguous_issuers(&self, _design: &str) -> Vec<String> {
        Vec::new()
    }

    /// The machine keys that operators of the server may manage; `None` if they may not.
    fn machine_keys(&self) -> Option<&Arc<MachineKeyFile>> {
        None
    }

    /// Signs people in with a browser; `None` if that is not offered.
    fn sign_in(&self) -> Option<&dyn BrowserSignIn> {
        None
    }
}
