//! The `if` rule of a handler: a permission rule that narrows which calls the handler is for.
//!
//! What cannot be understood lets the handler run: a filter that fails must not take its guard away. Source: the rules of Claude Code
//! 2.1.332, observed. They differ from its permission rules: wrappers (`sudo`, `timeout`) are not looked through, `Edit(…)` is not for
//! Write, and what stands in brackets counts for shell and file tools only.

mod command;
mod path;

use std::cell::OnceCell;

use hookbox_shell::Simple;

use crate::config::Diagnostic;
use crate::config::suggest::nearest;
use crate::event::Event;
use crate::{events, tools};

/// An `if` rule, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    /// No filter.
    Always,
    /// Every call of a tool.
    Tool(String),
    /// Calls of a shell tool with such a command.
    Shell(String, command::Pattern),
    /// Calls of a file tool on such a path.
    File(String, path::Pattern),
    /// Written in a way that no call ever fits.
    Never,
}

/// The tools whose rules are patterns of paths.
const FILE_TOOLS: &[&str] = &[
    "Read",
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "Glob",
    "Grep",
    "LS",
];
/// The tools whose rules are patterns of commands.
const SHELL_TOOLS: &[&str] = &["Bash", "PowerShell"];

/// An event that rules are tested against.
#[derive(Debug)]
pub struct Subject<'e> {
    event: &'e Event,
    simple: OnceCell<Simple>,
}

impl<'e> Subject<'e> {
    pub fn new(event: &'e Event) -> Self {
        Self {
            event,
            simple: OnceCell::new(),
        }
    }
}

/// Whether a rule may say more of a tool than its name.
pub(crate) fn reads_content(tool: &str) -> bool {
    SHELL_TOOLS.contains(&tool) || FILE_TOOLS.contains(&tool)
}

impl Condition {
    /// Reads a rule. The diagnostic names a rule that can never let its handler run, or not when it seems to.
    pub fn parse(written: &str) -> (Self, Option<Diagnostic>) {
        let (rule, diagnostic) = read(written);
        (Self { rule }, diagnostic)
    }

    /// The tool that the rule is for, by its present name.
    pub fn tool(&self) -> Option<&str> {
        match &self.rule {
            Rule::Tool(name) | Rule::Shell(name, _) | Rule::File(name, _) => Some(name),
            Rule::Always | Rule::Never => None,
        }
    }

    /// Whether the handler runs on this event.
    pub fn fires(&self, event: &Event) -> bool {
        self.fires_on(&Subject::new(event))
    }

    /// The same for one of many rules on one event: the command is read once.
    pub fn fires_on(&self, subject: &Subject<'_>) -> bool {
        let event = subject.event;
        if self.rule == Rule::Always {
            return true;
        }
        // Elsewhere a handler with a rule never runs; of an event that is not known it is not known.
        let spec = events::spec(&event.name);
        if spec.known() && !spec.takes_if {
            return false;
        }
        let is = |name: &str| event.tool.as_ref().is_none_or(|tool| is_tool(name, &tool.name));
        match &self.rule {
            Rule::Always => true,
            Rule::Never => false,
            Rule::Tool(name) => is(name),
            Rule::Shell(name, pattern) => is(name) && pattern.fits(subject),
            Rule::File(name, pattern) => is(name) && pattern.fits(event),
        }
    }
}

/// Whether a rule's name is the called tool: by its present or a former name, or as what Codex calls it.
fn is_tool(name: &str, called: &str) -> bool {
    let called = tools::present_name(called);
    name == called
        || tools::CODEX_ALIASES
            .iter()
            .any(|(alias, tool)| *alias == name && *tool == called)
}

