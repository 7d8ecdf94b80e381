//! Calls of functions that do not exist. The engine finds them only when it comes to them, and then takes the rule around
//! them for undefined: a mistyped `startwith` would be a rule that never denies.

use crate::builtins::{ABSENT, KNOWN};

/// Words that stand before a parenthesis and are no functions.
const WORDS: [&str; 10] = [
    "if", "in", "not", "some", "every", "else", "with", "as", "contains", "default",
];

/// Whether every call of the policy is of a function that exists.
///
/// # Errors
/// The first that does not, with its line.
pub(crate) fn check<'a>(name: &str, text: &str, all: impl Iterator<Item = &'a String> + Clone) -> Result<(), String> {
    let plain = without_texts(text);
    let imported: Vec<String> = import_lines(&plain).map(|(_, name)| name).collect();
    let defined: Vec<String> = all.flat_map(|text| definitions(&without_texts(text))).collect();
    for (index, line) in plain.lines().enumerate() {
        for call in calls(line) {
            let root = call.split(['.', '[']).next().unwrap_or(call);
            let known = KNOWN.contains(&call)
                || WORDS.contains(&call)
                || ["data", "input"].contains(&root)
                || imported.iter().any(|alias| alias == root)
                || defined.iter().any(|defined| defined == call);
            if known {
                continue;
            }
            let at = index + 1;
            if ABSENT
                .iter()
                .any(|absent| call == *absent || (absent.ends_with('.') && call.starts_with(absent)))
            {
                return Err(format!(
                    "{name}:{at}: `{call}` is not available: a policy has no network, clock or chance; give what it needs as `data`"
                ));
            }
            return Err(format!("{name}:{at}: there is no function `{call}`"));
        }
    }
    Ok(())
}

/// The policy with calls through an import's name written out: `lib.f(x)` becomes `data.team.lib.f(x)`. This version of
/// the engine finds rules through imports, and functions not.
pub(crate) fn written_out(text: &str) -> String {
    let plain = without_texts(text);
    let imports: Vec<(String, String)> = import_lines(&plain)
        .filter(|(path, _)| path.starts_with("data."))
        .map(|(path, alias)| (alias, path))
        .collect();
    let mut lines: Vec<String> = Vec::new();
    for (line, plain) in text.lines().zip(plain.lines()) {
        let mut line = line.to_string();
        for call in calls(plain) {
            let Some((root, rest)) = call.split_once('.') else {
                continue;
            };
            if let Some((_, path)) = imports.iter().find(|(alias, _)| alias == root) {
                line = replaced(&line, &format!("{call}("), &format!("{path}.{rest}("));
            }
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

/// Every `from` of the line that is not the end of a longer reference, replaced. A text on the same line that names the
/// same call is replaced with it: that changes a message, not a decision.
fn replaced(line: &str, from: &str, to: &str) -> String {
    let mut new = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(from) {
        let before = rest[..at].chars().next_back().or(new.chars().next_back());
        let longer = before.is_some_and(|letter| is_name(letter) || letter == '.');
        new.push_str(&rest[..at]);
        new.push_str(if longer { from } else { to });
        rest = &rest[at + from.len()..];
    }
    new + rest
}

/// The policy with its comments and the inside of its strings blanked out, line by line as it was.
fn without_texts(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut inside: Option<char> = None;
    while let Some(letter) = letters.next() {
        match (inside, letter) {
            (None, '#') => inside = Some('#'),
            (None, '"' | '`') => {
                inside = Some(letter);
                plain.push('"');
            }
            (None, letter) => plain.push(letter),
            (Some('#'), '\n') => {
                inside = None;
                plain.push('\n');
            }
            (Some('"'), '\\') => {
                letters.next();
            }
            (Some(quote), letter) if quote == letter && quote != '#' => {
                inside = None;
                plain.push('"');
            }
            (Some(_), '\n') => plain.push('\n'),
            (Some(_), _) => {}
        }
    }
    plain
}

/// What a policy imports, and under which names.
fn import_lines(plain: &str) -> impl Iterator<Item = (String, String)> {
    let lines = plain.lines().filter_map(|line| line.trim().strip_prefix("import "));
    lines.map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (path, name) = match words[..] {
            [path, "as", alias, ..] => (path, alias),
            [path, ..] => (path, path.rsplit('.').next().unwrap_or(path)),
            [] => ("", ""),
        };
        (path.to_string(), name.to_string())
    })
}

/// The functions that a policy defines: a name and a parenthesis at the start of a line.
fn definitions(plain: &str) -> Vec<String> {
    let heads = plain
        .lines()
        .map(|line| line.strip_prefix("default ").unwrap_or(line))
        .filter(|line| line.starts_with(is_name));
    heads
        .filter_map(|line| line.split_once('('))
        .map(|(name, _)| name.trim_end().to_string())
        .filter(|name| !name.contains(' '))
        .collect()
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// What stands directly before each parenthesis of a line.
fn calls(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices('(') {
        let before = &line[..at];
        let start = before
            .rfind(|letter: char| !is_name(letter) && letter != '.')
            .map_or(0, |at| at + 1);
        // After `]` it is a reference such as `data.lib["a"].f`: the engine knows.
        let reference = before[..start].ends_with([']', '"']);
        let name = before.get(start..).unwrap_or("");
        if !reference && name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<(), String> {
        check("p.rego", text, [text.to_string()].iter())
    }

    #[test]
    fn what_exists_passes() {
        let text = r#"package p
import data.lib.paths
import data.other as o
# time.now_ns() in a comment
f(x) := lower(x)
default g(_) := false
deny contains msg if {
    some x in [1, (2 + 3)]
    paths.inside(input.cwd)
    o.f(1)
    data.lib.g(2)
    not startswith(f("http.send("), `rand.intn(`)
    msg := sprintf("%d of \" (", [count(input.x)])
}
"#;
        assert_eq!(checked(text), Ok(()));
    }

    #[test]
    fn calls_through_imports_are_written_out() {
        let text =
            "package p\nimport data.team.lib\nimport data.other as o\nx := lib.f(o.g(1)) + mylib.f(2) + \"lib.f\"\n";
        let expected = "package p\nimport data.team.lib\nimport data.other as o\nx := data.team.lib.f(data.other.g(1)) + mylib.f(2) + \"lib.f\"\n";
        assert_eq!(written_out(text), expected);
    }

    #[test]
    fn what_does_not_exist_is_named_with_its_line() {
        assert!(
            checked("package p\n\nx := time.now_ns()")
                .unwrap_err()
                .starts_with("p.rego:3: `time.now_ns` is not available")
        );
        assert!(
            checked("package p\nx if conains(\"a\", \"b\")")
                .unwrap_err()
                .contains("no function `conains`")
        );
    }
}
