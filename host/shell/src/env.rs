//! What the line itself has set so far: variables, positional parameters, functions, aliases and the directory.
//!
//! A variable holds every value it may have after a branch, so that `X=rm; test -f a && X=ls; $X d` shows both.

use std::rc::Rc;

use crate::Word;

/// Values that are kept of one variable after branches; more are unknown.
const MAX_VALUES: usize = 6;
/// Bytes of one value; longer ones are unknown. `a=$a$a` doubles with every step.
const MAX_VALUE: usize = 16 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    List(Vec<String>),
    Unset,
    /// Set to what cannot be known, or not set by this line at all.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    name: String,
    values: Vec<Value>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    variables: Vec<Variable>,
    /// The source of each definition; a later one does not replace an earlier one, because it may not have run.
    pub(crate) functions: Vec<(String, Rc<str>)>,
    pub(crate) aliases: Vec<(String, Rc<str>)>,
    /// `$1…`; none where they are the session's.
    pub(crate) args: Option<Rc<[Word]>>,
    /// `$0`, where the line sets it.
    pub(crate) name: Option<Word>,
    pub(crate) cwd: Option<Word>,
}

impl Env {
    /// Every value that the line may have given to `name`; empty where it gives none.
    pub(crate) fn values(&self, name: &str) -> &[Value] {
        self.variables
            .iter()
            .find(|variable| variable.name == name)
            .map_or(&[], |variable| &variable.values)
    }

    /// Whether the line has set nothing yet that a [`Branch`] keeps.
    pub(crate) fn is_plain(&self) -> bool {
        self.variables.is_empty() && self.cwd.is_none() && self.args.is_none()
    }

    pub(crate) fn unset(&mut self, name: &str) {
        self.variables.retain(|variable| variable.name != name);
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.set_all(name, vec![value]);
    }

    pub(crate) fn set_all(&mut self, name: &str, mut values: Vec<Value>) {
        for value in &mut values {
            let size = match value {
                Value::Text(text) => text.len(),
                Value::List(items) => items.iter().map(String::len).sum(),
                _ => 0,
            };
            if size > MAX_VALUE {
                *value = Value::Unknown;
            }
        }
        values.dedup();
        if values.len() > MAX_VALUES {
            values.truncate(MAX_VALUES - 1);
            values.push(Value::Unknown);
        }
        match self.variables.iter_mut().find(|variable| variable.name == name) {
            Some(variable) => variable.values = values,
            None => self.variables.push(Variable {
                name: name.into(),
                values,
            }),
        }
    }

    /// A copy of the variables and the directory, to come back to after a branch.
    pub(crate) fn branch(&self) -> Branch {
        Branch {
            variables: self.variables.clone(),
            cwd: self.cwd.clone(),
            args: self.args.clone(),
        }
    }

    pub(crate) fn restore(&mut self, branch: Branch) {
        self.variables = branch.variables;
        self.cwd = branch.cwd;
        self.args = branch.args;
    }

    pub(crate) fn changed_since(&self, branch: &Branch) -> bool {
        self.variables != branch.variables || self.cwd != branch.cwd || self.args != branch.args
    }

    /// After a branch that may have been skipped: both its values and those of `other` are possible.
    pub(crate) fn join(&mut self, other: &Branch) {
        if self.cwd != other.cwd {
            let text = self
                .cwd
                .as_ref()
                .or(other.cwd.as_ref())
                .map_or_else(String::new, |word| word.text.clone());
            self.cwd = Some(Word {
                text,
                known: false,
                glob: false,
            });
        }
        if self.args != other.args {
            self.args = None;
        }
        if self.variables == other.variables {
            return;
        }
        for theirs in &other.variables {
            let mut values = self.values(&theirs.name).to_vec();
            if values.is_empty() {
                values.push(Value::Unknown);
            }
            for value in &theirs.values {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
            self.set_all(&theirs.name, values);
        }
        for ours in &mut self.variables {
            let there = other.variables.iter().any(|theirs| theirs.name == ours.name);
            if !there && !ours.values.contains(&Value::Unknown) {
                ours.values.push(Value::Unknown);
            }
        }
    }
}

impl Branch {
    pub(crate) fn cwd(&self) -> Option<&Word> {
        self.cwd.as_ref()
    }
}

/// What [`Env::branch`] keeps.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    variables: Vec<Variable>,
    cwd: Option<Word>,
    args: Option<Rc<[Word]>>,
}
