//! What the tools that agents bring along do. MCP tools and unknown ones: `arguments`.

use super::arguments::{self, PATH, URL};
use super::patch;
use super::paths::Paths;
use crate::event::{Action, Command, FileWrite, McpCall, Search};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One tool of an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    /// The agent's name of it.
    pub(crate) name: &'static str,
    /// Claude Code's name of it, or of the nearest one.
    pub(crate) canonical: &'static str,
    pub(crate) kind: Kind,
    /// Argument names that differ from the canonical tool's: the agent's, the canonical one.
    pub(crate) arguments: &'static [(&'static str, &'static str)],
}

/// What a tool does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Runs a command in this shell.
    Run(&'static str),
    /// Types into a program that runs already, which may be a shell.
    Type,
    Read,
    /// Creates a file or changes it.
    Write,
    /// Reads where its `command` is `view`, else writes.
    Editor,
    Delete,
    /// Searches for files by name.
    Glob,
    /// Searches in files, or lists a folder.
    Search,
    Fetch,
    /// Changes files by a patch in its `command`, `input` or `patch`.
    Patch,
    /// Nothing outside the conversation.
    Nothing,
}

/// A tool whose name and arguments are the canonical ones.
pub(crate) const fn same(name: &'static str, kind: Kind) -> Tool {
    Tool {
        name,
        canonical: name,
        kind,
        arguments: &[],
    }
}

/// A tool with another name, and arguments with the canonical names but for these.
pub(crate) const fn named(
    name: &'static str,
    canonical: &'static str,
    kind: Kind,
    arguments: &'static [(&'static str, &'static str)],
) -> Tool {
    Tool {
        name,
        canonical,
        kind,
        arguments,
    }
}

/// Why the actions of a call cannot be told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unusable {
    /// JSON Pointer in `tool_input`.
    pub(crate) pointer: &'static str,
    /// What the field has to be.
    pub(crate) expected: &'static str,
}

/// What a call of a tool of this kind does. The arguments may have the agent's names or the canonical ones; where one is given under several
/// names, each is judged.
///
/// # Errors
/// The argument that decides (the command, the path, the address) is missing or has no usable type.
pub(crate) fn actions(kind: Kind, input: &Map<String, Value>, paths: &Paths) -> Result<Vec<Action>, Unusable> {
    let files = || match arguments::strings(input, PATH) {
        files if files.is_empty() => Err(Unusable {
            pointer: "/file_path",
            expected: "the path of a file",
        }),
        files => Ok(files.into_iter().map(|path| paths.absolute(&path))),
    };
    Ok(match kind {
        Kind::Run(shell) => {
            let text = arguments::command(input).ok_or(Unusable {
                pointer: "/command",
                expected: "a command",
            })?;
            let text = arguments::in_folder(input, text, paths);
            let mut actions = if patch::in_command(&text) {
                patch::actions(&text, |path| paths.absolute(path))
            } else {
                Vec::new()
            };
            actions.insert(
                0,
                Action::Run(Command {
                    text,
                    shell: shell.into(),
                }),
            );
            actions
        }
        Kind::Type => {
            let typed = arguments::strings(input, &["chars", "input", "text", "command"]).join("\n");
            let run = |text: String| {
                Action::Run(Command {
                    text,
                    shell: "bash".into(),
                })
            };
            Some(typed)
                .filter(|text| !text.trim().is_empty())
                .map(run)
                .into_iter()
                .collect()
        }
        Kind::Read => files()?.map(Action::Read).collect(),
        Kind::Editor if input.get("command").and_then(Value::as_str) == Some("view") => {
            files()?.map(Action::Read).collect()
        }
        Kind::Write | Kind::Editor => {
            // A permission request may carry the change as a diff only.
            let diff = || {
                input
                    .get("diff")
                    .and_then(Value::as_str)
                    .map(|diff| patch::added(diff).into())
            };
            let content = arguments::content(input).or_else(diff);
            let write = |path| {
                Action::Write(FileWrite {
                    path,
                    content: content.clone(),
                })
            };
            files()?.map(write).collect()
        }
        Kind::Delete => files()?.map(Action::Delete).collect(),
        Kind::Search => vec![arguments::search(input, paths).unwrap_or(Action::Search(EVERYWHERE))],
        Kind::Glob => {
            let search = match arguments::search(input, paths) {
                Some(Action::Search(search)) => search,
                _ => EVERYWHERE,
            };
            // What is looked for is itself which files.
            let glob = search
                .glob
                .clone()
                .or_else(|| Some(search.pattern.clone()).filter(|pattern| !pattern.is_empty()));
            vec![Action::Search(Search { glob, ..search })]
        }
        Kind::Fetch => {
            let mut found: Vec<Action> = arguments::strings(input, URL).into_iter().map(Action::Fetch).collect();
            // Gemini's fetch takes a prompt with addresses in it.
            if found.is_empty() {
                found = input
                    .get("prompt")
                    .and_then(Value::as_str)
                    .map(addresses_in)
                    .unwrap_or_default();
            }
            if found.is_empty() {
                return Err(Unusable {
                    pointer: "/url",
                    expected: "an address",
                });
            }
            found
        }
        Kind::Patch => {
            let names = ["command", "input", "patch", "patchText", "patch_text", "diff"];
            let text = names
                .iter()
                .filter_map(|name| input.get(*name))
                .filter_map(text_of)
                .collect::<Vec<_>>()
                .join("\n");
            let mut found = patch::actions(&text, |path| paths.absolute(path));
            if found.is_empty() {
                // Some take a path beside the text.
                let content = Some(text)
                    .filter(|text| !text.is_empty())
                    .map(Arc::from)
                    .or_else(|| arguments::content(input));
                found = files()
                    .map_err(|_| Unusable {
                        pointer: "/command",
                        expected: "a patch that names its files",
                    })?
                    .map(|path| {
                        Action::Write(FileWrite {
                            path,
                            content: content.clone(),
                        })
                    })
                    .collect();
            }
            found
        }
        Kind::Nothing => Vec::new(),
    })
}

