//! One pattern of each kind that a condition is made of: word, host, path, text, flag, argument list.

use crate::glob::{self, Options};
use regex_lite::Regex;

/// How strictly a condition is held against what an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// One path, host or word is enough, and case is ignored: a rule that denies or asks.
    Any,
    /// All paths and hosts, exactly: an exception of such a rule.
    Exempt,
    /// The same, and no word, wrapper or variable may be left over: a rule that allows.
    All,
}

/// Where the paths of an event are seen from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'a> {
    pub(crate) project: &'a str,
    pub(crate) home: &'a str,
    pub(crate) cwd: &'a str,
}

/// A glob over one word: a program, a tool, an event, a branch, a host.
#[derive(Clone, Debug)]
pub(crate) struct Word(Box<str>);

impl Word {
    pub(crate) fn parse(text: &str) -> Result<Vec<Self>, String> {
        Ok(glob::expand(text)?.into_iter().map(|text| Word(text.into())).collect())
    }

    /// The word itself, where it is no pattern.
    pub(crate) fn literal(&self) -> Option<&str> {
        (!self.0.contains(['*', '?', '['])).then_some(&*self.0)
    }

    /// The host that every host it means ends with: `example.com` of `*.example.com`.
    pub(crate) fn host_literal(&self) -> Option<&str> {
        let bare = self.0.strip_prefix("*.").unwrap_or(&self.0);
        (!bare.contains(['*', '?', '['])).then_some(bare)
    }

    /// Names of events, tools and branches: as they are written.
    pub(crate) fn matches(&self, text: &str) -> bool {
        glob::matches(
            &self.0,
            text,
            Options {
                path: false,
                fold: false,
            },
        )
    }

    /// Programs and hosts: `RM` runs `rm` where the file system folds case, so only an allow is exact.
    pub(crate) fn matches_folded(&self, text: &str, hold: Hold) -> bool {
        glob::matches(
            &self.0,
            text,
            Options {
                path: false,
                fold: hold == Hold::Any,
            },
        )
    }

    /// A host: `*.example.com` also means `example.com` itself where a rule forbids.
    pub(crate) fn matches_host(&self, host: &str, hold: Hold) -> bool {
        let fold = Options {
            path: false,
            fold: true,
        };
        glob::matches(&self.0, host, fold)
            || (hold == Hold::Any
                && self
                    .0
                    .strip_prefix("*.")
                    .is_some_and(|bare| glob::matches(bare, host, fold)))
    }
}

/// Whether an empty list (no condition) or one of its patterns holds.
pub(crate) fn any<T>(patterns: &[T], mut holds: impl FnMut(&T) -> bool) -> bool {
    patterns.is_empty() || patterns.iter().any(&mut holds)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Root,
    Project,
    Home,
    Cwd,
    /// No slash in the pattern: a name, in any folder.
    Anywhere,
}

/// A glob over absolute paths: from the root, from `~`, `${project}` or `${cwd}`, relative (to the project), or a bare
/// name, which means that name in any folder.
#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    base: Base,
    glob: Box<str>,
}

impl PathPattern {
    pub(crate) fn parse(text: &str) -> Result<Vec<Self>, String> {
        glob::expand(text)?.iter().map(|text| Self::one(text)).collect()
    }

    fn one(text: &str) -> Result<Self, String> {
        let bases = [
            ("${project}", Base::Project),
            ("${home}", Base::Home),
            ("${cwd}", Base::Cwd),
            ("~", Base::Home),
        ];
        for (prefix, base) in bases {
            if let Some(rest) = text.strip_prefix(prefix)
                && (rest.is_empty() || rest.starts_with('/'))
            {
                return Ok(PathPattern {
                    base,
                    glob: rest.trim_matches('/').into(),
                });
            }
        }
        if let Some(start) = text.find("${") {
            let name = text[start..].split_inclusive('}').next().unwrap_or_default();
            return Err(format!(
                "`{name}` is unknown or not at the start of `{text}`: ${{project}}, ${{home}}, ${{cwd}}"
            ));
        }
        let plain = text.trim_end_matches('/');
        let (base, glob) = match plain.strip_prefix('/') {
            Some(rest) => (Base::Root, rest),
            None if text == "/" => (Base::Root, ""),
            None if plain.contains('/') => (Base::Project, plain.trim_start_matches("./")),
            None => (Base::Anywhere, plain),
        };
        Ok(PathPattern {
            base,
            glob: glob.into(),
        })
    }

