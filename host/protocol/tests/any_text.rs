//! What people write, and what nobody would: every parser of the crate gives an answer on any text. `fuzz/` looks longer.

use hookbox_protocol::config::{self, Layer, LayerFile, Layers};
use hookbox_protocol::matcher::Matcher;
use hookbox_protocol::{Condition, Dialect, Event, dialects, dsh, protocol_op};
use proptest::prelude::*;
use serde_json::{Value, json};

/// None of an empty command, which is no call.
fn call(command: &str) -> Option<Event> {
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/srv/demo", "tool_name": "Bash",
        "tool_input": { "command": command },
    });
    dialects::decode("claude-code", payload).ok()
}

/// Pieces of what the parsers know, in any order.
fn pieces(known: &'static [&'static str]) -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => prop::sample::select(known).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

const SHELL: &[&str] = &[
    "git push", " ", "&&", "|", ";", "\n", "$(", ")", "`", "\"", "'", "\\", "<<E\n", "E\n", "{", "}", "for x in", "do",
    "done", "case", "esac", "$X", "${X:-", "sudo ", "xargs ", "sh -c ", ">", "2>&1", "*", "[[", "]]", "((", "#", "f()",
];
const PATTERN: &[&str] = &[
    "Bash", "|", ",", "*", ".", "^", "$", "(", ")", "[", "]", "?", "!", "+", "{2}", "\\b", "mcp__", "-", " ", "(?i)",
    "Write(",
];
const CONFIG: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"hooks\"",
    "\"PreToolUse\"",
    "\"matcher\"",
    "\"Bash\"",
    "\"type\"",
    "\"command\"",
    "\"wasm\"",
    "\"plugins\"",
    "\"timeout\"",
    "\"onFailure\"",
    "\"block\"",
    "1e9",
    "-1",
    "null",
    "true",
    "// x\n",
    "\u{feff}",
    "\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_is_a_command_or_is_not_understood(text in pieces(SHELL)) {
        let analysis = hookbox_shell::analyze(&text, "bash");
        prop_assert!(analysis.commands.iter().all(|command| !command.argv.is_empty()));
        if let Some(call) = call(&text) {
            prop_assert!(Condition::parse("Bash").0.fires(&call), "the rule of the whole tool");
        }
    }

    #[test]
    fn any_text_is_a_matcher_and_a_rule(pattern in pieces(PATTERN), value in pieces(PATTERN)) {
        for dialect in [Dialect::ClaudeCode, Dialect::Codex, Dialect::Other] {
            let (matcher, _) = Matcher::new(dialect, "PreToolUse", Some(&pattern));
            let _ = matcher.matches(&value);
        }
        let _ = call(&value).map(|call| Condition::parse(&pattern).0.fires(&call));
    }

    #[test]
    fn any_text_is_a_configuration_or_is_refused(text in pieces(CONFIG)) {
        let parsed = config::parse(&text, "hooks.json");
        let _ = config::lint(Dialect::ClaudeCode, &parsed.config, "hooks.json");
        let file = LayerFile { layer: Layer::Project, trusted: false, file: "hooks.json".to_owned(), parsed };
        let layers = Layers::new(vec![file]);
        let _ = call("ls").map(|call| config::select(&layers, Dialect::ClaudeCode, &call));
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            let _ = dsh::parse_config(&value, &dsh::Variables::default());
        }
    }

    #[test]
    fn any_request_has_an_answer(op in "[a-z]{0,9}", text in pieces(CONFIG), exit in any::<i64>()) {
        for op in [op.as_str(), "matcher", "if", "decode", "merge", "parse", "shell", "action", "dispatch", "substitute"] {
            let request = json!({
                "op": op, "dialect": if exit % 2 == 0 { "dsh" } else { "claude-code" }, "event": text, "exit": exit,
                "config_text": text, "config": [text], "handlers": [text], "outputs": [{ "reason": text }], "command": text,
                "matcher": text, "value": text, "stdout": text, "rule": text,
            });
            prop_assert!(protocol_op::answer(&request).is_object());
        }
    }
}
