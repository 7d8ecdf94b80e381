//! What `$'…'` stands for.

/// What the text between `$'` and `'` stands for. Bytes that make no UTF-8 are replaced.
/// A NUL ends it.
pub(crate) fn ansi_c(source: &str) -> String {
    decoded(source, true)
}

/// What `printf` and `echo -e` print for the same escapes: a NUL is a byte like others.
pub(crate) fn escapes(source: &str) -> String {
    decoded(source, false)
}

fn decoded(source: &str, nul_ends: bool) -> String {
    let bytes = source.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        at += 1;
        if byte != b'\\' || at >= bytes.len() {
            out.push(byte);
            continue;
        }
        let escape = bytes[at];
        at += 1;
        let simple = match escape {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => escape,
            b'0'..=b'7' => {
                let value = number(bytes, &mut { at - 1 }, 8, 3);
                at += digits(bytes, at, 8, 2);
                if value == 0 && nul_ends {
                    return finish(out);
                }
                (value & 0xff) as u8
            }
            b'x' if digits(bytes, at, 16, 2) > 0 => {
                let value = number(bytes, &mut at, 16, 2);
                if value == 0 && nul_ends {
                    return finish(out);
                }
                (value & 0xff) as u8
            }
            b'u' | b'U' if digits(bytes, at, 16, 1) > 0 => {
                let value = number(bytes, &mut at, 16, if escape == b'u' { 4 } else { 8 });
                match char::from_u32(value) {
                    Some('\0') if nul_ends => return finish(out),
                    Some(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
                    None => out.extend_from_slice("\u{fffd}".as_bytes()),
                }
                continue;
            }
            b'c' if at < bytes.len() => {
                let control = bytes[at] & 0x1f;
                at += 1;
                control
            }
            other => {
                out.push(b'\\');
                other
            }
        };
        out.push(simple);
    }
    finish(out)
}

fn finish(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn digits(bytes: &[u8], from: usize, radix: u32, most: usize) -> usize {
    bytes[from.min(bytes.len())..]
        .iter()
        .take(most)
        .take_while(|byte| (**byte as char).is_digit(radix))
        .count()
}

fn number(bytes: &[u8], at: &mut usize, radix: u32, most: usize) -> u32 {
    let count = digits(bytes, *at, radix, most);
    let value = bytes[*at..*at + count].iter().fold(0u32, |value, byte| {
        value
            .wrapping_mul(radix)
            .wrapping_add((*byte as char).to_digit(radix).unwrap_or(0))
    });
    *at += count;
    value
}
