//! Which rules a configuration's matchers and its handlers' answers are read by.
//!
//! How an agent spells its events is the business of `dialects/`; this is only about what a handler says.

/// The rules by which matchers and answers are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Claude Code 2.1.332, and the agents that keep to its protocol.
    #[default]
    ClaudeCode,
    /// Codex: a strict subset. What restricts stays in force, what Codex cannot do is reported.
    Codex,
    /// Every other agent: Claude Code's rules, and answers in the agents' own spellings are understood too.
    Other,
    /// The bridge of DeepSeek Harness, with its two matchers.
    Dsh(DshMode),
}

/// The two matchers of the DeepSeek Harness bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DshMode {
    /// Word characters and `|` are literal alternatives, everything else an unanchored expression.
    #[default]
    ClaudeCode,
    /// Always an unanchored expression.
    Codex,
}

impl DshMode {
    /// As the bridge spells it in its diagnostics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }
}

impl Dialect {
    /// The rules for the handlers of an agent.
    #[must_use]
    pub fn of_agent(agent: &str) -> Self {
        match agent {
            "codex" => Self::Codex,
            "dsh" => Self::Dsh(DshMode::ClaudeCode),
            "claude-code" | "qwen" | "droid" => Self::ClaudeCode,
            _ => Self::Other,
        }
    }
}
