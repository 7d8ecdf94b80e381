//! Tables of rules, compiled once: a lookup by program, then the few rules of that program.

use crate::finding::{Finding, Severity};
use crate::pattern::Pattern;
use crate::words::program;
use hookbox_sdk::SimpleCommand;
use std::collections::BTreeMap;

/// One row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub id: &'static str,
    pub severity: Severity,
    /// [`Pattern`]s, separated by `;`: one of them is enough.
    pub pattern: &'static str,
    /// What is lost, and what to do instead.
    pub reason: &'static str,
}

/// A row of a table, in the order in which it reads best.
pub const fn rule(id: &'static str, severity: Severity, pattern: &'static str, reason: &'static str) -> Rule {
    Rule {
        id,
        severity,
        pattern,
        reason,
    }
}

/// Compiled tables.
#[derive(Debug, Default)]
pub struct Rules {
    by_program: BTreeMap<&'static str, Vec<(Pattern<'static>, Rule)>>,
}

impl Rules {
    pub fn new(tables: &[&'static [Rule]]) -> Self {
        let mut rules = Rules::default();
        for rule in tables.iter().flat_map(|table| table.iter()) {
            for text in rule.pattern.split(';') {
                let (programs, pattern) = Pattern::parse(text);
                for program in programs {
                    rules
                        .by_program
                        .entry(program)
                        .or_default()
                        .push((pattern.clone(), *rule));
                }
            }
        }
        rules
    }

    /// Whether some rule speaks about this program.
    pub fn knows(&self, program: &str) -> bool {
        self.by_program.contains_key(program)
    }

    /// What the rules say about a command.
    pub fn judge(&self, command: &SimpleCommand, findings: &mut Vec<Finding>) {
        let Some(first) = command.argv.first() else { return };
        let Some(rules) = self.by_program.get(program(&first.text).as_str()) else {
            return;
        };
        for (pattern, rule) in rules {
            if pattern.matches(command.args()) {
                findings.push(Finding::new(rule.id, rule.severity, rule.reason));
            }
        }
    }
}
