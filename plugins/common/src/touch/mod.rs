//! Which files a command touches, and how: the one table that guards of files share. It knows where a program takes
//! its operands; which files matter is each guard's own business.

mod archive;
mod git;
mod stream;
mod transfer;

pub use transfer::{CURL_LONG, CURL_SHORT};

use crate::programs::{FILES, Shape, Spec};
use hookbox_sdk::{SimpleCommand, Word};

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Its content is printed or used.
    Read,
    /// Its content is copied into another file, an archive or a repository.
    Copy,
    /// Its content leaves the machine.
    Send,
    /// It is created or changed.
    Write,
    /// It is created where it is missing, and never emptied: `touch`, `mkdir`.
    Make,
    /// Its mode or owner is changed.
    Change,
    Delete,
}

/// One file that a command touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    pub access: Access,
    /// As the command spells it; of `docker cp c:/x` the part after the colon.
    pub path: Word,
    /// Of a copy: where to, where the command says so.
    pub to: Option<String>,
}

/// The program's name as tables spell it: no folder, no `.exe`, lower case.
pub fn program(command: &SimpleCommand) -> String {
    let text = command.argv.first().map_or("", |word| &word.text);
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text).to_ascii_lowercase();
    name.strip_suffix(".exe").map(str::to_string).unwrap_or(name)
}

/// Every file that the command touches by its words and its redirections.
pub fn touches(command: &SimpleCommand) -> Vec<Touch> {
    let mut found = Vec::new();
    for redirect in &command.redirects {
        let access = match redirect.operator.trim_start_matches(|c: char| c.is_ascii_digit()) {
            "<" | "<>" => Access::Read,
            operator if operator.starts_with("<<") || operator.starts_with("<&") => continue,
            operator if operator.contains('>') => Access::Write,
            _ => continue,
        };
        let target = &redirect.target;
        if redirect.operator.ends_with('&') && target.text.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            continue;
        }
        found.push(Touch {
            access,
            path: target.clone(),
            to: None,
        });
    }
    let name = program(command);
    let args = command.args();
    match name.as_str() {
        "git" => git::git(args, &mut found),
        "tar" | "bsdtar" | "gtar" => archive::tar(args, &mut found),
        "dd" => archive::dd(args, &mut found),
        "curl" => transfer::curl(args, &mut found),
        "wget" | "wget2" => transfer::wget(args, &mut found),
        "http" | "https" | "xh" => transfer::httpie(args, &mut found),
        "openssl" => by_option(
            args,
            &[("-in", Access::Read), ("-inkey", Access::Read), ("-out", Access::Write)],
            &mut found,
        ),
        "aws" | "gsutil" | "gcloud" | "rclone" | "s3cmd" | "mc" | "az" | "azcopy" | "b2" => {
            transfer::cloud(&name, args, &mut found)
        }
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" | "lxc" => transfer::containers(args, &mut found),
        "gh" | "glab" => transfer::forge(args, &mut found),
        "unzip" | "7z" | "7za" | "7zz" | "unrar" => archive::unpack(&name, args, &mut found),
        "chmod" => mode(args, &mut found),
        "find" => stream::find(args, &mut found),
        "sed" | "gsed" | "perl" | "ruby" | "awk" | "gawk" => stream::stream(&name, args, &mut found),
        _ => {
            if let Some(spec) = FILES.iter().find(|spec| spec.names.contains(&name.as_str())) {
                by_shape(spec, args, &mut found);
            }
        }
    }
    found
}

/// What looks like words in the source of a command.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST: usize = 512;
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | '(' | ')' | ';' | '|' | '&' | '<' | '>' | '=' | ',' | '{' | '}' | '@'
            )
    };
    text.split(ends).filter(|word| word.len() > 3 && word.len() < LONGEST)
}

/// Of a line that was not wholly understood: the words that stand in no command that was. They can only be guessed at.
pub fn unread<'a>(text: &'a str, line: &'a [SimpleCommand]) -> impl Iterator<Item = &'a str> {
    words(text).filter(|word| {
        let mut read = line.iter().flat_map(|command| {
            command
                .argv
                .iter()
                .chain(command.redirects.iter().map(|redirect| &redirect.target))
        });
        !read.any(|known| known.text.contains(word))
    })
}

/// The words of a command, told apart.
pub struct Parsed<'a> {
    pub operands: Vec<&'a Word>,
    /// Option without its dashes, and its value where it takes one.
    pub options: Vec<(String, Option<Word>)>,
}

impl Parsed<'_> {
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    pub fn value(&self, names: &[&str]) -> Option<&Word> {
        self.options
            .iter()
            .rev()
            .find(|(name, _)| names.contains(&name.as_str()))
            .and_then(|(_, value)| value.as_ref())
    }
}

