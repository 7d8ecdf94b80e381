//! Globs over text and paths: `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, and in paths `**`. Linear in practice, at most
//! pattern × text.

/// How a glob is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// `*` and `?` stop at `/`, `**` does not.
    pub(crate) path: bool,
    /// ASCII letters match in either case.
    pub(crate) fold: bool,
}

/// Most alternatives that one pattern's braces may make.
const MAX_ALTERNATIVES: usize = 64;

/// The patterns that a pattern with `{a,b}` stands for; checks the syntax on the way.
///
/// # Errors
/// What is wrong with the pattern.
pub(crate) fn expand(pattern: &str) -> Result<Vec<String>, String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_string()];
    while let Some(next) = open.pop() {
        match braces(&next)? {
            None => {
                check_classes(&next)?;
                done.push(next);
            }
            Some((start, end, parts)) => {
                for part in parts.iter().rev() {
                    open.push(format!("{}{part}{}", &next[..start], &next[end..]));
                }
            }
        }
        if open.len() + done.len() > MAX_ALTERNATIVES {
            return Err(format!(
                "more than {MAX_ALTERNATIVES} alternatives in `{pattern}`: write several patterns"
            ));
        }
    }
    Ok(done)
}

/// The first `{…}` of a pattern: where it starts, where it ends, and its parts.
fn braces(pattern: &str) -> Result<Option<(usize, usize, Vec<String>)>, String> {
    let Some(start) = pattern
        .match_indices('{')
        .map(|(at, _)| at)
        .find(|at| !pattern[..*at].ends_with('$'))
    else {
        return Ok(None);
    };
    let mut depth = 0usize;
    let mut parts = vec![String::new()];
    for (at, letter) in pattern[start..].char_indices() {
        match letter {
            '{' if depth == 0 => depth = 1,
            '}' if depth == 1 => return Ok(Some((start, start + at + 1, parts))),
            ',' if depth == 1 => parts.push(String::new()),
            _ => {
                match letter {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if let Some(part) = parts.last_mut() {
                    part.push(letter);
                }
            }
        }
    }
    Err(format!("`{{` without `}}` in `{pattern}`"))
}

fn check_classes(pattern: &str) -> Result<(), String> {
    let mut rest = pattern;
    while let Some(at) = rest.find('[') {
        let Some((_, after)) = class(&rest[at..], '\0', false) else {
            return Err(format!("`[` without `]` in `{pattern}`"));
        };
        rest = after;
    }
    Ok(())
}

/// Whether the class at the start of `pattern` has `letter`, and the pattern after it. None where the class is not closed.
fn class(pattern: &str, letter: char, fold: bool) -> Option<(bool, &str)> {
    let body = pattern.strip_prefix('[')?;
    let (negated, body) = match body.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, body),
    };
    // A `]` right at the start is a member.
    let end = body.char_indices().skip(1).find(|(_, c)| *c == ']').map(|(at, _)| at)?;
    let members: Vec<char> = body[..end].chars().collect();
    let has = |letter: char| {
        let mut at = 0;
        while let Some(&from) = members.get(at) {
            match (members.get(at + 1), members.get(at + 2)) {
                (Some('-'), Some(&to)) => {
                    if from <= letter && letter <= to {
                        return true;
                    }
                    at += 3;
                }
                _ => {
                    if from == letter {
                        return true;
                    }
                    at += 1;
                }
            }
        }
        false
    };
    let found = has(letter) || (fold && (has(letter.to_ascii_lowercase()) || has(letter.to_ascii_uppercase())));
    Some((found != negated, &body[end + 1..]))
}

