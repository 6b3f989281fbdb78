//! URLs from which keys and tokens may come.

use http::Uri;

/// Whether nobody on the network can change what is fetched from there: https, or this machine.
pub(super) fn is_secure(url: &Uri) -> bool {
    url.scheme_str() == Some("https") || (url.scheme_str() == Some("http") && is_loopback(url))
}

fn is_loopback(url: &Uri) -> bool {
    let Some(host) = url.host() else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
