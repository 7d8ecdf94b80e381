//! Hosts that a plugin may call: how a grant names them, what a URL asks for, and where a call may connect to.
//!
//! A URL is read strictly: what two readers could understand differently (users, other notations of an address, letters beyond
//! ASCII, escapes in a host) is refused, so that the host that is checked is the host that is called.

mod address;

pub use address::is_public;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Bytes of one URL.
const URL_BYTES: usize = 8 << 10;

/// An entry of the grant `http`: `host`, `*.domain`, an address (`10.1.2.3`, `[fd00::1]`), each with `:port` or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostGrant {
    name: Name,
    /// None: HTTPS on its own port.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Host(Host),
    /// Every name below the domain, not the domain itself.
    Below(String),
}

/// What stands in a URL for the machine that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// In lower case.
    Name(String),
    Address(IpAddr),
}

/// What a URL asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// HTTPS.
    pub secure: bool,
    pub host: Host,
    pub port: u16,
    /// Path and query, from `/` on.
    pub path: String,
}

/// Why a URL or a grant is not taken. The text names no part of it: it may hold a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    #[error("the URL has more than {URL_BYTES} bytes")]
    TooLong,
    #[error("the URL does not begin with https:// or http://")]
    Scheme,
    #[error("the URL holds a character that must be written as %XX")]
    Character,
    #[error("the URL names a user: a key belongs into a header")]
    User,
    #[error(
        "the host is not a name in ASCII (other letters as xn--…), four decimal numbers, or an IPv6 address in brackets"
    )]
    Host,
    #[error("the port is not a number from 1 to 65535")]
    Port,
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Name(name) => f.write_str(name),
            Host::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Host::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

/// Host and port, for messages.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Host {
    fn parse(text: &str) -> Result<Self, HostError> {
        if let Some(inner) = text.strip_prefix('[') {
            let inner = inner.strip_suffix(']').ok_or(HostError::Host)?;
            let address: Ipv6Addr = inner.parse().map_err(|_| HostError::Host)?;
            return Ok(Host::Address(IpAddr::V6(address).to_canonical()));
        }
        let name = text.to_ascii_lowercase();
        let label = |label: &str| {
            let inner = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            inner && (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
        };
        if name.len() > 253 || !name.split('.').all(label) {
            return Err(HostError::Host);
        }
        // A name that ends in a number is an address to whoever resolves it, in one of many notations.
        let last = name.rsplit('.').next().unwrap_or_default();
        let hexadecimal = last
            .strip_prefix("0x")
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if hexadecimal || last.bytes().all(|byte| byte.is_ascii_digit()) {
            let address: Ipv4Addr = name.parse().map_err(|_| HostError::Host)?;
            return Ok(Host::Address(address.into()));
        }
        Ok(Host::Name(name))
    }
}

/// Host and port of `host`, `host:port` or `[address]:port`.
fn split(text: &str) -> Result<(&str, Option<u16>), HostError> {
    let after = text.find(']').map_or(0, |at| at + 1);
    let Some(colon) = text[after..].find(':') else {
        return Ok((text, None));
    };
    let (host, port) = (&text[..after + colon], &text[after + colon + 1..]);
    let plain = !port.starts_with('0') && port.bytes().all(|byte| byte.is_ascii_digit());
    let port = port.parse().ok().filter(|_| plain).ok_or(HostError::Port)?;
    Ok((host, Some(port)))
}

impl HostGrant {
    /// # Errors
    /// It is none of the forms of an entry.
    pub fn parse(text: &str) -> Result<Self, HostError> {
        let (host, port) = split(text)?;
        let name = match host.strip_prefix("*.") {
            Some(domain) => match Host::parse(domain)? {
                Host::Name(domain) => Name::Below(domain),
                Host::Address(_) => return Err(HostError::Host),
            },
            None => Name::Host(Host::parse(host)?),
        };
        Ok(HostGrant { name, port })
    }

    /// Without a port an entry is for HTTPS on 443; with one for that port, encrypted or not.
    fn is_for_port(&self, target: &Target) -> bool {
        self.port
            .map_or(target.secure && target.port == 443, |port| port == target.port)
    }

    fn covers(&self, target: &Target) -> bool {
        let named = match (&self.name, &target.host) {
            (Name::Host(host), called) => host == called,
            (Name::Below(domain), Host::Name(name)) => name
                .strip_suffix(domain.as_str())
                .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            (Name::Below(_), Host::Address(_)) => false,
        };
        named && self.is_for_port(target)
    }
}

impl Target {
    /// # Errors
    /// It is not a plain URL of HTTP.
    pub fn parse(url: &str) -> Result<Self, HostError> {
        if url.len() > URL_BYTES {
            return Err(HostError::TooLong);
        }
        let scheme = |scheme: &str| {
            url.get(..scheme.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        let (secure, rest) = match () {
            () if scheme("https://") => (true, &url["https://".len()..]),
            () if scheme("http://") => (false, &url["http://".len()..]),
            () => return Err(HostError::Scheme),
        };
        let strange = |byte: u8| !byte.is_ascii_graphic() || br#"\"<>^`{|}"#.contains(&byte);
        if rest.bytes().any(strange) {
            return Err(HostError::Character);
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        if authority.contains('@') {
            return Err(HostError::User);
        }
        let (host, port) = split(authority)?;
        let path = rest.split('#').next().unwrap_or_default();
        let slash = if path.starts_with('/') { "" } else { "/" };
        Ok(Target {
            secure,
            host: Host::parse(host)?,
            port: port.unwrap_or(if secure { 443 } else { 80 }),
            path: format!("{slash}{path}"),
        })
    }

    /// The URL, as every reader understands it.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        let port = match (self.secure, self.port) {
            (true, 443) | (false, 80) => String::new(),
            (_, port) => format!(":{port}"),
        };
        format!("{scheme}://{}{port}{}", self.host, self.path)
    }
}

/// Whether the host and port of the URL are granted.
#[must_use]
pub fn may_call(grants: &[HostGrant], target: &Target) -> bool {
    grants.iter().any(|grant| grant.covers(target))
}

/// Whether a call that is granted may connect to this address of its host: a public one, or one that is named as such, by an
/// entry with the address itself or by `localhost`.
#[must_use]
pub fn may_connect(grants: &[HostGrant], target: &Target, address: IpAddr) -> bool {
    let address = address.to_canonical();
    let named = |grant: &HostGrant| grant.name == Name::Host(Host::Address(address)) && grant.is_for_port(target);
    let localhost = target.host == Host::Name("localhost".into()) && address.is_loopback();
    may_call(grants, target) && (is_public(address) || localhost || grants.iter().any(named))
}

#[cfg(test)]
mod tests;
