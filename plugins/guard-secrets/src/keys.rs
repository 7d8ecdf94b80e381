//! Finds keys, tokens and passwords in a text: one pass, no regular expressions, a bounded number of steps per byte
//! whatever the text is (a megabyte must fit into a plugin's fuel).

use crate::checksum;
use crate::formats::{ALNUM, BASE64, CHECKED, DASH, DIGIT, DOT, FORMATS, Format, HEX, LOWER, Proof, TRIGGER, UPPER};
use crate::values::{mixed, placeholder, random, telling, weakly_random};

/// How sure it is that a text is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sure {
    /// Something random is assigned to a name like `password`.
    Guess,
    /// The shape of a key, without its proof: a test key, a wrong checksum.
    Likely,
    Certain,
}

/// A secret in a text. What it is, never its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub kind: &'static str,
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    pub sure: Sure,
}

/// The longest value that is looked at after a name; also how far a URL's password may be from its `://`.
pub(crate) const VALUE: usize = 256;
/// The longest name that is looked at before a `=` or `:`.
pub(crate) const NAME: usize = 48;
/// From this longest length on a format has no fixed length.
const OPEN: usize = 255;

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mut class = match b {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'-' | b'_' => DASH,
            b'+' | b'/' | b'=' => BASE64,
            b'.' => DOT,
            _ => 0,
        };
        if matches!(b, b'a'..=b'f' | b'A'..=b'F') {
            class |= HEX;
        }
        if matches!(b, b'=' | b':' | b'-' | b'T') {
            class |= TRIGGER;
        }
        table[byte] = class;
        byte += 1;
    }
    let mut at = 0;
    while at < FORMATS.len() {
        table[FORMATS[at].prefix.as_bytes()[0] as usize] |= TRIGGER;
        at += 1;
    }
    table[b'e' as usize] |= TRIGGER;
    table
}

pub(crate) static CLASS: [u8; 256] = classes();

/// Where the formats of a first byte stand in [`FORMATS`]: a bit each.
const fn first_bytes() -> [u128; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < FORMATS.len() {
        table[FORMATS[at].prefix.as_bytes()[0] as usize] |= 1 << at;
        at += 1;
    }
    table
}

static FIRST: [u128; 256] = first_bytes();
const _: () = assert!(FORMATS.len() <= 128);

/// Every secret of the text, in order, without overlaps.
pub(crate) fn scan(text: &str) -> Vec<Found> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        skip: 0,
        no_end: false,
    };
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(byte) = scan.bytes.get(at).copied() {
        if CLASS[byte as usize] & TRIGGER == 0 {
            at += 1;
            continue;
        }
        let found = scan.look(at, byte);
        at = scan.skip.max(at + 1);
        if let Some(found) = found {
            at = at.max(found.end);
            all.push(found);
        }
    }
    all
}

/// What a value is that an object holds under this name: a secret by its own format, or random under a telling name.
pub(crate) fn under(name: &str, value: &str) -> Option<&'static str> {
    let kind = telling(name.as_bytes())?;
    random(value.as_bytes(), true).then_some(kind)
}

struct Scan<'a> {
    bytes: &'a [u8],
    /// What was looked at and was no key: nothing is looked for before here.
    skip: usize,
    /// Set when no `-----END` follows: it is not searched for twice.
    no_end: bool,
}

