//! The tables of `config/`: what reading a configuration finds, and which matchers and rules are not what they seem.

use hookbox_protocol::config::{Diagnostic, HandlerKind, parse};
use hookbox_protocol::{Dialect, Matcher, OnFailure, condition, matcher};
use serde::Deserialize;

#[derive(Deserialize)]
struct Reading {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    says: String,
    text: String,
    #[serde(default)]
    loads: Vec<String>,
    #[serde(default)]
    broken: Vec<String>,
    #[serde(default)]
    skipped: Vec<String>,
    finds: Option<Vec<(String, String, String)>>,
    error: Option<String>,
}

#[test]
fn every_configuration_of_the_table_is_read_as_it_says() {
    let table: Reading = toml::from_str(include_str!("config/diagnostics.toml")).expect("the table is TOML");
    for case in table.case {
        let parsed = parse(&case.text, "hooks.json");
        let said = case.says;
        let (mut loads, mut broken) = (Vec::new(), Vec::new());
        let groups = parsed.config.hooks.iter().flat_map(|(_, groups)| groups);
        for handler in groups.flat_map(|group| &group.handlers) {
            match &handler.kind {
                HandlerKind::Command(command) => loads.push(command.command.clone()),
                HandlerKind::Wasm(wasm) => loads.push(wasm.plugin.clone()),
                HandlerKind::Broken { .. } => broken.push(handler.path.clone()),
                HandlerKind::Other { .. } => {}
            }
        }
        assert_eq!(loads, case.loads, "{said}: what runs");
        assert_eq!(broken, case.broken, "{said}: what blocks");
        let skipped: Vec<&str> = parsed
            .skipped
            .iter()
            .map(|skipped| skipped.type_name.as_str())
            .collect();
        assert_eq!(skipped, case.skipped, "{said}: what is left to the agent");
        let error = parsed.error.as_ref().map(ToString::to_string);
        match &case.error {
            Some(words) => assert!(
                error.as_ref().is_some_and(|text| text.contains(words)),
                "{said}: {error:?}"
            ),
            None => assert_eq!(error, None, "{said}"),
        }
        let found = |(severity, path, words): &(String, String, String)| {
            parsed.diagnostics.iter().any(|d| {
                d.severity.name() == severity
                    && d.path == *path
                    && d.file == "hooks.json"
                    && d.to_string().contains(words)
            })
        };
        for expected in case.finds.iter().flatten() {
            assert!(
                found(expected),
                "{said}: {expected:?} is not in {:#?}",
                parsed.diagnostics
            );
        }
        if case.finds.as_ref().is_some_and(Vec::is_empty) {
            assert!(parsed.diagnostics.is_empty(), "{said}: {:#?}", parsed.diagnostics);
        }
    }
}

#[derive(Deserialize)]
struct Lints {
    matcher: Vec<Lint>,
    rule: Vec<Lint>,
}

#[derive(Deserialize)]
struct Lint {
    event: String,
    finds: String,
    written: Vec<String>,
}

fn check(lint: &Lint, written: &str, found: Option<Diagnostic>) {
    let found = found.map(|found| found.to_string()).unwrap_or_default();
    let right = if lint.finds.is_empty() {
        found.is_empty()
    } else {
        found.contains(&lint.finds)
    };
    assert!(
        right,
        "{written:?} on {}: {found:?}, expected {:?}",
        lint.event, lint.finds
    );
}

#[test]
fn matchers_and_rules_that_are_not_what_they_seem_are_told() {
    let table: Lints = toml::from_str(include_str!("config/lints.toml")).expect("the table is TOML");
    for lint in &table.matcher {
        for written in &lint.written {
            let (_, told) = Matcher::new(Dialect::ClaudeCode, &lint.event, Some(written));
            check(
                lint,
                written,
                told.or_else(|| matcher::lint(Dialect::ClaudeCode, &lint.event, written)),
            );
        }
    }
    for lint in &table.rule {
        for written in &lint.written {
            check(lint, written, condition::lint(written, &lint.event));
        }
    }
}

