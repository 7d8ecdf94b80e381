//! What each agent can hear: one row per agent, for the encoders, `check`, `init` and the docs.

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
    /// What the agent waits when the entry names no timeout, in seconds.
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
