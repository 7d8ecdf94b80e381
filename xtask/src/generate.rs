//! `cargo xtask generate [--check]`: the parts of the documents that come from tables.
//!
//! A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`; everything around it is written by hand.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use hookbox_protocol::codec;
use hookbox_protocol::dialects::{self, Ability, TimeoutUnit};
use hookbox_protocol::events::{Block, Blocking, EVENTS, EventSpec, Field, Kind, Matched, PlainStdout, Stop};
use serde::Deserialize;

use crate::plugins::root;

const PROTOCOL: &str = "docs/protocol.md";
const AGENTS: &str = "docs/agents.md";
const ANSWER_SCHEMA: &str = "docs/answer.schema.json";
const CONFIGURATION_SCHEMA: &str = "docs/hooks.schema.json";
const ARGUED: &str = "host/protocol/tests/conformance/argued.toml";

/// A row of a public case that hookbox answers in its own way.
#[derive(Deserialize)]
pub(crate) struct Argued {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) answer: String,
    pub(crate) why: String,
}

#[derive(Deserialize)]
struct ArguedTable {
    row: Vec<Argued>,
}

/// The rows that are argued, in their order.
pub(crate) fn argued() -> Result<Vec<Argued>> {
    let text = std::fs::read_to_string(root().join(ARGUED)).context(ARGUED)?;
    Ok(toml::from_str::<ArguedTable>(&text).context(ARGUED)?.row)
}

pub(crate) fn run(args: &[String]) -> Result<()> {
    let check = args.iter().any(|arg| arg == "--check");
    let before = std::fs::read_to_string(root().join(PROTOCOL)).context(PROTOCOL)?;
    let mut text = before.clone();
    for (name, part) in [
        ("events", effects()),
        ("answers", answers()),
        ("inputs", inputs()),
        ("contested", contested(&argued()?)),
    ] {
        text = replaced(&text, name, &part)?;
    }
    write(PROTOCOL, &text, check)?;
    let before = std::fs::read_to_string(root().join(AGENTS)).context(AGENTS)?;
    write(AGENTS, &replaced(&before, "agents", &agents())?, check)?;
    let schema = serde_json::to_string_pretty(&codec::answer_schema())? + "\n";
    write(ANSWER_SCHEMA, &schema, check)?;
    let schema = serde_json::to_string_pretty(&hookbox_protocol::config::configuration_schema())? + "\n";
    write(CONFIGURATION_SCHEMA, &schema, check)?;
    if check { Ok(()) } else { from_runs() }
}

/// Keeps the table of a run with the real clients in the page on agents.
pub(crate) fn put_clients(table: &str) -> Result<()> {
    let before = std::fs::read_to_string(root().join(AGENTS)).context(AGENTS)?;
    write(AGENTS, &replaced(&before, "clients", table)?, false)
}

/// The pages that are made of what a run showed. The same tests compare them where they are not told to write.
fn from_runs() -> Result<()> {
    let cargo = |args: &[&str]| -> Result<()> {
        let status = Command::new("cargo")
            .current_dir(root())
            .args(args)
            .env("HOOKBOX_GENERATE", "1")
            .status()?;
        ensure!(status.success(), "cargo {} failed", args.join(" "));
        Ok(())
    };
    cargo(crate::test::PROGRAM)?;
    cargo(&[crate::test::SUITES, &["--test", "limits", "--quiet"]].concat())
}

fn write(file: &str, text: &str, check: bool) -> Result<()> {
    let path = root().join(file);
    let same = std::fs::read_to_string(&path).is_ok_and(|before| before == text);
    if check {
        ensure!(same, "{file} is not what its tables say\nhint: cargo xtask generate");
    } else if !same {
        std::fs::write(&path, text).context(file.to_owned())?;
        println!("{file}");
    }
    Ok(())
}

/// The text with one generated part replaced.
fn replaced(text: &str, name: &str, part: &str) -> Result<String> {
    let start = format!("<!-- generated: {name} -->\n");
    let (before, rest) = text
        .split_once(&start)
        .with_context(|| format!("{PROTOCOL}: no part {name:?}"))?;
    let (_, after) = rest
        .split_once("<!-- end -->")
        .with_context(|| format!("{PROTOCOL}: {name:?} has no end"))?;
    Ok(format!("{before}{start}{part}<!-- end -->{after}"))
}

