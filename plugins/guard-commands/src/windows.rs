//! PowerShell and cmd: the same destruction under other names; and programs that no table knows, whose words say enough.

use crate::judge::Scene;
use Severity::{Ask, Block, Strict};
use hookbox_pack::words::{dashed, program, sets};
use hookbox_pack::{Finding, Place, Severity};
use hookbox_sdk::{SimpleCommand, Word};

const INSTEAD: &str = "name a narrower path inside the project, or let the user delete it";

pub(crate) fn judge(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    match program(&command.argv[0].text).as_str() {
        "remove-item" | "ri" | "del" | "erase" | "rd" | "remove-itemproperty" | "clear-content" => {
            delete(scene, command, findings)
        }
        // Bash's `rmdir` and `rm` take neither `/s` nor `-Recurse`.
        "rmdir" | "rm"
            if command
                .args()
                .iter()
                .any(|word| is_flag(&word.text, "s") || abbreviates(&word.text, "-recurse", 4)) =>
        {
            delete(scene, command, findings);
        }
        "format" if command.args().iter().any(|word| is_drive(&word.text)) => {
            findings.push(Finding::new(
                "mkfs",
                Block,
                "formatting destroys what is on the drive: let the user do it",
            ));
        }
        _ => cmdlet(command, findings),
    }
}

/// Cmdlets that touch the session alone, or have a judge of their own.
const HARMLESS: [&str; 16] = [
    "clear-host",
    "clear-variable",
    "disable-psbreakpoint",
    "remove-alias",
    "remove-event",
    "remove-job",
    "remove-module",
    "remove-psbreakpoint",
    "remove-psdrive",
    "remove-pssession",
    "remove-typedata",
    "remove-variable",
    "reset-console",
    "stop-job",
    "stop-process",
    "stop-transcript",
];

/// `Verb-Noun` of PowerShell whose verb takes away, whatever the noun: modules for clouds and servers bring thousands.
fn cmdlet(command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = &command.argv[0].text;
    let Some((verb, noun)) = name.split_once('-') else {
        return;
    };
    let lower = verb.to_ascii_lowercase();
    let takes = [
        "remove",
        "clear",
        "uninstall",
        "unregister",
        "revoke",
        "reset",
        "disable",
        "dismount",
        "stop",
    ];
    let pascal = [verb, noun]
        .iter()
        .all(|part| part.starts_with(|c: char| c.is_ascii_uppercase()));
    if !(pascal || is_spoken_to_in_powershell(command, noun))
        || !takes.contains(&lower.as_str())
        || HARMLESS.contains(&name.to_ascii_lowercase().as_str())
        || command.args().iter().any(|word| abbreviates(&word.text, "-whatif", 2))
    {
        return;
    }
    findings.push(Finding::new(
        "cmdlet-removes",
        Ask,
        format!("{name} takes away what others may need: try -WhatIf first and let the user confirm"),
    ));
}