    /// Whether it means `path` (absolute, without `.` and `..`). Where a rule forbids, a pattern that names a folder also
    /// covers what is below it, and case is ignored.
    pub(crate) fn matches(&self, path: &str, places: &Places<'_>, hold: Hold) -> bool {
        let options = Options {
            path: true,
            fold: hold == Hold::Any,
        };
        let base = match self.base {
            Base::Anywhere => {
                let mut names = path.split('/').filter(|name| !name.is_empty());
                return match hold {
                    Hold::Any => names.any(|name| glob::matches(&self.glob, name, options)),
                    Hold::Exempt | Hold::All => names
                        .next_back()
                        .is_some_and(|name| glob::matches(&self.glob, name, options)),
                };
            }
            Base::Root => "",
            Base::Project => places.project,
            Base::Home => places.home,
            Base::Cwd => places.cwd,
        };
        let base = base.trim_end_matches('/');
        if base.is_empty() && self.base != Base::Root {
            return false;
        }
        let Some(rest) = path.get(base.len()..).filter(|_| path.is_char_boundary(base.len())) else {
            return false;
        };
        let below = &path[..base.len()];
        if !(below == base || options.fold && below.eq_ignore_ascii_case(base))
            || !(rest.is_empty() || rest.starts_with('/'))
        {
            return false;
        }
        let rest = rest.trim_start_matches('/');
        if glob::matches(&self.glob, rest, options) {
            return true;
        }
        hold == Hold::Any
            && (self.glob.is_empty()
                || rest
                    .match_indices('/')
                    .any(|(at, _)| glob::matches(&self.glob, &rest[..at], options)))
    }

    /// The longest name that every path it means has; none where each may be another.
    pub(crate) fn name(&self) -> Option<&str> {
        let names = self
            .glob
            .split('/')
            .filter(|name| !name.is_empty() && !name.contains(['*', '?', '[']));
        names.max_by_key(|name| name.len())
    }

    /// The folders, seen from its base, that have what it means below them, as far as its fixed part tells.
    pub(crate) fn folders_above(&self) -> Vec<&str> {
        if self.base == Base::Anywhere {
            return Vec::new();
        }
        let fixed = self.fixed();
        std::iter::once("")
            .chain(fixed.match_indices('/').map(|(at, _)| &fixed[..at]))
            .collect()
    }

    fn fixed(&self) -> &str {
        self.glob
            .find(['*', '?', '['])
            .map_or(&*self.glob, |at| &self.glob[..at])
    }

    /// Whether what it means lies below the folder `path`, as far as its fixed part tells: deleting or moving that
    /// folder takes it along.
    pub(crate) fn lies_below(&self, path: &str, places: &Places<'_>) -> bool {
        let base = match self.base {
            Base::Anywhere => return false,
            Base::Root => "",
            Base::Project => places.project,
            Base::Home => places.home,
            Base::Cwd => places.cwd,
        };
        let fixed = self
            .glob
            .find(['*', '?', '['])
            .map_or(&*self.glob, |at| &self.glob[..at]);
        let full = format!("{}/{fixed}", base.trim_end_matches('/'));
        let folder = format!("{}/", path.trim_end_matches('/'));
        full.len() > folder.len() && full.starts_with(&folder)
    }
}

/// A pattern over a text: a part of it, or a regular expression after `regex:`.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    Part(Box<str>),
    /// With a part that whatever it matches has, where that can be told.
    Regex(Box<Regex>, Option<Box<str>>),
}

impl Text {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.strip_prefix("regex:") {
            Some(source) => Regex::new(source)
                .map(|regex| Text::Regex(Box::new(regex), literal(source).map(Into::into)))
                .map_err(|error| format!("`{source}` is not a regular expression: {error}")),
            None => Ok(Text::Part(text.into())),
        }
    }

    /// A part of every text in which it is found; ASCII letters may be of either case there.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self {
            Text::Part(part) => Some(part),
            Text::Regex(_, literal) => literal.as_deref(),
        }
    }

    /// The whole of the text, not a part.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Text::Part(part) => text == &**part,
            Text::Regex(regex, _) => regex.find(text).is_some_and(|found| found.len() == text.len()),
        }
    }

    pub(crate) fn found_in(&self, text: &str) -> bool {
        match self {
            Text::Part(part) => text.contains(&**part),
            Text::Regex(regex, _) => regex.is_match(text),
        }
    }
}

/// The longest run of plain letters that every match of the expression has. Only what is certain: none where the
/// expression has alternatives, groups or flags other than a leading `(?i)`.
fn literal(source: &str) -> Option<&str> {
    let source = source.strip_prefix("(?i)").unwrap_or(source);
    // A class that begins with `]` or has another inside is not taken apart here.
    if source.contains(['|', '(', ')', '#'])
        || ["[]", "[^]", "[[", "[^[", "[:"]
            .iter()
            .any(|part| source.contains(part))
    {
        return None;
    }
    let bytes = source.as_bytes();
    let (mut best, mut start, mut at) = ("", 0, 0);
    let mut class = false;
    while at <= bytes.len() {
        let letter = bytes.get(at).copied().unwrap_or(b'.');
        let plain = !class && (letter.is_ascii_alphanumeric() || b"_-/:=@ ".contains(&letter));
        if !plain {
            // What a repetition follows may be missing.
            let optional = b"*?{".contains(&letter);
            let end = if optional { at.saturating_sub(1).max(start) } else { at };
            if end > start && end - start > best.len() {
                best = source.get(start..end)?;
            }
            match letter {
                // `\x41` and its kin write a letter with others.
                b'\\'
                    if bytes
                        .get(at + 1)
                        .is_some_and(|next| next.is_ascii_alphanumeric() && !b"bBdDsSwWnrtfvaAz".contains(next)) =>
                {
                    return None;
                }
                b'\\' => at += 1,
                b'[' => class = true,
                b']' => class = false,
                // The bounds of a repetition are no letters.
                b'{' => at += bytes[at..].iter().position(|byte| *byte == b'}')?,
                _ => {}
            }
            start = at + 1;
        }
        at += 1;
    }
    (!best.is_empty()).then_some(best)
}