fn read(written: &str) -> (Rule, Option<Diagnostic>) {
    if written.is_empty() {
        return (Rule::Always, None);
    }
    let (name, content) = match written.split_once('(') {
        None => (written, None),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(content) => (name, Some(content)),
            None => return never(written, "a rule ends with its closing bracket", None),
        },
    };
    if let Some((why, hint)) = bad_name(name) {
        return never(written, why, hint);
    }
    let name = tools::present_name(name).to_owned();
    let Some(content) = content.filter(|content| !matches!(content.trim(), "" | "*")) else {
        return (Rule::Tool(name), None);
    };
    let content = content.replace("\\(", "(").replace("\\)", ")");
    if SHELL_TOOLS.contains(&name.as_str()) {
        let (pattern, note) = command::Pattern::new(&content, name == "PowerShell");
        (Rule::Shell(name, pattern), note.map(|note| odd(written, note)))
    } else if FILE_TOOLS.contains(&name.as_str()) {
        let (pattern, note) = path::Pattern::new(&content);
        (Rule::File(name, pattern), note.map(|note| odd(written, note)))
    } else if let Some(meant) = misspelt(&name) {
        never(
            written,
            "no tool is called so",
            Some(format!("did you mean {meant:?}? Case matters")),
        )
    } else {
        let hint = format!("write the bare name {name:?}, and let the handler look at the call");
        let why = "what stands in brackets counts for shell and file tools only";
        never(written, why, Some(hint))
    }
}

/// The known tool that a name which is none most likely means.
fn misspelt(name: &str) -> Option<&'static str> {
    if is_known(name) {
        return None;
    }
    let former = tools::RENAMED.iter().map(|(former, _)| *former);
    nearest(name, tools::KNOWN.iter().chain(FILE_TOOLS).copied().chain(former))
}

fn is_known(name: &str) -> bool {
    tools::KNOWN.contains(&name) || FILE_TOOLS.contains(&name) || name.starts_with("mcp__")
}

/// Why a tool's name can be none, with a hint.
fn bad_name(name: &str) -> Option<(&'static str, Option<String>)> {
    if name.is_empty() {
        return Some(("it does not start with the name of a tool", None));
    }
    if name.trim() != name {
        return Some((
            "there is a blank before or after the tool's name",
            Some(format!("write {:?}", name.trim())),
        ));
    }
    if name.contains('*') {
        let hint = "write one handler for each tool, or use the group's matcher".to_owned();
        return Some(("the name of a tool has no wildcards here", Some(hint)));
    }
    let server = name.strip_prefix("mcp__").is_some_and(|rest| !rest.contains("__"));
    if server {
        let hint = "name the tool, mcp__server__tool, or use the group's matcher".to_owned();
        return Some(("it names an MCP server and no tool", Some(hint)));
    }
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '@' | '+');
    (!name.chars().all(plain)).then_some(("it does not start with the name of a tool", None))
}

fn never(written: &str, why: &str, hint: Option<String>) -> (Rule, Option<Diagnostic>) {
    (Rule::Never, Some(dead(written, why, hint)))
}

fn dead(written: &str, why: &str, hint: Option<String>) -> Diagnostic {
    let hint = hint.unwrap_or_else(|| "write it as Bash(git *), Edit(src/**) or the bare name of a tool".to_owned());
    Diagnostic::warning("", format!("the rule {written:?} never lets its handler run: {why}")).hint(hint)
}

fn odd(written: &str, (why, hint): command::Note) -> Diagnostic {
    Diagnostic::warning("", format!("the rule {written:?} fits no plain call: {why}")).hint(hint)
}

/// What the author of a rule should know that its reading does not tell: a tool's name that is none, an event without rules.
pub fn lint(written: &str, event: &str) -> Option<Diagnostic> {
    let (rule, found) = read(written);
    let spec = events::spec(event);
    if rule != Rule::Always && spec.known() && !spec.takes_if {
        let message = format!("a handler with \"if\" never runs on {event}");
        return Some(Diagnostic::warning("", message).hint("take the rule out; it counts on events of tools only"));
    }
    if found.is_some() {
        return found;
    }
    let (Rule::Tool(name) | Rule::Shell(name, _) | Rule::File(name, _)) = &rule else {
        return None;
    };
    if is_known(name) {
        return None;
    }
    let diagnostic = Diagnostic::lint(
        "",
        format!("the rule {written:?} is for a tool that is not known: {name:?}"),
    );
    Some(match misspelt(name) {
        Some(meant) => diagnostic.hint(format!("did you mean {meant:?}? Case matters")),
        None => diagnostic,
    })
}
