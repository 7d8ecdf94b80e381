//! The canonical event: what every dialect decodes into and every handler judges.

use serde_json::Value;
use std::sync::Arc;

/// One call of a hook by an agent, in the canonical (Claude Code's) spelling.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Which agent called: `claude-code`, `codex`, … (open set).
    pub agent: String,
    /// The canonical event name: `PreToolUse`, … (open set).
    pub name: String,
    /// The agent's session id; empty where the agent sends none.
    pub session: String,
    /// The session's current directory, absolute; it may no longer exist.
    pub cwd: String,
    /// The project's root, absolute.
    pub project: String,
    /// On tool events: the call.
    pub tool: Option<ToolCall>,
    /// On prompt events: the text that the user sent.
    pub prompt: Option<String>,
    /// The whole event in the canonical spelling: what a `command` handler gets on stdin and a plugin reads through `payload`.
    pub payload: Value,
}

/// A tool call, before it runs or after. Its input is `payload.tool_input`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    pub id: Option<String>,
    /// The canonical tool name: `Bash`, `Edit`, `mcp__server__tool`, …
    pub name: String,
    /// What the call does, whatever the agent calls its tool; empty where it cannot be told.
    pub actions: Vec<Action>,
}

/// One thing that a tool call does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Run(Command),
    Read(String),
    Write(FileWrite),
    Delete(String),
    Search(Search),
    Fetch(String),
    Call(McpCall),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub text: String,
    /// `bash`, `powershell` or `cmd`.
    pub shell: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileWrite {
    pub path: String,
    /// The new content, or the new part of it; none where the call does not carry it. Shared: it may be large.
    pub content: Option<Arc<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub pattern: String,
    /// A file or folder; none means the current directory.
    pub path: Option<String>,
    pub glob: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct McpCall {
    pub server: String,
    pub tool: String,
    pub arguments: Value,
}