/// Whether a lower-case `verb-noun` has parameters as only PowerShell's cmdlets have them: `-name x`.
fn is_spoken_to_in_powershell(command: &SimpleCommand, noun: &str) -> bool {
    let is_parameter = |word: &Word| {
        word.text.strip_prefix('-').is_some_and(|name| {
            let name = name.split(':').next().unwrap_or(name);
            name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
    };
    noun.len() > 2 && noun.bytes().all(|byte| byte.is_ascii_alphanumeric()) && command.args().iter().any(is_parameter)
}

fn is_drive(text: &str) -> bool {
    let text = text.trim_end_matches(['\\', '/']);
    text.len() == 2 && text.as_bytes()[0].is_ascii_alphabetic() && text.ends_with(':')
}

/// `/s`, in any case.
fn is_flag(text: &str, letter: &str) -> bool {
    text.strip_prefix('/')
        .is_some_and(|rest| rest.eq_ignore_ascii_case(letter))
}

/// PowerShell takes any unambiguous start of a parameter's name.
fn abbreviates(text: &str, name: &str, least: usize) -> bool {
    let lower = dashed(text).to_ascii_lowercase();
    lower.len() >= least && name.starts_with(lower.split(':').next().unwrap_or(""))
}

fn delete(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let recursive = command
        .args()
        .iter()
        .any(|word| is_flag(&word.text, "s") || abbreviates(&word.text, "-recurse", 2));
    if command.args().iter().any(|word| abbreviates(&word.text, "-whatif", 2)) {
        return;
    }
    let fed = command.pipeline.1 > 0 && scene.feeders(command).next().is_some();
    if fed && !command.args().iter().any(|word| !word.text.starts_with(['-', '/'])) {
        findings.push(Finding::new(
            "rm-windows",
            Ask,
            format!("deletes whatever the pipe names: list it first; {INSTEAD}"),
        ));
    }
    let paths = command
        .args()
        .iter()
        .filter(|word| !word.text.starts_with('-') && (word.text.len() > 3 || !word.text.starts_with('/')));
    for word in paths.flat_map(each) {
        let (place, path) = scene.locate(&word);
        let safe = path
            .as_deref()
            .is_some_and(|path| crate::safe::made_again(scene, place, path));
        let severity = match place {
            Place::Root | Place::Home | Place::System | Place::Project
                if recursive || word.glob || word.text.contains('*') =>
            {
                Block
            }
            Place::System => Block,
            Place::InHome | Place::Outside if recursive => Block,
            Place::InProject | Place::Unknown if recursive && !safe => Ask,
            Place::InHome | Place::Outside => Strict,
            _ => continue,
        };
        findings.push(Finding::new(
            "rm-windows",
            severity,
            format!("deleting {} cannot be undone: {INSTEAD}", word.text),
        ));
    }
}

/// A PowerShell list `a, b` is several paths.
fn each(word: &Word) -> Vec<Word> {
    word.text
        .split(',')
        .map(|text| Word {
            text: text.trim().replace('\\', "/"),
            ..word.clone()
        })
        .filter(|word| !word.text.is_empty())
        .collect()
}

/// Programs that take such words as names of tests, packages or tasks.
const OWN_VERBS: [&str; 19] = [
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "pip",
    "pip3",
    "uv",
    "poetry",
    "cargo",
    "make",
    "just",
    "pytest",
    "jest",
    "vitest",
    "go",
    "rspec",
    "ctest",
    "mocha",
    "playwright",
];

/// A program that no table knows, told to destroy and not to ask: `tool project delete x --yes`.
pub(crate) fn destructive_verb(name: &str, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    const VERBS: [&str; 14] = [
        "delete",
        "destroy",
        "purge",
        "nuke",
        "wipe",
        "terminate",
        "drop",
        "erase",
        "teardown",
        "obliterate",
        "delete-all",
        "deleteall",
        "destroy-all",
        "uninstall",
    ];
    const FORCED: [&str; 12] = [
        "--force",
        "--yes",
        "-y",
        "-f",
        "--confirm",
        "--auto-approve",
        "--no-confirm",
        "--all",
        "--assume-yes",
        "--skip-confirmation",
        "--quiet",
        "--no-prompt",
    ];
    let operands = command
        .args()
        .iter()
        .take_while(|word| word.text != "--")
        .filter(|word| !word.text.starts_with('-'));
    let verb = operands.take(3).any(|word| {
        let text = word.text.to_ascii_lowercase();
        VERBS.contains(&text.as_str())
            || text
                .rsplit([':', '.'])
                .next()
                .is_some_and(|last| text.contains(':') && VERBS.contains(&last))
    });
    let forced = command
        .args()
        .iter()
        .any(|word| FORCED.iter().any(|name| sets(&word.text, name)));
    if verb && forced && !OWN_VERBS.contains(&name) {
        findings.push(Finding::new(
            "destructive-verb",
            Ask,
            format!("{name} is told to delete and not to ask: leave the force option out, list what it would delete, and let the user confirm"),
        ));
    }
}
