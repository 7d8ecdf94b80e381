//! Plain programs: WASI commands that read the event from stdin and answer like a shell hook, by exit code, stdout and stderr.
//!
//! Either a component that exports `wasi:cli/run` or a core module of preview 1 that exports `_start`. Each event gets a fresh
//! instance under the same limits as any plugin; what the program said means, `hookbox_protocol::codec` tells. Nothing of this
//! is made for a plugin that exports `handler`.

mod call;
mod link;
mod surroundings;

pub(crate) use link::compile;

use crate::error::PrepareError;
use crate::grants::Grants;
use crate::limits::Limits;
use crate::state::State;
use std::sync::Arc;
use wasmtime::component::{Component, ComponentExportIndex};
use wasmtime::{Engine, Module};

/// A plain program that can be run.
pub struct Program {
    engine: Engine,
    entry: Entry,
    grants: Arc<Grants>,
    limits: Limits,
    settings: Settings,
}

/// Where it begins.
enum Entry {
    Component(wasmtime::component::InstancePre<State>, ComponentExportIndex),
    Module(wasmtime::InstancePre<State>),
}

/// What one run gave, with what it cost.
#[derive(Debug)]
pub struct Finished {
    /// The exit code, where it ended by itself. Of a component that answers `err` or exits without a code: 1.
    pub exit: Result<i32, crate::Fault>,
    /// At most [`STDIO_BYTES`](crate::limits::STDIO_BYTES): a program that says more has failed.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Units of fuel used.
    pub fuel: u64,
}

/// How `settings` of the configuration reach a program: a list of texts as its arguments, all else as a variable.
#[derive(Debug, Default)]
struct Settings {
    arguments: Vec<String>,
    /// JSON text.
    variable: Option<String>,
}

impl Settings {
    /// `settings`: JSON text.
    fn read(settings: &str) -> Self {
        let variable = || Settings {
            variable: Some(settings.into()),
            ..Settings::default()
        };
        match serde_json::from_str(settings) {
            Ok(serde_json::Value::Object(object)) if object.is_empty() => Settings::default(),
            Ok(serde_json::Value::Array(list)) => {
                let texts = list.iter().map(|text| text.as_str().map(str::to_string));
                match texts.collect() {
                    Some(arguments) => Settings {
                        arguments,
                        variable: None,
                    },
                    None => variable(),
                }
            }
            _ => variable(),
        }
    }
}

impl Program {
    pub(crate) fn of_component(
        engine: &Engine,
        component: &Component,
        settings: &str,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Self, PrepareError> {
        let (pre, run) = link::component(engine, component, grants)?;
        Ok(Self::new(engine, Entry::Component(pre, run), settings, grants, limits))
    }

    pub(crate) fn of_module(
        engine: &Engine,
        module: &Module,
        settings: &str,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Self, PrepareError> {
        let pre = link::module(engine, module, grants)?;
        Ok(Self::new(engine, Entry::Module(pre), settings, grants, limits))
    }

    fn new(engine: &Engine, entry: Entry, settings: &str, grants: &Grants, limits: &Limits) -> Self {
        Program {
            engine: engine.clone(),
            entry,
            grants: Arc::new(grants.clone()),
            limits: *limits,
            settings: Settings::read(settings),
        }
    }

    /// Whether it is a component; else it is a core module.
    pub fn is_component(&self) -> bool {
        matches!(self.entry, Entry::Component(..))
    }

    /// Grants of the configuration that mean nothing to this program: preview 1 has no import that they would open. (A component
    /// may import `hookbox:hook/state` and the like beside WASI.)
    pub fn unused_grants(&self) -> Vec<&'static str> {
        let grants = &self.grants;
        let given = [
            ("stat", !grants.stat.is_empty()),
            ("http", !grants.http.is_empty()),
            ("state", grants.state.is_some()),
        ];
        let unused = |given: &(&'static str, bool)| given.1 && !self.is_component();
        given.into_iter().filter(unused).map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn a_list_of_texts_is_arguments_and_all_else_a_variable() {
        for (settings, arguments, variable) in [
            ("{}", &[][..], None),
            ("[]", &[], None),
            (r#"["--strict","src"]"#, &["--strict", "src"], None),
            (r#"["--level",2]"#, &[], Some(r#"["--level",2]"#)),
            (r#"{"level":2}"#, &[], Some(r#"{"level":2}"#)),
            ("2", &[], Some("2")),
        ] {
            let read = Settings::read(settings);
            assert_eq!(
                (&read.arguments[..], read.variable.as_deref()),
                (
                    &arguments.iter().map(ToString::to_string).collect::<Vec<_>>()[..],
                    variable
                ),
                "{settings}"
            );
        }
    }
}
