//! The words of a command line: program names, options, operands, globs.

use hookbox_sdk::{SimpleCommand, Word};

/// The program's name as rules spell it: without folder and `.exe`, in lower case (a case-insensitive file system runs
/// `RM` as `rm`).
pub fn program(word: &str) -> String {
    let mut name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    // `npx prisma@5` runs `prisma`.
    if let Some(at) = name.find('@').filter(|at| *at > 0) {
        name.truncate(at);
    }
    for ending in [".exe", ".cmd", ".bat", ".ps1"] {
        if let Some(stem) = name.strip_suffix(ending) {
            return stem.into();
        }
    }
    name
}

/// Hyphens that only look like `-` (copied from a page) count as one: nobody means them as data before an option name.
pub fn dashed(text: &str) -> std::borrow::Cow<'_, str> {
    const LOOKALIKES: [char; 6] = ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];
    if text.starts_with(LOOKALIKES) {
        text.replace(LOOKALIKES, "-").into()
    } else {
        text.into()
    }
}

/// Whether a word is an option and not an operand.
pub fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

/// Whether a word sets the option `name`: `-f` alone or in a cluster (`-rf`), `--force` or `--force=…`; a name of one
/// dash and more letters (`-delete`, `-auto-approve`) with one dash or two.
pub fn sets(word: &str, name: &str) -> bool {
    if let Some(long) = name.strip_prefix("--") {
        return word.strip_prefix("--").is_some_and(|given| is_or_assigns(given, long));
    }
    let Some(short) = name.strip_prefix('-') else {
        return false;
    };
    let Some(given) = word.strip_prefix('-') else {
        return false;
    };
    if short.len() == 1 {
        return cluster(given).contains(short);
    }
    is_or_assigns(given.strip_prefix('-').unwrap_or(given), short)
}

/// `name` or `name=value`, unless the value says no.
fn is_or_assigns(given: &str, name: &str) -> bool {
    match given.strip_prefix(name) {
        Some("") => true,
        Some(rest) => rest.starts_with('=') && !matches!(&rest[1..], "false" | "0" | "no" | "none"),
        None => false,
    }
}

/// The letters of a cluster of short options, `rf` of `-rf`; nothing of a long option.
fn cluster(given: &str) -> &str {
    let letters = given.len() - given.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
    if letters == given.len() || given[letters..].starts_with('=') {
        &given[..letters]
    } else {
        ""
    }
}

/// Whether a word is the long option `name` or an abbreviation of it that getopt would take (`--recur`). `least`: the
/// shortest unambiguous one.
pub fn abbreviates(word: &str, name: &str, least: usize) -> bool {
    let given = word.split('=').next().unwrap_or(word);
    given.len() >= least && given.starts_with("--") && name.starts_with(given)
}

/// Options and operands apart: what follows `--` is an operand. `valued`: options whose value is the next word.
pub fn split<'a>(args: &'a [Word], valued: &[&str]) -> (Vec<&'a Word>, Vec<&'a Word>) {
    let (mut options, mut operands) = (Vec::new(), Vec::new());
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        if word.text == "--" {
            operands.extend(rest);
            break;
        }
        if is_option(&dashed(&word.text)) {
            options.push(word);
            if valued.contains(&word.text.as_str()) {
                rest.next();
            }
        } else {
            operands.push(word);
        }
    }
    (options, operands)
}

/// The value of the option `name`: of `-t v`, `-tv`, `--target v`, `--target=v`.
pub fn value<'a>(args: &'a [Word], name: &str) -> Option<&'a str> {
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let Some(rest) = word.text.strip_prefix(name) else {
            continue;
        };
        if rest.is_empty() {
            return words.next().map(|word| word.text.as_str());
        }
        if let Some(value) = rest.strip_prefix('=') {
            return Some(value);
        }
        if !name.starts_with("--") && name.len() == 2 {
            return Some(rest);
        }
    }
    None
}

/// Whether `text` matches a pattern in which `*` stands for any text. ASCII case does not count.
pub fn wild(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            retry = Some((p + 1, t));
            p += 1;
        } else if p < pattern.len() && pattern[p].eq_ignore_ascii_case(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((after, from)) = retry {
            p = after;
            t = from + 1;
            retry = Some((after, t));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// A command for a reason: at most 160 characters, in one line.
pub fn shown(command: &SimpleCommand) -> String {
    let text = command.text();
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(160)
        .collect();
    if text.chars().count() > 160 {
        format!("{line}…")
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_found_alone_in_a_cluster_and_with_a_value() {
        assert!(sets("-rf", "-f") && sets("-f", "-f") && sets("--force", "--force") && sets("--force=true", "--force"));
        assert!(sets("-auto-approve", "-auto-approve") && sets("--auto-approve", "-auto-approve"));
        assert!(!sets("--force", "-f") && !sets("--force=false", "--force") && !sets("-auto-approve", "-a"));
        assert!(!sets("--forced", "--force"));
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(wild("of=/dev/*", "of=/dev/sda") && wild("delete-*", "delete-bucket") && wild("*a*b*", "xxaxxbx"));
        assert!(!wild("delete-*", "undelete-x") && !wild("a", "ab") && wild("A", "a"));
    }
}
