//! What `find` and `fd` run for what they find.

use super::item;
use crate::Word;
use crate::run::Call;
use crate::session::{Session, Walk};

/// `find` stays a command of its own, beside what its actions run.
pub(super) fn find(session: &mut Session, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let mut at = 1;
    while let Some(word) = call.argv.get(at) {
        at += 1;
        if !matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir") {
            continue;
        }
        let action = word.text.clone();
        let end = call.argv[at..].iter().position(|word| word.text == ";");
        let plus = call.argv[at..]
            .windows(2)
            .position(|pair| pair[0].text.contains("{}") && pair[1].text == "+");
        let end = match (end, plus.map(|plus| plus + 1)) {
            (Some(end), Some(plus)) => end.min(plus),
            (end, plus) => end.or(plus).unwrap_or(call.argv.len() - at),
        };
        let argv = with_item(&call.argv[at..at + end]);
        at += end;
        if argv.is_empty() {
            continue;
        }
        let inner = call.with(argv);
        let outer = session.place.placeholder.replace("{}".into());
        let result = session.under(&format!("find {action}"), |session| session.run(inner));
        session.place.placeholder = outer;
        result?;
    }
    Ok(true)
}

fn with_item(words: &[Word]) -> Vec<Word> {
    words
        .iter()
        .map(|word| Word {
            known: word.known && !word.text.contains("{}"),
            ..word.clone()
        })
        .collect()
}

pub(super) fn fd(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let exec = call
        .argv
        .iter()
        .position(|word| matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"));
    session.report(call.clone())?;
    if let Some(at) = exec {
        let mut argv = with_item(&call.argv[at + 1..]);
        if !argv.is_empty() {
            if !argv.iter().any(|word| word.text.contains("{}")) {
                argv.push(item());
            }
            let inner = call.with(argv);
            let outer = session.place.placeholder.replace("{}".into());
            let result = session.under(&format!("{name} --exec"), |session| session.run(inner));
            session.place.placeholder = outer;
            result?;
        }
    }
    Ok(true)
}