impl Scan<'_> {
    fn at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn look(&mut self, at: usize, byte: u8) -> Option<Found> {
        match byte {
            b'=' | b':' => return self.assigned(at, byte),
            b'-' => {
                return if self.at(at + 5) == b'B' && self.at(at + 4) == b'-' {
                    self.private_key(at)
                } else {
                    None
                };
            }
            b'T' if self.bytes[at..].starts_with(b"T3BlbkFJ") => return self.openai(at),
            _ => {}
        }
        if !self.starts_word(at) {
            return None;
        }
        if byte == b'e' {
            return self.web_token(at);
        }
        self.format(at)
    }

    /// Whether no word goes on here. An escape (`\n`) and a percent code end one.
    fn starts_word(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|at| self.bytes[at]) else {
            return true;
        };
        if before != b'_' && CLASS[before as usize] & ALNUM == 0 {
            return true;
        }
        let earlier = |back: usize| at.checked_sub(back).map_or(0, |at| self.bytes[at]);
        (earlier(2) == b'\\' && matches!(before, b'n' | b'r' | b't' | b'b' | b'f'))
            || (earlier(3) == b'%' && (CLASS[before as usize] & (DIGIT | HEX)) != 0)
    }

    fn run(&self, from: usize, mask: u8, most: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        rest.iter()
            .take(most)
            .take_while(|byte| CLASS[**byte as usize] & mask != 0)
            .count()
    }

    fn format(&mut self, at: usize) -> Option<Found> {
        let mut formats = FIRST[self.bytes[at] as usize];
        while formats != 0 {
            let format = &FORMATS[formats.trailing_zeros() as usize];
            formats &= formats - 1;
            if self.bytes[at..].starts_with(format.prefix.as_bytes())
                && let Some(found) = self.fits(format, at)
            {
                return Some(found);
            }
        }
        None
    }

    fn fits(&mut self, format: &Format, at: usize) -> Option<Found> {
        let from = at + format.prefix.len();
        let (least, most) = format.length;
        let mask = format.body & !TRIGGER;
        let mut length = self.run(from, mask, most + 1);
        if length > most {
            // Something longer: for a format of a fixed length no key. Where the length is open it is taken as one, which also
            // keeps a text of nothing but prefixes from being read over and over.
            let open = most >= OPEN;
            return open.then_some(Found {
                kind: format.kind,
                start: at,
                end: from + length,
                sure: Sure::Likely,
            });
        }
        // A full stop or a dash at the end belongs to the sentence.
        while length > 0 && matches!(self.at(from + length - 1), b'.' | b'-' | b'=' | b'/') && mask & ALNUM != 0 {
            length -= 1;
        }
        if length < least {
            return None;
        }
        let body = &self.bytes[from..from + length];
        if placeholder(body) || (format.proof == Proof::Weak && !mixed(body)) {
            self.skip = from + length;
            return None;
        }
        let sure = match format.proof {
            Proof::Shape => Sure::Certain,
            Proof::Weak => Sure::Likely,
            Proof::Checksum if length != CHECKED || checksum::holds(body) => Sure::Certain,
            Proof::Checksum => Sure::Likely,
        };
        Some(Found {
            kind: format.kind,
            start: at,
            end: from + length,
            sure,
        })
    }

    /// `sk-…T3BlbkFJ…`: the middle of every OpenAI key.
    fn openai(&mut self, at: usize) -> Option<Found> {
        let key = |byte: u8| CLASS[byte as usize] & (ALNUM | DASH) != 0;
        let before = self.bytes[..at]
            .iter()
            .rev()
            .take(VALUE)
            .take_while(|byte| key(**byte))
            .count();
        let head = &self.bytes[at - before..at];
        let start = head.windows(3).rposition(|three| three == b"sk-");
        let after = self.run(at, ALNUM | DASH, VALUE);
        self.skip = at + after;
        let start = start?;
        let body = &self.bytes[at..at + after];
        if after < 20 || placeholder(body) {
            return None;
        }
        Some(Found {
            kind: "OpenAI key",
            start: at - before + start,
            end: at + after,
            sure: Sure::Certain,
        })
    }

    /// `eyJ….eyJ….…`
    fn web_token(&mut self, at: usize) -> Option<Found> {
        if !self.bytes[at..].starts_with(b"eyJ") {
            return None;
        }
        let mut end = at;
        for part in 0..3 {
            let length = self.run(end, ALNUM | DASH, 16 * 1024);
            if length < 10 || (part == 1 && !self.bytes[end..].starts_with(b"eyJ")) {
                return None;
            }
            end += length;
            if part == 0 && length > 64 && self.at(end) != b'.' {
                self.skip = end;
            }
            if part < 2 {
                if self.at(end) != b'.' {
                    return None;
                }
                end += 1;
            }
        }
        Some(Found {
            kind: "JSON web token",
            start: at,
            end,
            sure: Sure::Certain,
        })
    }

    /// A PEM block of a private key. The line alone, without a body, is only talked about.
    fn private_key(&mut self, at: usize) -> Option<Found> {
        let rest = self.bytes[at..].strip_prefix(b"-----BEGIN ")?;
        let line = &rest[..rest.len().min(64)];
        let line = &line[..line.windows(5).position(|five| five == b"-----")?];
        if !line.windows(11).any(|eleven| eleven == b"PRIVATE KEY") {
            return None;
        }
        let body = at + b"-----BEGIN ".len() + line.len() + 5;
        let content = self.bytes.get(body..).unwrap_or_default();
        let sample = content.iter().take(200).take_while(|byte| **byte != b'-');
        if sample
            .filter(|byte| CLASS[**byte as usize] & (ALNUM | BASE64) != 0)
            .count()
            < 40
        {
            return None;
        }
        let end = if self.no_end {
            None
        } else {
            content.windows(8).position(|eight| eight == b"-----END")
        };
        let end = match end {
            Some(end) => {
                let closing = body + end + 8;
                closing
                    + self.bytes[closing..]
                        .iter()
                        .take(60)
                        .position(|b| *b == b'\n')
                        .unwrap_or(0)
            }
            None => {
                self.no_end = true;
                // Cut off: everything that could be its lines.
                let key = |byte: u8| {
                    CLASS[byte as usize] & (ALNUM | BASE64) != 0 || matches!(byte, b'\r' | b'\n' | b'\\' | b' ')
                };
                body + content.iter().take_while(|byte| key(**byte)).count()
            }
        };
        Some(Found {
            kind: "private key",
            start: at,
            end,
            sure: Sure::Certain,
        })
    }

    /// `name = value`, `"name": "value"`, `scheme://user:password@`, `123456789:AA…`.
    fn assigned(&mut self, at: usize, byte: u8) -> Option<Found> {
        if byte == b':' && self.bytes[at..].starts_with(b"://") {
            return self.url_password(at);
        }
        if byte == b':' && self.bytes[at + 1..].starts_with(b"AA") {
            return self.telegram(at);
        }
        // The name: over blanks, quotes and what makes `=` into `:=` or `=>`.
        let mut end = at;
        let mut skipped = 0;
        while end > 0 && skipped < 4 && matches!(self.bytes[end - 1], b' ' | b'"' | b'\'' | b'\\' | b':' | b']' | b'`')
        {
            end -= 1;
            skipped += 1;
        }
        let letters = self.bytes[..end].iter().rev().take(NAME);
        let start = end
            - letters
                .take_while(|b| CLASS[**b as usize] & (ALNUM | DASH | DOT) != 0)
                .count();
        let kind = telling(&self.bytes[start..end])?;
        // The value.
        let mut from = at + 1;
        let mut quoted = false;
        let mut skipped = 0;
        while skipped < 6 && matches!(self.at(from), b' ' | b'"' | b'\'' | b'\\' | b'=' | b'>' | b'`' | b'\t') {
            quoted |= matches!(self.at(from), b'"' | b'\'' | b'`');
            from += 1;
            skipped += 1;
        }
        for scheme in [&b"Bearer "[..], b"bearer ", b"Basic ", b"token ", b"Token "] {
            if self.bytes.get(from..).is_some_and(|rest| rest.starts_with(scheme)) {
                from += scheme.len();
            }
        }
        if from < self.bytes.len()
            && let Some(found) = self.format(from)
        {
            return Some(found);
        }
        // `:` and `=` end it too (but not the padding of base 64): a value is read once.
        let ends = |byte: u8| {
            byte <= b' '
                || matches!(
                    byte,
                    b'"' | b'\'' | b'`' | b';' | b',' | b'&' | b'<' | b'\\' | b')' | b'}' | b'=' | b':'
                )
        };
        let rest = self.bytes.get(from..).unwrap_or_default();
        let mut length = rest.iter().take(VALUE).take_while(|byte| !ends(**byte)).count();
        length += rest[length..].iter().take(2).take_while(|byte| **byte == b'=').count();
        random(&rest[..length], quoted).then_some(Found {
            kind,
            start: from,
            end: from + length,
            sure: Sure::Guess,
        })
    }

    fn url_password(&self, at: usize) -> Option<Found> {
        let scheme = self.bytes[..at]
            .iter()
            .rev()
            .take(16)
            .take_while(|b| CLASS[**b as usize] & (LOWER | DIGIT) != 0 || **b == b'+')
            .count();
        let from = at + 3;
        let ends = |byte: u8| {
            byte <= b' '
                || matches!(
                    byte,
                    b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'?' | b'#' | b'\\' | b'@'
                )
        };
        let rest = self.bytes.get(from..)?;
        let length = rest.iter().take(VALUE).take_while(|byte| !ends(**byte)).count();
        if scheme == 0 || rest.get(length) != Some(&b'@') {
            return None;
        }
        let colon = rest[..length].iter().position(|byte| *byte == b':')?;
        let password = &rest[colon + 1..length];
        let host = rest.get(length + 1..)?;
        let local = [
            &b"localhost"[..],
            b"127.0.0.1",
            b"0.0.0.0",
            b"[::1]",
            b"db:",
            b"db/",
            b"postgres:",
            b"redis:",
            b"mysql:",
            b"example.",
        ];
        if local.iter().any(|local| host.starts_with(local)) || password.len() < 8 || !weakly_random(password) {
            return None;
        }
        let user = &rest[..colon];
        if user == password || placeholder(password) {
            return None;
        }
        let sure = if mixed(password) { Sure::Likely } else { Sure::Guess };
        Some(Found {
            kind: "password in a URL",
            start: from + colon + 1,
            end: from + length,
            sure,
        })
    }

    fn telegram(&self, at: usize) -> Option<Found> {
        let digits = self.bytes[..at]
            .iter()
            .rev()
            .take(12)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let length = self.run(at + 1, ALNUM | DASH, 64);
        if !(8..=10).contains(&digits)
            || !(33..=40).contains(&length)
            || placeholder(&self.bytes[at + 1..at + 1 + length])
        {
            return None;
        }
        Some(Found {
            kind: "Telegram bot token",
            start: at - digits,
            end: at + 1 + length,
            sure: Sure::Certain,
        })
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
