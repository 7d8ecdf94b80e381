//! What the pack decides about the commands, paths, addresses and prompts of the cases: these rows run the program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Report, texts};

/// The rows of a policy case, with the embedded default configuration. Cases that need a repository or files are the pack's own tests.
pub(super) fn rows(program: &Path, home: &Path, case: &Value, report: &mut Report) -> Result<()> {
    if ["event_transform", "git", "fs"].iter().any(|key| !case[*key].is_null()) {
        return Ok(());
    }
    let first = case["event"]
        .is_object()
        .then(|| (case["event"].clone(), case["expect"]["decision_any_of"].clone()));
    let more = case["more"].as_array().into_iter().flatten().map(|row| {
        let mut event = case["event"].clone();
        if row["event"].is_object() {
            event = row["event"].clone();
        } else {
            // A command is one of the shell, whatever tool the case begins with.
            event["tool_name"] = json!("Bash");
            event["tool_input"] = json!({ "command": row["command"] });
        }
        (event, row["decision_any_of"].clone())
    });
    let kind = case["kind"].as_str().unwrap_or_default();
    for (event, wanted) in first.into_iter().chain(more) {
        let wanted = texts(&wanted);
        if wanted.is_empty() {
            continue;
        }
        let decision = decided(program, home, &event)?;
        report.mark(kind, wanted.contains(&decision.as_str()), || {
            let id = case["id"].as_str().unwrap_or_default();
            let subject = if event["prompt"].is_string() {
                &event["prompt"]
            } else {
                &event["tool_input"]
            };
            format!("{id} {subject}: {decision}, not {wanted:?}")
        });
    }
    Ok(())
}

/// What the agent would hear.
fn decided(program: &Path, home: &Path, event: &Value) -> Result<String> {
    let mut child = Command::new(program)
        .arg("run")
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| program.display().to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(event.to_string().as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or(json!({}));
    if output.status.code() != Some(0) || answer["decision"] == "block" {
        return Ok("deny".to_owned());
    }
    Ok(answer["hookSpecificOutput"]["permissionDecision"]
        .as_str()
        .unwrap_or("none")
        .to_owned())
}
