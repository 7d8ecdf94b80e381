//! Typed access to the fields of one object, with a diagnostic for whatever is not as it should be.

use serde_json::{Map, Value};

use super::diagnostic::Diagnostic;
use super::json;
use super::suggest::nearest;

/// More findings of one file help nobody, and a file made to have many would cost the time that an event has.
const MOST_FINDINGS: usize = 200;

/// Collects what is wrong while the parts of a file are read.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    left_out: usize,
}

impl Findings {
    pub(super) fn add(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.list.push(diagnostic);
        }
    }

    /// Whether looking closer (for the nearest name) is worth it no more.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= MOST_FINDINGS
    }

    pub(super) fn into_list(mut self) -> Vec<Diagnostic> {
        if self.left_out > 0 {
            self.list.push(Diagnostic::warning(
                "",
                format!("{} more findings are left out", self.left_out),
            ));
        }
        self.list
    }
}

/// One object of the file and where it is.
pub(super) struct Object<'a> {
    pub(super) map: &'a Map<String, Value>,
    pub(super) path: &'a str,
}

impl<'a> Object<'a> {
    pub(super) fn new(map: &'a Map<String, Value>, path: &'a str) -> Self {
        Self { map, path }
    }

    pub(super) fn at(&self, key: &str) -> String {
        json::join(self.path, key)
    }

    /// The value of `key` where it is what `read` takes; otherwise a diagnostic that says what it should be.
    fn field<T>(
        &self,
        key: &str,
        expected: &str,
        findings: &mut Findings,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Field<T> {
        let Some(value) = self.map.get(key) else {
            return Field::Absent;
        };
        if let Some(read) = read(value) {
            return Field::Ok(read);
        }
        findings.add(Diagnostic::error(
            self.at(key),
            format!("{key} must be {expected}, not {}", json::kind(value)),
        ));
        Field::Bad
    }

    pub(super) fn string(&self, key: &str, findings: &mut Findings) -> Field<&'a str> {
        self.field(key, "a string", findings, Value::as_str)
    }

    pub(super) fn boolean(&self, key: &str, findings: &mut Findings) -> Field<bool> {
        self.field(key, "true or false", findings, Value::as_bool)
    }

    pub(super) fn object(&self, key: &str, findings: &mut Findings) -> Field<&'a Map<String, Value>> {
        self.field(key, "an object", findings, Value::as_object)
    }

    /// A list in which every element is a string.
    pub(super) fn strings(&self, key: &str, findings: &mut Findings) -> Field<Vec<String>> {
        self.field(key, "a list of strings", findings, |value| {
            value
                .as_array()?
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect()
        })
    }

    /// Seconds, above 0 and finite.
    pub(super) fn seconds(&self, key: &str, findings: &mut Findings) -> Field<f64> {
        let Field::Ok(seconds) = self.field(key, "a number of seconds", findings, Value::as_f64) else {
            return if self.map.contains_key(key) {
                Field::Bad
            } else {
                Field::Absent
            };
        };
        if seconds > 0.0 && seconds.is_finite() {
            if seconds < SHORTEST_SENSIBLE {
                findings.add(Diagnostic::warning(
                    self.at(key),
                    format!("{key} is in seconds: in {seconds} of one nothing can be answered"),
                ));
            }
            if looks_like_milliseconds(seconds) {
                findings.add(
                    Diagnostic::warning(
                        self.at(key),
                        format!("{key} is in seconds: {seconds} is {:.0} minutes", seconds / 60.0),
                    )
                    .hint(format!("if milliseconds were meant, write {}", seconds / 1000.0)),
                );
            }
            return Field::Ok(seconds);
        }
        findings.add(
            Diagnostic::error(self.at(key), format!("{key} must be above 0, not {seconds}"))
                .hint("leave it out for the default"),
        );
        Field::Bad
    }

    /// Warns of every key that is neither in `known` nor in `tolerated`, and names the one that was likely meant.
    pub(super) fn unknown(&self, what: &str, known: &[&str], tolerated: &[&str], findings: &mut Findings) {
        for key in self.map.keys().map(String::as_str) {
            if known.contains(&key) || tolerated.contains(&key) || key.starts_with(['_', '$']) {
                continue;
            }
            if findings.is_full() {
                findings.left_out += 1;
                continue;
            }
            let diagnostic =
                Diagnostic::warning(self.at(key), format!("unknown key {key:?} in {what}: it has no effect"));
            findings.add(match nearest(key, known.iter().copied()) {
                Some(meant) => diagnostic.hint(format!("did you mean {meant:?}?")),
                None => diagnostic.hint(format!("known keys: {}", known.join(", "))),
            });
        }
    }
}

/// What a key holds. `Bad` has been reported already.
#[derive(Debug)]
pub(super) enum Field<T> {
    Ok(T),
    Absent,
    Bad,
}

impl<T> Field<T> {
    pub(super) fn ok(self) -> Option<T> {
        match self {
            Field::Ok(value) => Some(value),
            Field::Absent | Field::Bad => None,
        }
    }
}

/// Seconds in which not even a plugin answers.
const SHORTEST_SENSIBLE: f64 = 0.005;

/// From a thousand seconds on a timeout is more often a slip of the unit than a wish; round quarters of an hour up to two hours
/// are wishes.
fn looks_like_milliseconds(seconds: f64) -> bool {
    seconds >= 1000.0 && !(seconds <= 7200.0 && seconds % 900.0 == 0.0)
}
