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
    /// What every case's own settings are laid over.
    #[serde(default)]
    settings: BTreeMap<String, Value>,
    #[serde(default)]
    case: Vec<Case>,
}

/// One `[[case]]`: a command (`PreToolUse` of Bash) or a whole event in Claude Code's spelling, and what must come out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    command: Option<String>,
    event: Option<Value>,
    /// Events that follow each other, with the state that each leaves to the next. Instead of `command` or `event`.
    #[serde(default)]
    steps: Vec<Step>,
    /// `deny`, `ask`, `allow` or `none`; of several, any is right. Absent only where there are `steps`.
    expect: Option<OneOrMany>,
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

/// One event of a sequence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// When, in seconds since the case began.
    #[serde(default)]
    at: f64,
    command: Option<String>,
    /// A whole event, or its name alone: a tool event is then Bash's.
    event: Option<Value>,
    #[serde(default = "none")]
    expect: OneOrMany,
    rule: Option<String>,
    /// A part of the context that the model must get; empty: it must get none.
    context: Option<String>,
    /// Whether the agent's turn must be ended.
    stop: Option<bool>,
}

fn none() -> OneOrMany {
    OneOrMany::One("none".into())
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
        for (shown, fault) in case.faults::<P>(&cases.settings) {
            let _ = writeln!(differing, "case {}: {shown:?}: {fault}", index + 1);
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
    /// What does not come out as expected: the command or event, and the difference.
    fn faults<P: Plugin>(&self, common: &BTreeMap<String, Value>) -> Vec<(String, String)> {
        let shown = |payload: &Option<Value>, command: &Option<String>| {
            command
                .clone()
                .or_else(|| payload.as_ref().map(Value::to_string))
                .unwrap_or_default()
        };
        let plugin = match self.plugin::<P>(common) {
            Ok(plugin) => plugin,
            Err(error) => return vec![(shown(&self.event, &self.command), error)],
        };
        let files = self
            .files
            .iter()
            .map(|(path, content)| (path.clone(), content.clone().into_bytes()));
        let mut host = TestHost {
            files: files.collect(),
            links: self.links.clone(),
            ..TestHost::default()
        };
        if self.steps.is_empty() {
            let fault = match &self.expect {
                Some(expect) => self
                    .answer(&plugin, &mut host, &self.event, &self.command)
                    .and_then(|output| difference(&output, expect, self.rule.as_deref())),
                None => Err("`expect` is missing".into()),
            };
            return fault
                .err()
                .map(|fault| (shown(&self.event, &self.command), fault))
                .into_iter()
                .collect();
        }
        let mut faults = Vec::new();
        for step in &self.steps {
            host.now = FIRST_STEP + (step.at * 1000.0) as u64;
            let fault = self
                .answer(&plugin, &mut host, &step.event, &step.command)
                .and_then(|output| step.check(&output));
            if let Err(fault) = fault {
                faults.push((format!("{} s: {}", step.at, shown(&step.event, &step.command)), fault));
            }
        }
        faults
    }

    fn plugin<P: Plugin>(&self, common: &BTreeMap<String, Value>) -> Result<P, String> {
        let mut settings: serde_json::Map<String, Value> = common.clone().into_iter().collect();
        settings.extend(self.settings.clone());
        if let Some(level) = &self.level {
            settings.insert("level".into(), json!(level));
        }
        P::configure(serde_json::from_value(Value::Object(settings)).map_err(|error| format!("settings: {error}"))?)
    }

    fn answer<P: Plugin>(
        &self,
        plugin: &P,
        host: &mut TestHost,
        payload: &Option<Value>,
        command: &Option<String>,
    ) -> Result<Output, String> {
        let bash =
            |event: &Value, input: Value| json!({"hook_event_name": event, "tool_name": "Bash", "tool_input": input});
        let payload = match (payload, command) {
            (Some(name @ Value::String(text)), None) if text.contains("ToolUse") => {
                bash(name, json!({"command": "true"}))
            }
            (Some(name @ Value::String(_)), None) => json!({"hook_event_name": name}),
            (Some(event), None) => event.clone(),
            (None, Some(command)) => bash(&json!("PreToolUse"), json!({"command": command})),
            _ => return Err("a case has one of `command`, `event` and `steps`".into()),
        };
        let event = event(&payload, self.cwd.as_deref());
        host.payload = payload;
        plugin.handle(&event, host)
    }
}

/// When a sequence begins, in milliseconds since the epoch: any moment but 0.
const FIRST_STEP: u64 = 1_000_000_000_000;

impl Step {
    fn check(&self, output: &Output) -> Result<(), String> {
        difference(output, &self.expect, self.rule.as_deref())?;
        let context = output.additional_context.as_deref().unwrap_or("");
        match self.context.as_deref() {
            Some("") if !context.is_empty() => return Err(format!("expected no context, got {context:?}")),
            Some(part) if !context.contains(part) => {
                return Err(format!("expected context with {part:?}, got {context:?}"));
            }
            _ => {}
        }
        match self.stop {
            Some(stop) if stop != output.stop.is_some() => Err(format!("expected stop {stop}, got {:?}", output.stop)),
            _ => Ok(()),
        }
    }
}

/// # Errors
/// What of the output is not as expected.
fn difference(output: &Output, expect: &OneOrMany, rule: Option<&str>) -> Result<(), String> {
    let got = spelled(output.decision);
    let expected: Vec<&str> = match expect {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many.iter().map(String::as_str).collect(),
    };
    let decided_by = output.rule.as_deref().unwrap_or("");
    let reason = output.reason.as_deref().unwrap_or("");
    if let Some(unknown) = expected.iter().find(|word| !SPELLINGS.contains(word)) {
        return Err(format!("expect = {unknown:?} is none of {SPELLINGS:?}"));
    }
    if !expected.contains(&got) {
        return Err(format!("expected {expected:?}, got {got} ({decided_by}: {reason})"));
    }
    if let Some(rule) = rule.filter(|rule| *rule != decided_by) {
        return Err(format!("expected rule {rule:?}, got {decided_by:?}"));
    }
    if output.decision.is_some() && output.decision != Some(Decision::Allow) && reason.is_empty() {
        return Err("a decision without a reason".into());
    }
    Ok(())
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
