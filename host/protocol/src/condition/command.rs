//! Patterns of commands: `Bash(git *)`.

use hookbox_shell::simple_commands;
use serde_json::Value;

use super::Subject;
use crate::event::{Action, Event};

/// A pattern, split where its stars stand. Blanks are collapsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The literal parts; between two of them any text stands, blanks included.
    parts: Vec<String>,
    /// Ends in ` *` or `:*`: the text before it is a whole word, and may be all there is.
    word_prefix: bool,
    /// Says more than the name of a program: two literal words, an exact text, or a star in front.
    says_more: bool,
    powershell: bool,
}

/// Why a pattern never fits, and what to write instead.
pub(super) type Note = (String, String);

impl Pattern {
    pub(super) fn new(content: &str, powershell: bool) -> (Self, Option<Note>) {
        let content = content.split_whitespace().collect::<Vec<_>>().join(" ");
        let note = note(&content);
        let (body, word_prefix) = match content.strip_suffix(":*").or_else(|| content.strip_suffix(" *")) {
            Some(body) if !body.ends_with('\\') => (body, true),
            _ => (content.as_str(), false),
        };
        let mut parts = split_at_stars(body);
        if body.is_empty() {
            // No word before the star: every command.
            parts.push(String::new());
        }
        if powershell {
            parts = parts.iter().map(|part| part.to_lowercase()).collect();
        }
        let exact = parts.len() == 1 && !word_prefix;
        let words = content.split(' ').filter(|word| word.chars().any(|c| c != '*')).count();
        let leading_star = parts.len() > 1 && parts.first().is_some_and(String::is_empty);
        let says_more = exact || words >= 2 || leading_star;
        (
            Self {
                parts,
                word_prefix,
                says_more,
                powershell,
            },
            note,
        )
    }

    /// Whether the call is one the handler is for. A call without a readable command is.
    pub(super) fn fits(&self, subject: &Subject<'_>) -> bool {
        let Some(command) = command_of(subject.event) else {
            return true;
        };
        if self.powershell {
            return powershell_commands(command).is_none_or(|all| all.iter().any(|text| self.matches(text)));
        }
        let simple = subject.simple.get_or_init(|| simple_commands(command));
        simple.too_complex
            || simple.has_substitution_or_unknown_var && self.says_more
            || simple.commands.iter().any(|text| self.matches(text))
    }

    fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.parts.split_first() else {
            return text.is_empty();
        };
        let Some(mut left) = text.strip_prefix(first.as_str()) else {
            return false;
        };
        let Some((last, middle)) = rest.split_last() else {
            return left.is_empty() || self.word_prefix && left.starts_with(' ');
        };
        for part in middle {
            let Some(at) = left.find(part.as_str()) else {
                return false;
            };
            left = left.get(at + part.len()..).unwrap_or_default();
        }
        if !self.word_prefix {
            return left.ends_with(last.as_str());
        }
        left.ends_with(last.as_str())
            || left
                .match_indices(last.as_str())
                .any(|(at, _)| left.get(at + last.len()..).is_some_and(|l| l.starts_with(' ')))
    }
}

/// The texts between stars that are not escaped; `\*` is a star.
fn split_at_stars(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\' && matches!(chars.peek(), Some('*' | '\\'));
        match (c, parts.last_mut()) {
            ('*', _) => parts.push(String::new()),
            (_, Some(part)) if escaped => part.extend(chars.next()),
            (_, Some(part)) => part.push(c),
            (_, None) => {}
        }
    }
    parts
}

fn note(content: &str) -> Option<Note> {
    let first = content.split(' ').next().unwrap_or_default();
    let assignment = first.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    if assignment {
        let rest = content.split_once(' ').map_or("git *", |(_, rest)| rest);
        return Some((
            "variables before a command are taken off".to_owned(),
            format!("write Bash({rest})"),
        ));
    }
    if content
        .split(' ')
        .any(|word| matches!(word, ">" | ">>" | "<" | "2>" | "&>" | "|" | "&&" | "||" | ";"))
    {
        let why = "redirections are taken off and each command of a line is looked at by itself".to_owned();
        return Some((why, "write one command, without > | && ;".to_owned()));
    }
    if first.contains(['"', '\'']) {
        return Some((
            "quotes are taken off before a command is compared".to_owned(),
            "write the words without quotes".to_owned(),
        ));
    }
    let middle = content.strip_suffix(":*").unwrap_or(content);
    middle.contains(":*").then(|| {
        (
            "\":*\" counts only at the end".to_owned(),
            format!("write Bash({})", middle.replace(":*", " *")),
        )
    })
}

fn command_of(event: &Event) -> Option<&str> {
    let input = event
        .payload
        .get("tool_input")
        .and_then(|input| input.get("command"))
        .and_then(Value::as_str);
    input.or_else(|| {
        event.tool.as_ref()?.actions.iter().find_map(|action| match action {
            Action::Run(command) => Some(command.text.as_str()),
            _ => None,
        })
    })
}

/// Short names of cmdlets, which a rule may be written with as well as with the long ones.
const CMDLETS: &[(&str, &str)] = &[
    ("rm", "remove-item"),
    ("del", "remove-item"),
    ("erase", "remove-item"),
    ("rd", "remove-item"),
    ("ri", "remove-item"),
    ("rmdir", "remove-item"),
    ("cat", "get-content"),
    ("gc", "get-content"),
    ("type", "get-content"),
    ("ls", "get-childitem"),
    ("dir", "get-childitem"),
    ("gci", "get-childitem"),
    ("cp", "copy-item"),
    ("copy", "copy-item"),
    ("cpi", "copy-item"),
    ("mv", "move-item"),
    ("move", "move-item"),
    ("mi", "move-item"),
    ("cd", "set-location"),
    ("sl", "set-location"),
    ("echo", "write-output"),
    ("iwr", "invoke-webrequest"),
    ("curl", "invoke-webrequest"),
    ("wget", "invoke-webrequest"),
    ("irm", "invoke-restmethod"),
    ("iex", "invoke-expression"),
    ("sc", "set-content"),
];

/// The commands of a PowerShell line in lower case, each under its short and its long name; none where there is more in the line
/// than plain words, paths and separators.
fn powershell_commands(line: &str) -> Option<Vec<String>> {
    let plain = |c: char| c.is_alphanumeric() || " \n\r\t;|_-./\\:=,+".contains(c);
    if line.len() > 10_000 || !line.chars().all(plain) {
        return None;
    }
    let mut commands = Vec::new();
    for command in line.to_lowercase().split([';', '|', '\n', '\r']) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some((program, arguments)) = words.split_first() else {
            continue;
        };
        let names = CMDLETS
            .iter()
            .filter(|(short, long)| short == program || long == program);
        let long = names.clone().map(|(_, long)| *long);
        let mut all: Vec<&str> = names.map(|(short, _)| *short).chain(long).chain([*program]).collect();
        // Every short name of the same cmdlet fits as well.
        let same = CMDLETS
            .iter()
            .filter(|(_, long)| all.contains(long))
            .map(|(short, _)| *short)
            .collect::<Vec<_>>();
        all.extend(same);
        all.sort_unstable();
        all.dedup();
        commands.extend(all.into_iter().map(|name| [&[name], arguments].concat().join(" ")));
    }
    Some(commands)
}