/// Whether `pattern` (without braces) matches the whole of `text`.
pub(crate) fn matches(pattern: &str, text: &str, options: Options) -> bool {
    let (mut pattern_rest, mut text_rest) = (pattern, text);
    // Where to go on when what follows a star does not match: the pattern after it, and the text that it has not eaten.
    let mut star: Option<(&str, &str)> = None;
    let mut double: Option<(&str, &str)> = None;
    loop {
        if let Some(after) = pattern_rest.strip_prefix("**").filter(|_| options.path) {
            let after = after.trim_start_matches('*');
            // `**/` also stands for no folder at all.
            pattern_rest = match after.strip_prefix('/') {
                Some(inner)
                    if pattern_rest.len() == pattern.len() || pattern_before(pattern, pattern_rest) == Some('/') =>
                {
                    double = Some((pattern_rest, text_rest));
                    star = None;
                    inner
                }
                _ => {
                    double = Some((pattern_rest, text_rest));
                    star = None;
                    after
                }
            };
            if pattern_rest.is_empty() && after.is_empty() {
                return true;
            }
            continue;
        }
        if let Some(after) = pattern_rest.strip_prefix('*') {
            star = Some((after, text_rest));
            pattern_rest = after;
            continue;
        }
        if let Some(step) = one(pattern_rest, text_rest, options) {
            (pattern_rest, text_rest) = step;
            continue;
        }
        if pattern_rest.is_empty() && text_rest.is_empty() {
            return true;
        }
        // Back to the last star, if it may eat one more letter; else to the last double star.
        if let Some((after, eaten)) = star
            && let Some(letter) = eaten.chars().next()
            && !(options.path && letter == '/')
        {
            let eaten = &eaten[letter.len_utf8()..];
            star = Some((after, eaten));
            (pattern_rest, text_rest) = (after, eaten);
            continue;
        }
        let Some((at, eaten)) = double else { return false };
        let after = at.trim_start_matches('*');
        // `**/x` goes on at the next folder, `**x` at the next letter.
        let next = match after.strip_prefix('/') {
            Some(_) => eaten.find('/').map(|slash| &eaten[slash + 1..]),
            None => eaten.chars().next().map(|letter| &eaten[letter.len_utf8()..]),
        };
        let Some(next) = next else { return false };
        double = Some((at, next));
        star = None;
        (pattern_rest, text_rest) = (after.strip_prefix('/').unwrap_or(after), next);
    }
}

fn pattern_before(pattern: &str, rest: &str) -> Option<char> {
    pattern[..pattern.len() - rest.len()].chars().next_back()
}

/// One letter of the text against one element of the pattern; what is left of both when it matches.
fn one<'p, 't>(pattern: &'p str, text: &'t str, options: Options) -> Option<(&'p str, &'t str)> {
    let letter = text.chars().next()?;
    let text_after = &text[letter.len_utf8()..];
    let element = pattern.chars().next()?;
    match element {
        '?' if !(options.path && letter == '/') => Some((&pattern[1..], text_after)),
        '?' => None,
        '[' => {
            let (found, after) = class(pattern, letter, options.fold)?;
            (found && !(options.path && letter == '/')).then_some((after, text_after))
        }
        _ => {
            let same = element == letter || (options.fold && element.eq_ignore_ascii_case(&letter));
            same.then_some((&pattern[element.len_utf8()..], text_after))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: Options = Options {
        path: true,
        fold: false,
    };
    const TEXT: Options = Options {
        path: false,
        fold: false,
    };

    #[test]
    fn a_path_glob_stops_at_folders_and_a_double_star_does_not() {
        let rows = [
            ("a/*", "a/b", true),
            ("a/*", "a/b/c", false),
            ("a/**", "a/b/c", true),
            ("a/**", "a", false),
            ("**/b", "b", true),
            ("**/b", "a/b", true),
            ("**/b", "a/xb", false),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "a/xb", false),
            ("**/a/*.rs", "x/a/b/a/m.rs", true),
            ("**/*.pem", "k/server.pem", true),
            ("*.pem", "k/server.pem", false),
            ("a?c", "a/c", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]", "]", true),
            ("**", "a/b", true),
            ("x**y", "x/a/y", true),
            ("é?", "éö", true),
        ];
        for (pattern, text, expected) in rows {
            assert_eq!(matches(pattern, text, PATH), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn a_text_glob_crosses_slashes_and_can_ignore_case() {
        assert!(matches("a*c", "a/b/c", TEXT));
        assert!(!matches("A*", "abc", TEXT));
        assert!(matches(
            "A*[B]C",
            "a/b/c/bc",
            Options {
                path: false,
                fold: true
            }
        ));
        assert!(matches("", "", TEXT));
        assert!(!matches("", "x", TEXT));
    }

    #[test]
    fn braces_are_alternatives() {
        assert_eq!(expand("a{b,c{d,e}}").unwrap(), ["ab", "acd", "ace"]);
        assert_eq!(expand("${project}/x").unwrap(), ["${project}/x"]);
        assert!(expand("a{b").is_err());
        assert!(expand("a[b").is_err());
        assert!(expand("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}").is_err());
    }

    #[test]
    fn a_hostile_pattern_takes_no_exponential_time() {
        let pattern = "**/a*a*a*a*a*a*a*a*b";
        assert!(!matches(pattern, &"a/".repeat(2000), PATH));
        assert!(!matches(pattern, &"a".repeat(4000), PATH));
    }
}
