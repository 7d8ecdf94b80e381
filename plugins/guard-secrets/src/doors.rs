//! Commands that open a secret: which of the files that a command touches are secrets, and what becomes of them.

use crate::environment;
use crate::files::{self, Secret};
use crate::{GuardSecrets, file_finding};
use hookbox_pack::touch::{self, Access, Touch};
use hookbox_pack::{Finding, Severity, spell};
use hookbox_sdk::{Analysis, Event, SimpleCommand, Word};

/// What a whole line does with secrets.
pub(crate) fn line(guard: &GuardSecrets, event: &Event, analysis: &Analysis, text: &str, findings: &mut Vec<Finding>) {
    for command in &analysis.commands {
        for touch in touch::touches(command) {
            findings.extend(judge(guard, event, command, &touch));
        }
        environment::printed(command, &analysis.commands, findings);
    }
    unknown_operands(guard, event, &analysis.commands, text, findings);
    named_for_others(guard, event, &analysis.commands, findings);
    if !analysis.complete {
        not_understood(guard, event, text, &analysis.commands, findings);
    }
}

/// One file of one command.
fn judge(guard: &GuardSecrets, event: &Event, command: &SimpleCommand, touch: &Touch) -> Option<Finding> {
    let secret = word_names_secret(guard, event, command, &touch.path)?;
    match touch.access {
        Access::Read => Some(file_finding("read", secret)),
        Access::Send => Some(send(secret)),
        Access::Copy => {
            // From secret file to secret file nothing is shown: `cp .env .env.backup`.
            let stays = touch
                .to
                .as_deref()
                .is_some_and(|to| to_secret(guard, event, command, to, &touch.path.text));
            let verb = if touch::program(command) == "git" {
                "commit"
            } else {
                "copy"
            };
            (!stays).then(|| file_finding(verb, secret))
        }
        Access::Write => Some(Finding::new("write-secret-file", Severity::Strict, CHANGED)),
        Access::Make | Access::Change | Access::Delete => None,
    }
}

const CHANGED: &str =
    "this changes a file that holds secrets: say to the user what should be in it, or write `.env.example`";

pub(crate) fn send(secret: Secret) -> Finding {
    Finding::new(
        "send-secret-file",
        Severity::Block,
        format!(
            "this sends a secret ({}) to another place: keep it here; where a service needs it, ask the user to set it there",
            secret.kind
        ),
    )
}

/// Whether a copy ends in a file that is guarded as well.
fn to_secret(guard: &GuardSecrets, event: &Event, command: &SimpleCommand, to: &str, from: &str) -> bool {
    if touch::remote(to).is_some() || to.contains("://") {
        return false;
    }
    let to = absolute(event, command, to);
    let into = format!("{to}/{}", spell::name(from));
    guard.secret(&to, event).is_some()
        || (spell::inside(&to, &event.project) && to.ends_with("/secrets") && guard.secret(&into, event).is_some())
}

fn absolute(event: &Event, command: &SimpleCommand, path: &str) -> String {
    let cwd = command.cwd.as_ref().map_or(event.cwd.clone(), |cwd| {
        spell::absolute(&cwd.text, &event.cwd, &event.home)
    });
    spell::absolute(path, &cwd, &event.home)
}

/// Whether a word names a secret: by its path, or by a glob that a shell would expand to it.
pub(crate) fn word_names_secret(
    guard: &GuardSecrets,
    event: &Event,
    command: &SimpleCommand,
    word: &Word,
) -> Option<Secret> {
    if word.text.is_empty() || word.text.len() > 4096 || word.text.contains('\n') {
        return None;
    }
    let path = absolute(event, command, &word.text);
    if let Some(secret) = guard.secret(&path, event) {
        return Some(secret);
    }
    // Quoted stars count too: a variable that a `for` set from a glob keeps it.
    if word.text.contains(['*', '?', '[']) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        return guard
            .secret(folder, event)
            .or_else(|| files::glob_names_secret(&word.text, true));
    }
    None
}

