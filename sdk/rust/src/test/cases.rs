//! A plugin's own cases (`cases.toml`), run natively. `hookbox test` runs the same file through the component.

use super::TestHost;
use crate::{Action, Command, Decision, Event, FileWrite, McpCall, Output, Plugin, Search, ToolCall};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    #[serde(default)]
    case: Vec<Case>,
}

/// One `[[case]]`: a command (`PreToolUse` of Bash) or a whole event in Claude Code's spelling, and what must come out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    command: Option<String>,
    event: Option<Value>,
    /// `deny`, `ask`, `allow` or `none`; of several, any is right.
    expect: OneOrMany,
    /// Which rule must decide.
    rule: Option<String>,
    /// The plugin's settings; `level` is short for `settings.level`.
    #[serde(default)]
    settings: BTreeMap<String, Value>,
    level: Option<String>,
    /// The session's folder; `/home/user/demo` where it is not said.
    cwd: Option<String>,
    /// Files that the host would show: path → content.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Symlink → target.
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// Why, for the reader.
    #[allow(dead_code, reason = "told to readers of the file")]
    why: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// Runs every case of a `cases.toml`, each through a plugin that is configured afresh.
///
/// # Panics
/// When a case does not come out as expected, with all that differ; when the file cannot be read or holds no case.
pub fn run_cases<P: Plugin>(text: &str) {
    let differing = failures::<P>(text);
    assert!(differing.is_empty(), "{differing}");
}

/// As [`run_cases`], giving the differing cases as text instead: empty where all is well.
pub fn failures<P: Plugin>(text: &str) -> String {
    let cases: Cases = match toml::from_str(text) {
        Ok(cases) => cases,
        Err(error) => return format!("cases.toml: {error}"),
    };
    if cases.case.is_empty() {
        return "cases.toml: no case".into();
    }
    let mut differing = String::new();
    for (index, case) in cases.case.iter().enumerate() {
        let shown = case
            .command
            .clone()
            .or_else(|| case.event.as_ref().map(Value::to_string))
            .unwrap_or_default();
        let mut fault = |what: String| {
            let _ = writeln!(differing, "case {}: {shown:?}: {what}", index + 1);
        };
        let output = match case.run::<P>() {
            Ok(output) => output,
            Err(error) => {
                fault(error);
                continue;
            }
        };
        let got = spelled(output.decision);
        let expected: Vec<&str> = match &case.expect {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many.iter().map(String::as_str).collect(),
        };
        let rule = output.rule.as_deref().unwrap_or("");
        let reason = output.reason.as_deref().unwrap_or("");
        if let Some(unknown) = expected.iter().find(|word| !SPELLINGS.contains(word)) {
            fault(format!("expect = {unknown:?} is none of {SPELLINGS:?}"));
        } else if !expected.contains(&got) {
            fault(format!("expected {expected:?}, got {got} ({rule}: {reason})"));
        } else if case.rule.as_deref().is_some_and(|expected| expected != rule) {
            fault(format!(
                "expected rule {:?}, got {rule:?}",
                case.rule.as_deref().unwrap_or("")
            ));
        } else if output.decision.is_some() && output.decision != Some(Decision::Allow) && reason.is_empty() {
            fault("a decision without a reason".into());
        }
    }
    differing
}

const SPELLINGS: [&str; 5] = ["none", "allow", "ask", "defer", "deny"];

fn spelled(decision: Option<Decision>) -> &'static str {
    match decision {
        None => "none",
        Some(Decision::Allow) => "allow",
        Some(Decision::Ask) => "ask",
        Some(Decision::Defer) => "defer",
        Some(Decision::Deny) => "deny",
    }
}

impl Case {
    fn run<P: Plugin>(&self) -> Result<Output, String> {
        let payload = match (&self.event, &self.command) {
            (Some(event), None) => event.clone(),
            (None, Some(command)) => {
                json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}})
            }
            _ => return Err("a case has either `command` or `event`".into()),
        };
        let mut settings: serde_json::Map<String, Value> = self.settings.clone().into_iter().collect();
        if let Some(level) = &self.level {
            settings.insert("level".into(), json!(level));
        }
        let settings = serde_json::from_value(Value::Object(settings)).map_err(|error| format!("settings: {error}"))?;
        let plugin = P::configure(settings)?;
        let event = event(&payload, self.cwd.as_deref());
        let mut host = TestHost::new(payload);
        host.files = self
            .files
            .iter()
            .map(|(path, content)| (path.clone(), content.clone().into_bytes()))
            .collect();
        host.links = self.links.clone();
        plugin.handle(&event, &host)
    }
}

/// An event in Claude Code's spelling, as hookbox decodes it: home `/home/user`, project `/home/user/demo`.
pub fn event(payload: &Value, cwd: Option<&str>) -> Event {
    let text = |pointer: &str| payload.pointer(pointer).and_then(Value::as_str).map(str::to_string);
    let cwd = cwd
        .map(str::to_string)
        .or_else(|| text("/cwd"))
        .unwrap_or_else(|| "/home/user/demo".into());
    let tool = text("/tool_name").map(|name| ToolCall {
        id: text("/tool_use_id"),
        actions: actions(&name, payload.pointer("/tool_input").unwrap_or(&Value::Null), &cwd),
        name,
    });
    Event {
        agent: "claude-code".into(),
        name: text("/hook_event_name").unwrap_or_else(|| "PreToolUse".into()),
        session: text("/session_id").unwrap_or_else(|| "s-1".into()),
        project: "/home/user/demo".into(),
        home: "/home/user".into(),
        cwd,
        tool,
        prompt: text("/prompt"),
    }
}

/// What a tool call does. The tools that cases need; hookbox's dialects know more.
fn actions(tool: &str, input: &Value, cwd: &str) -> Vec<Action> {
    let text = |name: &str| input.get(name).and_then(Value::as_str).map(str::to_string);
    let path = |name: &str| {
        let path = text(name)?;
        Some(if path.starts_with(['/', '~']) {
            path
        } else {
            format!("{cwd}/{path}")
        })
    };
    let edits = || {
        let edits = input.get("edits")?.as_array()?;
        let parts: Vec<&str> = edits
            .iter()
            .filter_map(|edit| edit.get("new_string")?.as_str())
            .collect();
        Some(parts.join("\n"))
    };
    let action = match tool {
        "Bash" => text("command").map(|text| {
            Action::Run(Command {
                text,
                shell: "bash".into(),
            })
        }),
        "PowerShell" => text("command").map(|text| {
            Action::Run(Command {
                text,
                shell: "powershell".into(),
            })
        }),
        "Read" => path("file_path").map(Action::Read),
        "Write" | "Edit" | "MultiEdit" => path("file_path").map(|path| {
            let content = text("content").or_else(|| text("new_string")).or_else(edits);
            Action::Write(FileWrite { path, content })
        }),
        "NotebookEdit" => path("notebook_path").map(|path| {
            Action::Write(FileWrite {
                path,
                content: text("new_source"),
            })
        }),
        "Grep" | "Glob" => text("pattern").map(|pattern| {
            let glob = text("glob").or_else(|| (tool == "Glob").then(|| pattern.clone()));
            Action::Search(Search {
                pattern,
                path: path("path"),
                glob,
            })
        }),
        "WebFetch" => text("url").map(Action::Fetch),
        _ => tool
            .strip_prefix("mcp__")
            .and_then(|rest| rest.split_once("__"))
            .map(|(server, tool)| {
                Action::Call(McpCall {
                    server: server.into(),
                    tool: tool.into(),
                    arguments: input.to_string(),
                })
            }),
    };
    action.into_iter().collect()
}
