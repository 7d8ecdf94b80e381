//! Cases out of the examples that rules of the plugin `rules` carry: what each must fire for, and what it must let pass.

use super::subject::Subject;
use anyhow::{Context, Result, bail};
use hookbox::protocol::config::{self, Config, HandlerKind, PluginSource, WasmHandler};
use hookbox_cases::{Case, Cases, Expected, Step};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// The settings of the plugin `rules` that a file of rules is; none where it is something else.
pub(crate) fn rules(text: &str) -> Option<Map<String, Value>> {
    let Ok(Value::Object(table)) = hookbox_cases::table(text) else {
        return None;
    };
    (table.contains_key("rules") && !table.contains_key("case")).then_some(table)
}

/// The examples of a file of rules.
pub(crate) fn of_rules(settings: Map<String, Value>) -> Result<(Subject, Cases)> {
    let cases = cases(&settings)?;
    if cases.cases.is_empty() {
        bail!(
            "no rule of it has `examples`\nhint: \"examples\": {{ \"match\": [\"rm -rf build\"], \"pass\": [\"ls\"] }}"
        );
    }
    Ok((Subject::rules()?, cases))
}

/// The examples of each handler of a configuration that runs `rules`.
pub(crate) fn of_configuration(file: &Path) -> Result<Vec<(Subject, Cases)>> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).with_context(|| format!("{name} cannot be read"))?;
    let parsed = config::parse(&text, &name);
    if let Some(error) = parsed.error {
        bail!("{error}");
    }
    let handlers = parsed
        .config
        .hooks
        .iter()
        .flat_map(|(_, groups)| groups)
        .flat_map(|group| &group.handlers);
    let mut found = Vec::new();
    for handler in handlers {
        let HandlerKind::Wasm(wasm) = &handler.kind else {
            continue;
        };
        if !is_rules(&parsed.config, wasm) {
            continue;
        }
        let of_its_own = wasm
            .settings_file
            .as_deref()
            .map(|beside| of_file(file, beside))
            .transpose()?;
        if let Value::Object(settings) = of_its_own.as_ref().unwrap_or(&wasm.settings) {
            let cases = cases(settings).with_context(|| format!("{name}: {}", handler.path))?;
            if !cases.cases.is_empty() {
                found.push((Subject::rules()?, cases));
            }
        }
    }
    Ok(found)
}

/// The settings in the file that a handler of `configuration` names.
fn of_file(configuration: &Path, named: &str) -> Result<Value> {
    let path = configuration.parent().unwrap_or(Path::new("")).join(named);
    let name = path.display().to_string();
    let text = fs::read_to_string(&path).with_context(|| format!("{name} cannot be read"))?;
    hookbox_cases::table(&text).context(name)
}

fn is_rules(config: &Config, wasm: &WasmHandler) -> bool {
    match config.plugin(&wasm.plugin).map(|entry| &entry.source) {
        Some(PluginSource::Builtin(name)) if !name.is_empty() => name == "rules",
        Some(PluginSource::Builtin(_)) | None => wasm.plugin == "rules",
        Some(_) => false,
    }
}

/// Every rule is asked with all the others, as it will be.
fn cases(settings: &Map<String, Value>) -> Result<Cases> {
    let rules = settings
        .get("rules")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let mut found = Cases {
        plugin: None,
        cases: Vec::new(),
    };
    for (index, rule) in rules.iter().enumerate() {
        let id = rule["id"].as_str().unwrap_or_default();
        for (key, fires) in [("match", true), ("pass", false)] {
            let Some(examples) = rule.pointer(&format!("/examples/{key}")) else {
                continue;
            };
            let examples = examples
                .as_array()
                .with_context(|| format!("rules[{index}] ({id}): `examples.{key}` is no list"))?;
            for example in examples {
                let step =
                    step(example, Expected::fires(id, fires)).with_context(|| format!("rules[{index}] ({id})"))?;
                found.cases.push(Case {
                    number: found.cases.len() + 1,
                    settings: settings.clone(),
                    own_settings: true,
                    files: Default::default(),
                    links: Default::default(),
                    steps: vec![step],
                    sequence: false,
                });
            }
        }
    }
    Ok(found)
}

fn step(example: &Value, expected: Expected) -> Result<Step> {
    let step = match example {
        Value::String(command) => Step::of_command(command, expected),
        Value::Object(_) => Step::of_event(example, expected),
        _ => bail!("an example is a command or an event, not {example}"),
    };
    Ok(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_example_of_a_rule_is_a_case() {
        let text = "[[rules]]\nid = 'a'\ndecision = 'deny'\nprogram = 'x'\nexamples = { match = ['x'], pass = ['y', { tool_name = 'Read' }] }";
        let settings = rules(text).unwrap();
        let (subject, cases) = of_rules(settings).unwrap();
        assert_eq!((subject.name(), cases.cases.len()), ("rules", 3));
    }

    #[test]
    fn a_file_of_cases_or_a_configuration_is_no_file_of_rules() {
        for text in [
            "[[case]]\ncommand = 'x'\nexpect = 'deny'",
            r#"{"hooks": {}}"#,
            "no toml",
        ] {
            assert_eq!(rules(text), None, "{text}");
        }
    }

    #[test]
    fn an_example_that_is_neither_command_nor_event_is_an_error() {
        let settings = json!({ "rules": [{ "id": "a", "examples": { "match": [5] } }] });
        assert!(cases(settings.as_object().unwrap()).is_err());
    }
}
