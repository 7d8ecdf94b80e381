//! `$x` and `${x…}`: values, defaults, prefixes and suffixes cut off, parts replaced, names looked up by name.

use shuck_ast::{BourneParameterExpansion, ParameterExpansion, ParameterExpansionSyntax, ParameterOp, VarRef};

use super::{Unit, glob_matches};
use crate::env::Value;
use crate::session::{Pin, Session, Text, Walk};
use crate::unquote::Context;
use crate::walk::Walker;

/// Characters of a value beyond which no pattern is tried on it: matching every prefix is quadratic.
const MAX_MATCHED: usize = 512;

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
    fn choose(&mut self, key: &str, of: usize) -> usize {
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
    fn is_spelled_our_way(&self, name: &str) -> bool {
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

impl Walker<'_> {
    pub(super) fn parameter(
        &mut self,
        parameter: &ParameterExpansion,
        source: &str,
        quoted: bool,
        out: &mut Vec<Unit>,
    ) -> Walk {
        use BourneParameterExpansion as Form;
        let ParameterExpansionSyntax::Bourne(form) = &parameter.syntax else {
            self.session.incomplete();
            out.push(Unit::Unknown(source.into()));
            return Ok(());
        };
        match form {
            Form::Access { reference } => {
                let (value, name) = self.reference(reference)?;
                self.session.push_value(value, name, source, quoted, out);
            }
            Form::Length { reference } => {
                let ours = self.session.is_spelled_our_way(&reference.name);
                let (value, name) = self.reference(reference)?;
                out.push(match value {
                    Value::Text(text) if !ours => Unit::Whole(text.chars().count().to_string()),
                    Value::List(items) if matches!(name, "@" | "*") => Unit::Whole(items.len().to_string()),
                    _ => Unit::Unknown(source.into()),
                });
            }
            Form::Indirect {
                reference,
                operator,
                operand_word_ast,
                ..
            } => {
                if let Some(word) = operand_word_ast {
                    self.single(word)?;
                }
                let (value, _) = self.reference(reference)?;
                match (value, operator) {
                    (Value::Text(target), None) => {
                        self.session.evaluate(&target)?;
                        let (name, all) = match target.strip_suffix("[@]").or(target.strip_suffix("[*]")) {
                            Some(name) => (name, "@"),
                            None => (target.as_str(), target.as_str()),
                        };
                        let value = self.session.variable(name);
                        self.session.push_value(value, all, source, quoted, out);
                    }
                    _ => out.push(Unit::Unknown(source.into())),
                }
            }
            Form::Slice {
                reference,
                offset_ast,
                offset_word_ast,
                length_ast,
                length_word_ast,
                length,
                ..
            } => {
                let ours = self.session.is_spelled_our_way(&reference.name);
                let (value, name) = self.reference(reference)?;
                let from = self.arithmetic("", offset_ast.as_deref(), Some(offset_word_ast))?;
                let count = match (length_ast, length_word_ast) {
                    (None, None) if length.is_none() => Some(None),
                    (tree, word) => self.arithmetic("", tree.as_deref(), word.as_deref())?.map(Some),
                };
                match (value, from, count) {
                    (_, Some(0), Some(Some(1))) if ours => out.push(Unit::Whole("/".into())),
                    (Value::Text(text), Some(from), Some(count)) if !ours => {
                        let chars: Vec<char> = text.chars().collect();
                        let part: String = slice(&chars, from, count).iter().collect();
                        self.session.push_value(Value::Text(part), name, source, quoted, out);
                    }
                    (Value::List(mut items), Some(from), Some(count)) if matches!(name, "@" | "*") => {
                        // `${@:1}` counts from `$0`, an array from its first element.
                        if reference.subscript.is_none() {
                            items.insert(0, "bash".into());
                        }
                        let part = slice(&items, from, count).to_vec();
                        self.session.push_value(Value::List(part), name, source, quoted, out);
                    }
                    _ => out.push(Unit::Unknown(source.into())),
                }
            }
            Form::Operation {
                reference,
                operator,
                operand_word_ast,
                colon_variant,
                ..
            } => {
                self.operation(
                    reference,
                    operator,
                    operand_word_ast.as_deref(),
                    *colon_variant,
                    source,
                    quoted,
                    out,
                )?;
            }
            Form::Transformation { reference, operator } => {
                let (value, name) = self.reference(reference)?;
                let value = match (operator, value) {
                    ('P', Value::Text(text)) => {
                        self.session.evaluate(&text)?;
                        if text.contains(['\\', '$', '`', '!']) {
                            Value::Unknown
                        } else {
                            Value::Text(text)
                        }
                    }
                    ('P', _) => {
                        self.session.incomplete();
                        Value::Unknown
                    }
                    ('E', Value::Text(text)) => Value::Text(super::ansi_c(&text)),
                    ('U', Value::Text(text)) => Value::Text(text.to_uppercase()),
                    ('L', Value::Text(text)) => Value::Text(text.to_lowercase()),
                    ('u', Value::Text(text)) => Value::Text(first_char(&text, |char: char| char.to_uppercase())),
                    _ => Value::Unknown,
                };
                self.session.push_value(value, name, source, quoted, out);
            }
            Form::Indices { reference } => {
                self.subscript(reference)?;
                out.push(Unit::Unknown(source.into()));
            }
            Form::PrefixMatch { .. } => out.push(Unit::Unknown(source.into())),
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn operation(
        &mut self,
        reference: &VarRef,
        operator: &ParameterOp,
        operand: Option<&shuck_ast::Word>,
        colon: bool,
        source: &str,
        quoted: bool,
        out: &mut Vec<Unit>,
    ) -> Walk {
        let ours = self.session.is_spelled_our_way(&reference.name);
        let (value, name) = self.reference(reference)?;
        let empty = matches!(&value, Value::Unset) || (colon && value == Value::Text(String::new()));
        let set = matches!(&value, Value::Text(_) | Value::List(_)) && !empty;
        match operator {
            ParameterOp::UseDefault | ParameterOp::AssignDefault | ParameterOp::UseReplacement => {
                let replaces = matches!(operator, ParameterOp::UseReplacement);
                let mut units = Vec::new();
                if let Some(word) = operand {
                    let context = if quoted { Context::Double } else { Context::Unquoted };
                    self.units(&word.parts, context, &mut units)?;
                }
                let takes_operand = match (set, empty) {
                    (true, _) => replaces,
                    (_, true) => !replaces,
                    _ => self.session.choose(source, 2) == 0,
                };
                if matches!(operator, ParameterOp::AssignDefault) && takes_operand {
                    let assigned = self.session.whole(units.clone());
                    let mut values = vec![crate::walk::value_of(&assigned)];
                    if !empty {
                        values.push(Value::Unknown);
                    }
                    self.session.env.set_all(&reference.name, values);
                }
                if takes_operand {
                    out.extend(units.into_iter().map(|unit| match unit {
                        Unit::Plain(char) if !quoted => Unit::Split(char.into()),
                        Unit::Plain(char) => Unit::Quoted(char),
                        unit => unit,
                    }));
                } else if !replaces {
                    self.session.push_value(value, name, source, quoted, out);
                }
                return Ok(());
            }
            ParameterOp::Error => {
                if let Some(word) = operand {
                    self.single(word)?;
                }
                self.session.push_value(value, name, source, quoted, out);
                return Ok(());
            }
            _ => {}
        }
        let operand = match operand {
            Some(word) => Some(self.pattern_word(word)?),
            None => None,
        };
        let edit = self.edit(operator, operand)?;
        let edited = match (value, edit) {
            (Value::Text(text), Some(Edit::RemoveSuffix(pattern, _))) if ours && pattern == "/" => Value::Text(text),
            (_, _) if ours => Value::Unknown,
            (Value::Text(text), Some(edit)) => edit.apply(&text).map_or(Value::Unknown, Value::Text),
            (Value::List(items), Some(edit)) => items
                .iter()
                .map(|item| edit.apply(item))
                .collect::<Option<_>>()
                .map_or(Value::Unknown, Value::List),
            (Value::Unset, _) => Value::Unset,
            _ => Value::Unknown,
        };
        self.session.push_value(edited, name, source, quoted, out);
        Ok(())
    }

    fn edit(&mut self, operator: &ParameterOp, operand: Option<Text>) -> Walk<Option<Edit>> {
        let known = |text: Text| text.known.then_some(text.text);
        Ok(match operator {
            ParameterOp::RemovePrefixShort { pattern } => {
                known(self.pattern(pattern)?).map(|pattern| Edit::RemovePrefix(pattern, false))
            }
            ParameterOp::RemovePrefixLong { pattern } => {
                known(self.pattern(pattern)?).map(|pattern| Edit::RemovePrefix(pattern, true))
            }
            ParameterOp::RemoveSuffixShort { pattern } => {
                known(self.pattern(pattern)?).map(|pattern| Edit::RemoveSuffix(pattern, false))
            }
            ParameterOp::RemoveSuffixLong { pattern } => {
                known(self.pattern(pattern)?).map(|pattern| Edit::RemoveSuffix(pattern, true))
            }
            ParameterOp::ReplaceFirst {
                pattern,
                replacement_word_ast,
                ..
            }
            | ParameterOp::ReplaceAll {
                pattern,
                replacement_word_ast,
                ..
            } => {
                let all = matches!(operator, ParameterOp::ReplaceAll { .. });
                let pattern = self.pattern(pattern)?;
                let with = self.single(replacement_word_ast)?;
                (pattern.known && with.known).then_some(Edit::Replace {
                    pattern: pattern.text,
                    with: with.text,
                    all,
                })
            }
            ParameterOp::UpperFirst if operand.is_none() => {
                Some(Edit::Case(|text| first_char(text, |char: char| char.to_uppercase())))
            }
            ParameterOp::LowerFirst if operand.is_none() => {
                Some(Edit::Case(|text| first_char(text, |char: char| char.to_lowercase())))
            }
            ParameterOp::UpperAll if operand.is_none() => Some(Edit::Case(str::to_uppercase)),
            ParameterOp::LowerAll if operand.is_none() => Some(Edit::Case(str::to_lowercase)),
            _ => None,
        })
    }

    /// The value of a variable or an element, and `@` or `*` as its name where it stands for several.
    fn reference<'r>(&mut self, reference: &'r VarRef) -> Walk<(Value, &'r str)> {
        use shuck_ast::SubscriptSelector as Selector;
        let index = self.subscript(reference)?;
        let name = reference.name.as_str();
        let value = self.session.variable(name);
        let Some(subscript) = reference.subscript.as_deref() else {
            return Ok((value, name));
        };
        let all = match subscript.selector() {
            Some(Selector::At) => "@",
            Some(Selector::Star) => "*",
            None => {
                let element = match (value, index) {
                    (Value::List(items), Some(index)) => {
                        let index = if index < 0 { index + items.len() as i64 } else { index };
                        usize::try_from(index)
                            .ok()
                            .and_then(|index| items.get(index).cloned())
                            .map_or(Value::Unset, Value::Text)
                    }
                    (Value::Text(text), Some(0)) => Value::Text(text),
                    (Value::Unset, _) => Value::Unset,
                    _ => Value::Unknown,
                };
                return Ok((element, name));
            }
        };
        let value = match value {
            Value::Text(text) => Value::List(vec![text]),
            value => value,
        };
        // An array's unknown elements are not the arguments.
        Ok((value.clone(), if value == Value::Unknown { name } else { all }))
    }

    /// Walks what a subscript runs; its number, where it is one.
    pub(crate) fn subscript(&mut self, reference: &VarRef) -> Walk<Option<i64>> {
        let Some(subscript) = reference.subscript.as_deref() else {
            return Ok(None);
        };
        if subscript.is_array_selector() {
            return Ok(None);
        }
        self.arithmetic("", subscript.arithmetic_ast.as_ref(), subscript.word_ast())
    }
}

enum Edit {
    RemovePrefix(String, bool),
    RemoveSuffix(String, bool),
    Replace { pattern: String, with: String, all: bool },
    Case(fn(&str) -> String),
}

impl Edit {
    fn apply(&self, text: &str) -> Option<String> {
        if text.len() > MAX_MATCHED && !matches!(self, Edit::Case(_)) {
            return None;
        }
        let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        Some(match self {
            Edit::RemovePrefix(pattern, longest) => {
                if *longest {
                    cuts.reverse();
                }
                let cut = cuts
                    .into_iter()
                    .find(|cut| glob_matches(pattern, &text[..*cut]))
                    .unwrap_or(0);
                text[cut..].into()
            }
            Edit::RemoveSuffix(pattern, longest) => {
                if !*longest {
                    cuts.reverse();
                }
                let cut = cuts
                    .into_iter()
                    .find(|cut| glob_matches(pattern, &text[*cut..]))
                    .unwrap_or(text.len());
                text[..cut].into()
            }
            Edit::Replace { pattern, with, all } => replace(text, pattern, with, *all, &cuts)?,
            Edit::Case(change) => change(text),
        })
    }
}

fn replace(text: &str, pattern: &str, with: &str, all: bool, cuts: &[usize]) -> Option<String> {
    if pattern.is_empty() {
        return Some(text.into());
    }
    let (at_start, at_end) = (pattern.starts_with('#'), pattern.starts_with('%'));
    let bare = if at_start || at_end { &pattern[1..] } else { pattern };
    let mut out = String::new();
    let mut from = 0;
    let mut work = 0usize;
    while from <= text.len() {
        work += cuts.len();
        if work > MAX_MATCHED * 64 {
            return None;
        }
        let end = cuts
            .iter()
            .rev()
            .copied()
            .filter(|end| *end >= from && (!at_end || *end == text.len()));
        let hit = (!at_start || from == 0)
            .then(|| {
                end.into_iter()
                    .find(|end| (*end > from || bare.is_empty()) && glob_matches(bare, &text[from..*end]))
            })
            .flatten();
        match hit {
            Some(end) => {
                out.push_str(with);
                from = end;
                if !all || bare.is_empty() {
                    break;
                }
            }
            None => match text[from..].chars().next() {
                Some(char) => {
                    out.push(char);
                    from += char.len_utf8();
                }
                None => break,
            },
        }
    }
    out.push_str(text.get(from..).unwrap_or(""));
    Some(out)
}

fn slice<T>(items: &[T], from: i64, count: Option<i64>) -> &[T] {
    let len = items.len() as i64;
    let from = if from < 0 { (len + from).max(0) } else { from.min(len) };
    let to = match count {
        None => len,
        Some(count) if count < 0 => (len + count).max(from),
        Some(count) => from.saturating_add(count).min(len),
    };
    items.get(from as usize..to as usize).unwrap_or(&[])
}

fn first_char<I: Iterator<Item = char>>(text: &str, change: fn(char) -> I) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => change(first).chain(chars).collect(),
        None => String::new(),
    }
}
