//! The one credential of a request.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::identity::principal::Unauthenticated;

/// The header that carries a machine key.
pub const KEY_HEADER: &str = "x-api-key";

/// Why a request with several credentials is rejected.
pub(super) const SEVERAL: &str = "the request has more than one credential";

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Credential<'h> {
    None,
    Token(&'h str),
    Key(&'h str),
}

impl<'h> Credential<'h> {
    /// Rejects a request with several credentials: its caller would be ambiguous.
    pub(super) fn from_headers(headers: &'h HeaderMap) -> Result<Self, Unauthenticated> {
        let tokens = headers.get_all(AUTHORIZATION).iter().map(|value| (true, value));
        let keys = headers.get_all(KEY_HEADER).iter().map(|value| (false, value));
        let mut credentials = tokens.chain(keys);
        let Some((is_token, value)) = credentials.next() else { return Ok(Self::None) };
        if credentials.next().is_some() {
            return Err(refusal(SEVERAL));
        }
        let Ok(text) = value.to_str() else { return Err(refusal("the credential is not plain text")) };
        if !is_token {
            return Ok(Self::Key(text.trim()));
        }
        let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
        let token = token.trim();
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(refusal("only `Authorization: Bearer …` is accepted"));
        }
        if token.is_empty() || token.contains([' ', ',']) {
            return Err(refusal("`Authorization: Bearer` needs one token"));
        }
        Ok(Self::Token(token))
    }
}

pub(super) fn refusal(reason: &str) -> Unauthenticated {
    Unauthenticated { reason: reason.to_owned(), temporary: false }
}
