//! What makes a value a secret: a telling name, no pattern, no placeholder.

use crate::formats::{DIGIT, HEX, LOWER, UPPER};
use crate::keys::{CLASS, NAME, VALUE};

/// What a name says about its value: names that end like this hold secrets.
pub(crate) fn telling(name: &[u8]) -> Option<&'static str> {
    const ENDINGS: [(&str, &str); 22] = [
        ("password", "password"),
        ("passwd", "password"),
        ("passphrase", "password"),
        ("pwd", "password"),
        ("secret", "secret"),
        ("secrets", "secret"),
        ("token", "token"),
        ("apikey", "API key"),
        ("secretkey", "secret key"),
        ("accesskey", "secret key"),
        ("privatekey", "secret key"),
        ("accountkey", "secret key"),
        ("encryptionkey", "secret key"),
        ("signingkey", "secret key"),
        ("masterkey", "secret key"),
        ("authkey", "secret key"),
        ("secretkeybase", "secret key"),
        ("credential", "credential"),
        ("credentials", "credential"),
        ("authorization", "token"),
        ("keyauth", "token"),
        ("licensekey", "licence key"),
    ];
    if name.len() < 3 {
        return None;
    }
    // `api_key`, `api-key`, `apiKey`: letters alone, in lower case.
    let mut letters = [0u8; NAME];
    let mut length = 0;
    for byte in name.iter().filter(|byte| byte.is_ascii_alphanumeric()).take(NAME) {
        letters[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let name = &letters[..length];
    ENDINGS
        .iter()
        .find(|(ending, _)| name.ends_with(ending.as_bytes()))
        .map(|(_, kind)| *kind)
}

/// A value that nobody would write by hand: long, of several kinds of characters, without repetition.
pub(crate) fn random(value: &[u8], quoted: bool) -> bool {
    if value.len() < 14 || value.len() >= VALUE || placeholder(value) || !weakly_random(value) {
        return false;
    }
    let classes = value.iter().fold(0, |all, byte| all | CLASS[*byte as usize]);
    let letters = classes & (LOWER | UPPER) != 0;
    let hex = value.iter().all(|byte| CLASS[*byte as usize] & (DIGIT | HEX) != 0);
    if hex && value.len() >= 24 {
        return letters && classes & DIGIT != 0;
    }
    // A path, a call, a field of something, a template: a reference and no value.
    if value
        .iter()
        .any(|byte| matches!(byte, b'(' | b'[' | b'{' | b'$' | b'<' | b'*'))
        || matches!(value.first(), Some(b'/' | b'.' | b'@' | b'-' | b'%' | b'#'))
        || value.windows(3).any(|three| three == b"://")
    {
        return false;
    }
    // `settings.PASSWORD_V2`: parts that are all names.
    let named = |part: &[u8]| {
        part.first().is_some_and(u8::is_ascii_alphabetic)
            && part.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    if !quoted && value.contains(&b'.') && value.split(|byte| *byte == b'.').all(named) {
        return false;
    }
    let three = classes & LOWER != 0 && classes & UPPER != 0 && classes & DIGIT != 0;
    let mark = value.iter().any(|byte| !byte.is_ascii_alphanumeric());
    if quoted {
        (three || (letters && mark && classes & DIGIT != 0)) && entropy(value) >= 3 * ONE + ONE / 4
    } else {
        three && entropy(value) >= 3 * ONE + ONE / 2
    }
}

/// No words joined by dashes or dots, no long run of one character.
pub(crate) fn weakly_random(value: &[u8]) -> bool {
    let lower_words = value
        .iter()
        .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b'.' | b' '));
    let upper_words = value
        .iter()
        .all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'_' | b'.'));
    !lower_words
        && !upper_words
        && !value.starts_with(b"$")
        && !value.starts_with(b"{")
        && !value.starts_with(b"<")
        && !value.starts_with(b"%")
}

/// Letters and digits both.
pub(crate) fn mixed(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    digits > 0 && digits < value.len()
}

/// What documentation writes where a key would stand: a telling word, a run of eight of one character, few characters in all.
pub(crate) fn placeholder(body: &[u8]) -> bool {
    const WORDS: [&[u8]; 14] = [
        b"EXAMPLE",
        b"example",
        b"xxxx",
        b"XXXX",
        b"your",
        b"YOUR",
        b"....",
        b"****",
        b"placeholder",
        b"PLACEHOLDER",
        b"changeme",
        b"CHANGEME",
        b"REDACTED",
        b"redacted",
    ];
    let (mut run, mut before, mut seen) = (0, 0, [0u64; 4]);
    for (at, byte) in body.iter().copied().enumerate() {
        run = if byte == before { run + 1 } else { 1 };
        before = byte;
        seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
        if run >= 8 {
            return true;
        }
        if matches!(
            byte,
            b'E' | b'e' | b'x' | b'X' | b'y' | b'Y' | b'.' | b'*' | b'p' | b'P' | b'c' | b'C' | b'R' | b'r'
        ) && WORDS.iter().any(|word| body[at..].starts_with(word))
        {
            return true;
        }
    }
    seen.iter().map(|bits| bits.count_ones()).sum::<u32>() < 5
}

/// One bit, in the units of [`entropy`].
const ONE: u32 = 256;

/// Shannon entropy per byte of at most 64 bytes, in 1/256 bit. Whole numbers: the same on every machine.
fn entropy(value: &[u8]) -> u32 {
    let value = &value[..value.len().min(64)];
    let total = value.len() as u32;
    if total == 0 {
        return 0;
    }
    let mut counts = [0u8; 256];
    value.iter().for_each(|byte| counts[*byte as usize] += 1);
    let mut sum = 0;
    for byte in value {
        // Each byte is taken once: what was taken counts nothing after.
        let count = u32::from(std::mem::take(&mut counts[*byte as usize]));
        if count > 1 {
            sum += count * log2(count);
        }
    }
    log2(total) - sum / total
}

/// log2 in 1/256, by squaring.
fn log2(number: u32) -> u32 {
    let whole = number.ilog2();
    let mut fraction = u64::from(number) << (16 - whole);
    let mut result = whole * ONE;
    for bit in (0..8).rev() {
        fraction = (fraction * fraction) >> 16;
        if fraction >= 2 << 16 {
            fraction >>= 1;
            result += 1 << bit;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_shannon() {
        assert_eq!(entropy(b"abcdefgh"), 3 * ONE);
        assert_eq!(entropy(b"aaaaaaaa"), 0);
        assert_eq!(entropy(b"aabb"), ONE);
    }
}
