//! Requests that pages of other sites make a browser send do not act with its session.

use http::header::{HeaderMap, ORIGIN};
use http::{Method, request::Parts};

use crate::identity::sign_in_settings::PublicUrl;

/// The header that a request with a session needs to change anything. Pages of other origins cannot send it: it is not
/// among the headers that CORS allows.
pub(super) const CSRF_HEADER: &str = "keyfold-csrf";
const FETCH_SITE: &str = "sec-fetch-site";
const FETCH_MODE: &str = "sec-fetch-mode";

/// Whether a request may act with the session that the browser has added to it; otherwise why not.
pub(super) fn check_origin(parts: &Parts, url: &PublicUrl) -> Result<(), &'static str> {
    let headers = &parts.headers;
    let site = text(headers, FETCH_SITE);
    if matches!(parts.method, Method::GET | Method::HEAD) {
        // A link may lead here; a page of another site may not load it as a part of itself.
        let is_own = site.is_none_or(|site| matches!(site, "same-origin" | "none"));
        let is_navigation = text(headers, FETCH_MODE) == Some("navigate");
        return if is_own || is_navigation { Ok(()) } else { Err("the session is not for pages of other origins") };
    }
    if !headers.contains_key(CSRF_HEADER) {
        return Err("a change with a session needs the header `Keyfold-CSRF: 1`");
    }
    let is_other_origin = headers.get_all(ORIGIN).iter().any(|origin| origin != url.origin());
    if is_other_origin || site.is_some_and(|site| site != "same-origin") {
        return Err("the session is not for pages of other origins");
    }
    Ok(())
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    // What cannot be read is not `same-origin`.
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn check(method: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().method(method).uri("/v1/shop/items");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check_origin(&request.body(()).unwrap().into_parts().0, &"https://api.example.com".parse().unwrap()).is_ok()
    }

    #[test]
    fn changes_need_a_header_and_the_own_origin() {
        let csrf = (CSRF_HEADER, "1");
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            assert!(!check(method, &[]), "{method}");
            assert!(check(method, &[csrf]), "{method}");
            assert!(check(method, &[csrf, ("origin", "https://api.example.com"), ("sec-fetch-site", "same-origin")]));
            for other in ["https://evil.example.com", "https://api.example.com:8443", "http://api.example.com", "null"]
            {
                assert!(!check(method, &[csrf, ("origin", other)]), "{method} {other}");
            }
            for site in ["cross-site", "same-site", "none", ""] {
                assert!(!check(method, &[csrf, ("sec-fetch-site", site)]), "{method} {site}");
            }
        }
    }

    #[test]
    fn reads_are_for_own_pages_and_links() {
        assert!(check("GET", &[]));
        for (site, mode, expected) in [
            ("same-origin", "cors", true),
            ("none", "navigate", true),
            ("cross-site", "navigate", true),
            ("cross-site", "no-cors", false),
            ("same-site", "cors", false),
        ] {
            let headers = [("sec-fetch-site", site), ("sec-fetch-mode", mode)];
            assert_eq!(check("GET", &headers), expected, "{site} {mode}");
        }
    }
}
