//! How messages and the audit name a handler. A command's text is its name, without what in it may be a secret.

use hookbox_protocol::config::{Entry, HandlerKind};

/// In the place of what may be a secret.
const MASK: &str = "***";

/// How messages name the handler.
pub(crate) fn label(entry: &Entry) -> String {
    match &entry.handler.kind {
        HandlerKind::Command(command) => masked(&command.command),
        HandlerKind::Wasm(wasm) => wasm.plugin.clone(),
        HandlerKind::Other { type_name } => type_name.clone(),
        HandlerKind::Broken { .. } => entry.handler.path.clone(),
    }
}

/// The command with its assignments' values, what follows a word like `--token` or `Bearer`, a URL's user, and whatever looks like a key masked.
/// Variables (`$TOKEN`) stay: they are names.
fn masked(command: &str) -> String {
    let mut out = String::with_capacity(command.len());
    let mut rest = command;
    // The word before says that this one is a secret.
    let mut announced = false;
    while let Some(first) = rest.chars().next() {
        if !is_of_word(first) {
            out.push(first);
            // What comes after `:` or a blank belongs to the word before; a new command does not.
            announced &= !matches!(first, ';' | '&' | '|' | '\n');
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()));
        rest = after;
        if let Some(value) = rest.strip_prefix('=') {
            // `NAME=value`, `--token=value`, `?key=value`.
            let assigns = names_variable(word) && out.ends_with(|c: char| c.is_whitespace() || ";&|(".contains(c))
                || out.is_empty();
            let (value, after) = value.split_at(end_of_value(value));
            out.push_str(word);
            out.push('=');
            let shown = value.starts_with('$') || value.starts_with("\"$") || value.is_empty();
            match (assigns || announces(word), shown) {
                (_, true) => out.push_str(value),
                (true, false) => out.push_str(MASK),
                (false, false) => out.push_str(&masked(value)),
            }
            announced = false;
            rest = after;
        } else if let Some((_, after)) = rest
            .split_once('@')
            .filter(|(user, _)| out.ends_with("://") && user.chars().all(|c| !c.is_whitespace() && !"/'\"".contains(c)))
        {
            out.push_str(MASK);
            out.push('@');
            rest = after;
        } else if out.ends_with('$') || out.ends_with("${") {
            out.push_str(word);
            announced = false;
        } else if (announced && !word.starts_with('-') && !is_scheme(word)) || is_key(word) {
            out.push_str(MASK);
            announced = false;
        } else {
            announced = announces(word) || (announced && is_scheme(word));
            out.push_str(word);
        }
    }
    out
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "-_+.".contains(c)
}

fn names_variable(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !word.starts_with(|c: char| c.is_ascii_digit())
}

/// Bytes of what is assigned: up to the closing quote, or to what ends a word.
fn end_of_value(value: &str) -> usize {
    match value.chars().next() {
        Some(quote @ ('\'' | '"')) => value[1..].find(quote).map_or(value.len(), |end| end + 2),
        _ => value
            .find(|c: char| c.is_whitespace() || ";&|()<>'\"".contains(c))
            .unwrap_or(value.len()),
    }
}

/// `Authorization: Bearer KEY`: the word between.
fn is_scheme(word: &str) -> bool {
    ["bearer", "basic", "token", "digest"].contains(&word.to_ascii_lowercase().as_str())
}

/// Whether what comes after the word is a secret by its name.
fn announces(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let flag = word.starts_with('-');
    let named = [
        "token",
        "secret",
        "password",
        "passwd",
        "api-key",
        "apikey",
        "api_key",
        "credential",
    ];
    let header = ["authorization", "bearer", "x-api-key", "private-token"];
    header.contains(&word.as_str())
        || flag && named.iter().any(|name| word.contains(name))
        || !flag && named.contains(&word.as_str()) && word.len() > 5
}

/// Whether it looks like a key: long, of letters and digits in no order that a name has.
fn is_key(word: &str) -> bool {
    let count = |is: fn(&char) -> bool| word.chars().filter(is).count();
    let digits = count(char::is_ascii_digit);
    let letters = count(char::is_ascii_alphabetic);
    if word.len() < 20 || digits == 0 || letters == 0 {
        return false;
    }
    let mixed = count(char::is_ascii_uppercase) > 0 && count(char::is_ascii_lowercase) > 0;
    let long = |part: &str| {
        part.len() >= 16 && part.contains(|c: char| c.is_ascii_digit()) && part.contains(char::is_alphabetic)
    };
    mixed || digits >= 6 || word.split(['-', '_', '.', '+']).any(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_secret_is_not_told() {
        for (command, told) in [
            (
                "TOKEN=hunter2 curl https://example.com",
                "TOKEN=*** curl https://example.com",
            ),
            ("A='b c' B=\"d e\" ./x", "A=*** B=*** ./x"),
            ("cd x; KEY=abc ./y && K=1 ./z", "cd x; KEY=*** ./y && K=*** ./z"),
            ("export KEY=abc", "export KEY=***"),
            ("env KEY=abc ./x", "env KEY=*** ./x"),
            ("check --token=abc --level=3", "check --token=*** --level=3"),
            ("check --token abc --level 3", "check --token *** --level 3"),
            ("check --api-key 'abc'", "check --api-key '***'"),
            (
                "curl -H 'Authorization: Bearer abc.def' x",
                "curl -H 'Authorization: Bearer ***' x",
            ),
            (
                "curl -H \"Authorization: token abc\" x",
                "curl -H \"Authorization: token ***\" x",
            ),
            ("curl -H 'X-Api-Key: abc' x", "curl -H 'X-Api-Key: ***' x"),
            ("curl https://me:secret@example.com/x", "curl https://***@example.com/x"),
            (
                "curl 'https://example.com/?password=abc&x=1'",
                "curl 'https://example.com/?password=***&x=***'",
            ),
            ("notify ghp_abcdefghij0123456789ABCDEFGHIJ012345", "notify ***"),
            ("notify 550e8400-e29b-41d4-a716-446655440000", "notify ***"),
            (
                "post hooks.example.com/T0123/B0456/a1b2c3d4e5f6g7h8i9j0k1l2",
                "post hooks.example.com/T0123/B0456/***",
            ),
            ("x --flag=a1b2c3d4e5f6g7h8i9j0k1l2", "x --flag=***"),
        ] {
            assert_eq!(masked(command), told, "{command}");
        }
    }

    #[test]
    fn a_command_without_a_secret_is_told_as_it_stands() {
        for command in [
            "./scripts/legacy-guard.sh",
            "python3 \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/check-policy-version-2-final.py --strict",
            "check --token \"$TOKEN\" --api-key ${KEY}",
            "TOKEN=$TOKEN curl x",
            "echo not today >&2; exit 2",
            "grep -q '\"stop_hook_active\": *true' && exit 0; echo é >&2",
            "/usr/local/lib/node_modules/some-long-package-name/bin/guard.js",
            "user@example.com",
            "",
        ] {
            assert_eq!(masked(command), command);
        }
    }
}
