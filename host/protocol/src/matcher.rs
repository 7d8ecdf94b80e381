//! Matchers: which values of an event's field a group of handlers is for.
//!
//! A list of plain names is compared without compiling anything; whatever else is written is a JavaScript regular expression,
//! tested unanchored. An expression that could take too long counts as matching: a guard must run. Source: the agents' own rules.

mod cost;
mod lint;

use regress::{Flags, Regex};

use crate::config::Diagnostic;
use crate::dialect::{Dialect, DshMode};
use crate::event::Event;
use crate::events::{self, Matched};
use crate::tools;

pub use lint::lint;

/// A matcher, compiled.
#[derive(Clone, Debug)]
pub struct Matcher {
    rule: Rule,
    /// The value is a tool's name, which former names match too.
    tools: bool,
    dialect: Dialect,
}

#[derive(Clone, Debug)]
enum Rule {
    All,
    /// One of these, exactly.
    Exact(Vec<String>),
    /// Values with this text in them: of an expression that is a plain text and `.*`.
    Contains(String),
    /// Values of more bytes than `longest` are not tested, and count as matching.
    Expression {
        expression: Box<Regex>,
        longest: usize,
        ways: cost::Ways,
    },
    /// An invalid expression matches nothing.
    Never,
}

impl Matcher {
    /// Compiles the matcher of a group on `event`. The diagnostic tells of an expression that is invalid or too costly; `lint` finds
    /// what merely is not as it seems.
    pub fn new(dialect: Dialect, event: &str, written: Option<&str>) -> (Self, Option<Diagnostic>) {
        let matched = matched(event);
        let matcher = |rule| Self {
            rule,
            tools: matched == Matched::Tool,
            dialect,
        };
        let written = match written {
            None | Some("" | "*") => return (matcher(Rule::All), None),
            Some(_) if matched == Matched::Nothing => return (matcher(Rule::All), None),
            Some(written) => written,
        };
        if let Some(separators) = exact_separators(dialect, event, written) {
            return (
                matcher(Rule::Exact(names(written, separators).map(str::to_owned).collect())),
                None,
            );
        }
        if let Some(text) = written.strip_suffix(".*").filter(|text| is_plain(text)) {
            return (matcher(Rule::Contains(text.to_owned())), None);
        }
        let costly = |what: &str| {
            let message = format!("the expression {what} could take too long to test: it counts as matching there");
            Some(Diagnostic::warning("", message).hint("write it without repetitions inside repetitions"))
        };
        let Some(ways) = cost::ways(written) else {
            return (matcher(Rule::All), costly("is nested or repeated so much that it"));
        };
        match compile(dialect, written) {
            Ok(expression) => {
                let longest = cost::longest_value(ways);
                let report = longest < cost::USUAL_NAME;
                let diagnostic = report
                    .then(|| costly(&format!("on a value over {longest} bytes")))
                    .flatten();
                (
                    matcher(Rule::Expression {
                        expression: Box::new(expression),
                        longest,
                        ways,
                    }),
                    diagnostic,
                )
            }
            Err(error) => (matcher(Rule::Never), Some(lint::invalid(written, &error))),
        }
    }

    /// Whether the group is for this value of the event's field.
    pub fn matches(&self, value: &str) -> bool {
        let fits = |name: &str| match &self.rule {
            Rule::All => true,
            Rule::Never => false,
            Rule::Exact(names) => names.iter().any(|exact| exact == name),
            Rule::Contains(text) => name.contains(text.as_str()),
            Rule::Expression {
                expression, longest, ..
            } => name.len() > *longest || expression.find(name).is_some(),
        };
        fits(value) || self.tools && self.aliases(value).any(fits)
    }

    /// Whether the group is for this event. Where the event lacks the field, it is: the guard must run.
    pub fn matches_event(&self, event: &Event) -> bool {
        match value(event) {
            Some(value) => {
                self.matches(value) || self.tools && is_patch(event) && (self.matches("Edit") || self.matches("Write"))
            }
            None => !matches!(self.rule, Rule::Never),
        }
    }

    /// How many ways an expression may have to try on this event's value, at most; 0 where nothing is tried.
    pub(crate) fn work(&self, event: &Event) -> f64 {
        match (&self.rule, value(event)) {
            (Rule::Expression { longest, ways, .. }, Some(value)) if value.len() <= *longest => {
                ways.on(value.len()).exp2()
            }
            _ => 0.0,
        }
    }

