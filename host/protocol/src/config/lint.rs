//! What loads, and is perhaps not what was meant. It costs time that an event does not have: for `check` and `explain`.

use super::diagnostic::Diagnostic;
use super::types::{CommandHandler, Config, Group, Handler, HandlerKind};
use crate::condition::{self, Condition};
use crate::dialect::Dialect;
use crate::events::{self, Blocking, Matched};
use crate::matcher::{self, Matcher};
use crate::output::OnFailure;

/// Programs whose first argument that is no option is a script.
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "python", "python3", "node", "bun", "deno", "ruby", "perl", "php", "tsx", "pwsh",
    "uv", "npx", "source", ".", "run", "exec",
];

/// Looks over one file's configuration. `file` is for messages.
pub fn lint(dialect: Dialect, config: &Config, file: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if *config == Config::default() {
        found.push(Diagnostic::lint(
            "",
            "nothing is configured here: no handlers, plugins or policy",
        ));
    }
    for (event, groups) in &config.hooks {
        for group in groups {
            group_lints(dialect, event, group, &mut found);
        }
        found.extend(copies(event, groups));
    }
    let used = |name: &str| {
        let handlers = config
            .hooks
            .iter()
            .flat_map(|(_, groups)| groups)
            .flat_map(|group| &group.handlers);
        handlers
            .into_iter()
            .any(|handler| matches!(&handler.kind, HandlerKind::Wasm(wasm) if wasm.plugin == name))
    };
    for (name, entry) in config.plugins.iter().filter(|(name, _)| !used(name)) {
        found.push(Diagnostic::lint(
            entry.path.clone(),
            format!("no handler of this file runs the plugin {name:?}"),
        ));
    }
    found.into_iter().map(|diagnostic| diagnostic.in_file(file)).collect()
}

fn group_lints(dialect: Dialect, event: &str, group: &Group, found: &mut Vec<Diagnostic>) {
    let (compiled, told) = Matcher::new(dialect, event, group.matcher.as_deref());
    let written = group.matcher.as_deref().unwrap_or_default();
    let at = super::json::join(&group.path, "matcher");
    found.extend(
        told.or_else(|| matcher::lint(dialect, event, written))
            .map(|found| found.at(at)),
    );
    if group.handlers.is_empty() {
        found.push(Diagnostic::lint(group.path.clone(), "a group without handlers"));
    }
    for handler in &group.handlers {
        if let Some(rule) = &handler.condition {
            let at = super::json::join(&handler.path, "if");
            let told = condition::lint(rule, event).or_else(|| unreachable_rule(&compiled, event, rule));
            found.extend(told.map(|found| found.at(at)));
        }
        if let HandlerKind::Command(command) = &handler.kind {
            command_lints(event, handler, command, found);
        }
    }
}

/// A rule for a tool that the group's matcher keeps out.
fn unreachable_rule(matcher: &Matcher, event: &str, rule: &str) -> Option<Diagnostic> {
    let tool = Condition::parse(rule).0.tool()?.to_owned();
    let kept_out = events::spec(event).matched == Matched::Tool && !matcher.matches(&tool);
    kept_out.then(|| {
        Diagnostic::warning(
            "",
            format!("the handler never runs: its rule is for {tool}, which the group's matcher keeps out"),
        )
        .hint(format!("name {tool} in the matcher"))
    })
}

fn command_lints(event: &str, handler: &Handler, command: &CommandHandler, found: &mut Vec<Diagnostic>) {
    let at = super::json::join(&handler.path, "command");
    if let Some(path) = relative_path(command) {
        found.push(
            Diagnostic::lint(
                at.clone(),
                format!("{path:?} is relative: it is looked for in the session's current directory, which moves"),
            )
            .hint(format!(
                "write \"$CLAUDE_PROJECT_DIR\"/{}",
                path.trim_start_matches("./")
            )),
        );
    }
    if (command.run_async || command.async_rewake) && handler.on_failure == Some(OnFailure::Block) {
        found.push(
            Diagnostic::warning(at.clone(), "an async handler is not waited for, so it cannot block")
                .hint("take \"async\" out, or \"onFailure\""),
        );
    } else if command.run_async && events::spec(event).blocks == Blocking::Prevents {
        found.push(Diagnostic::lint(
            at.clone(),
            format!("an async handler cannot block {event}"),
        ));
    }
    if command.args.is_some() && command.command.contains(' ') && !command.command.contains('/') {
        found.push(
            Diagnostic::lint(
                at,
                "with \"args\" the command is one program's name, and this one has a blank in it",
            )
            .hint("put the words after the first into \"args\""),
        );
    }
}

/// The first word of a command that is a path relative to wherever the agent is.
fn relative_path(command: &CommandHandler) -> Option<&str> {
    let mut words = command.command.split_whitespace();
    let relative = |word: &&str| {
        word.contains('/')
            && !word.starts_with(['/', '~', '$', '"', '\'', '`', '(', '{', '-', '%', '@'])
            && !word.contains(['=', ':', '$'])
    };
    let program = words.next()?;
    if relative(&program) {
        return Some(program);
    }
    let interpreter =
        |word: &str| INTERPRETERS.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
    if !interpreter(program) && !INTERPRETERS.contains(&program) {
        return None;
    }
    let mut arguments: Vec<&str> = words.collect();
    arguments.extend(command.args.iter().flatten().map(String::as_str));
    arguments
        .into_iter()
        .take_while(|word| word.starts_with('-') || interpreter(word) || relative(word))
        .find(relative)
}

/// Copies of one command on one event that disagree about failure: which of them counts is not what a reader would guess.
fn copies(event: &str, groups: &[Group]) -> Vec<Diagnostic> {
    let handlers: Vec<&Handler> = groups.iter().flat_map(|group| &group.handlers).collect();
    let mut found = Vec::new();
    for (index, later) in handlers.iter().enumerate() {
        let HandlerKind::Command(command) = &later.kind else {
            continue;
        };
        let copy = |earlier: &&&Handler| {
            matches!(&earlier.kind, HandlerKind::Command(other)
                if (&other.command, &other.args, other.shell) == (&command.command, &command.args, command.shell))
                && earlier.condition == later.condition
        };
        let Some(earlier) = handlers.iter().take(index).find(copy) else {
            continue;
        };
        if earlier.on_failure.unwrap_or_default() != later.on_failure.unwrap_or_default() {
            found.push(
                Diagnostic::warning(
                    later.path.clone(),
                    format!(
                        "the same handler as {} but for onFailure: on {event} it runs once, and \"block\" stays",
                        earlier.path
                    ),
                )
                .hint("take one of them out: an agent that runs them itself lets the last one win"),
            );
        }
    }
    found
}
