//! Where a URL leads: its host in one spelling, whatever notation hides it.

/// A URL or an address, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Target {
    /// Lower case; empty where the text has none.
    pub scheme: String,
    /// What stands before `@`.
    pub user: String,
    pub host: Host,
    pub port: Option<u16>,
    /// From the first `/` after the host on.
    pub path: String,
    /// Characters that a person does not see stood in it.
    pub hidden: bool,
}

/// A host in one spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Host {
    /// Lower case, without a last dot; an address in its usual notation.
    pub name: String,
    pub address: Option<[u8; 4]>,
    /// An address that was written in another notation than four decimal numbers.
    pub odd: bool,
    /// A part of it is only known when the command runs.
    pub unknown: bool,
}

/// The target of a text: a URL, or `host[:port][/path]` as curl takes it. None where there is no host.
pub(crate) fn target(text: &str) -> Option<Target> {
    let mut hidden = false;
    let clean: String = text
        .trim()
        .chars()
        .filter(|c| {
            let unseen = matches!(c, '\t' | '\r' | '\n' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
            hidden |= unseen;
            !unseen
        })
        .map(|c| if c == '\\' { '/' } else { c })
        .collect();
    let (scheme, rest) = match clean.find("://") {
        Some(at)
            if clean[..at]
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')) =>
        {
            (
                clean[..at].to_ascii_lowercase(),
                clean[at + 3..].trim_start_matches('/'),
            )
        }
        _ => (String::new(), clean.strip_prefix("//").unwrap_or(&clean)),
    };
    let (authority, path) = match end_of_authority(rest) {
        Some(at) => (&rest[..at], &rest[at..]),
        None => (rest, ""),
    };
    let (user, place) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = split_port(place);
    if host.is_empty() {
        return None;
    }
    Some(Target {
        scheme,
        user: decoded(user),
        host: self::host(host),
        port,
        path: path.to_string(),
        hidden,
    })
}

/// The first `/`, `?` or `#` that is no part of a substitution.
fn end_of_authority(rest: &str) -> Option<usize> {
    let mut depth = 0_i32;
    rest.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            '/' | '?' | '#' if depth <= 0 => return Some(at),
            _ => {}
        }
        None
    })
}

fn split_port(place: &str) -> (&str, Option<u16>) {
    if let Some(end) = place.strip_prefix('[').and_then(|rest| rest.find(']')) {
        let port = place[end + 2..].strip_prefix(':').and_then(|port| port.parse().ok());
        return (&place[..end + 2], port);
    }
    match place.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') => (host, port.parse().ok()),
        _ => (place, None),
    }
}