/// Options from operands: `short` are the letters that take a value, `long` the words that do.
pub fn parse<'a>(args: &'a [Word], short: &str, long: &[&str]) -> Parsed<'a> {
    let mut parsed = Parsed {
        operands: Vec::new(),
        options: Vec::new(),
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text == "--" {
            parsed.operands.extend(words.by_ref());
        } else if let Some(option) = text.strip_prefix("--") {
            match option.split_once('=') {
                Some((name, value)) => parsed.options.push((name.into(), Some(part(word, value)))),
                None if long.contains(&option) => parsed.options.push((option.into(), words.next().cloned())),
                None => parsed.options.push((option.into(), None)),
            }
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            // `-path VALUE`: one dash and a whole word.
            if long.contains(&letters) {
                parsed.options.push((letters.into(), words.next().cloned()));
                continue;
            }
            for (at, letter) in letters.char_indices() {
                let rest = &letters[at + letter.len_utf8()..];
                if short.contains(letter) {
                    let value = if rest.is_empty() {
                        words.next().cloned()
                    } else {
                        Some(part(word, rest))
                    };
                    parsed.options.push((letter.to_string(), value));
                    break;
                }
                parsed.options.push((letter.to_string(), None));
            }
        } else {
            parsed.operands.push(word);
        }
    }
    parsed
}

/// A part of a word, as unknown as the whole.
pub fn part(word: &Word, text: &str) -> Word {
    Word {
        text: text.into(),
        known: word.known,
        glob: word.glob,
    }
}

fn push(found: &mut Vec<Touch>, access: Access, path: &Word) {
    found.push(Touch {
        access,
        path: path.clone(),
        to: None,
    });
}

fn by_shape(spec: &Spec, args: &[Word], found: &mut Vec<Touch>) {
    let parsed = parse(args, spec.short, spec.long);
    for (option, access) in spec.files {
        for (_, value) in parsed.options.iter().filter(|(name, _)| name == option) {
            // Globs of search tools are quoted: they are globs all the same.
            let glob = matches!(*option, "g" | "glob" | "iglob" | "include");
            value.iter().for_each(|value| {
                push(
                    found,
                    *access,
                    &Word {
                        glob: glob || value.glob,
                        ..value.clone()
                    },
                )
            });
        }
    }
    let operands = &parsed.operands;
    match spec.shape {
        Shape::None => {}
        Shape::Edit => operands.iter().for_each(|word| {
            push(found, Access::Read, word);
            push(found, Access::Write, word);
        }),
        Shape::All(access) => operands.iter().for_each(|word| push(found, access, word)),
        Shape::After(script, access) => {
            let skip = if parsed.has(script) { 0 } else { 1 };
            operands.iter().skip(skip).for_each(|word| push(found, access, word));
        }
        Shape::FirstThen(first, rest) => {
            for (at, word) in operands.iter().enumerate() {
                push(found, if at == 0 { first } else { rest }, word);
            }
        }
        Shape::Into { moves } => {
            let target = parsed
                .value(&["t", "target-directory", "destination", "Destination"])
                .cloned();
            let (sources, target) = match (&target, operands.split_last()) {
                (Some(target), _) => (operands.as_slice(), target.clone()),
                (None, Some((last, sources))) if !sources.is_empty() => (sources, (*last).clone()),
                // One operand: `ln TARGET` makes its name here; else there is nothing to do.
                _ => (
                    operands.as_slice(),
                    Word {
                        text: ".".into(),
                        known: true,
                        glob: false,
                    },
                ),
            };
            for source in sources {
                let remote = remote(&source.text);
                if let (Some((_, path)), true) = (remote, spec.remote) {
                    push(found, Access::Read, &part(source, path));
                    continue;
                }
                let sends = spec.remote && remote_target(&target.text);
                let access = if sends { Access::Send } else { Access::Copy };
                found.push(Touch {
                    access,
                    path: (*source).clone(),
                    to: Some(target.text.clone()),
                });
                if moves {
                    push(found, Access::Delete, source);
                }
            }
            if !(spec.remote && remote_target(&target.text)) {
                push(found, Access::Write, &target);
            }
        }
    }
}

/// `host:path` or `user@host:path`, as scp and rsync take it; not `C:\x`, not `./a:b`.
pub fn remote(text: &str) -> Option<(&str, &str)> {
    let (host, path) = text.split_once(':')?;
    let named = host.len() > 1 && !host.contains('/') && !host.contains('\\');
    named.then_some((host, path))
}

fn remote_target(text: &str) -> bool {
    remote(text).is_some() || text.contains("://")
}

/// `chmod MODE FILE…`, where a mode may begin with a dash (`-x`).
fn mode(args: &[Word], found: &mut Vec<Touch>) {
    let is_mode = |text: &str| {
        text.len() > 1 && text.starts_with('-') && text[1..].bytes().all(|b| b"rwxXst,ugoa+=-".contains(&b))
    };
    let dashed = args
        .iter()
        .any(|word| is_mode(&word.text) || word.text.starts_with("--reference"));
    let operands = args.iter().filter(|word| !word.text.starts_with('-'));
    operands
        .skip(usize::from(!dashed))
        .for_each(|word| push(found, Access::Change, word));
}

fn by_option(args: &[Word], options: &[(&str, Access)], found: &mut Vec<Touch>) {
    for pair in args.windows(2) {
        if let Some((_, access)) = options.iter().find(|(name, _)| pair[0].text == *name) {
            push(found, *access, &pair[1]);
        }
    }
}

#[cfg(test)]
mod tests;
