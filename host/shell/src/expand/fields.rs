//! From units to words: tilde, splitting, and whether a glob is live.

use super::Unit;
use crate::Word;
use crate::env::Value;
use crate::session::Session;

const GLOB: [char; 3] = ['*', '?', '['];

impl Session {
    /// Appends the fields of one word.
    pub(super) fn fields(&mut self, units: Vec<Unit>, out: &mut Vec<Word>) {
        let split = units.iter().any(|unit| matches!(unit, Unit::Split(_)));
        let separators = if split { self.separators() } else { String::new() };
        let mut field = Field::default();
        for unit in self.tilde(units) {
            match unit {
                Unit::Plain(char) => field.push(char, GLOB.contains(&char)),
                Unit::Quoted(char) => field.push(char, false),
                Unit::Whole(text) => field.push_str(&text),
                Unit::Empty => field.there = true,
                Unit::Break => field.end(out, false),
                Unit::Unknown(source) => {
                    field.push_str(&source);
                    field.unknown = true;
                }
                Unit::Split(text) => {
                    for char in text.chars() {
                        if separators.contains(char) {
                            field.end(out, !char.is_ascii_whitespace());
                        } else {
                            field.push(char, GLOB.contains(&char));
                        }
                    }
                }
            }
        }
        field.end(out, false);
    }

    /// All units as one word.
    pub(super) fn whole(&mut self, units: Vec<Unit>) -> Word {
        let mut field = Field::default();
        for unit in self.tilde(units) {
            match unit {
                Unit::Plain(char) => field.push(char, GLOB.contains(&char)),
                Unit::Quoted(char) => field.push(char, false),
                Unit::Whole(text) | Unit::Split(text) => field.push_str(&text),
                Unit::Break => field.push(' ', false),
                Unit::Empty => {}
                Unit::Unknown(source) => {
                    field.push_str(&source);
                    field.unknown = true;
                }
            }
        }
        Word {
            text: field.text,
            known: !field.unknown,
            glob: field.glob,
        }
    }

    /// A tilde at the start stays `~`, the one spelling of the home folder, unless the line says where that is.
    fn tilde(&mut self, mut units: Vec<Unit>) -> Vec<Unit> {
        if units.first() != Some(&Unit::Plain('~')) {
            return units;
        }
        match (units.get(1), units.get(2)) {
            (None | Some(Unit::Plain('/' | ':')), _) => {
                if let [Value::Text(home)] = self.env.values("HOME") {
                    units[0] = Unit::Whole(home.clone());
                }
            }
            (Some(Unit::Plain('+')), None | Some(Unit::Plain('/'))) => {
                let here = self.here();
                units.remove(0);
                units[0] = if here.known {
                    Unit::Whole(here.text)
                } else {
                    Unit::Unknown(here.text)
                };
            }
            (Some(Unit::Plain('-')), None | Some(Unit::Plain('/'))) => {
                units.remove(0);
                units[0] = Unit::Unknown("~-".into());
            }
            _ => {}
        }
        units
    }

    /// The directory at hand: `.` unless the line changed it.
    pub(crate) fn here(&self) -> Word {
        self.env.cwd.clone().unwrap_or_else(|| Word::literal("."))
    }

    fn separators(&mut self) -> String {
        match self.variable("IFS") {
            Value::Text(text) => text,
            Value::Unset => " \t\n".into(),
            _ => {
                self.incomplete();
                " \t\n".into()
            }
        }
    }
}

#[derive(Default)]
struct Field {
    text: String,
    there: bool,
    unknown: bool,
    glob: bool,
}

impl Field {
    fn push(&mut self, char: char, glob: bool) {
        self.text.push(char);
        self.there = true;
        self.glob |= glob;
    }

    fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
        self.there = true;
    }

    fn end(&mut self, out: &mut Vec<Word>, even_if_empty: bool) {
        let field = std::mem::take(self);
        if field.there || even_if_empty {
            out.push(Word {
                text: field.text,
                known: !field.unknown,
                glob: field.glob,
            });
        }
    }
}