/// `%41` as `A`, once.
fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_string();
    }
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let code = (*byte == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        match code
            .and_then(|code| std::str::from_utf8(code).ok())
            .and_then(|code| u8::from_str_radix(code, 16).ok())
        {
            Some(value) => {
                out.push(value);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A host in one spelling.
pub(crate) fn host(text: &str) -> Host {
    let unknown = text.contains(['$', '`', '{']);
    let mut name: String = decoded(text)
        .chars()
        .map(|c| match c {
            '\u{3002}' | '\u{ff0e}' | '\u{ff61}' | '\u{2024}' => '.',
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            '\u{2460}'..='\u{2468}' => char::from_u32(c as u32 - 0x2460 + u32::from(b'1')).unwrap_or(c),
            c => c,
        })
        .flat_map(char::to_lowercase)
        .collect();
    while name.ends_with('.') {
        name.pop();
    }
    if unknown {
        return Host {
            name,
            unknown,
            ..Host::default()
        };
    }
    if name.starts_with('[') || name.matches(':').count() > 1 {
        let inner = name
            .trim_matches(['[', ']'])
            .split('%')
            .next()
            .unwrap_or("")
            .to_string();
        let address = inner.parse::<std::net::Ipv6Addr>().ok().and_then(mapped);
        return match address {
            Some(address) => Host {
                name: dotted(address),
                address: Some(address),
                odd: true,
                unknown,
            },
            None => Host {
                name: inner,
                ..Host::default()
            },
        };
    }
    match address(&name) {
        Some(address) => {
            let usual = dotted(address);
            Host {
                odd: usual != name,
                name: usual,
                address: Some(address),
                unknown,
            }
        }
        None => Host {
            name,
            ..Host::default()
        },
    }
}

/// The IPv4 address inside an IPv6 address that stands for it.
fn mapped(address: std::net::Ipv6Addr) -> Option<[u8; 4]> {
    let parts = address.segments();
    let last = [
        (parts[6] >> 8) as u8,
        parts[6] as u8,
        (parts[7] >> 8) as u8,
        parts[7] as u8,
    ];
    match parts {
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some(last),
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 || low > 1 => Some(last),
        [0x2002, high, low, ..] => Some([(high >> 8) as u8, high as u8, (low >> 8) as u8, low as u8]),
        _ => None,
    }
}

fn dotted(address: [u8; 4]) -> String {
    let [a, b, c, d] = address;
    format!("{a}.{b}.{c}.{d}")
}

/// An IPv4 address as `inet_aton` reads it: one to four numbers, each decimal, octal (`0…`) or hexadecimal (`0x…`), the last
/// one filling what is left.
fn address(name: &str) -> Option<[u8; 4]> {
    let mut numbers = Vec::new();
    for part in name.split('.') {
        let number = match part.strip_prefix("0x") {
            Some("") => 0,
            Some(hex) => u64::from_str_radix(hex, 16).ok()?,
            None if part.len() > 1 && part.starts_with('0') => u64::from_str_radix(part, 8).ok()?,
            None => part
                .bytes()
                .all(|b| b.is_ascii_digit())
                .then(|| part.parse::<u64>().ok())
                .flatten()?,
        };
        numbers.push(number);
    }
    let last = numbers.pop()?;
    if numbers.len() > 3 || numbers.iter().any(|number| *number > 255) {
        return None;
    }
    let left = 4 - numbers.len() as u32;
    if last >= 1_u64 << (8 * left) {
        return None;
    }
    let mut value = last;
    for (at, number) in numbers.iter().enumerate() {
        value |= number << (8 * (3 - at as u32));
    }
    Some((value as u32).to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        target(text).map(|target| target.host.name).unwrap_or_default()
    }

    #[test]
    fn the_host_is_what_stands_after_the_last_at_sign() {
        let target = target("https://github.com@evil.example/x").unwrap();
        assert_eq!(
            (target.user.as_str(), target.host.name.as_str()),
            ("github.com", "evil.example")
        );
        assert_eq!(name("https://github.com\\@evil.example/"), "github.com");
        assert_eq!(name("https://GitHub.com./x"), "github.com");
        assert_eq!(name("example.com:8080/x"), "example.com");
        assert_eq!(name("http:///example.com/x"), "example.com");
        assert_eq!(name("//example.com/x"), "example.com");
        assert_eq!(name("https://ex%61mple.com"), "example.com");
        assert_eq!(name("https://example\u{3002}com"), "example.com");
    }

    #[test]
    fn an_address_has_many_notations_and_one_meaning() {
        for text in [
            "http://169.254.169.254/",
            "http://2852039166/",
            "http://0xa9fea9fe/",
            "http://0xA9.0xFE.0xA9.0xFE/",
            "http://0251.0376.0251.0376/",
            "http://169.254.43518/",
            "http://169.16689662/",
            "http://[::ffff:169.254.169.254]/",
            "http://[::ffff:a9fe:a9fe]/",
            "http://169.254.169.254./",
            "http://\u{ff11}69.254.169.254/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://0251.254.169.254:80",
        ] {
            assert_eq!(name(text), "169.254.169.254", "{text}");
        }
        assert!(target("http://2852039166/").unwrap().host.odd);
        assert!(!target("http://127.0.0.1:3000/").unwrap().host.odd);
        assert_eq!(name("http://[::1]:80/"), "::1");
        assert_eq!(name("http://300.1.1.1/"), "300.1.1.1");
        assert_eq!(name("http://1.2.3.4.5/"), "1.2.3.4.5");
    }

    #[test]
    fn what_is_not_known_is_said() {
        assert!(target("https://$HOST/x").unwrap().host.unknown);
        assert!(target("$(cat a).evil.example").unwrap().host.unknown);
        assert_eq!(target("https://api.example/$(id)").unwrap().host.name, "api.example");
        assert!(target("https://git\u{200b}hub.com").unwrap().hidden);
    }
}
