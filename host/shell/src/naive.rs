//! What is said of a command that the parser refuses: its lines, cut at the operators, quotes taken off.
//!
//! Never complete; it is there so that destructive text is seen at all.

use std::collections::HashSet;

use crate::Word;
use crate::run::Call;
use crate::session::{Session, Walk};

/// Bytes that are read, from the beginning and as many from the end.
const MAX_READ: usize = 128 * 1024;
/// Different commands that are reported.
const MAX_COMMANDS: usize = 1_000;

/// Reports the pieces of `source`.
pub(crate) fn read(session: &mut Session, source: &str) -> Walk {
    session.incomplete();
    let mut head = source.len().min(MAX_READ);
    while !source.is_char_boundary(head) {
        head -= 1;
    }
    let mut tail = source.len().saturating_sub(MAX_READ).max(head);
    while !source.is_char_boundary(tail) {
        tail += 1;
    }
    let mut seen = HashSet::new();
    for argv in [&source[..head], &source[tail..]].into_iter().flat_map(commands) {
        let texts: Vec<String> = argv.iter().map(|word| word.text.clone()).collect();
        if seen.len() >= MAX_COMMANDS {
            break;
        }
        if seen.insert(texts) {
            session.run(Call {
                argv,
                assignments: Vec::new(),
                redirects: Vec::new(),
                in_shell: false,
            })?;
        }
    }
    Ok(())
}

fn commands(source: &str) -> Vec<Vec<Word>> {
    let mut commands = Vec::new();
    let mut words: Vec<Word> = Vec::new();
    let mut word = Word {
        text: String::new(),
        known: true,
        glob: false,
    };
    let mut there = false;
    let mut quote = None;
    let last = |quote: char| source.rfind(quote).unwrap_or(0);
    let (last_single, last_double) = (last('\''), last('"'));
    let mut chars = source.char_indices();
    let end_word = |word: &mut Word, there: &mut bool, words: &mut Vec<Word>| {
        if std::mem::take(there) {
            words.push(std::mem::replace(
                word,
                Word {
                    text: String::new(),
                    known: true,
                    glob: false,
                },
            ));
        }
    };
    while let Some((at, char)) = chars.next() {
        match (quote, char) {
            (Some(open), _) if char == open && open != '$' => quote = None,
            (Some('$'), '\'') => quote = None,
            (Some('"' | '$') | None, '\\') => {
                if let Some((_, next)) = chars.next().filter(|(_, next)| *next != '\n') {
                    word.text.push(next);
                    there = true;
                }
            }
            (None, '\'' | '"') => {
                // `$'…'`, in which a backslash also hides a quote.
                let ansi = char == '\'' && word.text.ends_with('$');
                quote = Some(if ansi { '$' } else { char });
                there = true;
            }
            (None, ' ' | '\t') => end_word(&mut word, &mut there, &mut words),
            (None, '\n' | ';' | '|' | '&' | '(' | ')' | '`') => {
                end_word(&mut word, &mut there, &mut words);
                commands.push(std::mem::take(&mut words));
            }
            _ => {
                // A quote that is never closed ends with its line.
                let closes = if quote == Some('"') { last_double } else { last_single };
                if char == '\n' && quote.is_some() && closes < at {
                    quote = None;
                    end_word(&mut word, &mut there, &mut words);
                    commands.push(std::mem::take(&mut words));
                    continue;
                }
                word.known &= char != '$';
                word.glob |= matches!(char, '*' | '?' | '[') && quote.is_none();
                word.text.push(char);
                there = true;
            }
        }
    }
    end_word(&mut word, &mut there, &mut words);
    commands.push(words);
    for command in &mut commands {
        let skipped = command.iter().take_while(|word| is_keyword(&word.text)).count();
        command.drain(..skipped);
    }
    commands.retain(|command| !command.is_empty());
    commands
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}", "!", "time",
    ];
    KEYWORDS.contains(&word)
        || word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

/// The source with a line break where bash does without one: between the end of a heredoc and the bracket that closes
/// its substitution.
pub(crate) fn repaired(source: &str) -> Option<String> {
    let mut repaired = source.to_owned();
    for (at, _) in source.match_indices("<<") {
        let rest = source[at + 2..].trim_start_matches(['-', ' ', '\t']);
        let quoted = rest.trim_start_matches(['\'', '"', '\\']);
        let end = quoted
            .find(|char: char| !char.is_alphanumeric() && char != '_')
            .unwrap_or(quoted.len());
        let delimiter = &quoted[..end];
        if !delimiter.is_empty() && repaired.len() < source.len() + 64 {
            repaired = repaired.replace(&format!("\n{delimiter})"), &format!("\n{delimiter}\n)"));
        }
    }
    (repaired != source).then_some(repaired)
}
