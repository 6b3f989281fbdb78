//! Cookies of browsers that sign in: sealed, and split where they are too long for one.

use http::HeaderMap;
use http::header::{COOKIE, HeaderValue};

use crate::identity::sign_in_settings::PublicUrl;

/// Browsers keep at most 4096 bytes of a cookie, its name and attributes included.
const MAX_BYTES: usize = 3800;

/// Where a cookie is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CookieJar {
    prefix: &'static str,
    attributes: &'static str,
}

/// A kind of cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CookieKind {
    /// The session.
    Session,
    /// A sign-in under way.
    SignIn,
}

impl CookieKind {
    fn name(self) -> &'static str {
        match self {
            Self::Session => "keyfold-session",
            Self::SignIn => "keyfold-sign-in",
        }
    }

    /// The maximum number of parts of the cookie.
    fn max_parts(self) -> usize {
        match self {
            Self::Session => 4,
            Self::SignIn => 1,
        }
    }
}

impl CookieJar {
    /// Over TLS, names begin with `__Host-`: no other host of the domain can set them.
    pub(super) fn new(url: &PublicUrl) -> Self {
        match url.is_https() {
            true => Self { prefix: "__Host-", attributes: "; Path=/; HttpOnly; SameSite=Lax; Secure" },
            false => Self { prefix: "", attributes: "; Path=/; HttpOnly; SameSite=Lax" },
        }
    }

    fn name(&self, kind: CookieKind, part: usize) -> String {
        let (prefix, name) = (self.prefix, kind.name());
        if part == 0 { format!("{prefix}{name}") } else { format!("{prefix}{name}-{part}") }
    }

    /// The value of a cookie, its parts together.
    pub(super) fn read(&self, kind: CookieKind, headers: &HeaderMap) -> Option<String> {
        // Other cookies of the host may hold anything.
        let texts: Vec<_> =
            headers.get_all(COOKIE).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        let pairs = texts.iter().flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let pairs: Vec<(&str, &str)> = pairs.collect();
        let mut value = String::new();
        for part in 0..kind.max_parts() {
            let name = self.name(kind, part);
            match pairs.iter().find(|(own, _)| *own == name) {
                Some((_, text)) => value.push_str(text),
                None => break,
            }
        }
        (!value.is_empty()).then_some(value)
    }

    /// The headers that set a cookie; `None` if it is too long for any browser. Parts of a longer one are removed.
    pub(super) fn set(&self, kind: CookieKind, value: &str, seconds: u64) -> Option<Vec<HeaderValue>> {
        let parts: Vec<&str> = chunks(value);
        if parts.len() > kind.max_parts() {
            return None;
        }
        let mut headers: Vec<HeaderValue> = Vec::new();
        for (part, text) in parts.iter().enumerate() {
            let cookie = format!("{}={text}; Max-Age={seconds}{}", self.name(kind, part), self.attributes);
            headers.push(HeaderValue::from_str(&cookie).ok()?);
        }
        headers.extend(self.removals(kind, parts.len()));
        Some(headers)
    }

    /// The headers that remove a cookie.
    pub(super) fn remove(&self, kind: CookieKind) -> Vec<HeaderValue> {
        self.removals(kind, 0)
    }

    fn removals(&self, kind: CookieKind, from: usize) -> Vec<HeaderValue> {
        let remove = |part| format!("{}=; Max-Age=0{}", self.name(kind, part), self.attributes);
        (from..kind.max_parts()).filter_map(|part| HeaderValue::from_str(&remove(part)).ok()).collect()
    }
}

/// The value in pieces that fit into a cookie. Sealed texts are ASCII.
fn chunks(value: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = value;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_checked(MAX_BYTES).unwrap_or((rest, ""));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jar(url: &str) -> CookieJar {
        CookieJar::new(&url.parse().unwrap())
    }

    /// The headers of a browser that has received these.
    fn cookie_header(headers: &[HeaderValue]) -> HeaderMap {
        let pairs = headers.iter().map(|header| header.to_str().unwrap().split(';').next().unwrap());
        let pairs: Vec<&str> = pairs.filter(|pair| !pair.ends_with('=')).collect();
        let mut sent = HeaderMap::new();
        sent.insert(COOKIE, pairs.join("; ").parse().unwrap());
        sent
    }

    #[test]
    fn cookies_are_for_the_host_alone_and_not_for_scripts() {
        let set = jar("https://api.example.com").set(CookieKind::Session, "abc", 60).unwrap();
        assert_eq!(set[0], "__Host-keyfold-session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(set[1], "__Host-keyfold-session-1=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure");
        let local = jar("http://localhost:8080").set(CookieKind::SignIn, "abc", 60).unwrap();
        assert_eq!(local, ["keyfold-sign-in=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax"]);
    }

    #[test]
    fn long_cookies_are_split_and_put_together_again() {
        let jar = jar("https://api.example.com");
        let longest = MAX_BYTES * CookieKind::Session.max_parts();
        for length in [1, MAX_BYTES, MAX_BYTES + 1, longest] {
            let value: String = (0..length).map(|place| char::from(b'a' + (place % 23) as u8)).collect();
            let set = jar.set(CookieKind::Session, &value, 60).unwrap();
            assert!(set.iter().all(|header| header.len() < 4096));
            assert_eq!(jar.read(CookieKind::Session, &cookie_header(&set)), Some(value), "{length}");
        }
        assert_eq!(jar.set(CookieKind::Session, &"x".repeat(longest + 1), 60), None);
        assert_eq!(jar.set(CookieKind::SignIn, &"x".repeat(MAX_BYTES + 1), 60), None);
        assert_eq!(jar.read(CookieKind::Session, &HeaderMap::new()), None);
    }
}
