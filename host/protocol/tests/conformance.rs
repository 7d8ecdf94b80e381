//! The observed behaviour of the protocol, row by row: `conformance/*.toml` are the tables, this runs them.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)] // The helpers of tests fail as tests do.

use hookbox_protocol::protocol_op::answer;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table<T> {
    case: Vec<T>,
}

/// What a handler printed and how it ended.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    stdout: String,
    own: Option<Map<String, Value>>,
    stderr: String,
    exit: i32,
    timed_out: bool,
    repeat: Option<Repeat>,
}

#[derive(Deserialize)]
struct Repeat {
    text: String,
    times: usize,
    #[serde(default)]
    to: String,
}

#[derive(Deserialize)]
struct DecodeCase {
    name: String,
    #[serde(default = "claude_code")]
    dialect: String,
    #[serde(default = "pre_tool_use")]
    event: String,
    #[serde(flatten)]
    answer: Answer,
    on_failure: Option<String>,
    #[serde(default)]
    fails: bool,
    expect: Map<String, Value>,
}

#[derive(Deserialize)]
struct MergeCase {
    name: String,
    #[serde(default = "pre_tool_use")]
    event: String,
    on_failure: Option<String>,
    handlers: Vec<Answer>,
    #[serde(default)]
    warns: usize,
    expect: Map<String, Value>,
}

fn claude_code() -> String {
    "claude-code".to_owned()
}

fn pre_tool_use() -> String {
    "PreToolUse".to_owned()
}

impl Answer {
    /// The fields that `decode` and `dispatch` take.
    fn fields(&self, event: &str) -> Value {
        let own = self.own.clone().map(|mut own| {
            own.insert("hookEventName".to_owned(), json!(event));
            json!({ "hookSpecificOutput": own }).to_string()
        });
        let repeated = |to: &str| {
            let repeat = self
                .repeat
                .as_ref()
                .filter(|repeat| (repeat.to == "stdout") == (to == "stdout"));
            repeat.map(|repeat| repeat.text.repeat(repeat.times))
        };
        json!({
            "stdout": repeated("stdout").or(own).unwrap_or_else(|| self.stdout.clone()),
            "stderr": repeated("stderr").unwrap_or_else(|| self.stderr.clone()),
            "exit": if self.timed_out { Value::Null } else { json!(self.exit) },
        })
    }
}

/// `reason_units = N` stands for a text of that many UTF-16 units, `reason_contains = "…"` for any text with that in it.
fn as_asked(mut found: Map<String, Value>, expect: &Map<String, Value>) -> Map<String, Value> {
    for (asked, wanted) in expect {
        let mut text = |key| found.remove(key).and_then(|text| text.as_str().map(str::to_owned));
        let told = if let Some(key) = asked.strip_suffix("_units") {
            json!(text(key).map(|text| text.encode_utf16().count()))
        } else if let Some(key) = asked.strip_suffix("_contains") {
            let text = text(key).unwrap_or_default();
            let part = wanted.as_str().unwrap_or_default();
            if text.contains(part) {
                wanted.clone()
            } else {
                json!(text)
            }
        } else {
            continue;
        };
        found.insert(asked.clone(), told);
    }
    found
}

fn object(value: &Value) -> Map<String, Value> {
    value
        .as_object()
        .cloned()
        .unwrap_or_else(|| panic!("no object: {value}"))
}

fn decode_table(text: &str) {
    let table: Table<DecodeCase> = toml::from_str(text).expect("the table is TOML");
    for case in table.case {
        let mut request = object(&case.answer.fields(&case.event));
        request.extend(object(&json!({
            "op": "decode", "dialect": case.dialect, "event": case.event, "label": "cmd", "onFailure": case.on_failure,
        })));
        let answered = answer(&Value::Object(request));
        let mut found = object(&answered["output"]);
        found.remove("diagnostics");
        assert_eq!(found.remove("failure").is_some(), case.fails, "{}: fails", case.name);
        let mut expect = case.expect.clone();
        expect.entry("decision").or_insert(json!("none"));
        assert_eq!(as_asked(found, &expect), expect, "{}", case.name);
    }
}

#[test]
fn one_answer_before_a_call() {
    decode_table(include_str!("conformance/codec.toml"));
}

#[test]
fn one_answer_on_every_other_event() {
    decode_table(include_str!("conformance/events.toml"));
}

#[test]
fn one_answer_of_a_handler_of_codex() {
    decode_table(include_str!("conformance/codex.toml"));
}

#[test]
fn one_answer_in_the_spelling_of_another_agent() {
    decode_table(include_str!("conformance/native.toml"));
}

