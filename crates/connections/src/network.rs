//! The network of a client, by which clients are told apart.

use std::net::{IpAddr, Ipv6Addr};

/// The address of an IPv4 client, and the first half of the address of an IPv6 client: those usually have a whole
/// network of addresses.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_with_ipv6_are_told_apart_by_network() {
        let network = |text: &str| network_of(text.parse().unwrap()).to_string();
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
