//! The `if` rule of a handler: a permission rule that narrows which calls the handler is for.
//!
//! What cannot be understood lets the handler run: a filter that fails must not take its guard away.

use crate::config::Diagnostic;
use crate::event::Event;
use crate::tools::present_name;

/// An `if` rule, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Always,
    Never,
    Tool { name: String, content: Option<String> },
}

/// The events on which a rule is evaluated; on every other one a handler with a rule never runs.
const EVENTS: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "PermissionDenied",
    "PreSkillShellCommand",
];

impl Condition {
    /// Reads a rule. The diagnostic names a rule that can never let its handler run.
    pub fn parse(written: &str) -> (Self, Option<Diagnostic>) {
        if written.is_empty() {
            return (Self { rule: Rule::Always }, None);
        }
        let (name, content) = match written.split_once('(') {
            None => (written, None),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(content) => (name, Some(content).filter(|content| !matches!(*content, "" | "*"))),
                None => {
                    return (
                        Self { rule: Rule::Never },
                        Some(dead(written, "it has no closing bracket")),
                    );
                }
            },
        };
        if name.is_empty()
            || !name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
        {
            return (
                Self { rule: Rule::Never },
                Some(dead(written, "it does not start with the name of a tool")),
            );
        }
        let rule = Rule::Tool {
            name: present_name(name).to_owned(),
            content: content.map(str::to_owned),
        };
        (Self { rule }, None)
    }

    /// Whether the handler runs on this event.
    pub fn fires(&self, event: &Event) -> bool {
        match &self.rule {
            Rule::Always => true,
            _ if !EVENTS.contains(&event.name.as_str()) => false,
            Rule::Never => false,
            Rule::Tool { name, .. } => event.tool.as_ref().is_none_or(|tool| present_name(&tool.name) == name),
        }
    }
}

fn dead(written: &str, why: &str) -> Diagnostic {
    Diagnostic::error("", format!("the rule {written:?} never lets its handler run: {why}"))
        .hint("write it as Bash(git *), Edit(src/**) or the bare name of a tool")
}
