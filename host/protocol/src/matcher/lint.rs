//! Matchers that are not what they seem: they match nothing that is known, or everything by accident.

use regress::{Flags, Regex};

use super::{cost, exact_separators, matched, names};
use crate::config::Diagnostic;
use crate::config::suggest::nearest;
use crate::dialect::Dialect;
use crate::events::{self, Matched};
use crate::tools;

/// Other agents' names of tools, which hookbox and Claude Code call otherwise.
const FOREIGN: &[(&str, &str)] = &[
    ("shell", "Bash"),
    ("exec_command", "Bash"),
    ("run_shell_command", "Bash"),
    ("run_command", "Bash"),
    ("Execute", "Bash"),
    ("write_file", "Write"),
    ("create_file", "Write"),
    ("write_to_file", "Write"),
    ("replace", "Edit"),
    ("edit_file", "Edit"),
    ("patch", "Edit"),
    ("replace_file_content", "Edit"),
    ("read_file", "Read"),
    ("view_file", "Read"),
];

/// Expressions that are meant to match everything.
const EVERYTHING: &[&str] = &[".*", ".+", "^.*$", "^.+$", "^", "(.*)", "^.*", ".*$"];

/// What the author of a matcher should know. None where it is as it seems, and where `Matcher::new` has told already.
pub fn lint(dialect: Dialect, event: &str, written: &str) -> Option<Diagnostic> {
    let matched = matched(event);
    if matches!(written, "" | "*") {
        return None;
    }
    if matched == Matched::Nothing {
        let message = format!("{event} takes no matcher: the group runs on every {event}");
        return Some(Diagnostic::lint("", message).hint("leave the matcher out"));
    }
    match exact_separators(dialect, event, written) {
        Some(separators) => {
            let names: Vec<&str> = names(written, separators).collect();
            if names.is_empty() {
                let message = format!("the matcher {written:?} holds no name and matches nothing");
                return Some(Diagnostic::warning("", message).hint("leave it out to match everything"));
            }
            names.iter().find_map(|name| exact(event, matched, name))
        }
        None => expression(dialect, event, matched, written),
    }
}

/// One name of a list.
fn exact(event: &str, matched: Matched, name: &str) -> Option<Diagnostic> {
    if matched == Matched::Tool {
        return tool(name);
    }
    let values = events::spec(event).values;
    if values.is_empty() || values.contains(&name) {
        return None;
    }
    let found = Diagnostic::lint("", format!("{event} is never of the kind {name:?}: nothing matches it"));
    Some(match nearest(name, values.iter().copied()) {
        Some(meant) => found.hint(format!("did you mean {meant:?}?")),
        None => match events::EVENTS.iter().find(|other| other.values.contains(&name)) {
            Some(other) => found.hint(format!(
                "that is a kind of {}; values: {}",
                other.name,
                values.join(", ")
            )),
            None => found.hint(format!("values: {}", values.join(", "))),
        },
    })
}

fn tool(name: &str) -> Option<Diagnostic> {
    let known = || {
        tools::KNOWN
            .iter()
            .copied()
            .chain(tools::RENAMED.iter().map(|(former, _)| *former))
    };
    let found = |message: String| Diagnostic::lint("", message);
    if let Some(rest) = name.strip_prefix("mcp__") {
        return (!rest.contains("__")).then(|| {
            found(format!(
                "{name:?} names an MCP server: a plain name is compared with whole names of tools and matches none"
            ))
            .hint(format!("write {:?}", format!("{name}__.*")))
        });
    }
    if known().any(|tool| tool == name) || tools::CODEX_ALIASES.iter().any(|(_, tool)| *tool == name) {
        return None;
    }
    if let Some((_, ours)) = FOREIGN.iter().find(|(theirs, _)| *theirs == name) {
        return Some(
            found(format!(
                "{name:?} is another agent's name of a tool: handlers see {ours:?}"
            ))
            .hint(format!("write {ours:?}")),
        );
    }
    if name.contains(' ') {
        let parts: Vec<&str> = name.split(' ').filter(|part| !part.is_empty()).collect();
        return Some(
            found(format!(
                "{name:?} is one name, with a blank in it: no tool is called so"
            ))
            .hint(format!("write {:?}", parts.join("|"))),
        );
    }
    let found = found(format!(
        "no tool is known by the name {name:?}: the matcher is for a tool of exactly this name"
    ));
    Some(match nearest(name, known()) {
        Some(meant) => found.hint(format!("did you mean {meant:?}? Case matters")),
        None => found,
    })
}

