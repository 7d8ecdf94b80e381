//! What a script of `sed` runs.

use crate::Word;
use crate::session::Text;

/// GNU sed runs commands: `1e rm x`, `s/…/…/e`.
pub(super) fn sed(word: &Word, found: &mut Vec<(String, Text)>) {
    if !word.text.contains('e') {
        return;
    }
    for part in word.text.split(['\n', ';']) {
        let part = part.trim_start_matches(|char: char| {
            char.is_ascii_digit() || matches!(char, '$' | ',' | ' ' | '!' | '{' | '~' | '+')
        });
        let part = match part.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
            Some((_, rest)) => rest.trim_start(),
            None => part,
        };
        if let Some(command) = part
            .strip_prefix('e')
            .map(str::trim_start)
            .filter(|command| !command.is_empty())
        {
            found.push((
                "sed e".into(),
                Text {
                    text: command.into(),
                    known: word.known,
                },
            ));
            continue;
        }
        let Some(rest) = part.strip_prefix('s') else { continue };
        let Some(delimiter) = rest.chars().next().filter(|char| char.is_ascii_punctuation()) else {
            continue;
        };
        let fields: Vec<&str> = rest[delimiter.len_utf8()..].split(delimiter).collect();
        if let [_, with, flags] = fields[..]
            && flags.contains('e')
            && flags.chars().all(|char| "gpeIiMm0123456789} ".contains(char))
        {
            found.push((
                "sed s///e".into(),
                Text {
                    text: with.into(),
                    known: false,
                },
            ));
        }
    }
}
