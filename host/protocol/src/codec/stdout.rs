//! What a handler's stdout is: plain text, a JSON object, or JSON gone wrong.

use serde_json::{Map, Value};

use super::json;

/// The fields that make an object an answer.
pub(super) const OUTPUT_FIELDS: [&str; 8] = [
    "continue",
    "suppressOutput",
    "stopReason",
    "decision",
    "reason",
    "systemMessage",
    "terminalSequence",
    "hookSpecificOutput",
];

/// A handler's stdout, told apart by its shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stdout {
    /// Text, without the blanks around it; it may be empty.
    Plain(String),
    Json(Map<String, Value>),
    /// It looks like an object and is none; the text says why.
    Bad(String),
}

/// The white space of ECMAScript's `trim`, which differs from Rust's in two characters.
pub(crate) fn is_blank(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

/// Reads the shape of a handler's stdout.
pub(super) fn shape(stdout: &str) -> Stdout {
    let text = stdout.trim_matches(is_blank);
    if !text.starts_with('{') {
        return Stdout::Plain(text.to_owned());
    }
    let error = match json::parse(text) {
        Ok(Value::Object(object)) => return Stdout::Json(object),
        Ok(_) => return Stdout::Plain(text.to_owned()),
        Err(error) => error,
    };
    if !text.ends_with('}') || is_log_of_objects(text) {
        return Stdout::Plain(text.to_owned());
    }
    Stdout::Bad(format!(
        "stdout starts and ends like a JSON object but is none: {error}"
    ))
}

/// Lines of JSON objects of which none is an answer: a program's log.
fn is_log_of_objects(text: &str) -> bool {
    text.lines().all(|line| match json::parse(line) {
        Ok(Value::Object(object)) => !OUTPUT_FIELDS.iter().any(|field| object.contains_key(*field)),
        _ => false,
    })
}

/// What follows the first line, where that line sends the handler into the background: `{"async": true}`, with
/// `asyncTimeout` at most. An object that says more is an answer.
pub(super) fn after_async_line(stdout: &str) -> Option<&str> {
    let text = stdout.trim_start_matches(is_blank);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(Value::Object(object)) = json::parse(first) else {
        return None;
    };
    let only = object.keys().all(|key| key == "async" || key == "asyncTimeout");
    (only && object.get("async") == Some(&Value::Bool(true))).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{Stdout, after_async_line, shape};

    fn kind(stdout: &str) -> &'static str {
        match shape(stdout) {
            Stdout::Plain(_) => "plain",
            Stdout::Json(_) => "json",
            Stdout::Bad(_) => "bad",
        }
    }

    #[test]
    fn the_shape_decides_how_stdout_is_read() {
        for (stdout, wanted) in [
            ("", "plain"),
            ("hello", "plain"),
            ("[{}]", "plain"),
            ("\"text\"", "plain"),
            ("{\"hookSpecificOutput\": ", "plain"),
            ("{foo} says hi", "plain"),
            ("{} and more", "plain"),
            ("log\n{\"decision\":\"block\"}", "plain"),
            ("{\"a\":1}\n{\"b\":2}", "plain"),
            ("{\"decision\":\"block\"}\nsecond line", "plain"),
            ("{bad}", "bad"),
            ("{foo} and {bar}", "bad"),
            ("{\"a\":1,}", "bad"),
            ("{\"systemMessage\":\"A\"}\n{\"decision\":\"block\"}", "bad"),
            ("{\"a\":1}\n\n{\"b\":2}", "bad"),
            ("{\"reason\":\"C:\\work\"}", "bad"),
            ("{}", "json"),
            ("\u{feff}\n\n {\"a\":1}\n", "json"),
            ("{\n  \"a\": 1\n}\n", "json"),
        ] {
            assert_eq!(kind(stdout), wanted, "{stdout:?}");
        }
    }

    #[test]
    fn only_a_bare_first_line_goes_into_the_background() {
        assert_eq!(after_async_line("{\"async\":true}\n{}"), Some("{}"));
        assert_eq!(after_async_line("{\"async\":true,\"asyncTimeout\":5}"), Some(""));
        assert_eq!(after_async_line("{\"async\":false}"), None);
        assert_eq!(after_async_line("{\"async\":true,\"decision\":\"block\"}"), None);
        assert_eq!(after_async_line("text\n{\"async\":true}"), None);
    }
}
