//! What each agent can hear: one row per agent, for the encoders, `check`, `init` and the docs.

use Ability::Yes;

/// What an agent does with a part of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// Honoured.
    Yes,
    /// Not heard.
    No,
}

/// What a number in the agent's `timeout` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutUnit {
    Seconds,
    Milliseconds,
    /// The agent has no such setting.
    None,
}

/// One agent's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// As `--agent` takes it.
    pub name: &'static str,
    pub title: &'static str,
    /// The environment variable in which it names the project's root.
    pub project_variable: Option<&'static str>,
    /// Lets the user decide a call about to run. Without it an `ask` is a deny.
    pub ask: Ability,
    /// Takes a rewritten input. Without it a rewrite is a deny that says what was wanted.
    pub rewrite: Ability,
    /// Takes context for the model before a call. Without it context is dropped, and that is recorded.
    pub call_context: Ability,
    /// Takes context after a call.
    pub result_context: Ability,
    /// Stops a prompt.
    pub prompt_block: Ability,
    /// Goes on working when the end of a turn is blocked.
    pub stop_block: Ability,
    /// Blocks by itself when the hook fails, with the setting that `init` writes.
    pub closes: Ability,
    /// How the entry's timeout is counted.
    pub timeout_unit: TimeoutUnit,
    /// What the agent waits when the entry names no timeout, in seconds; where nobody knows, the shortest that another waits.
    pub timeout_default: u32,
    /// UTF-16 units of context that reach the model whole.
    pub context_cap: usize,
}

/// Claude Code 2.1.332. Context over 10,000 units is replaced by a preview and a file.
pub(crate) const CLAUDE_CODE: Capabilities = Capabilities {
    name: "claude-code",
    title: "Claude Code",
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    ask: Ability::Yes,
    rewrite: Ability::Yes,
    call_context: Ability::Yes,
    result_context: Ability::Yes,
    prompt_block: Ability::Yes,
    stop_block: Ability::Yes,
    closes: Ability::Yes,
    timeout_unit: TimeoutUnit::Seconds,
    timeout_default: 600,
    context_cap: 10_000,
};

const fn row(name: &'static str, title: &'static str) -> Capabilities {
    Capabilities {
        name,
        title,
        project_variable: None,
        ask: Ability::No,
        rewrite: Ability::No,
        call_context: Ability::No,
        result_context: Ability::No,
        prompt_block: Ability::Yes,
        stop_block: Ability::No,
        closes: Ability::No,
        timeout_unit: TimeoutUnit::Seconds,
        timeout_default: 60,
        context_cap: 100_000,
    }
}

/// Codex 0.171.0. Context over 2,500 tokens (counted as 4 bytes each) goes to a file.
pub(crate) const CODEX: Capabilities = Capabilities {
    rewrite: Yes,
    call_context: Yes,
    result_context: Yes,
    stop_block: Yes,
    timeout_default: 600,
    context_cap: 9_000,
    ..row("codex", "Codex")
};

/// Gemini CLI 0.61.0.
pub(crate) const GEMINI: Capabilities = Capabilities {
    project_variable: Some("GEMINI_PROJECT_DIR"),
    ask: Yes,
    rewrite: Yes,
    result_context: Yes,
    stop_block: Yes,
    timeout_unit: TimeoutUnit::Milliseconds,
    ..row("gemini", "Gemini CLI")
};

/// Copilot CLI 1.0.102. A crashed hook denies the call; a timeout does not.
pub(crate) const COPILOT: Capabilities = Capabilities {
    project_variable: Some("COPILOT_PROJECT_DIR"),
    ask: Yes,
    rewrite: Yes,
    call_context: Yes,
    result_context: Yes,
    stop_block: Yes,
    timeout_default: 30,
    ..row("copilot", "Copilot CLI")
};

/// Cursor, from its documentation. `ask` is heard before shell commands and MCP calls only, a rewrite only at `preToolUse`.
pub(crate) const CURSOR: Capabilities = Capabilities {
    project_variable: Some("CURSOR_PROJECT_DIR"),
    ask: Yes,
    rewrite: Yes,
    result_context: Yes,
    stop_block: Yes,
    closes: Yes,
    ..row("cursor", "Cursor")
};

/// Qwen Code 0.24.4. A number from 1,000 on counts milliseconds.
pub(crate) const QWEN: Capabilities = Capabilities {
    project_variable: Some("QWEN_PROJECT_DIR"),
    ask: Yes,
    result_context: Yes,
    stop_block: Yes,
    ..row("qwen", "Qwen Code")
};

/// OpenCode 1.18.33, through the plugin that `init` writes; the plugin closes.
pub(crate) const OPENCODE: Capabilities = Capabilities {
    rewrite: Yes,
    result_context: Yes,
    closes: Yes,
    timeout_unit: TimeoutUnit::None,
    ..row("opencode", "OpenCode")
};

/// VS Code's agent mode, from its documentation.
pub(crate) const VSCODE: Capabilities = Capabilities {
    ask: Yes,
    rewrite: Yes,
    call_context: Yes,
    result_context: Yes,
    stop_block: Yes,
    timeout_default: 30,
    ..row("vscode", "VS Code")
};

/// Factory Droid, from its documentation.
pub(crate) const DROID: Capabilities = Capabilities {
    project_variable: Some("FACTORY_PROJECT_DIR"),
    ask: Yes,
    rewrite: Yes,
    call_context: Yes,
    result_context: Yes,
    stop_block: Yes,
    ..row("droid", "Droid")
};

/// Windsurf, from its documentation: exit code and stderr only; it names no timeout.
pub(crate) const WINDSURF: Capabilities = Capabilities {
    timeout_default: 30,
    timeout_unit: TimeoutUnit::None,
    ..row("windsurf", "Windsurf")
};

/// Kiro, from its documentation: exit code and stderr only, and plain text as context of prompts and sessions.
pub(crate) const KIRO: Capabilities = row("kiro", "Kiro");

/// Goose, from its documentation. Prompts are observed only; silence means yes, and `on_failure` closes.
pub(crate) const GOOSE: Capabilities = Capabilities {
    prompt_block: Ability::No,
    stop_block: Yes,
    closes: Yes,
    timeout_default: 30,
    ..row("goose", "Goose")
};

/// Cline, from its source: JSON is heard at every exit code; a hook that fails, or takes more than 30 s, is taken for one that is not there.
pub(crate) const CLINE: Capabilities = Capabilities {
    timeout_default: 30,
    call_context: Yes,
    result_context: Yes,
    timeout_unit: TimeoutUnit::None,
    ..row("cline", "Cline")
};

/// Antigravity, from reports. Without a decision it denies.
pub(crate) const ANTIGRAVITY: Capabilities = Capabilities {
    ask: Yes,
    prompt_block: Ability::No,
    closes: Yes,
    ..row("antigravity", "Antigravity")
};
