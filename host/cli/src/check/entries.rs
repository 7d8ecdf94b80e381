//! The agents' own entries, tried end to end: each is run as the agent would run it, with a call that must pass and calls that must be blocked.
//!
//! An entry that looks right and does nothing (a program that moved, a configuration that broke, a shell that is not there) is the kind of
//! fault that nobody sees until the day it matters.

use crate::init::installed::{self, Installed};
use crate::init::patience;
use anyhow::{Context, Result};
use hookbox::protocol::dialects::{self, Response};
use hookbox::protocol::{Decision, Outcome};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// It does nothing, and no policy that lets an agent work forbids it.
const HARMLESS: &str = "true";

/// Only ever judged. Whoever runs guard-commands has this denied.
const CANARY: &str = "rm -rf --no-preserve-root /";

/// One entry and what is wrong with it.
pub(crate) struct Tried {
    pub(crate) agent: &'static str,
    pub(crate) file: String,
    pub(crate) command: String,
    /// What was found to work, in words.
    pub(crate) works: Vec<&'static str>,
    pub(crate) errors: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

/// Tries every entry that is found for this user and in this project. `canary`: whether the configuration has a guard that denies it.
pub(crate) fn all(project: &Path, canary: bool) -> Result<Vec<Tried>> {
    let found = installed::find(project)?;
    Ok(found.iter().map(|entry| tried(entry, project, canary)).collect())
}

fn tried(entry: &Installed, project: &Path, canary: bool) -> Tried {
    let agent = entry.place.agent;
    let mut tried = Tried {
        agent,
        file: entry.file.display().to_string(),
        command: entry.command.clone(),
        works: Vec::new(),
        errors: Vec::new(),
        warnings: entry.warnings.clone(),
    };
    let again = format!(
        "hint: hookbox init --agent {agent}{}",
        if entry.project { " --project" } else { "" }
    );
    if !entry.closes {
        tried.errors.push(format!(
            "it does not block by itself (`|| exit 2` at its end): where the program is missing or killed, calls run unseen\n{again}"
        ));
    }
    let cwd = project.to_string_lossy();
    let probe = |command: &str| {
        dialects::probe(agent, command, &cwd)
            .map(|event| event.to_string())
            .unwrap_or_default()
    };
    let harmless = probe(HARMLESS);
    match ask(entry, project, &harmless) {
        Err(error) => tried.errors.push(format!("it cannot be run: {error:#}\n{again}")),
        Ok(response) if is_deny(agent, &response) => {
            let said = said(&response);
            // A policy may forbid everything; a fault of hookbox is not one.
            if said.contains("hookbox:") || said.contains("not found") || said.contains("failed") {
                tried.errors.push(format!(
                    "a harmless call (`{HARMLESS}`) is blocked because something is broken: {said}\n{again}"
                ));
            } else {
                tried
                    .warnings
                    .push(format!("a harmless call (`{HARMLESS}`) is denied: {said}"));
            }
        }
        Ok(response) if response.exit != 0 => {
            let exit = response.exit;
            tried.errors.push(format!(
                "a harmless call ends with exit code {exit}, which {agent} takes for a broken hook: {}\n{again}",
                said(&response)
            ));
        }
        Ok(_) => tried.works.push("a harmless call passes"),
    }
    // Cut short: hookbox cannot judge it, so it has to block it.
    let broken = &harmless[..harmless.len() / 2];
    let mut must_block = vec![(
        "an event that is cut short",
        broken.to_owned(),
        "an event that cannot be read is blocked",
    )];
    if canary {
        must_block.push(("`rm -rf /`", probe(CANARY), "`rm -rf /` is denied"));
    }
    for (what, event, works) in must_block {
        match ask(entry, project, &event) {
            Ok(response) if is_deny(agent, &response) => tried.works.push(works),
            Ok(response) => tried.errors.push(format!(
                "{what} is not blocked: exit code {}, {}\n{again}",
                response.exit,
                said(&response)
            )),
            Err(error) => tried
                .errors
                .push(format!("it cannot be run on {what}: {error:#}\n{again}")),
        }
    }
    tried
}

/// What a person reads of an answer.
fn said(response: &Response) -> String {
    let text = [response.stderr.trim(), response.stdout.trim()]
        .into_iter()
        .find(|text| !text.is_empty());
    text.unwrap_or("it said nothing").chars().take(400).collect()
}

/// Whether the agent takes this for a block: an answer of the shape that hookbox gives when it denies.
fn is_deny(agent: &str, response: &Response) -> bool {
    const REASON: &str = "REASON";
    let event = dialects::probe(agent, HARMLESS, "/").and_then(|event| dialects::decode(agent, event).ok());
    let outcome = Outcome {
        decision: Some(Decision::Deny),
        reason: Some(REASON.into()),
        ..Outcome::default()
    };
    let Some(wanted) = event.map(|event| dialects::encode_event(&event, &outcome)) else {
        return false;
    };
    let json = |text: &str| serde_json::from_str::<Value>(text.trim()).unwrap_or(Value::Null);
    // A missing program blocks with the exit code alone.
    let by_exit = wanted.exit == 2 && response.exit == 2 && !response.stderr.trim().is_empty();
    by_exit
        || (response.exit == wanted.exit
            && !wanted.stdout.is_empty()
            && fits(&json(&wanted.stdout), &json(&response.stdout), REASON))
}

/// Whether `got` says what `wanted` says, with any text in the place of the reason.
fn fits(wanted: &Value, got: &Value, reason: &str) -> bool {
    match (wanted, got) {
        (Value::String(wanted), Value::String(got)) if wanted.contains(reason) => !got.trim().is_empty(),
        (Value::Object(wanted), Value::Object(got)) => wanted
            .iter()
            .all(|(key, value)| got.get(key).is_some_and(|got| fits(value, got, reason))),
        _ => wanted == got,
    }
}

/// Runs the entry's command on an event, as the agent does.
fn ask(entry: &Installed, project: &Path, event: &str) -> Result<Response> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &entry.command]).current_dir(project);
    let row = dialects::agent(entry.place.agent).map(|agent| &agent.capabilities);
    if let Some(variable) = row.and_then(|row| row.project_variable) {
        command.env(variable, project);
    }
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn().context("/bin/sh")?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that answers before it has read everything closes the pipe.
        let _ = stdin.write_all(event.as_bytes());
    }
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = pipe.map(|pipe| pipe.take(1 << 20).read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let stdout = reader(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let stderr = reader(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    // What the agent waits, by the entry that `init` writes.
    let patience = Duration::from_secs(patience(entry.place.agent).into());
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > patience {
            let _ = child.kill();
            let _ = child.wait();
            anyhow::bail!("no answer after {} s", patience.as_secs());
        }
        thread::sleep(Duration::from_millis(10));
    };
    let text = |thread: thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Response {
        stdout: text(stdout),
        stderr: text(stderr),
        exit: status.code().unwrap_or(-1),
        warnings: Vec::new(),
    })
}

impl Tried {
    pub(crate) fn json(&self) -> Value {
        json!({
            "agent": self.agent, "file": self.file, "command": self.command, "works": self.works, "errors": self.errors,
            "warnings": self.warnings,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(stdout: &str, stderr: &str, exit: i32) -> Response {
        Response {
            stdout: stdout.into(),
            stderr: stderr.into(),
            exit,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn what_hookbox_says_when_it_denies_is_a_deny_for_every_agent() {
        for agent in dialects::capabilities().map(|row| row.name) {
            let event = dialects::decode(agent, dialects::probe(agent, "ls", "/").unwrap()).unwrap();
            let deny = Outcome {
                decision: Some(Decision::Deny),
                reason: Some("not today".into()),
                ..Outcome::default()
            };
            assert!(is_deny(agent, &dialects::encode_event(&event, &deny)), "{agent}");
            assert!(
                !is_deny(agent, &dialects::encode_event(&event, &Outcome::default())),
                "{agent}"
            );
            assert!(!is_deny(agent, &answer("", "", 0)), "{agent}");
            assert!(!is_deny(agent, &answer("{}", "sh: not found", 127)), "{agent}");
        }
    }
}
