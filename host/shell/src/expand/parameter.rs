//! `$x` and `${x…}`: values, defaults, prefixes and suffixes cut off, parts replaced, names looked up by name.

use shuck_ast::{BourneParameterExpansion, ParameterExpansion, ParameterExpansionSyntax, ParameterOp, VarRef};

use super::Unit;
use super::edits::{Edit, first_char, slice};
use crate::env::Value;
use crate::session::{Text, Walk};
use crate::unquote::Context;
use crate::walk::Walker;

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