/// Programs that show a file which is only known when they run: `cat $(ls .env)`, `for f in .env*; do cat "$f"; done`. What
/// the line says of it is in the substitution, or in a word that no command holds.
fn unknown_operands(
    guard: &GuardSecrets,
    event: &Event,
    commands: &[SimpleCommand],
    text: &str,
    findings: &mut Vec<Finding>,
) {
    let names = |word: &str| {
        let by_glob = word
            .contains(['*', '?', '['])
            .then(|| files::glob_names_secret(word, true))
            .flatten();
        by_glob.or_else(|| guard.secret(&spell::absolute(word, &event.cwd, &event.home), event))
    };
    let mut variable = false;
    for touch in commands.iter().flat_map(touch::touches) {
        let shown = matches!(touch.access, Access::Read | Access::Copy | Access::Send);
        if !shown || touch.path.known || touch.path.text.len() > 4096 {
            continue;
        }
        if touch.path.text.contains("$(") || touch.path.text.contains('`') {
            let secret = touch::words(&touch.path.text).find_map(names);
            findings.extend(secret.map(|secret| file_finding("read", secret)));
        } else {
            variable |= touch.path.text.starts_with('$');
        }
    }
    if variable {
        let secret = touch::unread(text, commands).take(MOST_WORDS).find_map(names);
        findings.extend(secret.map(|secret| file_finding("read", secret)));
    }
}

/// Programs that show what they are given by another one: `find -name .env -exec cat {} +`, `ls .env* | xargs cat`.
fn named_for_others(guard: &GuardSecrets, event: &Event, commands: &[SimpleCommand], findings: &mut Vec<Finding>) {
    for reader in commands {
        let given = reader.via.iter().any(|via| {
            via.contains("xargs") || via.starts_with("find") || via.starts_with("fd") || via.contains("parallel")
        });
        if !given || !shows(reader) {
            continue;
        }
        for other in commands {
            let names = match touch::program(other).as_str() {
                "find" | "gfind" => {
                    after_options(other, &["-name", "-iname", "-path", "-wholename", "-ipath", "-regex"])
                }
                "fd" | "fdfind" | "ls" | "echo" | "printf" | "grep" | "rg" | "git" | "locate" => other.args().to_vec(),
                _ => continue,
            };
            for name in names {
                let text = name.text.trim_end_matches('$').replace("\\.", ".");
                let by_glob = text
                    .contains(['*', '?', '['])
                    .then(|| files::glob_names_secret(&text, false))
                    .flatten();
                let by_name = || guard.secret(&absolute(event, other, &text), event);
                if let Some(secret) = by_glob.or_else(by_name) {
                    findings.push(file_finding("read", secret));
                }
            }
        }
    }
}

fn after_options(command: &SimpleCommand, options: &[&str]) -> Vec<Word> {
    command
        .args()
        .windows(2)
        .filter(|pair| options.contains(&pair[0].text.as_str()))
        .map(|pair| pair[1].clone())
        .collect()
}

/// Whether a program shows or copies the files it is given.
fn shows(command: &SimpleCommand) -> bool {
    let mut probe = command.clone();
    probe.argv.push(Word {
        text: "/probe/.env".into(),
        known: true,
        glob: false,
    });
    probe.redirects.clear();
    let touched = touch::touches(&probe);
    touched.iter().any(|touch| {
        touch.path.text == "/probe/.env" && matches!(touch.access, Access::Read | Access::Copy | Access::Send)
    }) || touched
        .iter()
        .any(|touch| touch.path.text == "{}" && matches!(touch.access, Access::Read | Access::Copy | Access::Send))
}

/// How many words of a line that was not understood are looked at.
const MOST_WORDS: usize = 2_000;

/// A line that could not be understood: if one of its words names a secret and it says how to read, ask.
fn not_understood(
    guard: &GuardSecrets,
    event: &Event,
    text: &str,
    line: &[SimpleCommand],
    findings: &mut Vec<Finding>,
) {
    const READERS: [&str; 16] = [
        "cat", "less", "head", "tail", "grep", "awk", "sed", "base64", "xxd", "curl", "scp", "cp", "open(", "source",
        "strings", "nc",
    ];
    if !READERS.iter().any(|reader| text.contains(reader)) {
        return;
    }
    let mut words = touch::unread(text, line)
        .filter(|word| word.contains(['.', '/', '_']))
        .take(MOST_WORDS);
    let secret = words.find_map(|word| guard.secret(&spell::absolute(word, &event.cwd, &event.home), event));
    if let Some(secret) = secret {
        findings.push(Finding::new(
            "unclear-secret",
            Severity::Ask,
            format!(
                "this command cannot be understood and mentions a secret ({}): write it as simple commands",
                secret.kind
            ),
        ));
    }
}