#[test]
fn several_answers_in_the_order_of_the_configuration() {
    let table: Table<MergeCase> = toml::from_str(include_str!("conformance/merge.toml")).expect("the table is TOML");
    for case in table.case {
        let hooks: Vec<Value> = (0..case.handlers.len())
            .map(
                |index| json!({ "type": "command", "command": format!("./h{index}.sh"), "onFailure": case.on_failure }),
            )
            .map(|mut hook| {
                hook.as_object_mut().unwrap().retain(|_, value| !value.is_null());
                hook
            })
            .collect();
        let answered = answer(&json!({
            "op": "dispatch",
            "config": { "hooks": { case.event.as_str(): [{ "hooks": hooks }] } },
            "event": {
                "hook_event_name": case.event, "session_id": "s", "cwd": "/srv/demo", "prompt": "go",
                "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_response": {}, "mcp_server_name": "m",
            },
            "handlers": case.handlers.iter().map(|handler| handler.fields(&case.event)).collect::<Vec<_>>(),
        }));
        assert_eq!(
            answered["ran"],
            json!((0..case.handlers.len()).collect::<Vec<_>>()),
            "{}: {answered}",
            case.name
        );
        let mut found = object(&answered["outcome"]);
        let warnings = found
            .remove("warnings")
            .map_or(0, |warnings| warnings.as_array().map_or(0, Vec::len));
        assert_eq!(warnings, case.warns, "{}: warnings of {answered}", case.name);
        let mut expect = case.expect.clone();
        let defaults = json!({ "decision": "none", "stop": false, "additionalContext": [], "systemMessages": [] });
        for (key, value) in object(&defaults) {
            expect.entry(key).or_insert(value);
        }
        if expect["decision"] == "ask" {
            expect
                .entry("reason")
                .or_insert(json!("Hook PreToolUse:Bash asked for confirmation for this tool"));
        }
        assert_eq!(as_asked(found, &expect), expect, "{}", case.name);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionCase {
    name: String,
    ask: Map<String, Value>,
    answer: Map<String, Value>,
}

#[test]
fn the_functions_of_the_deepseek_harness_bridge() {
    let table: Table<FunctionCase> = toml::from_str(include_str!("conformance/dsh.toml")).expect("the table is TOML");
    for case in table.case {
        let mut request = case.ask;
        request.insert("dialect".to_owned(), json!("dsh"));
        let mut expect = case.answer;
        if request["op"] == "matcher" {
            expect.entry("diagnostic").or_insert(Value::Null);
        }
        assert_eq!(answer(&Value::Object(request)), Value::Object(expect), "{}", case.name);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Selection {
    matcher: Vec<MatcherCase>,
    rule: Vec<RuleCase>,
}

#[derive(Deserialize)]
struct MatcherCase {
    matchers: Vec<String>,
    #[serde(default)]
    yes: Vec<String>,
    #[serde(default)]
    no: Vec<String>,
}

#[derive(Deserialize)]
struct RuleCase {
    rules: Vec<String>,
    #[serde(default)]
    yes: Vec<String>,
    #[serde(default)]
    no: Vec<String>,
}

fn selection() -> Selection {
    toml::from_str(include_str!("conformance/selection.toml")).expect("the table is TOML")
}

#[test]
fn matchers_select_what_they_select_in_the_agent() {
    for case in selection().matcher {
        for matcher in &case.matchers {
            for (values, wanted) in [(&case.yes, true), (&case.no, false)] {
                for value in values {
                    let answered = answer(&json!({ "op": "matcher", "matcher": matcher, "value": value }));
                    assert_eq!(answered["matches"], wanted, "{matcher:?} on {value:?}");
                }
            }
        }
    }
}

fn bash(command: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/srv/demo", "tool_name": "Bash",
        "tool_input": { "command": command },
    })
}

#[test]
fn rules_fire_where_they_fire_in_the_agent() {
    for case in selection().rule {
        for rule in &case.rules {
            for (commands, wanted) in [(&case.yes, true), (&case.no, false)] {
                for command in commands {
                    let answered = answer(&json!({ "op": "if", "rule": rule, "event": bash(command) }));
                    assert_eq!(answered["fires"], wanted, "{rule:?} on {command:?}");
                }
            }
        }
    }
}

#[test]
fn a_rule_on_an_event_without_a_call_never_fires() {
    for event in ["Stop", "UserPromptSubmit"] {
        let event = json!({ "hook_event_name": event, "session_id": "s", "cwd": "/srv/demo", "prompt": "git push" });
        assert_eq!(
            answer(&json!({ "op": "if", "rule": "Bash(git *)", "event": event }))["fires"],
            false
        );
        assert_eq!(
            answer(&json!({ "op": "if", "rule": "Bash", "event": event }))["fires"],
            false
        );
    }
}

#[test]
fn a_wrong_request_is_named() {
    for (request, named) in [
        (json!([]), "not a JSON object"),
        (json!({}), "op: missing"),
        (json!({ "op": "nope" }), "unknown: \"nope\"\nhint: one of matcher,"),
        (
            json!({ "op": "decode", "exit": "2", "event": "Stop" }),
            "exit: expected a number or null",
        ),
        (json!({ "op": "decode", "exit": 0 }), "event: missing"),
        (
            json!({ "op": "matcher", "matcher": 5, "value": "x" }),
            "matcher: expected a string",
        ),
        (
            json!({ "op": "matcher", "dialect": "nobody", "value": "x" }),
            "no agent is called \"nobody\"",
        ),
        (
            json!({ "op": "merge", "outputs": [{ "decision": "yes" }] }),
            "outputs: decision: expected none, allow,",
        ),
        (
            json!({ "op": "dispatch", "config": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x" }] }] },
            "event": bash("ls"), "handlers": [] }),
            "0 answers for 1 handlers",
        ),
    ] {
        let answered = answer(&request);
        let error = answered["error"].as_str().unwrap_or_default();
        assert!(error.contains(named), "{request}: {answered}");
    }
}
