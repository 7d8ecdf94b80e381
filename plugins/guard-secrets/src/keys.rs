//! Finds keys, tokens and passwords in a text: one pass, no regular expressions, a bounded number of steps per byte
//! whatever the text is (a megabyte must fit into a plugin's fuel).

use crate::checksum;
use crate::formats::{ALNUM, BASE64, CHECKED, DASH, DIGIT, DOT, FORMATS, Format, HEX, LOWER, Proof, UPPER, WORD};
use crate::values::{mixed, placeholder, random, telling, weakly_random};
use memchr::memchr;

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
/// The shortest run of word bytes that is looked at. No format has a key without one.
const LONG: usize = 10;
/// How far before a run its prefix or its name's `=` may be.
const PREFIX: usize = 24;
/// What the first line of a private key says.
const PRIVATE: &str = "PRIVATE KEY";
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
        if matches!(b, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            class |= WORD;
        }
        table[byte] = class;
        byte += 1;
    }
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
///
/// Keys are long, words are short: only runs of [`LONG`] letters, digits and `_` are looked at. To find one, the byte where it
/// would end is looked at first; most often no run ends there, and all before it is passed over unread.
pub(crate) fn scan(text: &str) -> Vec<Found> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        skip: 0,
        no_end: false,
    };
    let mut all: Vec<Found> = Vec::new();
    let mut at_sign = after(text, 0, "@");
    let mut block = after(text, 0, PRIVATE);
    let mut start = 0;
    loop {
        let (next, end) = scan.run_from(start);
        // What stands before the next run and is no run itself.
        while at_sign < text.len() && at_sign <= next {
            let found = scan.url_password(at_sign);
            let floor = all.last().map_or(0, |last| last.end);
            all.extend(found.filter(|found| found.start >= floor));
            at_sign = after(text, at_sign + 1, "@");
        }
        if block < text.len() && block <= next {
            let found = scan.private_key(block);
            block = after(text, block + 1, PRIVATE);
            if let Some(found) = found {
                while all.last().is_some_and(|last| last.end > found.start) {
                    all.pop();
                }
                start = found.end;
                all.push(found);
                continue;
            }
        }
        if next == end {
            return all;
        }
        let found = scan.look(next, end);
        start = end.max(scan.skip);
        if let Some(found) = found {
            start = start.max(found.end);
            all.push(found);
        }
    }
}

