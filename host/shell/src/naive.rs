//! What is said of a command that the parser refuses: its lines, cut at the operators, quotes taken off.
//!
//! Never complete; it is there so that destructive text is seen at all.

use crate::Word;
use crate::session::{Session, Walk};

/// Bytes that are read.
const MAX_READ: usize = 256 * 1024;
/// Commands that are reported.
const MAX_COMMANDS: usize = 500;

/// Reports the pieces of `source`.
pub(crate) fn read(session: &mut Session, source: &str) -> Walk {
    session.incomplete();
    let mut end = source.len().min(MAX_READ);
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    for words in commands(&source[..end]).into_iter().take(MAX_COMMANDS) {
        session.emit(words, Vec::new(), Vec::new())?;
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
            (Some(open), _) if char == open => quote = None,
            (Some('"') | None, '\\') => {
                if let Some((_, next)) = chars.next().filter(|(_, next)| *next != '\n') {
                    word.text.push(next);
                    there = true;
                }
            }
            (None, '\'' | '"') => {
                quote = Some(char);
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
