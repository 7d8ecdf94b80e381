//! A plugin's own cases (`cases.toml`), run natively. `hookbox test` runs the same file through the component; the
//! format and how an event is decoded are the host's own (`hookbox-cases`).

use super::TestHost;
use crate::{Action, Command, Decision, Event, FileWrite, McpCall, Output, Plugin, Search, ToolCall};
use hookbox_cases::{Answer, Case, Cases, HOME, Step};
use hookbox_protocol as host;
use serde_json::Value;
use std::fmt::Write as _;

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
    let cases = match Cases::parse(text) {
        Ok(cases) => cases,
        Err(error) => return format!("cases.toml: {error}"),
    };
    let mut differing = String::new();
    for case in &cases.cases {
        for (shown, fault) in faults::<P>(case) {
            let _ = writeln!(differing, "case {}: {shown:?}: {fault}", case.number);
        }
    }
    differing
}

/// What does not come out as expected: the command or event, and the difference.
fn faults<P: Plugin>(case: &Case) -> Vec<(String, String)> {
    let settings = serde_json::from_value(Value::Object(case.settings.clone()));
    let plugin = match settings
        .map_err(|error| format!("settings: {error}"))
        .and_then(P::configure)
    {
        Ok(plugin) => plugin,
        Err(error) => {
            return vec![(
                case.steps.first().map_or_else(String::new, |step| step.shown.clone()),
                error,
            )];
        }
    };
    let content = |(path, content): (&String, &String)| (path.clone(), content.clone().into_bytes());
    let mut host = TestHost {
        files: case.files.iter().map(content).collect(),
        links: case.links.clone(),
        ..TestHost::default()
    };
    let mut faults = Vec::new();
    for step in &case.steps {
        if case.sequence {
            host.now = step.now();
        }
        let output = answer(&plugin, &mut host, step);
        if let Err(fault) = output.and_then(|output| check(step, &output)) {
            let when = if case.sequence {
                format!("{} s: ", step.at)
            } else {
                String::new()
            };
            faults.push((format!("{when}{}", step.shown), fault));
        }
    }
    faults
}

fn answer<P: Plugin>(plugin: &P, host: &mut TestHost, step: &Step) -> Result<Output, String> {
    let event = hookbox_cases::event(&step.payload).map_err(|error| error.to_string())?;
    host.payload = event.payload.clone();
    plugin.handle(&event_of(event), host)
}

fn check(step: &Step, output: &Output) -> Result<(), String> {
    let rules: Vec<String> = output.rule.clone().into_iter().collect();
    let answer = Answer {
        decision: output.decision.map(|decision| match decision {
            Decision::Allow => host::Decision::Allow,
            Decision::Ask => host::Decision::Ask,
            Decision::Defer => host::Decision::Defer,
            Decision::Deny => host::Decision::Deny,
        }),
        rules: &rules,
        reason: output.reason.as_deref().unwrap_or(""),
        context: output.additional_context.as_deref().unwrap_or(""),
        stop: output.stop.is_some(),
        fired: &rules,
    };
    step.expected.difference(&answer).map_or(Ok(()), Err)
}

/// An event in Claude Code's spelling, as hookbox decodes it; what it does not say is as in a case.
///
/// # Panics
/// When hookbox could not judge it.
#[allow(clippy::panic, reason = "for tests alone")]
pub fn event(payload: &Value, cwd: Option<&str>) -> Event {
    match hookbox_cases::event(&hookbox_cases::complete(payload, cwd)) {
        Ok(event) => event_of(event),
        Err(error) => panic!("{payload}: {error}"),
    }
}

fn event_of(event: host::Event) -> Event {
    Event {
        agent: event.agent,
        name: event.name,
        session: event.session,
        cwd: event.cwd,
        project: event.project,
        home: HOME.into(),
        tool: event.tool.map(|tool| ToolCall {
            id: tool.id,
            name: tool.name,
            actions: (0..).zip(tool.actions).map(action_of).collect(),
        }),
        prompt: event.prompt,
        plugin: String::new(),
    }
}

/// The content of the action with this number, as hookbox decodes the event.
pub(super) fn content(payload: &Value, number: usize) -> Option<String> {
    match hookbox_cases::event(payload)
        .ok()?
        .tool?
        .actions
        .into_iter()
        .nth(number)?
    {
        host::Action::Write(write) => Some(write.content?.to_string()),
        _ => None,
    }
}

fn action_of((number, action): (u32, host::Action)) -> Action {
    match action {
        host::Action::Run(run) => Action::Run(Command {
            text: run.text,
            shell: run.shell,
        }),
        host::Action::Read(path) => Action::Read(path),
        host::Action::Write(write) => Action::Write(FileWrite {
            path: write.path,
            content: write.content.map(|_| number),
        }),
        host::Action::Delete(path) => Action::Delete(path),
        host::Action::Search(search) => Action::Search(Search {
            pattern: search.pattern,
            path: search.path,
            glob: search.glob,
        }),
        host::Action::Fetch(url) => Action::Fetch(url),
        host::Action::Call(call) => Action::Call(McpCall {
            server: call.server,
            tool: call.tool,
            arguments: call.arguments.to_string(),
        }),
    }
}
