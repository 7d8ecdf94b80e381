//! Names that look like other names: punycode and letters of several scripts.

/// What a host name pretends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Plain,
    /// Letters beyond ASCII that look like nothing else.
    International,
    /// Letters that look like Latin ones, or scripts mixed in one label.
    LookAlike,
}

/// Of a host name in lower case.
pub(crate) fn script(name: &str) -> Script {
    let mut all = Script::Plain;
    for label in name.split('.') {
        let decoded = label.strip_prefix("xn--").and_then(punycode);
        let letters = decoded.as_deref().unwrap_or(label);
        match of_label(letters) {
            Script::LookAlike => return Script::LookAlike,
            Script::International => all = Script::International,
            Script::Plain => {}
        }
    }
    all
}

fn of_label(label: &str) -> Script {
    if label.is_ascii() {
        return Script::Plain;
    }
    let latin = label
        .chars()
        .any(|c| c.is_ascii_alphabetic() || ('\u{c0}'..='\u{24f}').contains(&c));
    let other = label.chars().any(|c| ('\u{370}'..='\u{58f}').contains(&c));
    let foreign = label.chars().filter(|c| !c.is_ascii());
    let all_alike = label.chars().all(|c| c.is_ascii() || looks_latin(c)) && foreign.count() > 0;
    if all_alike || (latin && other) {
        Script::LookAlike
    } else {
        Script::International
    }
}

/// Letters of other scripts that are drawn like Latin ones.
fn looks_latin(c: char) -> bool {
    const CYRILLIC: &str = "авеікморстухѕјһԁԛԝьѵґӏ";
    const GREEK: &str = "αορνικυχτη";
    const ARMENIAN: &str = "օսհոցց";
    const LATIN: &str = "ıɡɑɩɪʟʋᴏᴄᴠᴡᴢℓ";
    [CYRILLIC, GREEK, ARMENIAN, LATIN]
        .iter()
        .any(|letters| letters.contains(c))
}

/// RFC 3492, decoding. None where the text is no punycode.
fn punycode(text: &str) -> Option<String> {
    let (basic, extended) = text.rsplit_once('-').unwrap_or(("", text));
    let mut out: Vec<char> = basic.chars().collect();
    let (mut code, mut at, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = extended.bytes();
    while digits.len() > 0 {
        let (start, mut weight, mut k) = (at, 1_u32, 36_u32);
        loop {
            let digit = match digits.next()? {
                byte @ b'a'..=b'z' => u32::from(byte - b'a'),
                byte @ b'A'..=b'Z' => u32::from(byte - b'A'),
                byte @ b'0'..=b'9' => u32::from(byte - b'0') + 26,
                _ => return None,
            };
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
            k += 36;
        }
        let length = out.len() as u32 + 1;
        let mut delta = if start == 0 {
            (at - start) / 700
        } else {
            (at - start) / 2
        };
        delta += delta / length;
        let mut steps = 0;
        while delta > 455 {
            delta /= 35;
            steps += 36;
        }
        bias = steps + 36 * delta / (delta + 38);
        code = code.checked_add(at / length)?;
        at %= length;
        out.insert(at as usize, char::from_u32(code)?);
        at += 1;
        if out.len() > 64 {
            return None;
        }
    }
    Some(out.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punycode_is_read() {
        assert_eq!(punycode("bcher-kva").as_deref(), Some("bücher"));
        assert_eq!(punycode("e1afmkfd").as_deref(), Some("пример"));
        assert_eq!(punycode("80ak6aa92e").as_deref(), Some("аррӏе"));
        assert_eq!(punycode("!"), None);
    }

    #[test]
    fn look_alikes_are_told_from_other_languages() {
        for name in [
            "xn--80ak6aa92e.com",
            "gіthub.com",
            "gıthub.com",
            "аррӏе.com",
            "pαypal.example",
        ] {
            assert_eq!(script(name), Script::LookAlike, "{name}");
        }
        for name in [
            "bücher.example",
            "xn--e1afmkfd.example",
            "例え.example",
            "ελλάδα.example",
        ] {
            assert_eq!(script(name), Script::International, "{name}");
        }
        assert_eq!(script("github.com"), Script::Plain);
    }
}