    /// The further names that a tool is matched by.
    fn aliases<'a>(&self, value: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        let codex = if self.dialect == Dialect::Codex {
            tools::CODEX_ALIASES
        } else {
            &[]
        };
        let codex = codex
            .iter()
            .filter(move |(_, tool)| *tool == value)
            .map(|(name, _)| *name);
        let renamed = (!matches!(self.dialect, Dialect::Dsh(_))).then(|| tools::former_names(value));
        codex.chain(renamed.into_iter().flatten())
    }
}

/// Whether the text means itself in an expression.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A patch edits and writes files: a guard of `Edit` or `Write` judges it, whichever agent sends it.
fn is_patch(event: &Event) -> bool {
    event.tool.as_ref().is_some_and(|call| call.name == "apply_patch")
}

/// What the matcher of an event is tested against; none where the event has no such field.
pub fn value(event: &Event) -> Option<&str> {
    match matched(&event.name) {
        Matched::Tool => match &event.tool {
            Some(tool) => Some(&tool.name),
            None => event.payload.get("tool_name")?.as_str(),
        },
        Matched::Field(field) => event.payload.get(field)?.as_str(),
        Matched::BaseName(field) => {
            let path = event.payload.get(field)?.as_str()?;
            Some(path.rsplit(['/', '\\']).next().unwrap_or(path))
        }
        Matched::Nothing => None,
    }
}

/// What a matcher is tested against; an event that is not known is taken as one of a tool, and matches where it has none.
fn matched(event: &str) -> Matched {
    let spec = events::spec(event);
    if spec.known() { spec.matched } else { Matched::Tool }
}

/// The separators of an exact list; none where the text is an expression.
fn exact_separators(dialect: Dialect, event: &str, written: &str) -> Option<&'static [char]> {
    let narrow = match dialect {
        Dialect::ClaudeCode | Dialect::Other => matches!(event, "FileChanged" | "StopFailure"),
        // No tool's name has a comma: as an expression such a list would never match, and the same configuration guards other agents too.
        Dialect::Codex if written.contains(',') => false,
        Dialect::Codex | Dialect::Dsh(DshMode::ClaudeCode) => true,
        Dialect::Dsh(DshMode::Codex) => return None,
    };
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'|');
    let plain = |byte: u8| word(byte) || !narrow && matches!(byte, b'-' | b' ' | b',');
    written
        .bytes()
        .all(plain)
        .then_some(if narrow { &['|'] } else { &['|', ','] })
}

fn names<'a>(written: &'a str, separators: &'static [char]) -> impl Iterator<Item = &'a str> {
    written.split(separators).map(str::trim).filter(|name| !name.is_empty())
}

/// Compiles as `new RegExp(text)` does, without flags. Codex's expressions are Rust's: of what differs, inline flags at the start are
/// what people write.
fn compile(dialect: Dialect, written: &str) -> Result<Regex, regress::Error> {
    let rust_flags = written.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
    match rust_flags {
        Some((flags, rest))
            if dialect == Dialect::Codex
                && !flags.is_empty()
                && flags.bytes().all(|b| matches!(b, b'i' | b'm' | b's')) =>
        {
            Regex::with_flags(rest, Flags::from(flags))
        }
        _ => Regex::with_flags(written, Flags::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_and_anything_after_it_is_found_as_an_expression_finds_it() {
        let names = [
            "mcp__a__b",
            "Mcp__",
            "x mcp__",
            "\nmcp__\n",
            "mcp_",
            "",
            "Bash",
            "MultiEdit",
        ];
        for written in ["mcp__.*", ".*", "Edit.*", "_.*", "mcp__.*.*", "mcp__a.*b"] {
            let expression = compile(Dialect::ClaudeCode, written).expect(written);
            for dialect in [Dialect::ClaudeCode, Dialect::Codex, Dialect::Other] {
                let (matcher, _) = Matcher::new(dialect, "PreToolUse", Some(written));
                for name in names {
                    assert_eq!(
                        matcher.matches(name),
                        expression.find(name).is_some()
                            || matcher.aliases(name).any(|other| expression.find(other).is_some()),
                        "{written} on {name:?}"
                    );
                }
            }
        }
    }
}
