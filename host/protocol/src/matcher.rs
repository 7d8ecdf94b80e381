//! Matchers: which values of an event's field a group of handlers is for.
//!
//! A list of plain names is compared without compiling anything; whatever else is written is a JavaScript regular expression,
//! tested unanchored. Source: the agents' own rules, per dialect.

use regress::{Flags, Regex};

use crate::config::Diagnostic;
use crate::dialect::{Dialect, DshMode};
use crate::event::Event;
use crate::tools;

/// Longer expressions are not compiled.
const LONGEST_PATTERN: usize = 4_096;
/// Longer values are not tested against an expression.
const LONGEST_VALUE: usize = 256;

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
    Expression(Box<Regex>),
    /// An invalid expression matches nothing.
    Never,
}

impl Matcher {
    /// Compiles the matcher of a group on `event`. The diagnostic says what the author should know; the matcher works either way.
    pub fn new(dialect: Dialect, event: &str, written: Option<&str>) -> (Self, Option<Diagnostic>) {
        let tools = matched_field(event).is_none_or(|field| field == "tool_name");
        let matcher = |rule| Self { rule, tools, dialect };
        let Some(written) = written.filter(|text| !matches!(*text, "" | "*")) else {
            return (matcher(Rule::All), None);
        };
        if takes_no_matcher(event) {
            return (matcher(Rule::All), None);
        }
        if let Some(separators) = exact_separators(dialect, event, written) {
            let names = written.split(separators).map(str::trim).filter(|name| !name.is_empty());
            return (matcher(Rule::Exact(names.map(str::to_owned).collect())), None);
        }
        if written.len() > LONGEST_PATTERN {
            let diagnostic = Diagnostic::error(
                "",
                format!("the matcher is over {LONGEST_PATTERN} bytes: it matches everything"),
            );
            return (matcher(Rule::All), Some(diagnostic));
        }
        match Regex::with_flags(written, Flags::default()) {
            Ok(expression) => (matcher(Rule::Expression(Box::new(expression))), None),
            Err(error) => {
                let message =
                    format!("matcher {written:?} is not a valid regular expression and never matches: {error}");
                (matcher(Rule::Never), Some(Diagnostic::error("", message)))
            }
        }
    }

    /// Whether the group is for this value of the event's field.
    pub fn matches(&self, value: &str) -> bool {
        let fits = |name: &str| match &self.rule {
            Rule::All => true,
            Rule::Never => false,
            Rule::Exact(names) => names.iter().any(|exact| exact == name),
            Rule::Expression(expression) => name.len() > LONGEST_VALUE || expression.find(name).is_some(),
        };
        fits(value) || self.tools && self.aliases(value).any(fits)
    }

    /// Whether the group is for this event. Where the event lacks the field, it is: the guard must run.
    pub fn matches_event(&self, event: &Event) -> bool {
        match value(event) {
            Some(value) => self.matches(value),
            None => !matches!(self.rule, Rule::Never),
        }
    }

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

/// What the matcher of an event is tested against; none where the event has no such field.
pub fn value(event: &Event) -> Option<&str> {
    match matched_field(&event.name) {
        None | Some("tool_name") => match &event.tool {
            Some(tool) => Some(&tool.name),
            None => event.payload.get("tool_name")?.as_str(),
        },
        Some("file_path") => {
            let path = event.payload.get("file_path")?.as_str()?;
            Some(path.rsplit(['/', '\\']).next().unwrap_or(path))
        }
        Some(field) => event.payload.get(field)?.as_str(),
    }
}

/// The separators of an exact list; none where the text is an expression.
fn exact_separators(dialect: Dialect, event: &str, written: &str) -> Option<&'static [char]> {
    let narrow = match dialect {
        Dialect::ClaudeCode => matches!(event, "FileChanged" | "StopFailure"),
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

fn takes_no_matcher(event: &str) -> bool {
    matched_field(event) == Some("")
}

/// Temporary until the table of events lands: the field that a matcher is tested against; "" where there is none.
fn matched_field(event: &str) -> Option<&'static str> {
    Some(match event {
        "PreToolUse"
        | "PostToolUse"
        | "PostToolUseFailure"
        | "PermissionRequest"
        | "PermissionDenied"
        | "PreSkillShellCommand" => "tool_name",
        "SessionStart" | "ConfigChange" | "DirectoryAdded" => "source",
        "Setup" | "PreCompact" | "PostCompact" => "trigger",
        "SessionEnd" => "reason",
        "Notification" => "notification_type",
        "SubagentStart" | "SubagentStop" => "agent_type",
        "FileChanged" => "file_path",
        "StopFailure" => "error",
        "InstructionsLoaded" => "load_reason",
        "UserPromptExpansion" => "command_name",
        "Elicitation" | "ElicitationResult" => "mcp_server_name",
        "PreModelSwitch" | "PostModelSwitch" => "to_model",
        "PostToolBatch" | "UserPromptSubmit" | "Stop" | "TeammateIdle" | "TaskCreated" | "TaskCompleted"
        | "WorktreeCreate" | "WorktreeRemove" | "CwdChanged" | "MessageDisplay" => "",
        _ => return None,
    })
}