const EVERYWHERE: Search = Search {
    pattern: String::new(),
    path: None,
    glob: None,
};

/// A text, or a list of words whose last ones carry it (`["apply_patch", "*** Begin Patch…"]`).
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")),
        _ => None,
    }
}

fn addresses_in(text: &str) -> Vec<Action> {
    let address = |word: &str| {
        word.find("http://")
            .or_else(|| word.find("https://"))
            .map(|at| word[at..].to_owned())
    };
    let trimmed = |address: String| {
        address
            .trim_end_matches(['.', ',', ')', ']', '>', '"', '\'', '`', ';'])
            .to_owned()
    };
    text.split_whitespace()
        .filter_map(address)
        .map(trimmed)
        .map(Action::Fetch)
        .collect()
}

/// What a call of an MCP server's tool does: the call itself, and what its arguments speak of.
pub(crate) fn mcp_actions(server: &str, tool: &str, input: &Value, paths: &Paths) -> Vec<Action> {
    let call = McpCall {
        server: server.into(),
        tool: tool.into(),
        arguments: input.clone(),
    };
    let mut actions = vec![Action::Call(call)];
    if let Value::Object(input) = input {
        actions.extend(arguments::actions(tool, input, paths));
    }
    actions
}

/// Server and tool of `mcp__server__tool`. Neither has `__` in it by the agents' own rule; the first one ends the server.
pub(crate) fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?
        .split_once("__")
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// The input with canonical argument names. A name that is taken already is left as it is, so that nothing is lost.
pub(crate) fn canonical_arguments(tool: &Tool, input: Map<String, Value>) -> Map<String, Value> {
    rename(input, |key| {
        tool.arguments
            .iter()
            .find(|(theirs, _)| *theirs == key)
            .map(|(_, ours)| *ours)
    })
}

/// The way back, for a rewritten input.
pub(crate) fn agent_arguments(tool: &Tool, input: Map<String, Value>) -> Map<String, Value> {
    rename(input, |key| {
        tool.arguments
            .iter()
            .find(|(_, ours)| *ours == key)
            .map(|(theirs, _)| *theirs)
    })
}

fn rename(input: Map<String, Value>, other: impl Fn(&str) -> Option<&'static str>) -> Map<String, Value> {
    let taken: Vec<String> = input.keys().cloned().collect();
    let name = |key: String| match other(&key) {
        Some(name) if !taken.iter().any(|known| known == name) => name.to_owned(),
        _ => key,
    };
    input.into_iter().map(|(key, value)| (name(key), value)).collect()
}
