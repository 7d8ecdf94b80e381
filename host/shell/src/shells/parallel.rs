//! GNU `parallel` and its kin: a line for a shell, for each item.

use super::run_script;
use super::xargs::{MAX_ITEMS, item};
use crate::Word;
use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::wrappers::{joined, option_of};

pub(super) fn parallel(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let long = [
        "--jobs",
        "--max-args",
        "--max-replace-args",
        "--delay",
        "--results",
        "--joblog",
        "--timeout",
        "--retries",
        "--tmpdir",
        "--colsep",
        "--arg-file",
        "--sshlogin",
        "--workdir",
        "--env",
        "--load",
        "--memfree",
        "--halt",
        "--id",
        "--delimiter",
        "--max-procs",
    ];
    let mut at = 1;
    while call
        .argv
        .get(at)
        .is_some_and(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        at += option_of(&call.argv, at, "jPnNLIaSdCs", &long).0;
    }
    let words = call.argv.get(at..).unwrap_or(&[]);
    let cut = words
        .iter()
        .position(|word| word.text.starts_with(":::"))
        .unwrap_or(words.len());
    let (command, rest) = words.split_at(cut);
    let mut items: Vec<Word> = rest
        .iter()
        .filter(|word| !word.text.starts_with(":::"))
        .cloned()
        .collect();
    if rest.is_empty() && name != "sem" {
        items = match &session.place.stdin {
            Stdin::Fed(text) if text.known => text.text.lines().map(Word::literal).collect(),
            _ => vec![item()],
        };
    }
    if name == "sem" || items.is_empty() {
        return run_script(session, name, &joined(command), call, Vec::new()).map(|()| true);
    }
    if rest.first().is_some_and(|word| word.text.starts_with("::::")) {
        items = vec![item()];
    }
    let template = joined(command);
    for item in items.into_iter().take(MAX_ITEMS) {
        let text = if command.is_empty() {
            item.text.clone()
        } else if template.text.contains("{}") {
            template.text.replace("{}", &item.text)
        } else {
            format!("{} {}", template.text, item.text)
        };
        let outer = session.place.placeholder.clone();
        let mut known = template.known && item.known;
        if !item.known {
            session.place.placeholder = Some("{}".into());
            known = template.known && !command.is_empty();
        }
        run_script(session, name, &Text { text, known }, call, Vec::new())?;
        session.place.placeholder = outer;
    }
    Ok(true)
}