/// Flags that must all be there: `--force|-f --yes` is two, the first in either spelling.
#[derive(Clone, Debug)]
pub(crate) struct Flags(Vec<Vec<Flag>>);

/// One spelling of a flag, with the value that it must have, if any.
#[derive(Clone, Debug)]
struct Flag {
    name: Box<str>,
    value: Option<Word>,
}

impl Flags {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let one = |spelling: &str| {
            let (name, value) = match spelling.split_once('=') {
                Some((name, value)) => (name, Word::parse(value)?.into_iter().next()),
                None => (spelling, None),
            };
            if name != "*" && (!name.starts_with('-') || name == "-") {
                return Err(format!("`{spelling}` is not a flag: flags start with `-`"));
            }
            Ok(Flag {
                name: name.into(),
                value,
            })
        };
        let all = text
            .split_whitespace()
            .map(|flag| flag.split('|').map(one).collect::<Result<Vec<_>, String>>());
        Ok(Flags(all.collect::<Result<_, _>>()?))
    }

    /// Whether each of them is among the arguments.
    pub(crate) fn all_in(&self, args: &[&str]) -> bool {
        self.0
            .iter()
            .all(|spellings| spellings.iter().any(|flag| flag.is_in(args)))
    }

    /// Whether the argument (a flag) is one of them: for an allow, which must account for every word.
    pub(crate) fn accounts_for(&self, arg: &str) -> bool {
        self.0
            .iter()
            .flatten()
            .any(|flag| flag.name.as_ref() == "*" || flag.is_in(&[arg]))
    }
}

impl Flag {
    fn is_in(&self, args: &[&str]) -> bool {
        let before_end = args.iter().position(|arg| *arg == "--").unwrap_or(args.len());
        args[..before_end].iter().enumerate().any(|(at, arg)| {
            if !arg.starts_with('-') {
                return false;
            }
            let next = || args[..before_end].get(at + 1).copied();
            let has_value = |value: Option<&str>| match &self.value {
                None => true,
                Some(wanted) => value.is_some_and(|value| wanted.matches(value)),
            };
            if &*self.name == "*" {
                return true;
            }
            if *arg == &*self.name {
                return has_value(next());
            }
            if let Some(value) = arg.strip_prefix(&*self.name).and_then(|rest| rest.strip_prefix('=')) {
                return has_value(Some(value));
            }
            // `-f` is also in `-rf`; a value may follow its letter directly: `-nprod`.
            let mut letters = self.name.chars().skip(1);
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return false;
            };
            let Some(cluster) = arg.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) else {
                return false;
            };
            match cluster.find(letter) {
                Some(_) if self.value.is_none() => cluster.chars().all(char::is_alphanumeric),
                Some(found) => {
                    let value = &cluster[found + letter.len_utf8()..];
                    has_value(if value.is_empty() { next() } else { Some(value) })
                }
                None => false,
            }
        })
    }
}

/// Words in a row: of a whole command (`git push ...`) or among its arguments (`push main`).
#[derive(Clone, Debug)]
pub(crate) struct Words {
    words: Vec<Vec<Word>>,
    /// Ends with `...`: any further words.
    open: bool,
}

impl Words {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let open = words.last() == Some(&"...");
        if open {
            words.pop();
        }
        if words.contains(&"...") {
            return Err(format!(
                "`...` stands for the rest: it can only be the last word of `{text}`"
            ));
        }
        let words = words.into_iter().map(Word::parse).collect::<Result<_, _>>()?;
        Ok(Words { words, open })
    }

    /// What the first word may be, where it is no pattern.
    pub(crate) fn first_literals(&self) -> Option<Vec<&str>> {
        self.words.first()?.iter().map(Word::literal).collect()
    }

    /// The whole row, from its first word to its last.
    pub(crate) fn is(&self, row: &[&str], hold: Hold) -> bool {
        (row.len() == self.words.len() || (self.open && row.len() > self.words.len()))
            && self
                .words
                .iter()
                .zip(row)
                .all(|(word, text)| word.iter().any(|word| word.matches_folded(text, hold)))
    }

    /// In this order within the row, not necessarily side by side.
    pub(crate) fn within(&self, row: &[&str]) -> bool {
        let mut row = row.iter();
        self.words
            .iter()
            .all(|word| row.any(|text| word.iter().any(|word| word.matches(text))))
    }
}
