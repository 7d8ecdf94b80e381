//! Patterns of paths: `Edit(src/**)`, read as lines of a `.gitignore` in the session's current directory, without regard to case.

use serde_json::Value;

use super::command::Note;
use crate::event::{Action, Event};

/// Longer patterns and paths (in bytes) are not compared: the handler runs.
const LONGEST_PATTERN: usize = 512;
const LONGEST_PATH: usize = 4_096;
/// Where the folder is not known that a pattern starts in, so many are tried; deeper paths fit.
const MOST_FOLDERS: usize = 32;

/// Where a pattern starts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Anchor {
    /// `*.ts`, `secrets/`: a name at any depth.
    Anywhere,
    /// `/x`, `src/**`: in the session's current directory.
    Current,
    /// `//x`.
    Root,
    /// `~/x`.
    Home,
    /// `!x`, `../x`: fits nothing.
    Nowhere,
    /// Too long to compare: fits everything.
    Everywhere,
}

/// A pattern of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    anchor: Anchor,
    /// In lower case; `**` stands for any number of folders.
    segments: Vec<Vec<char>>,
    /// Ends in `/`: fits folders, and so what is in them.
    folder: bool,
}

impl Pattern {
    pub(super) fn new(content: &str) -> (Self, Option<Note>) {
        let trimmed = content.trim_end();
        let note = note(trimmed);
        let (mut anchor, rest) = match trimmed {
            _ if content.len() > LONGEST_PATTERN => (Anchor::Everywhere, ""),
            text if text.starts_with(['!', '#']) => (Anchor::Nowhere, ""),
            text => match (
                text.strip_prefix("//"),
                text.strip_prefix('/'),
                text.strip_prefix("~/"),
                text.strip_prefix("./"),
            ) {
                (Some(rest), ..) => (Anchor::Root, rest),
                (_, Some(rest), ..) => (Anchor::Current, rest),
                (_, _, Some(rest), _) => (Anchor::Home, rest),
                (_, _, _, Some(rest)) => (Anchor::Anywhere, rest),
                _ if text == "~" => (Anchor::Home, ""),
                _ => (Anchor::Anywhere, text),
            },
        };
        let folder = rest.ends_with('/');
        let segments: Vec<Vec<char>> = rest
            .split('/')
            .filter(|segment| !segment.is_empty() && *segment != ".")
            .map(|segment| segment.to_lowercase().chars().collect())
            .collect();
        if segments.iter().any(|segment| segment.as_slice() == ['.', '.']) {
            anchor = Anchor::Nowhere;
        }
        // A slash before the last segment ties a pattern to the folder it is read in.
        if anchor == Anchor::Anywhere && segments.len() > 1 {
            anchor = Anchor::Current;
        }
        (
            Self {
                anchor,
                segments,
                folder,
            },
            note,
        )
    }

    /// Whether the call is one the handler is for. A call without a readable path is.
    pub(super) fn fits(&self, event: &Event) -> bool {
        match self.anchor {
            Anchor::Everywhere => return true,
            Anchor::Nowhere => return false,
            _ => {}
        }
        let paths = paths_of(event);
        paths.is_empty() || paths.iter().any(|path| self.fits_path(path, event))
    }

    fn fits_path(&self, path: &str, event: &Event) -> bool {
        if path.len() > LONGEST_PATH {
            return true;
        }
        let cwd = split(&event.cwd);
        let path = absolute(path, &cwd);
        // A call on a whole folder is on everything in it.
        let searched = event
            .tool
            .as_ref()
            .is_some_and(|tool| matches!(tool.name.as_str(), "Glob" | "Grep" | "LS"));
        let below = |start: &[Vec<char>]| {
            path.strip_prefix(start)
                .is_some_and(|rest| self.fits_below(rest, searched))
        };
        // Where a folder is not known, any may be it.
        let below_any = || {
            let mut starts = 0..path.len().min(MOST_FOLDERS);
            path.len() > MOST_FOLDERS
                || starts.any(|at| path.get(at..).is_some_and(|rest| self.fits_below(rest, searched)))
        };
        let in_home = path.first().is_some_and(|first| first.as_slice() == ['~']);
        match self.anchor {
            Anchor::Root => self.fits_below(&path, searched) || in_home && below_any(),
            Anchor::Current if cwd.is_empty() || in_home => below_any(),
            Anchor::Current => below(&cwd),
            Anchor::Home => home_of(event, &path)
                .filter(|_| !in_home)
                .map_or_else(below_any, |home| below(&home)),
            Anchor::Anywhere => {
                let Some(name) = self.segments.first() else { return true };
                let last = path.len().saturating_sub(1);
                path.iter().enumerate().any(|(at, segment)| {
                    let is_folder = at < last || searched;
                    (is_folder || !self.folder) && (is_any_depth(name) || fits_segment(name, segment))
                })
            }
            Anchor::Nowhere => false,
            Anchor::Everywhere => true,
        }
    }

    /// Whether the pattern fits the path or a folder that it is in.
    fn fits_below(&self, path: &[Vec<char>], searched: bool) -> bool {
        if self.segments.is_empty() {
            return true;
        }
        // reached[i]: the pattern's first i segments can stand for the part of the path that was looked at.
        let patterns = &self.segments;
        let mut reached = vec![false; patterns.len() + 1];
        set(&mut reached, 0);
        skip_any_depth(&mut reached, patterns);
        for (at, segment) in path.iter().enumerate() {
            let mut next = vec![false; patterns.len() + 1];
            for (index, pattern) in patterns
                .iter()
                .enumerate()
                .filter(|(index, _)| reached.get(*index) == Some(&true))
            {
                if is_any_depth(pattern) {
                    set(&mut next, index);
                    // At the end it stands for one segment at least: `src/**` is not `src`.
                    if index + 1 == patterns.len() {
                        set(&mut next, index + 1);
                    }
                } else if fits_segment(pattern, segment) {
                    set(&mut next, index + 1);
                }
            }
            skip_any_depth(&mut next, patterns);
            reached = next;
            let is_folder = at + 1 < path.len() || searched;
            if reached.last() == Some(&true) && (is_folder || !self.folder) {
                return true;
            }
        }
        false
    }
}

