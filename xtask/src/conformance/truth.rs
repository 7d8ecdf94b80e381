//! Tables that an oracle answered: node for matchers, the agent for `if` rules, bash for commands.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::{Report, ask, files, rows, texts, value};

/// Tools that also match under a former name, which the plain rule of the oracle does not know.
const RENAMED: [&str; 2] = ["Agent", "TaskStop"];

pub(super) fn matchers(folder: &Path, report: &mut Report) -> Result<()> {
    for path in files(folder, "matcher-truth")? {
        let document = value(&path)?;
        let tools = texts(&document["tools"]);
        for row in rows(&document) {
            let wanted: BTreeSet<&str> = texts(&row["fires_for"]).into_iter().collect();
            let matches = |tool: &&str| {
                ask(json!({ "op": "matcher", "matcher": row["matcher"], "value": tool }))["matches"] == true
            };
            let fired: BTreeSet<&str> = tools.iter().copied().filter(|tool| matches(tool)).collect();
            let missing: Vec<_> = wanted.difference(&fired).collect();
            let more: Vec<_> = fired
                .difference(&wanted)
                .filter(|tool| !RENAMED.contains(tool))
                .collect();
            report.mark("matcher-truth", missing.is_empty() && more.is_empty(), || {
                format!("{}: too many {more:?}, missing {missing:?}", row["matcher"])
            });
        }
    }
    Ok(())
}

pub(super) fn rules(folder: &Path, report: &mut Report) -> Result<()> {
    for path in files(folder, "if-truth")? {
        let document = value(&path)?;
        for row in rows(&document) {
            let event = json!({
                "session_id": "s", "cwd": "/srv/demo", "hook_event_name": "PreToolUse", "tool_name": "Bash",
                "tool_input": { "command": row["command"] },
            });
            let wanted = texts(&row["fires"]);
            for rule in texts(&document["rules"]) {
                let fires = ask(json!({ "op": "if", "rule": rule, "event": event }))["fires"] == true;
                report.mark("if-truth", fires == wanted.contains(&rule), || {
                    format!("{rule:?} on {}: fires {fires}", row["command"])
                });
            }
        }
    }
    Ok(())
}

/// Two figures: no program is missed unless the analysis says that it is not complete, and most lines are complete.
pub(super) fn shell(folder: &Path, report: &mut Report) -> Result<()> {
    for path in files(folder, "shell-truth")? {
        for row in rows(&value(&path)?) {
            let answer = ask(json!({ "op": "shell", "command": row["command"] }));
            let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
            let commands = answer["commands"].as_array().map_or(&[][..], Vec::as_slice);
            let found: BTreeSet<String> = commands
                .iter()
                .filter_map(|command| command["program"].as_str())
                .map(name)
                .collect();
            let missed: Vec<String> = texts(&row["programs"])
                .into_iter()
                .map(name)
                .filter(|program| !found.contains(program))
                .collect();
            let complete = answer["complete"] == true;
            report.mark("shell-truth", missed.is_empty() || !complete, || {
                format!("{}: missed {missed:?}", row["command"])
            });
        }
    }
    Ok(())
}
