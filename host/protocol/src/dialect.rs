//! Which rules a configuration's matchers and its handlers' answers are read by.
//!
//! How an agent spells its events is the business of `dialects/`; this is only about what a handler says.

/// The rules by which matchers and answers are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Claude Code 2.1.332: the rules of every agent that has none of its own.
    #[default]
    ClaudeCode,
    /// Codex: a strict subset. What restricts stays in force, what Codex cannot do is reported.
    Codex,
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
    /// The rules for the handlers of an agent. Agents without rules of their own have Claude Code's: hookbox hands
    /// every handler the event in that spelling, whoever sent it.
    #[must_use]
    pub fn of_agent(agent: &str) -> Self {
        match agent {
            "codex" => Self::Codex,
            "dsh" => Self::Dsh(DshMode::ClaudeCode),
            _ => Self::ClaudeCode,
        }
    }
}
