//! What a variable holds, and what it stands for in a word.

use super::Unit;
use crate::env::Value;
use crate::session::{Pin, Session};

impl Session {
    /// What `$name` is worth in this round.
    pub(crate) fn variable(&mut self, name: &str) -> Value {
        match self.env.values(name) {
            [] => {}
            [value] => return value.clone(),
            values => {
                let of = values.len();
                let at = self.choose(name, of);
                return self.env.values(name).get(at).cloned().unwrap_or(Value::Unknown);
            }
        }
        let args = self.env.args.clone();
        match name {
            "HOME" => Value::Text("~".into()),
            "PWD" => match self.here() {
                here if here.known => Value::Text(here.text),
                _ => Value::Unknown,
            },
            "IFS" => Value::Text(" \t\n".into()),
            // A shell of one kind or the other.
            "BASH" | "SHELL" => Value::Text("/bin/bash".into()),
            "0" => self
                .env
                .name
                .clone()
                .map_or(Value::Text("bash".into()), |name| crate::walk::value_of(&name)),
            "@" | "*" => match args {
                Some(args) if args.iter().all(|word| word.known) => {
                    Value::List(args.iter().map(|word| word.text.clone()).collect())
                }
                _ => Value::Unknown,
            },
            "#" => args.map_or(Value::Unknown, |args| Value::Text(args.len().to_string())),
            _ => match (name.parse::<usize>(), args) {
                (Ok(index), Some(args)) => args
                    .get(index.wrapping_sub(1))
                    .map_or(Value::Unset, crate::walk::value_of),
                _ => Value::Unknown,
            },
        }
    }

    /// Which of `of` possibilities this round takes.
    pub(super) fn choose(&mut self, key: &str, of: usize) -> usize {
        if let Some(pin) = self.pins.iter().find(|pin| pin.key == key) {
            return pin.at.min(of - 1);
        }
        self.pins.push(Pin {
            key: key.into(),
            at: 0,
            of,
        });
        0
    }

    /// Whether the value stands for a folder in a spelling of our own, of which no part may be taken.
    pub(super) fn is_spelled_our_way(&self, name: &str) -> bool {
        matches!(name, "HOME" | "PWD") && self.env.values(name).is_empty()
    }

    pub(super) fn push_value(&mut self, value: Value, name: &str, source: &str, quoted: bool, out: &mut Vec<Unit>) {
        let unit = |text: String| if quoted { Unit::Whole(text) } else { Unit::Split(text) };
        match value {
            Value::Text(text) => out.push(unit(text)),
            Value::List(items) if name == "@" || name == "*" => {
                if name == "*" && quoted {
                    // Joined by the first separator, or by nothing where there is none.
                    out.push(match self.env.values("IFS") {
                        [] => Unit::Whole(items.join(" ")),
                        [Value::Text(separators)] => {
                            let first: String = separators.chars().take(1).collect();
                            Unit::Whole(items.join(&first))
                        }
                        _ => Unit::Unknown(source.into()),
                    });
                    return;
                }
                for (index, item) in items.into_iter().enumerate() {
                    if index > 0 {
                        out.push(Unit::Break);
                    }
                    out.push(unit(item));
                }
            }
            Value::List(items) => out.extend(items.into_iter().next().map(unit)),
            Value::Unset => {}
            Value::Unknown => match name {
                // Arguments that are known one by one.
                "@" | "*" if self.env.args.is_some() => {
                    for (index, word) in self.env.args.clone().iter().flat_map(|args| args.iter()).enumerate() {
                        if index > 0 {
                            out.push(Unit::Break);
                        }
                        out.push(if word.known {
                            unit(word.text.clone())
                        } else {
                            Unit::Unknown(word.text.clone())
                        });
                    }
                }
                _ => out.push(Unit::Unknown(source.into())),
            },
        }
    }
}
