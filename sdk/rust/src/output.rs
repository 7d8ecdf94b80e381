//! Short ways to an answer.

use crate::{Decision, Output};

impl Output {
    /// No opinion.
    pub fn none() -> Self {
        Output {
            decision: None,
            reason: None,
            rule: None,
            updated_input: None,
            updated_output: None,
            additional_context: None,
            system_message: None,
            stop: None,
            suppress_output: false,
            extra: None,
        }
    }

    fn decided(decision: Decision, rule: &str, reason: impl Into<String>) -> Self {
        Output {
            decision: Some(decision),
            rule: Some(rule.into()),
            reason: Some(reason.into()),
            ..Output::none()
        }
    }

    /// Block it. The reason is written for the model and says what to do instead.
    pub fn deny(rule: &str, reason: impl Into<String>) -> Self {
        Self::decided(Decision::Deny, rule, reason)
    }

    /// Let the user decide.
    pub fn ask(rule: &str, reason: impl Into<String>) -> Self {
        Self::decided(Decision::Ask, rule, reason)
    }

    /// Let it through without asking the user.
    pub fn allow(rule: &str, reason: impl Into<String>) -> Self {
        Self::decided(Decision::Allow, rule, reason)
    }

    /// No opinion, with text that the model gets beside the event's result.
    pub fn context(text: impl Into<String>) -> Self {
        Output {
            additional_context: Some(text.into()),
            ..Output::none()
        }
    }
}

impl Default for Output {
    fn default() -> Self {
        Output::none()
    }
}
