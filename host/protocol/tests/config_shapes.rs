//! A configuration is read in each of its shapes, and one bad entry costs only itself.

use hookbox_protocol::config::{HandlerKind, Severity, parse};

const GUARD: &str = r#"[{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}]"#;

/// The commands that a text loads, in order, of all events.
fn commands(text: &str) -> Vec<String> {
    let parsed = parse(text, "hooks.json");
    let groups = parsed.config.hooks.iter().flat_map(|(_, groups)| groups);
    groups
        .flat_map(|group| &group.handlers)
        .filter_map(|handler| match &handler.kind {
            HandlerKind::Command(command) => Some(command.command.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn every_accepted_shape_loads_the_guard() {
    for text in [
        format!(r#"{{"hooks": {{"PreToolUse": {GUARD}}}}}"#),
        format!(r#"{{"settings": {{"hooks": {{"PreToolUse": {GUARD}}}}}}}"#),
        format!(r#"{{"PreToolUse": {GUARD}}}"#),
        format!(r#"{{"permissions": {{"allow": ["Bash(ls)"]}}, "model": "x", "hooks": {{"PreToolUse": {GUARD}}}}}"#),
        format!("\u{feff}{{\"hooks\": {{\"PreToolUse\": {GUARD}}}}}"),
    ] {
        let parsed = parse(&text, "hooks.json");
        assert_eq!(commands(&text), ["./guard.sh"], "{text}");
        assert_eq!(parsed.error, None, "{text}");
    }
}

#[test]
fn a_broken_entry_costs_only_itself_and_is_kept_as_broken() {
    let text = r#"{"hooks": {"PreToolUse": [
        {"type": "command", "command": "echo flat"},
        {"matcher": "Bash", "hooks": [{"command": "no type"}, {"type": "command", "command": "./guard.sh"}]}]}}"#;
    let parsed = parse(text, "hooks.json");
    assert_eq!(commands(text), ["./guard.sh"]);
    let broken: Vec<&str> = parsed
        .config
        .groups("PreToolUse")
        .iter()
        .flat_map(|group| &group.handlers)
        .filter(|handler| matches!(handler.kind, HandlerKind::Broken { .. }))
        .map(|handler| handler.path.as_str())
        .collect();
    assert_eq!(broken, ["hooks.PreToolUse[0]", "hooks.PreToolUse[1].hooks[0]"]);
    assert_eq!(
        parsed
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .count(),
        2
    );
}

#[test]
fn a_text_that_is_not_json_is_an_error_with_its_place() {
    let parsed = parse("{\n  // a note\n  \"hooks\": {}\n}", "hooks.json");
    let error = parsed.error.expect("an error");
    assert!(error.message.contains("line 2"), "{error}");
    assert!(error.hint.unwrap_or_default().contains("comments"));
}
