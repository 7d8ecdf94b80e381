//! `xargs`: a command for the items that it reads, where the line itself says what those are.

use crate::Word;
use crate::run::Call;
use crate::session::{Session, Stdin, Walk};
use crate::unquote::quoted_words;
use crate::wrappers::option_of;

/// Input items that `xargs` and `parallel` are followed for one by one.
pub(super) const MAX_ITEMS: usize = 64;

/// What stands for an operand that only the run will tell.
pub(crate) fn item() -> Word {
    Word {
        text: "{}".into(),
        known: false,
        glob: false,
    }
}

/// How `xargs` was told to cut its input.
#[derive(Default)]
struct Cutting {
    placeholder: Option<String>,
    /// `-0`, `-d C`: at this character and nothing else, quotes are plain.
    delimiter: Option<char>,
    /// `-n`, `-L`: this many items, or lines, a command.
    at_most: Option<usize>,
    by_lines: bool,
    from_file: bool,
}

impl Cutting {
    /// Reads the options; also where the command begins.
    fn read(argv: &[Word]) -> (Self, usize) {
        let mut cutting = Self::default();
        let mut at = 1;
        while let Some(word) = argv
            .get(at)
            .filter(|word| word.text.starts_with('-') && word.text.len() > 1)
        {
            let (takes, value) = option_of(argv, at, SHORT, &LONG);
            at += takes;
            let text = word.text.as_str();
            if text == "--" {
                break;
            }
            let value = || value.map(|word| word.text.clone());
            if let Some(long) = text.strip_prefix("--") {
                let (name, rest) = long
                    .split_once('=')
                    .map_or((long, None), |(name, rest)| (name, Some(rest)));
                cutting.option(letter_of(name), rest.map(str::to_owned).or_else(value));
                continue;
            }
            for (index, letter) in text[1..].char_indices() {
                let rest = &text[1 + index + letter.len_utf8()..];
                // `-i`, `-l` and `-e` take what is joined to them, if anything.
                if SHORT.contains(letter) || matches!(letter, 'i' | 'l' | 'e') {
                    let joined = (!rest.is_empty()).then(|| rest.to_owned());
                    cutting.option(letter, joined.or_else(value));
                    break;
                }
                cutting.option(letter, None);
            }
        }
        (cutting, at)
    }

    fn option(&mut self, letter: char, value: Option<String>) {
        match letter {
            'I' | 'i' => self.placeholder = Some(value.unwrap_or_else(|| "{}".into())),
            '0' => self.delimiter = Some('\0'),
            'd' => {
                let mut chars = value.iter().flat_map(|text| text.chars());
                self.delimiter = match (chars.next(), chars.next()) {
                    (Some('\\'), Some('n')) => Some('\n'),
                    (Some('\\'), Some('t')) => Some('\t'),
                    (Some('\\'), Some('0')) => Some('\0'),
                    (first, _) => first,
                };
            }
            'n' => self.at_most = value.and_then(|text| text.parse().ok()),
            'L' | 'l' => {
                self.at_most = value.map_or(Some(1), |text| text.parse().ok());
                self.by_lines = true;
            }
            'a' => self.from_file = true,
            _ => {}
        }
    }

    /// The arguments of each command, from what the line feeds it.
    fn cut(&self, text: &str) -> Vec<Vec<String>> {
        let blank = |char: char| char.is_ascii_whitespace();
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        if let Some(delimiter) = self.delimiter {
            let text = text.strip_suffix(delimiter).unwrap_or(text);
            let items: Vec<String> = text.split(delimiter).map(str::to_owned).collect();
            let size = self
                .at_most
                .filter(|_| self.placeholder.is_none())
                .unwrap_or(usize::MAX);
            let size = if self.placeholder.is_some() { 1 } else { size.max(1) };
            return items.chunks(size).map(<[String]>::to_vec).collect();
        }
        if self.placeholder.is_some() {
            // A line is an item; quotes in it are taken off.
            return lines().map(|line| quoted_words(line.trim_start(), |_| false)).collect();
        }
        let size = self.at_most.unwrap_or(usize::MAX).max(1);
        if self.by_lines {
            let lines: Vec<Vec<String>> = lines().map(|line| quoted_words(line, blank)).collect();
            return lines.chunks(size).map(<[Vec<String>]>::concat).collect();
        }
        quoted_words(text, blank).chunks(size).map(<[String]>::to_vec).collect()
    }
}

/// Letters of `xargs` that take a value.
const SHORT: &str = "aEILnPsd";
const LONG: [&str; 7] = [
    "--arg-file",
    "--delimiter",
    "--max-args",
    "--max-chars",
    "--max-lines",
    "--max-procs",
    "--process-slot-var",
];

/// The letter of a long option, whatever part of its name was written.
fn letter_of(name: &str) -> char {
    let names = [
        ("arg-file", 'a'),
        ("delimiter", 'd'),
        ("null", '0'),
        ("max-args", 'n'),
        ("max-lines", 'L'),
        ("replace", 'I'),
    ];
    names
        .iter()
        .find(|(long, _)| !name.is_empty() && long.starts_with(name))
        .map_or('-', |(_, letter)| *letter)
}

pub(super) fn xargs(session: &mut Session, call: &Call) -> Walk<bool> {
    let (cutting, at) = Cutting::read(&call.argv);
    let mut argv: Vec<Word> = call.argv.get(at..).unwrap_or(&[]).to_vec();
    if argv.is_empty() {
        argv.push(Word::literal("echo"));
    }
    let commands = match &session.place.stdin {
        Stdin::Fed(text) if text.known && !cutting.from_file => Some(cutting.cut(&text.text)),
        _ => None,
    };
    let few = |commands: &Vec<Vec<String>>| {
        commands.len() <= MAX_ITEMS && commands.iter().map(Vec::len).sum::<usize>() <= MAX_ITEMS
    };
    let outer = std::mem::replace(&mut session.place.stdin, Stdin::Inherited);
    let result = session.under("xargs", |session| match (cutting.placeholder, commands.filter(few)) {
        (Some(placeholder), Some(items)) => items.concat().iter().try_for_each(|item| {
            let argv = argv.iter().map(|word| Word {
                text: word.text.replace(&placeholder, item),
                ..word.clone()
            });
            session.run(call.with(argv.collect()))
        }),
        (Some(placeholder), None) => {
            for word in &mut argv {
                word.known &= !word.text.contains(&placeholder);
            }
            let outer = session.place.placeholder.replace(placeholder);
            let result = session.run(call.with(argv));
            session.place.placeholder = outer;
            result
        }
        // Without input it runs once, unless told otherwise.
        (None, Some(commands)) if commands.is_empty() => session.run(call.with(argv)),
        (None, Some(commands)) => commands.into_iter().try_for_each(|items| {
            let items = items.into_iter().map(Word::literal);
            session.run(call.with(argv.iter().cloned().chain(items).collect()))
        }),
        (None, None) => {
            argv.push(item());
            session.run(call.with(argv))
        }
    });
    session.place.stdin = outer;
    result.map(|()| true)
}