/// What the whole-file look finds, as `path: words`.
#[test]
fn a_configuration_is_looked_over_as_a_whole() {
    let text = r#"{
        "plugins": {"unused": {"source": "./u.wasm"}},
        "hooks": {
            "PreToolUse": [
                {"matcher": "Bash", "hooks": [
                    {"type": "command", "command": "python3 .claude/hooks/guard.py", "onFailure": "block"},
                    {"type": "command", "command": "/a.sh", "if": "Edit(*.ts)"},
                    {"type": "command", "command": "/b.sh", "async": true, "onFailure": "block"},
                    {"type": "command", "command": "echo a/b && /usr/bin/env x"}]},
                {"hooks": [{"type": "command", "command": "python3 .claude/hooks/guard.py"}]},
                {"matcher": "Read", "hooks": []}]}}"#;
    let parsed = parse(text, "hooks.json");
    let found: Vec<String> = hookbox_protocol::config::lint(Dialect::ClaudeCode, &parsed.config, "hooks.json")
        .iter()
        .map(|found| format!("{}: {}", found.path, found.message))
        .collect();
    for expected in [
        ("hooks.PreToolUse[0].hooks[0].command", "is relative"),
        ("hooks.PreToolUse[0].hooks[1].if", "the group's matcher keeps out"),
        ("hooks.PreToolUse[0].hooks[2].command", "not waited for"),
        ("hooks.PreToolUse[1].hooks[0].command", "is relative"),
        ("hooks.PreToolUse[1].hooks[0]", "but for onFailure"),
        ("hooks.PreToolUse[2]", "without handlers"),
        ("plugins.unused", "no handler"),
    ] {
        assert!(
            found
                .iter()
                .any(|f| f.starts_with(&format!("{}: ", expected.0)) && f.contains(expected.1)),
            "{expected:?}: {found:#?}"
        );
    }
    assert_eq!(found.len(), 7, "{found:#?}");
}

#[test]
fn a_file_made_to_be_slow_is_refused_as_a_whole() {
    let handler = r#"{"type":"command","command":"x"}"#;
    let events: String = (0..300).map(|n| format!("\"E{n}\":[],")).collect();
    let handlers = vec![handler; 2_000].join(",");
    let groups = vec!["{}"; 2_000].join(",");
    let copies: String = (0..100).map(|n| format!("\"Stop\":[{n}],")).collect();
    for (text, words) in [
        (format!("{{\"hooks\":{{{events} \"Stop\":[]}}}}"), "301 events"),
        (
            format!("{{\"hooks\":{{\"Stop\":[{{\"hooks\":[{handlers}]}}]}}}}"),
            "2000 handlers",
        ),
        (format!("{{\"hooks\":{{\"Stop\":[{groups}]}}}}"), "2000 handlers"),
        (
            format!("{{\"hooks\":{{{copies} \"Stop\":[]}}}}"),
            "too many duplicate keys",
        ),
        (format!("{{\"hooks\":{}", "[".repeat(100_000)), "recursion limit"),
    ] {
        let error = parse(&text, "f.json")
            .error
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn findings_without_number_are_cut_and_counted() {
    let keys: String = (0..5_000).map(|n| format!(", \"key{n}\": 1")).collect();
    let text = format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "x"{keys}}}]}}]}}}}"#);
    let parsed = parse(&text, "f.json");
    assert!(parsed.diagnostics.len() <= 201);
    assert!(
        parsed
            .diagnostics
            .iter()
            .any(|found| found.message.contains("4800 more")),
        "{:?}",
        parsed.diagnostics.last()
    );
}

#[test]
fn what_is_there_twice_is_never_relaxed_by_its_second_value() {
    let text = |first: &str, second: &str| {
        format!(
            r#"{{"onFailure": {first}, "onFailure": {second}, "disableAllHooks": false, "disableAllHooks": true,
                "allowManagedHooksOnly": true, "allowManagedHooksOnly": false,
                "hooks": {{"PreToolUse": [{{"hooks": [{{"type": "command", "command": "/a", "onFailure": {first}, "onFailure": {second}}}]}}]}}}}"#
        )
    };
    for (first, second) in [
        (r#""block""#, r#""continue""#),
        (r#""continue""#, r#""block""#),
        ("5", r#""continue""#),
    ] {
        let config = parse(&text(first, second), "hooks.json").config;
        assert_eq!(config.on_failure, Some(OnFailure::Block), "{first}, {second}");
        assert_eq!(config.disable_all_hooks, Some(false));
        assert!(config.allow_managed_hooks_only);
        let handlers = config
            .hooks
            .iter()
            .flat_map(|(_, groups)| groups)
            .flat_map(|group| &group.handlers);
        assert_eq!(
            handlers.map(|handler| handler.on_failure).collect::<Vec<_>>(),
            [Some(OnFailure::Block)]
        );
    }
}
