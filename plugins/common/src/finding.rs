//! What a rule found, and what the level makes of it.

use hookbox_sdk::{Decision, Output};
use serde::Deserialize;
use std::borrow::Cow;

/// How much the user wants to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    #[default]
    Standard,
    Strict,
    Paranoid,
}

/// How bad it is.
///
/// | severity | standard | strict | paranoid |
/// |---|---|---|---|
/// | `Block` | deny | deny | deny |
/// | `Ask` | ask | ask | deny |
/// | `Strict` | – | ask | deny |
/// | `Paranoid` | – | – | ask |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Ordinary work that only the most careful want to see.
    Paranoid,
    /// Mostly ordinary work.
    Strict,
    /// Something is lost, but it is small, or there is a way back.
    Ask,
    /// No way back.
    Block,
}

impl Severity {
    pub fn decision(self, level: Level) -> Option<Decision> {
        match (self, level) {
            (Severity::Block, _) | (Severity::Ask | Severity::Strict, Level::Paranoid) => Some(Decision::Deny),
            (Severity::Ask, _) | (Severity::Strict, Level::Strict) | (Severity::Paranoid, Level::Paranoid) => {
                Some(Decision::Ask)
            }
            (Severity::Strict | Severity::Paranoid, _) => None,
        }
    }
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Cow<'static, str>,
    pub severity: Severity,
    pub reason: Cow<'static, str>,
}

impl Finding {
    pub fn new(rule: impl Into<Cow<'static, str>>, severity: Severity, reason: impl Into<Cow<'static, str>>) -> Self {
        Finding {
            rule: rule.into(),
            severity,
            reason: reason.into(),
        }
    }
}

/// The answer: the strictest decision, the first finding of that rank gives the rule, all of that rank their reasons
/// (each once, at most four).
pub fn verdict(findings: &[Finding], level: Level) -> Output {
    let worst = findings
        .iter()
        .filter_map(|finding| finding.severity.decision(level))
        .max_by_key(|d| *d as u8);
    let Some(decision) = worst else { return Output::none() };
    let mut reasons: Vec<&str> = Vec::new();
    let mut rule = "";
    for finding in findings
        .iter()
        .filter(|finding| finding.severity.decision(level) == Some(decision))
    {
        if rule.is_empty() {
            rule = &finding.rule;
        }
        if !reasons.contains(&&*finding.reason) && reasons.len() < 4 {
            reasons.push(&finding.reason);
        }
    }
    Output {
        decision: Some(decision),
        rule: Some(rule.into()),
        reason: Some(reasons.join("\n")),
        ..Output::none()
    }
}
