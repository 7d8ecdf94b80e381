//! What a command prints, where that can be told: `echo`, `printf`, `cat` of what it is fed, and simple filters.

use crate::run::{Call, base_name};
use crate::session::{Session, Stdin, Text};
use crate::wrappers::joined;

/// What `call` prints.
pub(crate) fn printed(session: &Session, call: &Call) -> Text {
    let argv = &call.argv;
    let Some(program) = argv.first().filter(|program| program.known) else {
        return Text::unknown();
    };
    let fed = || match &session.place.stdin {
        Stdin::Fed(text) => Some(text.clone()),
        _ => None,
    };
    let texts = || argv[1..].iter().map(|word| word.text.as_str());
    // Names of files would come in place of a glob.
    if argv[1..].iter().any(|word| word.glob) {
        return Text::unknown();
    }
    match base_name(&program.text) {
        "echo" => echo(call),
        "printf" => printf(call),
        ":" | "true" | "false" | "cd" | "test" | "[" | "mkdir" | "touch" | "rm" | "sleep" | "wait" | "exit" => {
            Text::known("")
        }
        // Where a program lies is not known, but which one it is.
        "which" | "type" | "command" if argv.len() > 1 && argv[1..].iter().all(|word| word.known) => {
            match argv[1..].iter().find(|word| !word.text.starts_with('-')) {
                Some(found)
                    if base_name(&program.text) == "which"
                        || texts().any(|text| matches!(text, "-P" | "-p" | "-v")) =>
                {
                    Text::known(format!("{}\n", found.text))
                }
                _ => Text::unknown(),
            }
        }
        "basename" => match &argv[1..] {
            [path] if path.known => Text::known(format!("{}\n", base_name(&path.text))),
            _ => Text::unknown(),
        },
        "pwd" => {
            let here = session.here();
            Text {
                text: format!("{}\n", here.text),
                known: here.known,
            }
        }
        "cat" | "tee" if base_name(&program.text) == "tee" || texts().all(|text| text == "-") => {
            fed().unwrap_or_else(Text::unknown)
        }
        "cat" => {
            let mut all = Text::known("");
            for word in &argv[1..] {
                match session
                    .process_substitution(&word.text)
                    .or_else(|| session.written(&word.text))
                {
                    Some(text) => {
                        all.known &= text.known;
                        all.text.push_str(&text.text);
                    }
                    None => all.known = false,
                }
            }
            all
        }
        "base64" | "base32" if texts().any(|text| matches!(text, "-d" | "-D" | "--decode" | "-di")) => match fed() {
            Some(text) if text.known && base_name(&program.text) == "base64" => {
                decode(&text.text, 6, base64_digit).unwrap_or_else(Text::unknown)
            }
            _ => Text::unknown(),
        },
        "xxd" if texts().any(|text| text.contains('r')) && texts().any(|text| text.contains('p')) => match fed() {
            Some(text) if text.known => decode(&text.text, 4, |char| char.to_digit(16)).unwrap_or_else(Text::unknown),
            _ => Text::unknown(),
        },
        "rev" => match fed() {
            Some(text) if text.known => Text::known(
                text.text
                    .lines()
                    .map(|line| line.chars().rev().chain(['\n']).collect::<String>())
                    .collect::<String>(),
            ),
            _ => Text::unknown(),
        },
        "tr" => match (fed(), argv.get(1), argv.get(2)) {
            (Some(text), Some(from), Some(to)) if text.known && from.known && to.known => {
                translate(&text.text, &from.text, &to.text)
            }
            _ => Text::unknown(),
        },
        _ => Text::unknown(),
    }
}

fn echo(call: &Call) -> Text {
    let mut words = &call.argv[1..];
    let (mut newline, mut escapes) = (true, false);
    while let Some(word) = words.first() {
        let options = word.text.strip_prefix('-').unwrap_or("");
        if options.is_empty() || !options.bytes().all(|byte| b"neE".contains(&byte)) {
            break;
        }
        newline &= !options.contains('n');
        escapes = options.contains('e') || (escapes && !options.contains('E'));
        words = &words[1..];
    }
    let mut text = joined(words);
    if escapes {
        text.text = escaped(&text.text);
    }
    if newline {
        text.text.push('\n');
    }
    text
}

/// The escapes of `echo -e` and `printf` are those of `$'…'`, but for `\0nnn` and `\c`.
fn escaped(text: &str) -> String {
    let text = text.split("\\c").next().unwrap_or("");
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\0") {
        read.push_str(before);
        let octal = after.starts_with(|char: char| char.is_digit(8));
        read.push_str(if octal { "\\" } else { "\\000" });
        rest = after;
    }
    crate::expand::escapes(&(read + rest))
}

