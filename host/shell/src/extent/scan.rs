//! Commands, redirections and heredocs, up to the bracket that closes them.

use super::Extent;
use super::commands::{Frame, List, Pending, Word};

/// Steps per byte: `$((` is tried as arithmetic first, and read again where it is none.
const STEPS: usize = 16;
/// Substitutions, groups and quotes inside each other.
const MAX_DEPTH: u32 = 60;

/// The outermost substitutions of `source`, in the order of their ends; none where these cannot be told.
pub(super) fn substitutions(source: &str) -> Option<Vec<Extent>> {
    let mut scan = Scan {
        bytes: source.as_bytes(),
        at: 0,
        found: Vec::new(),
        depth: 0,
        inside: 0,
        steps: source.len() * STEPS,
    };
    scan.list(false)?;
    Some(scan.found)
}

pub(super) struct Scan<'s> {
    pub(super) bytes: &'s [u8],
    pub(super) at: usize,
    pub(super) found: Vec<Extent>,
    pub(super) depth: u32,
    /// Substitutions around this place: only the outermost are wanted.
    pub(super) inside: u32,
    pub(super) steps: usize,
}

impl Scan<'_> {
    pub(super) fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    pub(super) fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    pub(super) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// Commands, up to the end or, where they are a substitution's, past the `)` that closes it.
    pub(super) fn list(&mut self, closes: bool) -> Option<()> {
        let mut list = List {
            frames: Vec::new(),
            heredocs: Vec::new(),
            word: Word::default(),
            start: true,
            loop_words: 0,
        };
        while let Some(byte) = self.peek(0) {
            self.step()?;
            let top = list.frames.last().copied();
            match byte {
                b'\\' => {
                    if self.peek(1) != Some(b'\n') {
                        list.word.there = true;
                        list.word.quoted = true;
                    }
                    self.at += 2;
                }
                b' ' | b'\t' => {
                    list.end_word();
                    self.at += 1;
                }
                b'\n' => {
                    list.end_word();
                    self.at += 1;
                    for pending in std::mem::take(&mut list.heredocs) {
                        self.heredoc(&pending, closes)?;
                    }
                    list.start = top != Some(Frame::Array);
                }
                b'#' if !list.word.there => {
                    while self.peek(0).is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                b'\'' | b'"' | b'`' => {
                    list.word.quote();
                    self.quoted(byte)?;
                }
                b'$' => {
                    list.word.quote();
                    self.dollar(false)?;
                }
                b'<' | b'>' if self.peek(1) == Some(b'(') && top != Some(Frame::Condition) => {
                    list.word.quote();
                    self.substitution()?;
                }
                b'<' | b'>' if matches!(top, Some(Frame::Condition | Frame::CasePattern)) => self.at += 1,
                b'<' | b'>' => {
                    list.end_word();
                    list.start = false;
                    self.redirection(&mut list.heredocs)?;
                }
                b'(' => self.open(&mut list)?,
                b')' => {
                    list.end_word();
                    self.at += 1;
                    match list.frames.last() {
                        None if closes => return list.heredocs.is_empty().then_some(()),
                        Some(Frame::Condition) => {}
                        Some(Frame::CasePattern) => {
                            list.frames.pop();
                            list.frames.push(Frame::CaseBody);
                            list.start = true;
                        }
                        Some(Frame::Subshell) => {
                            list.frames.pop();
                            list.start = false;
                        }
                        Some(Frame::Array | Frame::Glob) => {
                            list.frames.pop();
                            list.word.quote();
                        }
                        None | Some(Frame::CaseWord | Frame::CaseIn | Frame::CaseBody) => return None,
                    }
                }
                b';' | b'&' | b'|' => {
                    let redirects = byte == b'&' && self.peek(1) == Some(b'>');
                    list.end_word();
                    self.at += 1;
                    if byte == b';' && matches!(self.peek(0), Some(b';' | b'&')) {
                        self.at += 1;
                        self.at += usize::from(self.peek(0) == Some(b'&'));
                        if let Some(frame @ Frame::CaseBody) = list.frames.last_mut() {
                            *frame = Frame::CasePattern;
                        }
                    }
                    list.start = !redirects;
                }
                _ => {
                    list.word.there = true;
                    if list.word.text.len() < 8 {
                        list.word.text.push(byte);
                    }
                    self.at += 1;
                }
            }
        }
        list.end_word();
        (!closes && list.frames.is_empty()).then_some(())
    }

    /// An opening bracket among commands.
    pub(super) fn open(&mut self, list: &mut List) -> Option<()> {
        let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at)).copied();
        let double = self.peek(1) == Some(b'(');
        let in_word = list.word.there;
        match list.frames.last() {
            Some(Frame::Condition) => {
                self.at += 1;
                return Some(());
            }
            Some(Frame::CasePattern) if !in_word => {
                self.at += 1;
                return Some(());
            }
            _ => {}
        }
        let plain = in_word && !list.word.quoted;
        if in_word && before == Some(b'=') {
            list.word.quote();
            list.frames.push(Frame::Array);
            self.at += 1;
            return Some(());
        }
        let negates = plain && list.start && list.word.text == b"!";
        if in_word && !negates && before.is_some_and(|byte| b"?*+@!".contains(&byte)) {
            list.word.quote();
            list.frames.push(Frame::Glob);
            self.at += 1;
            return Some(());
        }
        if matches!(list.frames.last(), Some(Frame::Glob)) {
            list.word.quote();
            list.frames.push(Frame::Glob);
            self.at += 1;
            return Some(());
        }
        let was_start = list.start;
        let loops = list.loop_words > 0;
        list.end_word();
        if double && (list.start || loops) {
            let (at, found) = (self.at, self.found.len());
            self.at += 1;
            if self.arithmetic().is_some() {
                list.start = false;
                list.loop_words = 0;
                return Some(());
            }
            self.at = at;
            self.found.truncate(found);
        }
        self.at += 1;
        if list.start {
            list.frames.push(Frame::Subshell);
            return Some(());
        }
        // `name ( )`
        while matches!(self.peek(0), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let defines = self.peek(0) == Some(b')') && (was_start || !in_word);
        self.at += 1;
        list.start = true;
        defines.then_some(())
    }

    /// `<`, `>` and what belongs to the operator; the delimiter of a heredoc too.
    pub(super) fn redirection(&mut self, heredocs: &mut Vec<Pending>) -> Option<()> {
        let here = self.bytes[self.at..].starts_with(b"<<") && self.peek(2) != Some(b'<');
        if !here {
            while self.peek(0).is_some_and(|byte| b"<>".contains(&byte)) && self.peek(1) != Some(b'(') {
                self.at += 1;
            }
            self.at += usize::from(matches!(self.peek(0), Some(b'&' | b'|')));
            return Some(());
        }
        self.at += 2;
        let tabs = self.peek(0) == Some(b'-');
        self.at += usize::from(tabs);
        while matches!(self.peek(0), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let (mut delimiter, mut quoted) = (Vec::new(), false);
        while let Some(byte) = self.peek(0) {
            self.step()?;
            match byte {
                b'\'' | b'"' => {
                    quoted = true;
                    let end = self.bytes[self.at + 1..].iter().position(|other| *other == byte)?;
                    let inner = &self.bytes[self.at + 1..self.at + 1 + end];
                    if inner.contains(&b'\\') || inner.contains(&b'\n') {
                        return None;
                    }
                    delimiter.extend_from_slice(inner);
                    self.at += end + 2;
                }
                b'\\' => {
                    quoted = true;
                    delimiter.extend(self.peek(1).filter(|next| *next != b'\n'));
                    self.at += 2;
                }
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'`' => return None,
                b'$' if matches!(self.peek(1), Some(b'\'' | b'"' | b'(' | b'{')) => return None,
                _ => {
                    delimiter.push(byte);
                    self.at += 1;
                }
            }
        }
        heredocs.push(Pending {
            delimiter,
            quoted,
            tabs,
        });
        Some(())
    }

    /// The text of a heredoc, from the line after its own.
    pub(super) fn heredoc(&mut self, pending: &Pending, closes: bool) -> Option<()> {
        let from = self.at;
        loop {
            let line_start = self.at;
            let mut line = Vec::new();
            loop {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                self.steps = self.steps.checked_sub(1)?;
                line.extend_from_slice(&rest[..end]);
                self.at = (self.at + end + 1).min(self.bytes.len());
                let continues = line.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
                if pending.quoted || !continues || self.at >= self.bytes.len() {
                    break;
                }
                line.pop();
            }
            let text = if pending.tabs {
                let tabs = line.iter().take_while(|byte| **byte == b'\t').count();
                &line[tabs..]
            } else {
                &line[..]
            };
            let rest = text.strip_prefix(pending.delimiter.as_slice());
            let found = rest.is_some_and(|rest| rest.is_empty() || (closes && rest.starts_with(b")")));
            if let Some(rest) = rest.filter(|rest| found && !rest.is_empty()) {
                // `EOF)`: what follows belongs to the commands again.
                self.at = self.at.min(line_start + line.len()) - rest.len();
            }
            if !found && self.at < self.bytes.len() {
                continue;
            }
            if !found && closes {
                return None;
            }
            let after = self.at;
            let to = if found { line_start } else { self.bytes.len() };
            if !pending.quoted {
                let whole = self.bytes;
                self.bytes = &whole[..to];
                self.at = from;
                let read = self.text(None);
                self.bytes = whole;
                read?;
            }
            self.at = after;
            return Some(());
        }
    }
}
