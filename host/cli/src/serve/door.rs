//! Who may ask. On loopback every user and every web page of this machine can knock: the token keeps the users out, `Host` and
//! `Origin` the pages, even one whose name was made to stand for this machine.

use super::request::Head;
use std::hint::black_box;
use std::sync::Arc;

/// How a connection came in.
pub(super) enum Door {
    /// By TCP; with the token that a request must carry.
    Token(Arc<String>),
    /// By the Unix socket; whether the other end is this user or root.
    Peer(bool),
}

impl Door {
    /// # Errors
    /// Why the request is not answered.
    pub(super) fn admits(&self, head: &Head) -> Result<(), &'static str> {
        if head.has_origin {
            return Err("it came from a web page");
        }
        let token = match self {
            Door::Peer(true) => return Ok(()),
            Door::Peer(false) => return Err("it came from another user"),
            Door::Token(token) => token,
        };
        if !head.host.as_deref().is_some_and(is_loopback) {
            return Err("its Host is not this machine");
        }
        match head.bearer.as_deref() {
            Some(given) if equal(given.as_bytes(), token.as_bytes()) => Ok(()),
            Some(_) => Err("its token is not the one of this server"),
            None => Err("it has no token (Authorization: Bearer …)"),
        }
    }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// In the same time, wherever they differ.
fn equal(a: &[u8], b: &[u8]) -> bool {
    let differ = a.iter().zip(b).fold(0, |differ, (a, b)| black_box(differ | (a ^ b)));
    a.len() == b.len() && black_box(differ) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_its_host() {
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1",
            "127.0.0.1:8371",
            "[::1]",
            "[::1]:8371",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "10.0.0.1:80",
            "[::1",
            "[::2]",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_part_of_the_token_is_not_the_token() {
        assert!(equal(b"abc", b"abc"));
        for other in ["", "ab", "abcd", "abd", "bbc"] {
            assert!(!equal(other.as_bytes(), b"abc"), "{other}");
        }
    }
}
