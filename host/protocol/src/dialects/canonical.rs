//! From a payload in the canonical spelling to an `Event`; what all agents' decoders share.

use super::paths::{Paths, Surroundings};
use super::tools::{self, Kind, Tool};
use super::{AGENTS, Agent, DecodeError, arguments, kind_of, newer};
use crate::event::{Action, Event, ToolCall};
use serde_json::{Map, Value};

/// The key of the canonical payload under which the agent's own words are kept, where they differ: `event`, `tool`, `registered_as`.
pub(crate) const NATIVE: &str = "native";

/// Events of calls that have not run yet: what cannot be read there must not pass.
const BEFORE_A_CALL: &[&str] = &["PreToolUse", "PermissionRequest", "PreSkillShellCommand"];

/// An agent's event in the canonical spelling.
#[derive(Debug, Default)]
pub(crate) struct Restated {
    /// Has `hook_event_name`.
    pub(crate) payload: Map<String, Value>,
    /// The agent's own words, where they differ.
    pub(crate) native: Map<String, Value>,
    /// The project's root, where the payload names it.
    pub(crate) project: Option<String>,
}

/// For agents that name every event.
pub(crate) fn no_shape(_: &Map<String, Value>) -> Option<&'static str> {
    None
}

/// The payload with other names of its keys. A name that is taken already wins.
pub(crate) fn rekeyed(payload: Map<String, Value>, names: &[(&str, &str)]) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in payload {
        match names.iter().find(|(theirs, _)| *theirs == key) {
            Some((_, ours)) => {
                out.entry(*ours).or_insert(value);
            }
            None => {
                out.insert(key, value);
            }
        }
    }
    out
}

/// Restates a payload that has Claude Code's keys and only other names in them.
pub(crate) fn restate(agent: &'static Agent, mut payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let no_name = DecodeError::NoEventName {
        agent: agent.capabilities.name,
        field: "hook_event_name",
    };
    let theirs = match payload.get("hook_event_name") {
        Some(Value::String(name)) if !name.trim().is_empty() => name.clone(),
        _ => return Err(no_name),
    };
    let mut native = Map::new();
    let name = canonical_name(agent, &theirs);
    if name != theirs {
        payload.insert("hook_event_name".into(), name.into());
        native.insert("event".into(), theirs.clone().into());
    }
    if newer::is_new(agent, &theirs) {
        newer::find_call(&mut payload);
    }
    if let Some(Value::String(theirs)) = payload.get("tool_name").cloned()
        && let Some(tool) = find(agent, &theirs)
    {
        if tool.canonical != theirs {
            native.insert("tool".into(), theirs.into());
            payload.insert("tool_name".into(), tool.canonical.into());
        }
        // In its place: it may hold a whole file.
        if let Some(Value::Object(input)) = payload.get_mut("tool_input") {
            *input = tools::canonical_arguments(tool, std::mem::take(input));
        }
    }
    Ok(Restated {
        payload,
        native,
        project: None,
    })
}

/// The canonical name of an agent's event. One that no table knows keeps its own.
pub(crate) fn canonical_name<'a>(agent: &Agent, event: &'a str) -> &'a str {
    agent
        .events
        .iter()
        .find(|(theirs, _)| *theirs == event)
        .map_or(event, |(_, ours)| *ours)
}

