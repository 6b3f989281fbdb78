//! What routes need of whoever signs people in through a browser, and the cookies that responses set.

use std::pin::Pin;
use std::sync::Arc;

use http::HeaderMap;
use http::header::{HeaderValue, SET_COOKIE};
use http::request::Parts;
use parking_lot::Mutex;
use serde_json::Value;

/// A step of the authorization code flow, or a request about a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInStep {
    /// Sends the browser to the provider.
    Begin,
    /// The provider has sent the browser back.
    Complete,
    /// Describes the session.
    Describe,
    /// Renews the session.
    Renew,
    /// Ends the session.
    End,
}

/// The outcome of a step. Cookies are in the [`ResponseCookies`] of the request.
#[derive(Debug, Clone, PartialEq)]
pub enum SignInOutcome {
    /// Sends the browser elsewhere.
    Redirect(HeaderValue),
    /// Describes the session, or where it continues.
    Document(Value),
}

/// Why a step fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// The request is wrong: 400, with the parameter.
    #[error("{1}")]
    Parameter(&'static str, String),
    /// Nobody is signed in by this: 401.
    #[error("{0}")]
    Refused(String),
    /// The provider cannot be reached: 503.
    #[error("{0}")]
    Unavailable(String),
}

/// The future of a step.
pub type SigningIn<'a> = Pin<Box<dyn Future<Output = Result<SignInOutcome, SignInError>> + Send + 'a>>;

/// Signs people in through a browser.
pub trait BrowserSignIn: Send + Sync {
    /// The query is that of the request.
    fn perform<'a>(&'a self, step: SignInStep, parts: &'a Parts, query: &'a [(String, String)]) -> SigningIn<'a>;
}

/// The cookies that the response to a request sets. The request carries it among its extensions.
#[derive(Debug, Clone, Default)]
pub struct ResponseCookies(Arc<Mutex<Vec<HeaderValue>>>);

impl ResponseCookies {
    /// Adds cookies to the response of a request.
    pub(super) fn set(parts: &Parts, cookies: Vec<HeaderValue>) {
        if let Some(own) = parts.extensions.get::<Self>() {
            own.0.lock().extend(cookies);
        }
    }

    /// Adds them to the headers of the response.
    pub fn write_headers(&self, headers: &mut HeaderMap) {
        for cookie in self.0.lock().drain(..) {
            headers.append(SET_COOKIE, cookie);
        }
    }
}
