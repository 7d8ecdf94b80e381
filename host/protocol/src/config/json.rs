//! Reads JSON without losing what a plain reader loses: duplicate keys, a byte order mark, and why a text is not JSON.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::diagnostic::Diagnostic;

/// A step of a JSON path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    Index(usize),
}

/// A key that an object has more than once. The value read is the last one, as every JSON reader takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    /// To the object and the key in it.
    pub path: Vec<Step>,
    /// The value that the later one hides.
    pub hidden: Value,
}

/// A file with more duplicates than this is refused: it was not written by a person.
const MOST_DUPLICATES: usize = 64;

/// A text that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub value: Value,
    pub duplicates: Vec<Duplicate>,
}

/// The last key wins; hidden ones are kept apart.
///
/// # Errors
/// A diagnostic with line and column where the text is not JSON.
pub fn read(text: &str) -> Result<Document, Diagnostic> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let duplicates = RefCell::new(Vec::new());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = Node {
        duplicates: &duplicates,
        trail: &Trail::Root,
    };
    let value = seed
        .deserialize(&mut deserializer)
        .map_err(|error| explain(text, &error))?;
    deserializer.end().map_err(|error| explain(text, &error))?;
    Ok(Document {
        value,
        duplicates: duplicates.into_inner(),
    })
}

/// `hooks.PreToolUse[0]`; a key that is not a plain word is quoted.
pub fn render(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key(key) => text = join(&text, key),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// The path of `key` in the object at `path`.
pub fn join(path: &str, key: &str) -> String {
    let plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$'));
    match (path.is_empty(), plain) {
        (true, true) => key.to_owned(),
        (false, true) => format!("{path}.{key}"),
        (_, false) => format!("{path}[{}]", Value::String(key.to_owned())),
    }
}

/// What kind of value it is, in the words of JSON.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn explain(text: &str, error: &serde_json::Error) -> Diagnostic {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(what, _)| what);
    let diagnostic = Diagnostic::error("", format!("not valid JSON: {message} (line {line}, column {column})"));
    let rest = text
        .lines()
        .nth(line.saturating_sub(1))
        .map(|l| after_column(l, column))
        .unwrap_or_default();
    if rest.starts_with("//") || rest.starts_with("/*") {
        return diagnostic.hint("comments are not JSON: take them out, or keep them as a \"description\"");
    }
    if rest.starts_with('#') {
        return diagnostic.hint("comments are not JSON: take them out");
    }
    if rest.starts_with('\'') {
        return diagnostic.hint("JSON strings are in double quotes");
    }
    if text.trim().is_empty() {
        return diagnostic.hint("the file is empty; {} is the smallest configuration");
    }
    match message {
        "trailing comma" => diagnostic.hint("take out the comma after the last element"),
        "recursion limit exceeded" => diagnostic.hint("a configuration is nested 8 deep at most"),
        m if m.starts_with("EOF") => diagnostic.hint("the file ends too early: a bracket or quote is not closed"),
        _ => diagnostic,
    }
}

/// The rest of a line from a column of serde_json: counted in bytes from 1, on the offending byte.
fn after_column(line: &str, column: usize) -> &str {
    let start = column.saturating_sub(1).min(line.len());
    line.get(start..).unwrap_or_default()
}

/// The way from the root, kept on the stack: it costs nothing until a duplicate is found.
enum Trail<'a> {
    Root,
    Key(&'a Trail<'a>, &'a str),
    Index(&'a Trail<'a>, usize),
}

impl Trail<'_> {
    fn steps(&self) -> Vec<Step> {
        let (mut steps, mut at) = (Vec::new(), self);
        loop {
            at = match at {
                Trail::Root => break,
                Trail::Key(parent, key) => {
                    steps.push(Step::Key((*key).to_owned()));
                    parent
                }
                Trail::Index(parent, index) => {
                    steps.push(Step::Index(*index));
                    parent
                }
            };
        }
        steps.reverse();
        steps
    }
}

struct Node<'a> {
    duplicates: &'a RefCell<Vec<Duplicate>>,
    trail: &'a Trail<'a>,
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        serde_json::Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            let trail = Trail::Index(self.trail, values.len());
            match list.next_element_seed(Node {
                duplicates: self.duplicates,
                trail: &trail,
            })? {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let trail = Trail::Key(self.trail, &key);
            let value = map.next_value_seed(Node {
                duplicates: self.duplicates,
                trail: &trail,
            })?;
            if let Some(slot) = object.get_mut(&key) {
                let hidden = std::mem::replace(slot, value);
                let mut duplicates = self.duplicates.try_borrow_mut().map_err(A::Error::custom)?;
                if duplicates.len() >= MOST_DUPLICATES {
                    return Err(A::Error::custom("too many duplicate keys"));
                }
                duplicates.push(Duplicate {
                    path: trail.steps(),
                    hidden,
                });
            } else {
                object.insert(key, value);
            }
        }
        Ok(Value::Object(object))
    }
}