fn printf(call: &Call) -> Text {
    let mut words = call.argv[1..].iter();
    let mut first = words.next();
    if first.is_some_and(|word| word.text == "--") {
        first = words.next();
    }
    let Some(format) = first else { return Text::known("") };
    let mut out = Text {
        text: String::new(),
        known: format.known,
    };
    let mut words = words.peekable();
    for _ in 0..64 {
        let mut used = false;
        let mut chars = format.text.chars().peekable();
        let mut plain = String::new();
        while let Some(char) = chars.next() {
            if char == '\\' {
                plain.push(char);
                plain.extend(chars.next());
                continue;
            }
            if char != '%' {
                plain.push(char);
                continue;
            }
            out.text.push_str(&printf_escaped(&std::mem::take(&mut plain)));
            let mut flags = false;
            while chars
                .peek()
                .is_some_and(|char| char.is_ascii_digit() || "-+ #.*l".contains(*char))
            {
                flags = true;
                chars.next();
            }
            match chars.next() {
                Some('%') => out.text.push('%'),
                Some(conversion) => {
                    used = true;
                    let word = words.next();
                    let text = word.map_or("", |word| word.text.as_str());
                    out.known &= word.is_none_or(|word| word.known);
                    match conversion {
                        's' if !flags => out.text.push_str(text),
                        'b' if !flags => out.text.push_str(&escaped(text)),
                        'd' | 'i' | 'u' if !flags => out.text.push_str(if text.is_empty() { "0" } else { text }),
                        'c' if !flags => out.text.extend(text.chars().next()),
                        _ => {
                            out.known = false;
                            out.text.push_str(text);
                        }
                    }
                }
                None => {}
            }
        }
        out.text.push_str(&printf_escaped(&plain));
        if !used || words.peek().is_none() {
            return out;
        }
    }
    out.known = false;
    out
}

fn printf_escaped(text: &str) -> String {
    let text = text.split("\\c").next().unwrap_or("");
    crate::expand::escapes(text)
}

fn base64_digit(char: char) -> Option<u32> {
    Some(match char {
        'A'..='Z' => u32::from(char) - u32::from('A'),
        'a'..='z' => u32::from(char) - u32::from('a') + 26,
        '0'..='9' => u32::from(char) - u32::from('0') + 52,
        '+' | '-' => 62,
        '/' | '_' => 63,
        _ => return None,
    })
}

/// Bytes from digits of `bits` bits each; spaces and padding between them are passed over.
fn decode(text: &str, bits: u32, digit: impl Fn(char) -> Option<u32>) -> Option<Text> {
    Some(Text::known(String::from_utf8(bytes(text, bits, digit)?).ok()?))
}

/// The bytes that base64 text stands for.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    bytes(text, 6, base64_digit)
}

fn bytes(text: &str, bits: u32, digit: impl Fn(char) -> Option<u32>) -> Option<Vec<u8>> {
    let (mut buffer, mut held, mut out) = (0u32, 0u32, Vec::new());
    for char in text.chars().filter(|char| !char.is_whitespace() && *char != '=') {
        buffer = (buffer << bits) | digit(char)?;
        held += bits;
        if held >= 8 {
            held -= 8;
            out.push((buffer >> held) as u8);
            buffer &= (1 << held) - 1;
        }
    }
    Some(out)
}

/// `tr` with plain sets and ranges.
fn translate(text: &str, from: &str, to: &str) -> Text {
    let set = |text: &str| -> Option<Vec<char>> {
        if text.contains(['[', '\\']) {
            return None;
        }
        let chars: Vec<char> = text.chars().collect();
        let mut set = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            if chars.get(at + 1) == Some(&'-') && at + 2 < chars.len() {
                set.extend(chars[at]..=chars[at + 2]);
                at += 3;
            } else {
                set.push(chars[at]);
                at += 1;
            }
            if set.len() > 512 {
                return None;
            }
        }
        Some(set)
    };
    match (set(from), set(to)) {
        (Some(from), Some(to)) if !from.is_empty() && !to.is_empty() && from[0] != '-' => Text::known(
            text.chars()
                .map(|char| match from.iter().rposition(|candidate| *candidate == char) {
                    Some(at) => to[at.min(to.len() - 1)],
                    None => char,
                })
                .collect::<String>(),
        ),
        _ => Text::unknown(),
    }
}