/// Where the text begins next; past the end where it does not. Only its rarest byte is looked for, the `V` of
/// [`PRIVATE`] or the only one: large texts are read once, and quickly.
fn after(text: &str, from: usize, what: &str) -> usize {
    let rare = what.bytes().position(|byte| byte == b'V').unwrap_or(0);
    let bytes = text.as_bytes();
    let mut at = from + rare;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr(what.as_bytes()[rare], rest)) {
        let start = at + found - rare;
        if bytes[start..].starts_with(what.as_bytes()) {
            return start;
        }
        at += found + 1;
    }
    text.len() + 1
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

    /// The first run of at least [`LONG`] word bytes that begins at `from` or later. Empty, past the end: there is none.
    fn run_from(&self, from: usize) -> (usize, usize) {
        let bytes = self.bytes;
        let mut start = from;
        while let Some(window) = bytes.get(start..start + LONG) {
            let mut back = LONG;
            while back > 0 && CLASS[window[back - 1] as usize] & WORD != 0 {
                back -= 1;
            }
            if back > 0 {
                start += back;
                continue;
            }
            let mut end = start + LONG;
            while end < bytes.len() && CLASS[bytes[end] as usize] & WORD != 0 {
                end += 1;
            }
            return (start, end);
        }
        (bytes.len() + 1, bytes.len() + 1)
    }

    /// What a run is, by what it begins with and by what stands before it.
    fn look(&mut self, start: usize, end: usize) -> Option<Found> {
        let before = start.checked_sub(1).map_or(0, |at| self.bytes[at]);
        let first = self.bytes[start];
        match before {
            // An escape (`\n`) and a percent code are no part of the word.
            b'\\' if matches!(first, b'n' | b'r' | b't' | b'b' | b'f') => {
                if let Some(found) = self.word(start + 1) {
                    return Some(found);
                }
            }
            b'%' => {
                if let Some(found) = self.word(start + 2) {
                    return Some(found);
                }
            }
            // The prefix may stand before a dash or a dot: `sk-ant-…`, `SG.…`.
            b'-' | b'.' => {
                if let Some(found) = self.prefixed(start) {
                    return Some(found);
                }
            }
            b':' if self.bytes[start..].starts_with(b"AA") => {
                if let Some(found) = self.telegram(start - 1) {
                    return Some(found);
                }
            }
            _ => {}
        }
        if let Some(found) = self.word(start) {
            return Some(found);
        }
        let digits = self.bytes[start..end].iter().any(|byte| byte.is_ascii_digit());
        let sign = if digits { self.assignment(start) } else { None };
        sign.and_then(|sign| self.assigned(sign))
    }

    /// A key that begins here.
    fn word(&mut self, at: usize) -> Option<Found> {
        let byte = self.at(at);
        if byte == b'e' {
            return self.web_token(at);
        }
        if FIRST[byte as usize] == 0 {
            return None;
        }
        self.format(at)
    }

    /// A key whose prefix ends before the run: every word before it, back to the blank, is tried, the nearest first.
    fn prefixed(&mut self, start: usize) -> Option<Found> {
        let floor = start.saturating_sub(PREFIX).max(self.skip);
        let mut at = start - 1;
        while at > floor {
            let class = CLASS[self.bytes[at - 1] as usize];
            // Only after a byte that is part of no word a key can begin.
            if class & WORD == 0 {
                if FIRST[self.bytes[at] as usize] != 0
                    && let Some(found) = self.word(at)
                {
                    return Some(found);
                }
                if class & (DASH | DOT) == 0 {
                    return None;
                }
            }
            at -= 1;
        }
        let begins = at == 0 || CLASS[self.bytes[at - 1] as usize] & WORD == 0;
        if begins { self.word(at) } else { None }
    }

    /// The `=` or `:` that gives a name the value which this run is a part of.
    fn assignment(&self, start: usize) -> Option<usize> {
        let floor = start.saturating_sub(PREFIX);
        let mut at = start;
        let mut gap = false;
        while at > floor {
            match self.bytes[at - 1] {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' if !gap => {}
                b'=' | b':' => return Some(at - 1),
                b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\' | b'>' => gap = true,
                _ if gap => {
                    let schemes = [&b"Bearer"[..], b"bearer", b"Basic", b"token", b"Token"];
                    let scheme = schemes.iter().find(|scheme| self.bytes[..at].ends_with(scheme))?;
                    at = at - scheme.len() + 1;
                }
                byte if byte <= b' ' || matches!(byte, b';' | b',' | b'&' | b'<' | b')' | b'}' | b'(' | b'{') => {
                    return None;
                }
                _ => {}
            }
            at -= 1;
        }
        None
    }

    /// How many bytes of these classes stand at `from`, at most `most`. Loops by hand: this is what a scan spends its fuel on.
    fn run(&self, from: usize, mask: u8, most: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let mut length = 0;
        while length < most && length < rest.len() && CLASS[rest[length] as usize] & mask != 0 {
            length += 1;
        }
        length
    }

    fn format(&mut self, at: usize) -> Option<Found> {
        let second = self.at(at + 1);
        let mut formats = FIRST[self.bytes[at] as usize];
        while formats != 0 {
            let format = &FORMATS[formats.trailing_zeros() as usize];
            formats &= formats - 1;
            let prefix = format.prefix.as_bytes();
            if prefix[1] == second
                && self.bytes[at..].starts_with(prefix)
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
        let mask = format.body;
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
        // Every OpenAI key holds this in its middle.
        if format.prefix == "sk-" && body.windows(8).any(|part| part == b"T3BlbkFJ") {
            return Some(Found {
                kind: "OpenAI key",
                start: at,
                end: from + length,
                sure: Sure::Certain,
            });
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

    /// A PEM block of a private key, whose first line holds `PRIVATE KEY` at `name`. The line alone, without a body, is only
    /// talked about.
    fn private_key(&mut self, name: usize) -> Option<Found> {
        let line = &self.bytes[name.saturating_sub(32)..name];
        let begin = line.windows(11).rposition(|eleven| eleven == b"-----BEGIN ")?;
        let at = name - line.len() + begin;
        let rest = &self.bytes[name + PRIVATE.len()..];
        let dashes = rest.iter().take(16).position(|byte| *byte == b'-')?;
        if !rest[dashes..].starts_with(b"-----") {
            return None;
        }
        let body = name + PRIVATE.len() + dashes + 5;
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
    fn assigned(&mut self, at: usize) -> Option<Found> {
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

    /// `scheme://user:password@host`, by the place of its `@`.
    fn url_password(&self, sign: usize) -> Option<Found> {
        let ends = |byte: u8| {
            byte <= b' '
                || matches!(
                    byte,
                    b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'?' | b'#' | b'\\' | b'@'
                )
        };
        let head = self.bytes.get(sign.saturating_sub(VALUE)..sign)?;
        let stop = head.iter().rposition(|byte| ends(*byte))?;
        let from = sign - head.len() + stop + 1;
        if !head[..=stop].ends_with(b"://") || !head[..stop - 2].last().is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let rest = &self.bytes[from..];
        let length = sign - from;
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