fn expression(dialect: Dialect, event: &str, matched: Matched, written: &str) -> Option<Diagnostic> {
    if cost::ways(written).is_none_or(|ways| cost::longest_value(ways) < cost::USUAL_NAME) {
        return None;
    }
    let expression = super::compile(dialect, written).ok()?;
    let fits = |name: &str| expression.find(name).is_some();
    if written.starts_with("(?!") {
        return Some(
            Diagnostic::lint(
                "",
                format!("{written:?} excludes nothing: it is tested from every place of the name"),
            )
            .hint(format!("anchor it: {:?}", format!("^{written}"))),
        );
    }
    let everything = || ["", "Zz"].iter().chain(tools::KNOWN).all(|name| fits(name));
    if !EVERYTHING.contains(&written) && everything() {
        let empty = has_empty_alternative(written);
        let why = if empty {
            "it has an empty alternative"
        } else {
            "it also matches nothing at all"
        };
        let hint = if written.contains("==") {
            "a matcher is a tool's name, names with | between them, or a regular expression: write Edit|Write"
        } else {
            "write the names with one | between them"
        };
        return Some(Diagnostic::lint("", format!("{written:?} matches every value by accident: {why}")).hint(hint));
    }
    if event == "FileChanged" {
        return Some(
            Diagnostic::lint(
                "",
                "an expression here watches no file: the watched files are the matcher's plain names",
            )
            .hint("write the names of files with | between them"),
        );
    }
    if let Some(stem) = globbed(written) {
        return Some(
            Diagnostic::lint(
                "",
                format!("{written:?} is a regular expression, not a file pattern: * repeats the letter before it"),
            )
            .hint(format!("write {:?}", format!("{stem}.*"))),
        );
    }
    let known: Vec<&str> = match matched {
        Matched::Tool => tools::KNOWN
            .iter()
            .copied()
            .chain(tools::RENAMED.iter().map(|(former, _)| *former))
            .chain(tools::CODEX_ALIASES.iter().map(|(_, tool)| *tool))
            .collect(),
        _ => events::spec(event).values.to_vec(),
    };
    let open = known.is_empty() || matched == Matched::Tool && written.contains("mcp");
    if open || known.iter().any(|name| fits(name)) {
        return None;
    }
    let found = Diagnostic::lint("", format!("{written:?} matches nothing that is known on {event}"));
    let lower = Regex::with_flags(
        written,
        Flags {
            icase: true,
            ..Flags::default()
        },
    )
    .ok();
    let meant = lower.and_then(|lower| known.iter().find(|name| lower.find(name).is_some()).copied());
    Some(match meant {
        Some(meant) => found.hint(format!("case matters: did you mean {meant:?}?")),
        None if written.contains("==") || written.contains("&&") => {
            found.hint("a matcher is a tool's name or a regular expression; to look at the input write an \"if\": Bash(git push *)")
        }
        None => rule_form(written).map_or_else(|| found.clone(), |hint| found.clone().hint(hint)),
    })
}

/// The diagnostic of an expression that does not compile.
pub(super) fn invalid(written: &str, error: &regress::Error) -> Diagnostic {
    let message = format!("the matcher {written:?} is not a valid regular expression and never matches: {error}");
    let found = Diagnostic::error("", message);
    if written.starts_with("(?i)") {
        return found.hint("JavaScript has no inline flags, and case matters: write the name as it is");
    }
    if let Some(hint) = rule_form(written) {
        return found.hint(hint);
    }
    if written.starts_with(['*', '+', '?']) {
        return found.hint(format!("a regular expression: write {:?}", format!(".{written}")));
    }
    found.hint("write a tool's name, or names with | between them")
}

/// The hint for a permission rule in the place of a matcher.
fn rule_form(written: &str) -> Option<String> {
    let (name, rest) = written.split_once('(')?;
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !plain || !rest.ends_with(')') || !tools::KNOWN.contains(&tools::present_name(name)) {
        return None;
    }
    let group = format!("write \"matcher\": {name:?} and");
    Some(if crate::condition::reads_content(name) {
        format!("that is an \"if\" rule: {group}, in the handler, \"if\": {written:?}")
    } else {
        format!("{group} let the handler look at the call: there are no rules for what {name} is called with")
    })
}

/// The text before a `*` that was meant as in a file pattern: a plain name and one star at its end.
fn globbed(written: &str) -> Option<&str> {
    let stem = written.strip_suffix('*')?;
    let plain = stem
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    (plain && !stem.is_empty()).then_some(stem)
}

fn has_empty_alternative(written: &str) -> bool {
    written.contains("||")
        || written.ends_with('|')
        || written.starts_with('|')
        || written.contains("(|")
        || written.contains("|)")
}
