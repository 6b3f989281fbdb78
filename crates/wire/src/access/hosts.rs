//! The names under which a server may be addressed.
//!
//! A page in a browser can reach a server on loopback under a name of its own, if that name resolves to 127.0.0.1.
//! Without credentials, the name is what tells such a request from others.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::Version;
use http::request::Parts;
use keyfold_connections::{HostError, only_host};

/// The hosts that requests may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AllowedHosts {
    /// Every host: requests are signed. Those of HTTP/1.1 name one.
    Any,
    /// `localhost`, addresses of the loopback interface, and these names.
    LoopbackAnd(Vec<String>),
}

impl AllowedHosts {
    /// The host of a request that must be refused; empty if it names none, or several.
    pub(crate) fn find_forbidden<'a>(&self, head: &'a Parts) -> Option<&'a str> {
        let host = only_host(&head.headers);
        let Self::LoopbackAnd(names) = self else {
            let may_be_missing = head.version < Version::HTTP_11;
            let is_forbidden = host.is_err_and(|error| error == HostError::Several || !may_be_missing);
            return is_forbidden.then_some("");
        };
        let header = host.ok().and_then(|host| host.to_str().ok()).unwrap_or_default();
        let given = [head.uri.host(), Some(without_port(header))];
        given.into_iter().flatten().find(|host| !is_allowed(host, names))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_allowed(host: &str, names: &[String]) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let address = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => host.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
    };
    let is_local_name = || {
        host.eq_ignore_ascii_case("localhost")
            || host.len() > ".localhost".len() && host.to_ascii_lowercase().ends_with(".localhost")
    };
    address.is_some_and(|address| address.is_loopback())
        || is_local_name()
        || names.iter().any(|name| name.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use http::header::HOST;

    use super::*;

    fn forbidden(uri: &str, hosts: &[&str]) -> Option<String> {
        forbidden_by(&AllowedHosts::LoopbackAnd(vec!["tables.test".to_owned()]), Version::HTTP_11, uri, hosts)
    }

    fn forbidden_by(allowed: &AllowedHosts, version: Version, uri: &str, hosts: &[&str]) -> Option<String> {
        let mut request = http::Request::builder().version(version).uri(uri);
        for host in hosts {
            request = request.header(HOST, *host);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        allowed.find_forbidden(&head).map(str::to_owned)
    }

    #[test]
    fn loopback_and_given_names_are_allowed() {
        let allowed = [
            "localhost",
            "localhost:8000",
            "LOCALHOST:8000",
            "127.0.0.1",
            "127.0.0.1:8000",
            "127.9.9.9:1",
            "[::1]",
            "[::1]:8000",
            "us-east-1.localhost:8000",
            "tables.test",
            "Tables.Test:8000",
            "localhost.:8000",
        ];
        for host in allowed {
            assert_eq!(forbidden("/", &[host]), None, "{host}");
        }
    }

    #[test]
    fn others_are_refused() {
        let other = [
            "attacker.example",
            "attacker.example:8000",
            "localhost.attacker.example",
            "127.0.0.1.attacker.example",
            "10.0.0.1:8000",
            "0.0.0.0:8000",
            "[::]:8000",
            "::1",
            ".localhost",
            "notlocalhost",
            "",
        ];
        for host in other {
            assert_eq!(forbidden("/", &[host]), Some(without_port(host).to_owned()), "{host}");
        }
        assert_eq!(forbidden("/", &[]), Some(String::new()));
        assert_eq!(forbidden("/", &["localhost", "attacker.example"]), Some(String::new()));
        assert_eq!(forbidden("http://attacker.example/", &["localhost"]), Some("attacker.example".to_owned()));
    }

    #[test]
    fn signed_requests_name_one_host() {
        let is_forbidden = |version, hosts: &[&str]| forbidden_by(&AllowedHosts::Any, version, "/", hosts).is_some();
        for version in [Version::HTTP_10, Version::HTTP_11] {
            assert!(!is_forbidden(version, &["tables.example"]));
            assert!(is_forbidden(version, &["tables.example", "tables.example"]));
        }
        assert!(is_forbidden(Version::HTTP_11, &[]));
        assert!(!is_forbidden(Version::HTTP_10, &[]));
    }
}
