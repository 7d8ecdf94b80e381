//! What must hold of configurations, layers, matchers and rules on any input at all.

use hookbox_protocol::config::{Entry, HandlerKind, Layer, LayerFile, Layers, lint, parse, select};
use hookbox_protocol::events::EVENTS;
use hookbox_protocol::{Condition, Dialect, DshMode, Event, Matcher, OnFailure, ToolCall, condition, matcher};
use proptest::prelude::*;
use serde_json::{Value, json};

fn event(name: &str, tool: &str, command: &str) -> Event {
    Event {
        agent: "claude-code".to_owned(),
        name: name.to_owned(),
        session: String::new(),
        cwd: "/srv/demo".to_owned(),
        project: "/srv/demo".to_owned(),
        tool: Some(ToolCall {
            name: tool.to_owned(),
            ..ToolCall::default()
        }),
        prompt: None,
        payload: json!({ "tool_name": tool, "tool_input": { "command": command, "file_path": command } }),
    }
}

/// JSON made of the words of configurations, right and wrong.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec![
            "command",
            "wasm",
            "http",
            "block",
            "continue",
            "Bash",
            "^(a+)+$",
            "[",
            "Bash(git *)",
            "./x.sh",
            "builtin:x",
            "oci://a/b",
            "sha256:00",
            "32MiB",
            "${project}/a",
            "*.a.example:1",
            "",
        ])
        .prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 5, |inner| {
        let key = prop::sample::select(vec![
            "hooks",
            "settings",
            "PreToolUse",
            "Stop",
            "matcher",
            "type",
            "command",
            "args",
            "if",
            "timeout",
            "onFailure",
            "plugin",
            "plugins",
            "source",
            "digest",
            "grants",
            "read",
            "http",
            "limits",
            "memory",
            "signers",
            "minisign",
            "disableAllHooks",
            "allowManagedHooksOnly",
            "x",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..5).prop_map(|pairs| Value::Object(
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

/// One of a few files that are right, with policies among them.
fn file() -> impl Strategy<Value = String> {
    let handler = prop::sample::select(vec![
        r#"{"type": "command", "command": "a"}"#,
        r#"{"type": "command", "command": "a", "onFailure": "block"}"#,
        r#"{"type": "command", "command": "a", "onFailure": "continue", "async": true}"#,
        r#"{"type": "wasm", "plugin": "p"}"#,
        r#"{"type": "wasm", "plugin": "p", "onFailure": "continue", "timeout": 0.001}"#,
        r#"{"type": "wasm"}"#,
        r#"{"type": "prompt", "prompt": "x"}"#,
    ]);
    let keys = prop::sample::select(vec![
        "",
        r#""onFailure": "block","#,
        r#""onFailure": "continue","#,
        r#""plugins": {"p": {"source": "./p.wasm", "grants": {"http": ["a.example"]}}},"#,
        r#""plugins": {"p": {"source": "builtin:nothing"}},"#,
        r#""allowManagedHooksOnly": true,"#,
        r#""forbidCommandHandlers": true,"#,
    ]);
    (keys, prop::collection::vec(handler, 0..4)).prop_map(|(keys, handlers)| {
        format!(
            r#"{{{keys} "hooks": {{"PreToolUse": [{{"hooks": [{}]}}]}}}}"#,
            handlers.join(", ")
        )
    })
}

fn layer_file(layer: Layer, trusted: bool, text: &str) -> LayerFile {
    let file = format!("{layer}.json");
    LayerFile {
        layer,
        trusted,
        parsed: parse(text, &file),
        file,
    }
}

fn what(entry: &Entry) -> String {
    match &entry.handler.kind {
        HandlerKind::Command(command) => format!("command {}", command.command),
        HandlerKind::Wasm(_) => format!("wasm {:?}", entry.plugin.as_ref().map(|plugin| &plugin.entry.source)),
        HandlerKind::Other { type_name } => type_name.clone(),
        HandlerKind::Broken { error } => format!("broken {error}"),
    }
}

fn waits(entry: &Entry) -> bool {
    !matches!(&entry.handler.kind, HandlerKind::Command(command) if command.run_async)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics_and_names_the_file_in_all_it_finds(text in ".{0,200}") {
        let parsed = parse(&text, "f.json");
        for found in parsed.diagnostics.iter().chain(parsed.error.as_ref()) {
            prop_assert_eq!(&found.file, "f.json");
        }
    }

    #[test]
    fn any_json_is_read_and_looked_over_without_panic(value in value()) {
        let parsed = parse(&value.to_string(), "f.json");
        lint(Dialect::ClaudeCode, &parsed.config, "f.json");
        for trusted in [true, false] {
            let layers = Layers::new(vec![LayerFile { layer: Layer::Project, trusted, file: "f.json".to_owned(), parsed: parsed.clone() }]);
            layers.diagnostics();
            let selection = select(&layers, Dialect::ClaudeCode, &event("PreToolUse", "Bash", "git push"));
            // An untrusted file runs no commands, and whatever it runs has no powers.
            if !trusted {
                for entry in &selection.entries {
                    prop_assert!(entry.tighten_only);
                    prop_assert!(!matches!(entry.handler.kind, HandlerKind::Command(_)));
                    prop_assert!(entry.plugin.as_ref().is_none_or(|plugin| plugin.entry.grants.is_empty()));
                }
            }
        }
    }

    /// Every handler of an event is run, is left to the agent, or blocks: none is lost.
    #[test]
    fn no_handler_of_a_list_is_lost(handlers in prop::collection::vec(value(), 0..5)) {
        let count = handlers.len();
        let text = json!({ "hooks": { "PreToolUse": [{ "hooks": handlers }] } }).to_string();
        let parsed = parse(&text, "f.json");
        prop_assert_eq!(parsed.config.groups("PreToolUse")[0].handlers.len(), count);
    }

    /// What a higher layer runs, a lower layer cannot take away, loosen, stop waiting for, or make another plugin of.
    #[test]
    fn a_layer_that_is_added_below_never_weakens_those_above(above in file(), below in file(), trusted: bool) {
        let call = event("PreToolUse", "Bash", "git push");
        let user = || layer_file(Layer::User, true, &above);
        let alone = select(&Layers::new(vec![user()]), Dialect::ClaudeCode, &call);
        let project = layer_file(Layer::Project, trusted, &below);
        let both = select(&Layers::new(vec![user(), project]), Dialect::ClaudeCode, &call);
        for before in &alone.entries {
            let after = both.entries.iter().find(|entry| what(entry) == what(before) && entry.layer == Layer::User);
            let after = after.ok_or_else(|| TestCaseError::fail(format!("{} is gone", what(before))))?;
            prop_assert!(after.on_failure >= before.on_failure);
            prop_assert!(waits(after) || !waits(before));
            prop_assert_eq!(after.tighten_only, before.tighten_only);
            prop_assert_eq!(after.handler.timeout, before.handler.timeout);
            prop_assert_eq!(&after.plugin, &before.plugin);
        }
    }

    /// Adding a copy of a handler never makes its failure mean less.
    #[test]
    fn the_strictest_copy_stays_in_any_order(block in prop::collection::vec(any::<bool>(), 1..5)) {
        let copies: Vec<Value> = block.iter().map(|block| {
            json!({ "type": "command", "command": "g", "onFailure": if *block { "block" } else { "continue" } })
        }).collect();
        let text = json!({ "hooks": { "PreToolUse": [{ "hooks": copies }] } }).to_string();
        let layers = Layers::new(vec![layer_file(Layer::User, true, &text)]);
        let selection = select(&layers, Dialect::ClaudeCode, &event("PreToolUse", "Bash", "ls"));
        prop_assert_eq!(selection.entries.len(), 1);
        prop_assert_eq!(selection.entries[0].on_failure == OnFailure::Block, block.contains(&true));
    }

    #[test]
    fn matchers_never_panic_or_hang(
        written in r"[aB.*+?|()\[\]{}^$\\1,:=!<>_ -]{0,24}",
        name in "[aB_]{0,40}",
        long in "[aB]{300,600}",
    ) {
        for dialect in [Dialect::ClaudeCode, Dialect::Codex, Dialect::Dsh(DshMode::ClaudeCode), Dialect::Dsh(DshMode::Codex)] {
            let (compiled, _) = Matcher::new(dialect, "PreToolUse", Some(&written));
            compiled.matches(&name);
            compiled.matches(&long);
            matcher::lint(dialect, "PreToolUse", &written);
        }
    }

    /// Plain names are a list: they match these names and no others.
    #[test]
    fn a_list_matches_its_names_exactly(names in prop::collection::vec("[A-Za-z_][A-Za-z0-9_-]{0,9}", 1..4), other in "[A-Za-z_][A-Za-z0-9_-]{0,9}") {
        let (matcher, found) = Matcher::new(Dialect::ClaudeCode, "PreToolUse", Some(&names.join("|")));
        prop_assert_eq!(found, None);
        for name in &names {
            prop_assert!(matcher.matches(name));
        }
        let former = ["Agent", "TaskStop", "ListAgents", "SendUserMessage", "SetGoal"].contains(&other.as_str());
        prop_assert_eq!(matcher.matches(&other), names.contains(&other) || former && matcher.matches(&other));
    }

    #[test]
    fn rules_never_panic(written in ".{0,30}", content in r"[a*?\[\]\\/!.{},~: -]{0,20}", command in ".{0,60}") {
        for rule in [written, format!("Bash({content})"), format!("Edit({content})"), format!("PowerShell({content})")] {
            let (condition, _) = Condition::parse(&rule);
            condition::lint(&rule, "PreToolUse");
            for spec in &EVENTS {
                condition.fires(&event(spec.name, "Bash", &command));
                condition.fires(&event(spec.name, "Edit", &command));
                condition.fires(&event(spec.name, "PowerShell", &command));
            }
        }
    }

    /// A command that is beyond understanding fires every rule of its tool that can fire at all.
    #[test]
    fn what_is_not_understood_fires(content in "[a-z]{1,5}( [a-z*]{1,5}){0,2}") {
        let (condition, _) = Condition::parse(&format!("Bash({content})"));
        for command in ["f() { x; }; f", "cat <(ls)", "case x in x) ls;; esac", "$CMD x"] {
            prop_assert!(condition.fires(&event("PreToolUse", "Bash", command)), "{} on {}", content, command);
        }
        let without = Event { payload: json!({}), ..event("PreToolUse", "Bash", "") };
        prop_assert!(condition.fires(&without), "a call without a command");
    }
}
