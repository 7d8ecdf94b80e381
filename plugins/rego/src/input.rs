//! The event as the policies' `input`.
//!
//! It is the agent's own event in the canonical spelling (`hook_event_name`, `tool_name`, `tool_input`, `prompt`, `cwd`, …),
//! so that policies of other guards find what they look for, and beside it what hookbox understands of it: `actions`,
//! `commands`, `complete`, `agent`, `project`, `home`, and of a file `resolved_file_path`, its symlinks followed.

use hookbox_sdk::{Action, Event, Host, SimpleCommand, Word};
use serde_json::{Map, Value, json};

pub(crate) fn input(event: &Event, host: &impl Host) -> Result<regorus::Value, String> {
    let payload = host.payload_text("").unwrap_or_else(|| "{}".into());
    let payload =
        serde_json::from_str(&payload).map_err(|error| format!("the event's JSON cannot be read: {error}"))?;
    let Value::Object(mut input) = payload else {
        return Err("the event is not a JSON object".into());
    };
    // Policies ask for these names whatever the agent sends; hookbox's own reading stands in where it sends none.
    missing(&mut input, "hook_event_name", &event.name);
    missing(&mut input, "session_id", &event.session);
    missing(&mut input, "cwd", &event.cwd);
    if let Some(tool) = &event.tool {
        missing(&mut input, "tool_name", &tool.name);
    }
    if let Some(prompt) = &event.prompt {
        missing(&mut input, "prompt", prompt);
    }
    let mut commands = Vec::new();
    let mut complete = true;
    let mut file = None;
    for action in event.actions() {
        match action {
            Action::Run(command) => {
                let analysis = host.analyze(&command.text, &command.shell);
                complete &= analysis.complete;
                commands.extend(analysis.commands.iter().map(program));
            }
            Action::Read(path) | Action::Delete(path) => file = Some(path),
            Action::Write(write) => file = Some(&write.path),
            _ => {}
        }
    }
    if let Some(path) = file {
        let resolved = host.resolve(path).unwrap_or_else(|_| path.clone());
        input.insert("is_symlink".into(), json!(resolved != *path));
        input.insert("original_file_path".into(), json!(path));
        input.insert("resolved_file_path".into(), json!(resolved));
    }
    input.insert(
        "actions".into(),
        event.actions().iter().map(|one| action(one, host)).collect(),
    );
    input.insert("commands".into(), commands.into());
    input.insert("complete".into(), json!(complete));
    input.insert("agent".into(), json!(event.agent));
    input.insert("project".into(), json!(event.project));
    input.insert("home".into(), json!(event.home));
    Ok(regorus::Value::from(Value::Object(input)))
}

fn missing(input: &mut Map<String, Value>, key: &str, value: &str) {
    if !input.contains_key(key) {
        input.insert(key.into(), json!(value));
    }
}

fn action(action: &Action, host: &impl Host) -> Value {
    match action {
        Action::Run(command) => json!({"action": "run", "command": command.text, "shell": command.shell}),
        Action::Read(path) => json!({"action": "read", "path": path}),
        Action::Write(write) => json!({"action": "write", "path": write.path, "content": host.content(write)}),
        Action::Delete(path) => json!({"action": "delete", "path": path}),
        Action::Search(search) => {
            json!({"action": "search", "pattern": search.pattern, "path": search.path, "glob": search.glob})
        }
        Action::Fetch(url) => json!({"action": "fetch", "url": url}),
        Action::Call(call) => {
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
            json!({"action": "call", "server": call.server, "tool": call.tool, "arguments": arguments})
        }
    }
}

/// One program that would run: `known` is false where a word of it cannot be known before.
fn program(command: &SimpleCommand) -> Value {
    let text = |word: &Word| word.text.clone();
    let redirect =
        |redirect: &hookbox_sdk::Redirect| json!({"operator": redirect.operator, "target": redirect.target.text});
    let assignments: Map<String, Value> = command
        .assignments
        .iter()
        .map(|(name, value)| (name.clone(), json!(value.text)))
        .collect();
    json!({
        "program": command.program(),
        "argv": command.argv.iter().map(text).collect::<Vec<_>>(),
        "args": command.args().iter().map(text).collect::<Vec<_>>(),
        "flags": command.args().iter().map(text).filter(|arg| arg.starts_with('-')).collect::<Vec<_>>(),
        "text": command.text(),
        "known": command.argv.iter().all(|word| word.known),
        "via": command.via,
        "cwd": command.cwd.as_ref().map(text),
        "assignments": assignments,
        "redirects": command.redirects.iter().map(redirect).collect::<Vec<_>>(),
        "pipeline": [command.pipeline.0, command.pipeline.1],
    })
}
