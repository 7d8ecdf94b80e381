//! Reads the JSON of a large event: what is slow is a long text full of escapes, a file's content, which the library reads
//! run by run between its escapes, and copies twice.
//!
//! Long texts are read here and taken out, the library reads the rest, and they are put back. Whatever is not plainly right, down to a
//! text that looks like what stands in a long one's place, is left to the library, and so is every error.

use hookbox_protocol::codec::json::read_string;
use serde_json::Value;

/// Bytes from which an event is large.
pub(crate) const EVENT: usize = 64 << 10;
/// Bytes from which a text is long, as it is written.
const TEXT: usize = 16 << 10;
/// What stands in the place of a long text, before its number.
const PLACE: &str = "hookbox:long-text:";

/// The value of a JSON text.
///
/// # Errors
/// It is no JSON, in the words of `serde_json`.
pub(crate) fn read(json: &str) -> serde_json::Result<Value> {
    match (json.len() >= EVENT).then(|| apart(json, TEXT)).flatten() {
        Some(value) => Ok(value),
        None => serde_json::from_str(json),
    }
}

/// The same where every text of `long` bytes or more is read here; none where it cannot be told apart safely.
fn apart(json: &str, long: usize) -> Option<Value> {
    let (mut rest, mut texts, mut from) = (String::new(), Vec::new(), 0);
    // Room for all of it: mostly one text is nearly the whole event.
    let mut buffer = String::with_capacity(json.len());
    let mut at = 0;
    while let Some(quote) = json.get(at..)?.find('"') {
        let start = at + quote;
        buffer.clear();
        at = read_string(json, start, &mut buffer).ok()?;
        // Half a surrogate is an error of the library's, and U+FFFD here.
        if buffer.starts_with(PLACE) || buffer.contains(char::REPLACEMENT_CHARACTER) {
            return None;
        }
        if at - start >= long {
            rest.push_str(json.get(from..=start)?);
            rest.push_str(&format!("{PLACE}{}", texts.len()));
            from = at - 1;
            texts.push(Some(std::mem::take(&mut buffer)));
        }
    }
    rest.push_str(json.get(from..)?);
    let mut value = serde_json::from_str(&rest).ok()?;
    put(&mut value, &mut texts)?;
    // One that is left was a key, or a value of a key that is there twice.
    texts.iter().all(Option::is_none).then_some(value)
}

/// Puts the texts back into their places.
fn put(value: &mut Value, texts: &mut [Option<String>]) -> Option<()> {
    match value {
        Value::String(place) => {
            if let Some(number) = place.strip_prefix(PLACE) {
                *place = texts.get_mut(number.parse::<usize>().ok()?)?.take()?;
            }
        }
        Value::Array(values) => values.iter_mut().try_for_each(|value| put(value, texts))?,
        Value::Object(values) => values.values_mut().try_for_each(|value| put(value, texts))?,
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// JSON as agents write it, and as nobody does.
    fn written() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z\u{e9}\u{1f600} ]{0,6}",
            Just("\\n".to_owned()),
            Just("\\\"".to_owned()),
            Just("\\\\".to_owned()),
            Just("\\/\\b\\f\\r\\t".to_owned()),
            "\\\\u[0-9a-fA-F]{4}",
            Just("\\ud83d\\ude00".to_owned()),
            Just("\\ud83d".to_owned()),
            Just("\\x\\u12".to_owned()),
            Just("\n".to_owned()),
            Just(PLACE.to_owned()),
            Just("hookbox\\u003along-text:0".to_owned()),
        ];
        let text = proptest::collection::vec(piece, 0..6).prop_map(|pieces| format!("\"{}\"", pieces.concat()));
        let leaf = prop_oneof![
            4 => text.clone(),
            1 => Just("1.5e3".to_owned()),
            1 => Just("null".to_owned()),
            1 => Just("]".to_owned()),
            1 => Just("\"".to_owned()),
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            let pair = (text.clone(), inner.clone()).prop_map(|(key, value)| format!("{key}: {value}"));
            prop_oneof![
                proptest::collection::vec(inner, 0..4).prop_map(|values| format!("[{}]", values.join(", "))),
                proptest::collection::vec(pair, 0..4).prop_map(|pairs| format!("{{{}}}", pairs.join(","))),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn what_is_read_apart_is_what_the_library_reads(json in written(), long in 0_usize..12) {
            if let Some(value) = apart(&json, long) {
                let whole = serde_json::from_str::<Value>(&json);
                prop_assert!(whole.is_ok(), "{json}: the library finds {whole:?}");
                prop_assert_eq!(Some(value), whole.ok(), "{}", json);
            }
        }
    }

    #[test]
    fn a_large_event_is_read_apart() {
        let content = "x = \"1\" \u{e9}\n\t\u{1}".repeat(10_000);
        let event = serde_json::json!({ "tool_name": "Write", "tool_input": { "content": content, "other": content } });
        assert_eq!(apart(&event.to_string(), TEXT), Some(event.clone()));
        assert_eq!(read(&event.to_string()).ok(), Some(event));
    }

    #[test]
    fn what_could_be_mistaken_is_left_to_the_library() {
        let long = "a".repeat(100);
        for json in [
            format!(r#"{{"a":"{long}","a":"{PLACE}0"}}"#),
            format!(r#"{{"a":"{long}","a":1}}"#),
            format!(r#"{{"{long}":1}}"#),
            format!(r#"["{long}","\ud83d"]"#),
            format!(r#"["{long}"] 1"#),
            format!(r#"["{long}","#),
        ] {
            assert_eq!(apart(&json, 50), None, "{json}");
        }
        assert!(read(&format!("[\"{}\n\"]", "a".repeat(EVENT))).is_err());
    }
}