fn agents() -> String {
    let mut table = "| agent | `--agent` | ask | rewrite | context before a call | context after | stops a prompt | goes on at the end of a turn | \
         closes by itself | timeout |\n|---|---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    let yes = |ability| if ability == Ability::Yes { "yes" } else { "—" };
    for row in dialects::capabilities() {
        let timeout = match row.timeout_unit {
            TimeoutUnit::Seconds => format!("seconds ({})", row.timeout_default),
            TimeoutUnit::Milliseconds => format!("milliseconds ({})", row.timeout_default * 1000),
            TimeoutUnit::None => "—".into(),
        };
        let _ = writeln!(
            table,
            "| {} | `{}` | {} | {} | {} | {} | {} | {} | {} | {timeout} |",
            row.title,
            row.name,
            yes(row.ask),
            yes(row.rewrite),
            yes(row.call_context),
            yes(row.result_context),
            yes(row.prompt_block),
            yes(row.stop_block),
            yes(row.closes),
        );
    }
    table
}

fn effects() -> String {
    let mut table = "| event | a matcher is tested against | exit 2, `decision: \"block\"` | a failure that blocks | \
         `continue: false` | plain stdout | `if` | timeout |\n|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for event in &EVENTS {
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {} | {} s |",
            event.name,
            matched(event),
            block(event),
            failure(event),
            if event.stop == Stop::EndsTurn {
                "ends the turn"
            } else {
                "ignored"
            },
            plain(event.plain),
            if event.takes_if { "yes" } else { "–" },
            event.timeout,
        );
    }
    table
}

fn matched(event: &EventSpec) -> String {
    let field = match event.matched {
        Matched::Nothing => return "–".to_owned(),
        Matched::Tool => "`tool_name`".to_owned(),
        Matched::Field(field) => format!("`{field}`"),
        Matched::BaseName(field) => format!("the last part of `{field}`"),
    };
    if event.values.is_empty() {
        field
    } else {
        format!("{field}: {}", event.values.join(", "))
    }
}

fn block(event: &EventSpec) -> &'static str {
    match event.block {
        Block::Prevents => "prevents it",
        Block::Feedback => "feedback to the model",
        Block::KeepsWorking => "goes on working",
        Block::Notice => "exit 2 is shown to the user",
        Block::Ignored => "ignored",
    }
}

fn failure(event: &EventSpec) -> &'static str {
    match event.blocks {
        Blocking::Prevents => "prevents it",
        Blocking::KeepsWorking => "lets it stop, and says so",
        Blocking::NoEffect if event.block == Block::Feedback => "feedback to the model",
        Blocking::NoEffect => "is reported",
    }
}

fn plain(plain: PlainStdout) -> &'static str {
    match plain {
        PlainStdout::Log => "log",
        PlainStdout::Context => "context",
        PlainStdout::Path => "the path",
    }
}

fn answers() -> String {
    let mut table = "| event | fields of `hookSpecificOutput` |\n|---|---|\n".to_owned();
    for event in &EVENTS {
        if let Some(fields) = event.specific {
            let fields: Vec<String> = fields.iter().map(answer).collect();
            let _ = writeln!(table, "| {} | {} |", event.name, fields.join(", "));
        }
    }
    let without: Vec<&str> = EVENTS
        .iter()
        .filter(|event| event.specific.is_none())
        .map(|event| event.name)
        .collect();
    let _ = writeln!(table, "\nWithout such a block: {}.", without.join(", "));
    table
}

fn answer(field: &Field) -> String {
    let kind = match field.kind {
        Kind::Text => "text",
        Kind::Bool => "true or false",
        Kind::Object => "object",
        Kind::TextList => "list of texts",
        Kind::List => "list",
        Kind::Any => "any value",
        Kind::OneOf(allowed) => return format!("`{}` ({})", field.name, allowed.join(", ")),
        Kind::RequestDecision => "`behavior` allow or deny, with what belongs to it",
    };
    format!("`{}` ({kind})", field.name)
}

fn inputs() -> String {
    let mut table = "| event | fields beside the common ones |\n|---|---|\n".to_owned();
    for event in &EVENTS {
        let fields: Vec<String> = event.input.iter().map(|field| format!("`{field}`")).collect();
        let _ = writeln!(table, "| {} | {} |", event.name, fields.join(", "));
    }
    table
}

fn contested(rows: &[Argued]) -> String {
    let mut table = "| case | about | hookbox | why |\n|---|---|---|---|\n".to_owned();
    for Argued { id, title, answer, why } in rows {
        let _ = writeln!(table, "| {id} | {title} | {answer} | {why} |");
    }
    table
}
