//! The client address of a request.

use std::net::IpAddr;

use http::HeaderName;
use http::request::Parts;
use keyfold_connections::network_of;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address at the other end of the connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PeerAddress(pub IpAddr);

/// The client address for rate limits. Each proxy appends the address of its client to
/// `X-Forwarded-For`: entries before those of our own proxies come from the client and are ignored.
pub(super) fn address_of(parts: &Parts, proxies: usize) -> Option<IpAddr> {
    let peer = parts.extensions.get::<PeerAddress>().map(|peer| peer.0);
    let forwarded = match proxies {
        0 => None,
        proxies => {
            let headers = parts.headers.get_all(FORWARDED_FOR);
            let addresses: Vec<&str> =
                headers.iter().filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(',')).collect();
            addresses.len().checked_sub(proxies).and_then(|index| addresses.get(index)?.trim().parse().ok())
        }
    };
    forwarded.or(peer).map(network_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(peer: &str, forwarded: &[&str], proxies: usize) -> String {
        let mut request = http::Request::new(());
        request.extensions_mut().insert(PeerAddress(peer.parse().unwrap()));
        for value in forwarded {
            request.headers_mut().append(FORWARDED_FOR, value.parse().unwrap());
        }
        address_of(&request.into_parts().0, proxies).unwrap().to_string()
    }

    #[test]
    fn only_trusted_proxies_may_state_the_client_address() {
        assert_eq!(address("192.0.2.1", &["198.51.100.7"], 0), "192.0.2.1");
        assert_eq!(address("192.0.2.1", &["203.0.113.9, 198.51.100.7"], 1), "198.51.100.7");
        assert_eq!(address("192.0.2.1", &["203.0.113.9", "198.51.100.7, 10.0.0.1"], 2), "198.51.100.7");
        assert_eq!(address("192.0.2.1", &["nonsense"], 1), "192.0.2.1");
        assert_eq!(address("192.0.2.1", &[], 1), "192.0.2.1");
    }

    #[test]
    fn ipv6_addresses_count_by_network() {
        assert_eq!(address("2001:db8:1:2:aaaa::1", &[], 0), "2001:db8:1:2::");
        assert_eq!(address("::ffff:192.0.2.1", &[], 0), "192.0.2.1");
    }
}
