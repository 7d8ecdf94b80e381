//! Where in its budget a task is.

use crate::settings::Budget;

/// A part of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Working,
    /// Time to write the answer: no new tools.
    Final,
    /// Nothing is left.
    Over,
}

impl Budget {
    /// The phase after `used` milliseconds.
    pub(crate) fn phase(&self, used: u64) -> Phase {
        match self.left(used) {
            0 => Phase::Over,
            left if left <= self.last => Phase::Final,
            _ => Phase::Working,
        }
    }

    /// Milliseconds left after `used`.
    pub(crate) fn left(&self, used: u64) -> u64 {
        self.total.saturating_sub(used)
    }

    /// How many of the warnings, from the first on, should have been given; the last phase is one of them.
    pub(crate) fn warnings_due(&self, used: u64) -> u64 {
        let left = self.left(used);
        self.warn_at.iter().filter(|at| left <= **at).count() as u64
    }

    /// Whether the tool may still be used in the last phase.
    pub(crate) fn allowed_last(&self, tool: &str) -> bool {
        self.allow_last.iter().any(|allowed| match allowed.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => tool == allowed,
        })
    }
}
