//! What `${x#…}`, `${x/…/…}` and `${x^}` make of a value.

use super::glob_matches;

/// Characters of a value beyond which no pattern is tried on it: matching every prefix is quadratic.
const MAX_MATCHED: usize = 512;

pub(super) enum Edit {
    RemovePrefix(String, bool),
    RemoveSuffix(String, bool),
    Replace { pattern: String, with: String, all: bool },
    Case(fn(&str) -> String),
}

impl Edit {
    pub(super) fn apply(&self, text: &str) -> Option<String> {
        if text.len() > MAX_MATCHED && !matches!(self, Edit::Case(_)) {
            return None;
        }
        let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        Some(match self {
            Edit::RemovePrefix(pattern, longest) => {
                if *longest {
                    cuts.reverse();
                }
                let cut = cuts
                    .into_iter()
                    .find(|cut| glob_matches(pattern, &text[..*cut]))
                    .unwrap_or(0);
                text[cut..].into()
            }
            Edit::RemoveSuffix(pattern, longest) => {
                if !*longest {
                    cuts.reverse();
                }
                let cut = cuts
                    .into_iter()
                    .find(|cut| glob_matches(pattern, &text[*cut..]))
                    .unwrap_or(text.len());
                text[..cut].into()
            }
            Edit::Replace { pattern, with, all } => replace(text, pattern, with, *all, &cuts)?,
            Edit::Case(change) => change(text),
        })
    }
}

fn replace(text: &str, pattern: &str, with: &str, all: bool, cuts: &[usize]) -> Option<String> {
    if pattern.is_empty() {
        return Some(text.into());
    }
    let (at_start, at_end) = (pattern.starts_with('#'), pattern.starts_with('%'));
    let bare = if at_start || at_end { &pattern[1..] } else { pattern };
    let mut out = String::new();
    let mut from = 0;
    let mut work = 0usize;
    while from <= text.len() {
        work += cuts.len();
        if work > MAX_MATCHED * 64 {
            return None;
        }
        let end = cuts
            .iter()
            .rev()
            .copied()
            .filter(|end| *end >= from && (!at_end || *end == text.len()));
        let hit = (!at_start || from == 0)
            .then(|| {
                end.into_iter()
                    .find(|end| (*end > from || bare.is_empty()) && glob_matches(bare, &text[from..*end]))
            })
            .flatten();
        match hit {
            Some(end) => {
                out.push_str(with);
                from = end;
                if !all || bare.is_empty() {
                    break;
                }
            }
            None => match text[from..].chars().next() {
                Some(char) => {
                    out.push(char);
                    from += char.len_utf8();
                }
                None => break,
            },
        }
    }
    out.push_str(text.get(from..).unwrap_or(""));
    Some(out)
}

pub(super) fn slice<T>(items: &[T], from: i64, count: Option<i64>) -> &[T] {
    let len = items.len() as i64;
    let from = if from < 0 { (len + from).max(0) } else { from.min(len) };
    let to = match count {
        None => len,
        Some(count) if count < 0 => (len + count).max(from),
        Some(count) => from.saturating_add(count).min(len),
    };
    items.get(from as usize..to as usize).unwrap_or(&[])
}

pub(super) fn first_char<I: Iterator<Item = char>>(text: &str, change: fn(char) -> I) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => change(first).chain(chars).collect(),
        None => String::new(),
    }
}
