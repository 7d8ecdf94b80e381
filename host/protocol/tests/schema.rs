//! The JSON Schema of `hooks.json`: what the book and the tables show passes it, and what cannot be loaded does not.

#![allow(clippy::expect_used, clippy::panic)] // The helpers of tests fail as tests do.

use boon::{Compiler, SchemaIndex, Schemas};
use hookbox_protocol::config::{Parsed, Severity, configuration_schema, parse};
use serde::Deserialize;
use serde_json::Value;

struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    /// Compiling also holds the schema itself to the draft that it names.
    fn new() -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.enable_format_assertions();
        compiler
            .add_resource("hooks.schema.json", configuration_schema())
            .expect("the schema is JSON");
        let index = compiler
            .compile("hooks.schema.json", &mut schemas)
            .unwrap_or_else(|error| panic!("{error}"));
        Self { schemas, index }
    }

    fn problem(&self, value: &Value) -> Option<String> {
        self.schemas
            .validate(value, self.index)
            .err()
            .map(|error| format!("{error:#}"))
    }
}

#[derive(Deserialize)]
struct Table {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    says: String,
    text: String,
}

/// The rows of the table of configurations that are JSON in the shape the schema is for, with how they are read.
fn rows() -> Vec<(String, Value, Parsed)> {
    let table: Table = toml::from_str(include_str!("config/diagnostics.toml")).expect("the table is TOML");
    let rows = table.case.into_iter().filter_map(|case| {
        let value: Value = serde_json::from_str(&case.text).ok()?;
        let bare = value.get("hooks").is_none();
        (!bare).then(|| (case.says, value, parse(&case.text, "hooks.json")))
    });
    rows.collect()
}

#[test]
fn every_configuration_of_the_book_passes() {
    let schema = Schema::new();
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut seen = 0;
    for page in std::fs::read_dir(docs).expect("the book").flatten() {
        let text = std::fs::read_to_string(page.path()).unwrap_or_default();
        for block in text.split("```json\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            let Ok(value) = serde_json::from_str::<Value>(block) else {
                continue;
            };
            if value.get("hooks").is_some_and(Value::is_object) {
                seen += 1;
                assert_eq!(schema.problem(&value), None, "{}: {block}", page.path().display());
            }
        }
    }
    assert!(seen >= 4, "only {seen} configurations were found");
}

#[test]
fn what_is_read_without_a_finding_passes() {
    let schema = Schema::new();
    let mut seen = 0;
    for (says, value, parsed) in rows() {
        if parsed.diagnostics.is_empty() && parsed.error.is_none() {
            seen += 1;
            assert_eq!(schema.problem(&value), None, "{says}");
        }
    }
    assert!(seen >= 3, "only {seen} rows are without a finding");
}

#[test]
fn what_cannot_be_loaded_does_not_pass() {
    let schema = Schema::new();
    let mut seen = 0;
    for (says, value, parsed) in rows() {
        // A key that is there twice is gone before a schema could see it.
        let twice = parsed.diagnostics.iter().any(|found| found.message.contains("twice"));
        let wrong = parsed.error.is_some() || parsed.diagnostics.iter().any(|found| found.severity == Severity::Error);
        if wrong && !twice {
            seen += 1;
            assert!(schema.problem(&value).is_some(), "{says}: {value}");
        }
    }
    assert!(seen >= 15, "only {seen} rows cannot be loaded");
}

#[test]
fn a_schema_key_beside_the_hooks_is_no_finding() {
    let text = r#"{"$schema": "https://hookbox.example/hooks.schema.json", "hooks": {"Stop": []}}"#;
    assert_eq!(parse(text, "hooks.json").diagnostics, []);
    let value = serde_json::from_str(text).expect("JSON");
    assert_eq!(Schema::new().problem(&value), None);
}