fn set(flags: &mut [bool], index: usize) {
    if let Some(flag) = flags.get_mut(index) {
        *flag = true;
    }
}

/// `**` before the last segment may stand for no folder at all.
fn skip_any_depth(reached: &mut [bool], patterns: &[Vec<char>]) {
    for (index, pattern) in patterns.iter().enumerate().take(patterns.len().saturating_sub(1)) {
        if is_any_depth(pattern) && reached.get(index) == Some(&true) {
            set(reached, index + 1);
        }
    }
}

fn is_any_depth(pattern: &[char]) -> bool {
    pattern == ['*', '*']
}

/// One name against one segment with `*`, `?`, `[…]` and `\`. Going back to the last star only is enough, so it is never slow.
fn fits_segment(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = name.get(n) {
        let step = match pattern.get(p) {
            Some('*') => {
                star = Some((p + 1, n));
                p += 1;
                continue;
            }
            Some('?') => Some(p + 1),
            Some('[') => class(pattern, p, *c),
            Some('\\') => pattern.get(p + 1).filter(|literal| *literal == c).map(|_| p + 2),
            Some(literal) => (literal == c).then_some(p + 1),
            None => None,
        };
        match (step, star) {
            (Some(next), _) => {
                p = next;
                n += 1;
            }
            (None, Some((after, at))) => {
                star = Some((after, at + 1));
                p = after;
                n = at + 1;
            }
            (None, None) => return false,
        }
    }
    pattern.get(p..).is_some_and(|rest| rest.iter().all(|c| *c == '*'))
}

/// Where a class that holds `c` ends; none where it does not hold it, or does not end.
fn class(pattern: &[char], open: usize, c: char) -> Option<usize> {
    let negated = matches!(pattern.get(open + 1), Some('!' | '^'));
    let mut at = open + 1 + usize::from(negated);
    let (first, mut holds) = (at, false);
    loop {
        let mut low = *pattern.get(at)?;
        if low == ']' && at > first {
            break;
        }
        if low == '\\' {
            at += 1;
            low = *pattern.get(at)?;
        }
        let high = match (pattern.get(at + 1), pattern.get(at + 2)) {
            (Some('-'), Some(high)) if *high != ']' => {
                at += 2;
                *high
            }
            _ => low,
        };
        holds |= low <= c && c <= high;
        at += 1;
    }
    (holds != negated).then_some(at + 1)
}

/// The paths of a call: the field of its input, else what it is known to do.
fn paths_of(event: &Event) -> Vec<String> {
    let input = event.payload.get("tool_input");
    let field = |key: &str| {
        input
            .and_then(|input| input.get(key))
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    if let Some(path) = field("file_path")
        .or_else(|| field("notebook_path"))
        .or_else(|| field("path"))
    {
        return vec![path];
    }
    let Some(tool) = &event.tool else { return Vec::new() };
    let paths = tool.actions.iter().filter_map(|action| match action {
        Action::Read(path) | Action::Delete(path) => Some(path.clone()),
        Action::Write(write) => Some(write.path.clone()),
        Action::Search(search) => Some(search.path.clone().unwrap_or_else(|| ".".to_owned())),
        _ => None,
    });
    paths.collect()
}

/// Home, as the place of the session's transcript tells; else the usual place that the path is in.
fn home_of(event: &Event, path: &[Vec<char>]) -> Option<Vec<Vec<char>>> {
    let transcript = event
        .payload
        .get("transcript_path")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let folders = split(transcript);
    let agent = folders.iter().position(|segment| segment.first() == Some(&'.'));
    if let Some(home) = agent.filter(|at| *at > 0).and_then(|at| folders.get(..at)) {
        return Some(home.to_vec());
    }
    let first: String = path.first()?.iter().collect();
    match first.as_str() {
        "root" => path.get(..1).map(<[_]>::to_vec),
        "home" | "users" => path.get(..2).map(<[_]>::to_vec),
        _ => None,
    }
}

/// The segments of an absolute path, in lower case, `.` and `..` resolved.
fn split(path: &str) -> Vec<Vec<char>> {
    let mut segments: Vec<Vec<char>> = Vec::new();
    for segment in path.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            name => segments.push(name.to_lowercase().chars().collect()),
        }
    }
    segments
}

fn absolute(path: &str, cwd: &[Vec<char>]) -> Vec<Vec<char>> {
    let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if path.starts_with(['/', '\\', '~']) || drive {
        return split(path);
    }
    let mut segments = cwd.to_vec();
    for segment in path.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            name => segments.push(name.to_lowercase().chars().collect()),
        }
    }
    segments
}

fn note(content: &str) -> Option<Note> {
    if content.starts_with('!') {
        return Some((
            "a rule cannot be turned round with \"!\"".to_owned(),
            "name what the handler is for".to_owned(),
        ));
    }
    if content.split('/').any(|segment| segment == "..") {
        return Some((
            "\"..\" fits no path".to_owned(),
            "write an absolute path: Edit(//srv/shared/**)".to_owned(),
        ));
    }
    if content.contains('{') && content.contains('}') {
        return Some((
            "braces are not alternatives here".to_owned(),
            "write one handler for each alternative".to_owned(),
        ));
    }
    None
}
