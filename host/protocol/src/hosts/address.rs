//! Which addresses are the public internet's. Everything else reaches this machine, its network or something special.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether the address is one of the public internet.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// By the registries of special-purpose addresses (RFC 6890 and its successors).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        (0 | 10 | 127 | 224.., ..)
        | (169, 254, _)
        | (192, 168, _)
        | (192, 0, 0 | 2)
        | (192, 88, 99)
        | (198, 18 | 19, _)
        | (198, 51, 100)
        | (203, 0, 113) => true,
        (100, b, _) => b & 0xc0 == 64,
        (172, b, _) => b & 0xf0 == 16,
        _ => false,
    };
    !special
}

/// Only 2000::/3, less what in it is special or carries another address.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let special = match (a, b) {
        // Teredo, benchmarking, ORCHID and the like; documentation; 6to4.
        (0x2001, b) => b < 0x200 || b == 0xdb8,
        (0x2002, _) | (0x3fff, 0..0x1000) => true,
        _ => false,
    };
    a & 0xe000 == 0x2000 && !special
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn only_the_public_internet_is_public() {
        for public in [
            "1.1.1.1",
            "93.184.216.34",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "100.128.0.1",
            "198.17.0.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
        ] {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
        for special in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(special.parse().expect("an address")), "{special}");
        }
    }
}