/// The tool of this agent with this name.
pub(crate) fn find(agent: &'static Agent, name: &str) -> Option<&'static Tool> {
    agent.tools.iter().find(|tool| tool.name == name)
}

/// The event of a restated payload.
pub(crate) fn event(
    agent: &'static Agent,
    restated: Restated,
    around: &Surroundings<'_>,
) -> Result<Event, DecodeError> {
    let Restated {
        mut payload,
        mut native,
        project,
    } = restated;
    let text = |key: &str| payload.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let name = text("hook_event_name").unwrap_or_default().to_owned();
    let session = text("session_id").unwrap_or_default().to_owned();
    let cwd = text("cwd")
        .or(project.as_deref())
        .or(around.project)
        // Last: some agents start a user's hooks in a folder of their own.
        .or(around.cwd)
        .unwrap_or_default()
        .to_owned();
    let project = around
        .project
        .map(str::to_owned)
        .or(project)
        .unwrap_or_else(|| cwd.clone());
    let paths = Paths {
        cwd: &cwd,
        home: around.home,
    };
    let tool = tool(agent, &name, &mut payload, &mut native, &paths)?;
    let prompt = prompt(&name, &payload)?;
    if !native.is_empty() {
        payload.insert(NATIVE.into(), Value::Object(native));
    }
    Ok(Event {
        agent: agent.capabilities.name.into(),
        name,
        session,
        cwd,
        project,
        tool,
        prompt,
        payload: Value::Object(payload),
    })
}

/// The prompt of a prompt event: a text, or the texts of a list of parts.
fn prompt(event: &str, payload: &Map<String, Value>) -> Result<Option<String>, DecodeError> {
    let found = match payload.get("prompt") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Array(parts)) => {
            let text = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
            Some(parts.iter().filter_map(text).collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    };
    if event == "UserPromptSubmit" && found.is_none() {
        return Err(field(event, "/prompt", "the prompt", payload.get("prompt")));
    }
    Ok(found.filter(|_| event.starts_with("UserPrompt")))
}

/// The call of a tool event.
fn tool(
    agent: &'static Agent,
    event: &str,
    payload: &mut Map<String, Value>,
    native: &mut Map<String, Value>,
    paths: &Paths<'_>,
) -> Result<Option<ToolCall>, DecodeError> {
    let is_call = BEFORE_A_CALL.contains(&event);
    let mut name = match payload.get("tool_name") {
        Some(Value::String(name)) if !name.trim().is_empty() => name.clone(),
        other if is_call => return Err(field(event, "/tool_name", "the name of a tool", other)),
        _ => return Ok(None),
    };
    let decides = is_call || newer::comes_before(agent, event);
    let theirs = native.get("tool").and_then(Value::as_str).unwrap_or(&name);
    let by_canonical_name = || agent.tools.iter().find(|tool| tool.canonical == name);
    let known = find(agent, theirs)
        .or_else(|| find(agent, &name))
        .or_else(by_canonical_name);
    input_as_object(payload, known);
    let input = payload.get("tool_input");
    let id = payload.get("tool_use_id").and_then(Value::as_str).map(str::to_owned);
    let actions = match actions(known, &name, input, paths) {
        Ok(actions) => actions,
        Err(unusable) if decides => {
            let pointer = format!("/tool_input{}", unusable.pointer);
            let found = input.and_then(|input| input.pointer(unusable.pointer));
            return Err(field(event, &pointer, unusable.expected, found));
        }
        Err(_) => by_arguments(&name, input, paths),
    };
    if known.is_none()
        && let Some(canonical) = stand_in(agent, &name, &actions)
    {
        native.insert("tool".into(), name.into());
        payload.insert("tool_name".into(), canonical.into());
        name = canonical.into();
    }
    Ok(Some(ToolCall { id, name, actions }))
}

/// The name that a tool goes by which this agent's table does not have: handlers are chosen by it, so a shell of another agent, or of this
/// agent's next version, has to be a shell to them too. Claude Code's own new tools keep their names: its configurations know them.
fn stand_in(agent: &Agent, name: &str, actions: &[Action]) -> Option<&'static str> {
    let claude_code = std::ptr::eq(agent, &super::claude_code::AGENT);
    if tools::mcp_parts(name).is_some() || crate::tools::KNOWN.contains(&name) {
        return None;
    }
    let elsewhere = AGENTS
        .iter()
        .copied()
        .find_map(|agent| find(agent, name))
        .map(|tool| tool.canonical);
    let does = || {
        let any = |wanted: fn(&Action) -> bool| actions.iter().any(wanted);
        match () {
            () if claude_code => None,
            () if any(|action| matches!(action, Action::Run(_))) => Some("Bash"),
            () if any(|action| matches!(action, Action::Write(_) | Action::Delete(_))) => Some("Write"),
            () if any(|action| matches!(action, Action::Read(_))) => Some("Read"),
            () if any(|action| matches!(action, Action::Fetch(_))) => Some("WebFetch"),
            () if any(|action| matches!(action, Action::Search(_))) => Some("Grep"),
            () => None,
        }
    };
    elsewhere.or_else(does).filter(|canonical| *canonical != name)
}

fn actions(
    known: Option<&Tool>,
    name: &str,
    input: Option<&Value>,
    paths: &Paths<'_>,
) -> Result<Vec<Action>, tools::Unusable> {
    let nothing = Map::new();
    let object = input.and_then(Value::as_object).unwrap_or(&nothing);
    if let Some(tool) = known {
        return tools::actions(tool.kind, object, paths);
    }
    if let Some((server, tool)) = tools::mcp_parts(name) {
        return Ok(tools::mcp_actions(server, tool, input.unwrap_or(&Value::Null), paths));
    }
    // Another agent's tool under this name does the same; where its arguments do not fit, they are judged by their own names.
    let elsewhere = AGENTS.iter().copied().find_map(|agent| find(agent, name));
    let found = elsewhere.and_then(|tool| tools::actions(tool.kind, object, paths).ok());
    Ok(found.unwrap_or_else(|| by_arguments(name, input, paths)))
}

fn by_arguments(name: &str, input: Option<&Value>, paths: &Paths<'_>) -> Vec<Action> {
    input
        .and_then(Value::as_object)
        .map(|input| arguments::actions(name, input, paths))
        .unwrap_or_default()
}

/// An input that came as JSON in a text becomes the object it spells; a bare text is the command of a tool that takes one.
fn input_as_object(payload: &mut Map<String, Value>, known: Option<&Tool>) {
    let Some(Value::String(text)) = payload.get("tool_input") else {
        return;
    };
    let takes_text = known.is_some_and(|tool| matches!(tool.kind, Kind::Run(_) | Kind::Patch));
    let object = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(input)) => match known {
            Some(tool) => tools::canonical_arguments(tool, input),
            None => input,
        },
        _ if takes_text => Map::from_iter([("command".to_owned(), Value::String(text.clone()))]),
        _ => return,
    };
    payload.insert("tool_input".into(), Value::Object(object));
}

fn field(event: &str, pointer: &str, expected: &'static str, found: Option<&Value>) -> DecodeError {
    DecodeError::Field {
        event: event.into(),
        pointer: pointer.into(),
        expected,
        found: found.map_or("missing", kind_of),
    }
}
