//! JSON as ECMAScript's `JSON.parse` reads it: what the agents themselves accept of a handler.
//!
//! `serde_json` refuses a lone surrogate, a number out of range and deep nesting, which an agent accepts. A deny that carries
//! one (half an emoji at the end of a cut text) must stay a deny.

use serde_json::{Map, Number, Value};

/// Nesting below this depth is checked, but its content is not kept: no answer has any, and values that deep cannot be
/// dropped on a small stack.
const MAX_KEPT_DEPTH: usize = 100;

/// Where and why a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {at}")]
pub struct JsonError {
    pub what: &'static str,
    /// Offset in bytes from the start of the text.
    pub at: usize,
}

/// Reads the string whose opening quote is at byte `at`, to the end of `into`; gives the place after its closing quote.
///
/// # Errors
/// There is no such string.
pub fn read_string(text: &str, at: usize, into: &mut String) -> Result<usize, JsonError> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at,
    };
    parser.string_into(into)?;
    Ok(parser.at)
}

/// Parses one JSON text. Of duplicate keys the last wins.
///
/// # Errors
/// The text is not JSON by ECMA-404.
pub fn parse(text: &str) -> Result<Value, JsonError> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
    };
    let value = parser.document()?;
    Ok(value)
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

/// A container that is being read; the key is the one whose value comes next.
enum Open {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

impl Parser<'_> {
    fn document(&mut self) -> Result<Value, JsonError> {
        let mut open: Vec<Open> = Vec::new();
        // Containers deeper than what is kept, by their closing bracket.
        let mut skipped: Vec<u8> = Vec::new();
        loop {
            self.blanks();
            // A value starts here.
            let mut value = match self.peek() {
                Some(b'[') => {
                    self.at += 1;
                    self.blanks();
                    if self.peek() == Some(b']') {
                        self.at += 1;
                        Value::Array(Vec::new())
                    } else {
                        if open.len() < MAX_KEPT_DEPTH {
                            open.push(Open::Array(Vec::new()));
                        } else {
                            skipped.push(b']');
                        }
                        continue;
                    }
                }
                Some(b'{') => {
                    self.at += 1;
                    self.blanks();
                    if self.peek() == Some(b'}') {
                        self.at += 1;
                        Value::Object(Map::new())
                    } else {
                        let key = self.key()?;
                        if open.len() < MAX_KEPT_DEPTH {
                            open.push(Open::Object(Map::new(), key));
                        } else {
                            skipped.push(b'}');
                        }
                        continue;
                    }
                }
                _ => self.scalar()?,
            };
            // A value ended here: close what it closes, up to the next comma.
            loop {
                self.blanks();
                if let Some(&closing) = skipped.last() {
                    match self.peek() {
                        Some(b',') => {
                            self.at += 1;
                            if closing == b'}' {
                                self.blanks();
                                self.key()?;
                            }
                            break;
                        }
                        Some(found) if found == closing => {
                            self.at += 1;
                            skipped.pop();
                            value = Value::Null;
                            continue;
                        }
                        _ => return Err(self.error("a comma or a closing bracket is missing")),
                    }
                }
                match (open.last_mut(), self.peek()) {
                    (None, None) => return Ok(value),
                    (None, Some(_)) => return Err(self.error("text after the value")),
                    (Some(Open::Array(items)), Some(b',')) => {
                        self.at += 1;
                        items.push(value);
                        break;
                    }
                    (Some(Open::Object(map, key)), Some(b',')) => {
                        self.at += 1;
                        map.insert(std::mem::take(key), value);
                        self.blanks();
                        let next = self.key()?;
                        if let Some(Open::Object(_, key)) = open.last_mut() {
                            *key = next;
                        }
                        break;
                    }
                    (Some(Open::Array(items)), Some(b']')) => {
                        self.at += 1;
                        items.push(value);
                        value = Value::Array(std::mem::take(items));
                        open.pop();
                    }
                    (Some(Open::Object(map, key)), Some(b'}')) => {
                        self.at += 1;
                        map.insert(std::mem::take(key), value);
                        value = Value::Object(std::mem::take(map));
                        open.pop();
                    }
                    _ => return Err(self.error("a comma or a closing bracket is missing")),
                }
            }
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<String, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a key in double quotes is missing"));
        }
        let key = self.string()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(self.error("a colon is missing"));
        }
        self.at += 1;
        Ok(key)
    }

    fn scalar(&mut self) -> Result<Value, JsonError> {
        match self.peek() {
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            _ => Err(self.error("a value is missing")),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, JsonError> {
        if self
            .bytes
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(word.as_bytes()))
        {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.error("an unknown word"))
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let mut out = String::new();
        self.string_into(&mut out)?;
        Ok(out)
    }

    fn string_into(&mut self, out: &mut String) -> Result<(), JsonError> {
        self.at += 1;
        loop {
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            // The stops are ASCII, so both ends are character boundaries.
            out.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    let escaped = self.peek().ok_or_else(|| self.error("the string has no end"))?;
                    self.at += 1;
                    match escaped {
                        b'"' | b'\\' | b'/' => out.push(char::from(escaped)),
                        b'b' => out.push('\u{8}'),
                        b'f' => out.push('\u{c}'),
                        b'n' => out.push('\n'),
                        b'r' => out.push('\r'),
                        b't' => out.push('\t'),
                        b'u' => {
                            let character = self.escaped_character()?;
                            out.push(character);
                        }
                        _ => return Err(self.error("an unknown escape")),
                    }
                }
                Some(_) => return Err(self.error("a raw control character in a string")),
                None => return Err(self.error("the string has no end")),
            }
        }
    }

    /// The character of `\uXXXX`, with its other half where it is a surrogate; a half alone becomes U+FFFD.
    fn escaped_character(&mut self) -> Result<char, JsonError> {
        let first = self.four_digits()?;
        if (0xd800..0xdc00).contains(&first)
            && self.bytes.get(self.at..self.at + 2) == Some(b"\\u")
            && self
                .bytes
                .get(self.at + 2..self.at + 6)
                .is_some_and(|four| four.iter().all(u8::is_ascii_hexdigit))
        {
            let before = self.at;
            self.at += 2;
            let second = self.four_digits()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u32, JsonError> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|four| u32::from_str_radix(four, 16).ok());
        let code = code.ok_or_else(|| self.error("four hexadecimal digits are missing"))?;
        self.at += 4;
        Ok(code)
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.error("a digit is missing")),
        }
        let mut whole = true;
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.needed_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.needed_digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if whole && let Ok(number) = text.parse::<i64>() {
            return Ok(Value::from(number));
        }
        if whole && let Ok(number) = text.parse::<u64>() {
            return Ok(Value::from(number));
        }
        // Out of range is infinite in ECMAScript; the largest number stands for it.
        let number = text.parse::<f64>().unwrap_or(f64::MAX).clamp(f64::MIN, f64::MAX);
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn needed_digits(&mut self) -> Result<(), JsonError> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.error("a digit is missing"));
        }
        self.digits();
        Ok(())
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn error(&self, what: &'static str) -> JsonError {
        JsonError { what, at: self.at }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::parse;

    #[test]
    fn ordinary_json_is_read_as_serde_reads_it() {
        let text = r#" {"a":[1,-2.5,1e3,{"b":null}],"c":"x\n\u00e9\ud83d\ude00\/","d":{},"e":[],"f":true,"g":18446744073709551615} "#;
        assert_eq!(
            parse(text).unwrap(),
            serde_json::from_str::<serde_json::Value>(text).unwrap()
        );
    }

    #[test]
    fn the_last_of_duplicate_keys_wins() {
        assert_eq!(parse(r#"{"a":1,"a":2}"#).unwrap(), json!({"a": 2}));
    }

    #[test]
    fn half_a_surrogate_and_an_infinite_number_are_read() {
        assert_eq!(
            parse(r#"["\ud83d","\ude00\ud83d\u0041"]"#).unwrap(),
            json!(["\u{fffd}", "\u{fffd}\u{fffd}A"])
        );
        assert_eq!(parse("[1e999,-1e999]").unwrap(), json!([f64::MAX, f64::MIN]));
    }

    #[test]
    fn nesting_has_no_limit_and_costs_no_stack() {
        for pair in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":1,\"b\":", "}]")] {
            let text = format!(
                "{{\"deep\":{}1{},\"decision\":\"block\"}}",
                pair.0.repeat(100_000),
                pair.1.repeat(100_000)
            );
            assert_eq!(parse(&text).unwrap()["decision"], "block");
        }
        assert!(parse(&"[".repeat(1_000_000)).is_err());
        assert!(parse(&format!("{}1}}", "[".repeat(200))).is_err());
    }

    #[test]
    fn what_ecmascript_refuses_is_refused() {
        for text in [
            "",
            "{",
            "{a:1}",
            "{'a':1}",
            "{\"a\":1,}",
            "[1,]",
            "[1 2]",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "NaN",
            "nul",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u+123\"",
            "{} x",
            "// c\n{}",
            "{\"a\" 1}",
            "\u{a0}1",
            "\"abc",
            "]",
            ",",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
