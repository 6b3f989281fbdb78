//! The host that a request names.

use hyper::HeaderMap;
use hyper::header::{HOST, HeaderValue};

/// Why a request does not say for which host it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    #[error("the `Host` header is missing")]
    Missing,
    #[error("there is more than one `Host` header")]
    Several,
}

/// The only `Host` header. With several, a proxy and this server could take different hosts from one request.
pub fn only_host(headers: &HeaderMap) -> Result<&HeaderValue, HostError> {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => Ok(host),
        (None, _) => Err(HostError::Missing),
        (Some(_), Some(_)) => Err(HostError::Several),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_one_host() {
        let mut headers = HeaderMap::new();
        assert_eq!(only_host(&headers), Err(HostError::Missing));
        headers.append(HOST, HeaderValue::from_static("localhost"));
        assert_eq!(only_host(&headers).unwrap(), "localhost");
        headers.append(HOST, HeaderValue::from_static("localhost"));
        assert_eq!(only_host(&headers), Err(HostError::Several));
    }
}
