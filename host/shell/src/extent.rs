//! Where the substitutions of a command line begin and end, as bash finds it.
//!
//! The parser cuts some of them in the wrong place and calls the line clean: behind a `case`, behind quotes and braces inside
//! `${…}`. So it is given each line with the substitutions blanked ([`blanked`]), and their bodies one by one. This module only
//! lexes: quotes, comments, heredocs, and of the grammar what decides whose a `)` is. Where it cannot tell it says so.

use std::borrow::Cow;

use shuck_ast::Span;

/// Steps per byte: `$((` is tried as arithmetic first, and read again where it is none.
const STEPS: usize = 16;
/// Substitutions, groups and quotes inside each other.
const MAX_DEPTH: u32 = 60;

/// `$(…)`, `<(…)`, `>(…)` or `` `…` ``, its brackets included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Extent {
    /// What lies between its brackets.
    pub(crate) fn body(self, source: &str) -> &str {
        let opening = if source[self.start..].starts_with('`') { 1 } else { 2 };
        source.get(self.start + opening..self.end - 1).unwrap_or("")
    }
}

/// The outermost substitutions of a source, and which of them the walk over its tree has met.
#[derive(Debug, Default)]
pub(crate) struct Substitutions {
    all: Vec<(Extent, bool)>,
}

impl Substitutions {
    /// Those of `source`, and the source without them; none where their ends cannot be told.
    pub(crate) fn of(source: &str) -> Option<(Self, Cow<'_, str>)> {
        let extents = substitutions(source)?;
        let blank = blanked(source, &extents);
        let all = extents.into_iter().map(|extent| (extent, false)).collect();
        Some((Self { all }, blank))
    }

    /// The one that stands at `span` and nowhere else.
    pub(crate) fn at(&mut self, span: Span) -> Option<Extent> {
        let (start, end) = (span.start.offset(), span.end.offset());
        let found = self
            .all
            .iter_mut()
            .find(|(extent, _)| extent.start == start && extent.end == end)?;
        found.1 = true;
        Some(found.0)
    }

    /// Those within `span` are read by other means.
    pub(crate) fn pass(&mut self, span: Span) {
        let within = |extent: &Extent| span.start.offset() <= extent.start && extent.end <= span.end.offset();
        for (extent, met) in &mut self.all {
            *met |= within(extent);
        }
    }

    /// Those that no part of the tree stands for.
    pub(crate) fn lost(&self) -> impl Iterator<Item = Extent> {
        self.all.iter().filter(|(_, met)| !met).map(|(extent, _)| *extent)
    }
}

/// The outermost substitutions of `source`, in order; none where their ends cannot be told.
fn substitutions(source: &str) -> Option<Vec<Extent>> {
    if !["$(", "`", "<(", ">("].iter().any(|open| source.contains(open)) {
        return Some(Vec::new());
    }
    let mut scan = Scan {
        bytes: source.as_bytes(),
        at: 0,
        found: Vec::new(),
        depth: 0,
        inside: 0,
        steps: source.len() * STEPS,
    };
    scan.list(false)?;
    scan.found.sort_by_key(|extent| extent.start);
    Some(scan.found)
}

/// `source` with nothing in its substitutions: of the same length, so that every span means the same in both.
fn blanked<'s>(source: &'s str, extents: &[Extent]) -> Cow<'s, str> {
    if extents.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut blank = String::with_capacity(source.len());
    let mut from = 0;
    for extent in extents {
        let body = extent.body(source);
        let open = extent.end - 1 - body.len();
        blank.push_str(&source[from..open]);
        blank.extend(std::iter::once(':').chain(std::iter::repeat(' ')).take(body.len()));
        from = extent.end - 1;
    }
    blank.push_str(&source[from..]);
    Cow::Owned(blank)
}

/// What the next `)` closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    Subshell,
    Array,
    /// `@(a|b)`
    Glob,
    /// `case`, before its word, before `in`, before a pattern's `)`, and behind that.
    CaseWord,
    CaseIn,
    CasePattern,
    CaseBody,
    /// `[[ … ]]`, whose brackets are its own.
    Condition,
}

/// A heredoc whose text has not begun.
struct Pending {
    delimiter: Vec<u8>,
    quoted: bool,
    tabs: bool,
}

/// The word at hand.
#[derive(Default)]
struct Word {
    /// As far as it is plain text.
    text: Vec<u8>,
    there: bool,
    quoted: bool,
}

struct Scan<'s> {
    bytes: &'s [u8],
    at: usize,
    found: Vec<Extent>,
    depth: u32,
    /// Substitutions around this place: only the outermost are wanted.
    inside: u32,
    steps: usize,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// Commands, up to the end or, where they are a substitution's, past the `)` that closes it.
    fn list(&mut self, closes: bool) -> Option<()> {
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
    fn open(&mut self, list: &mut List) -> Option<()> {
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
    fn redirection(&mut self, heredocs: &mut Vec<Pending>) -> Option<()> {
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
    fn heredoc(&mut self, pending: &Pending, closes: bool) -> Option<()> {
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

    /// Text in which only expansions count, up to `close` or the end: of double quotes, and of a heredoc.
    fn text(&mut self, close: Option<u8>) -> Option<()> {
        self.deeper(|scan| {
            while let Some(byte) = scan.peek(0) {
                scan.step()?;
                match byte {
                    _ if Some(byte) == close => {
                        scan.at += 1;
                        return Some(());
                    }
                    b'\\' => scan.at += 2,
                    b'$' => scan.dollar(true)?,
                    b'`' => scan.quoted(byte)?,
                    _ => scan.at += 1,
                }
            }
            close.is_none().then_some(())
        })
    }

    /// From an opening quote or backtick past the closing one.
    fn quoted(&mut self, quote: u8) -> Option<()> {
        let start = self.at;
        self.at += 1;
        match quote {
            b'"' => self.text(Some(b'"')),
            b'\'' => {
                let end = self.bytes.get(self.at..)?.iter().position(|byte| *byte == b'\'')?;
                self.at += end + 1;
                Some(())
            }
            _ => {
                while self.peek(0)? != b'`' {
                    self.step()?;
                    self.at += 1 + usize::from(self.peek(0) == Some(b'\\'));
                }
                self.at += 1;
                self.note(start);
                Some(())
            }
        }
    }

    /// From a `$` past what it expands.
    fn dollar(&mut self, double_quoted: bool) -> Option<()> {
        match self.peek(1) {
            Some(b'(') => {
                if self.peek(2) == Some(b'(') {
                    let (at, found) = (self.at, self.found.len());
                    self.at += 2;
                    if self.arithmetic().is_some() {
                        return Some(());
                    }
                    self.at = at;
                    self.found.truncate(found);
                }
                self.substitution()
            }
            Some(b'{') => self.parameter(double_quoted),
            Some(b'\'') if !double_quoted => {
                self.at += 2;
                while self.peek(0)? != b'\'' {
                    self.at += 1 + usize::from(self.peek(0) == Some(b'\\'));
                }
                self.at += 1;
                Some(())
            }
            Some(b'[') => {
                self.at += 2;
                self.brackets(b'[', b']')
            }
            Some(b'#' | b'$' | b'?' | b'!' | b'@' | b'*' | b'-') => {
                self.at += 2;
                Some(())
            }
            _ => {
                self.at += 1;
                Some(())
            }
        }
    }

    /// From `$(`, `<(` or `>(` past its `)`.
    fn substitution(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 2;
        self.inside += 1;
        let read = self.deeper(|scan| scan.list(true));
        self.inside -= 1;
        read?;
        self.note(start);
        Some(())
    }

    fn note(&mut self, start: usize) {
        if self.inside == 0 {
            self.found.push(Extent { start, end: self.at });
        }
    }

    /// From the second bracket of `((` past both that close it; none where they do not stand together.
    fn arithmetic(&mut self) -> Option<()> {
        self.at += 1;
        self.brackets(b'(', b')')?;
        let closed = self.peek(0) == Some(b')');
        self.at += 1;
        closed.then_some(())
    }

    /// From behind an opening bracket past the one that closes it.
    fn brackets(&mut self, open: u8, close: u8) -> Option<()> {
        self.deeper(|scan| {
            let mut depth = 1_u32;
            while depth > 0 {
                scan.step()?;
                match scan.peek(0)? {
                    b'\\' => scan.at += 2,
                    byte @ (b'\'' | b'"' | b'`') => scan.quoted(byte)?,
                    b'$' => scan.dollar(false)?,
                    byte => {
                        depth += u32::from(byte == open);
                        depth -= u32::from(byte == close);
                        scan.at += 1;
                    }
                }
            }
            Some(())
        })
    }

    /// From `${` past its `}`. In double quotes a single quote is text for `sh`, and a quote for bash: it may make no difference.
    fn parameter(&mut self, double_quoted: bool) -> Option<()> {
        self.deeper(|scan| {
            scan.at += 2;
            let start = scan.at;
            let mut operator = None;
            loop {
                scan.step()?;
                let byte = scan.peek(0)?;
                if operator.is_none() && scan.at > start && b"#%^,~:-=?+/".contains(&byte) {
                    operator = Some(byte);
                }
                let pattern = operator.is_some_and(|byte| b"#%^,/".contains(&byte));
                match byte {
                    b'}' => {
                        scan.at += 1;
                        return Some(());
                    }
                    b'\\' => scan.at += 2,
                    b'\'' if double_quoted && !pattern => {
                        let from = scan.at;
                        scan.quoted(byte)?;
                        if scan.bytes[from..scan.at].iter().any(|byte| b"}\"$`\\".contains(byte)) {
                            return None;
                        }
                    }
                    b'\'' | b'"' | b'`' => scan.quoted(byte)?,
                    b'$' => scan.dollar(double_quoted && !pattern)?,
                    b'<' | b'>' if !double_quoted && scan.peek(1) == Some(b'(') => scan.substitution()?,
                    _ => scan.at += 1,
                }
            }
        })
    }
}

/// Where in a list of commands the scan is.
struct List {
    frames: Vec<Frame>,
    heredocs: Vec<Pending>,
    word: Word,
    /// Whether a word of the grammar may come next.
    start: bool,
    /// Words that are still the head of `for` or `select`.
    loop_words: u32,
}

impl Word {
    fn quote(&mut self) {
        self.there = true;
        self.quoted = true;
    }
}

impl List {
    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if !word.there {
            return;
        }
        let text = if word.quoted { &[] } else { word.text.as_slice() };
        let top = self.frames.last_mut();
        match top {
            Some(Frame::Condition) => {
                if text == b"]]" {
                    self.frames.pop();
                    self.start = false;
                }
                return;
            }
            Some(frame @ Frame::CaseWord) => {
                *frame = Frame::CaseIn;
                return;
            }
            Some(frame @ Frame::CaseIn) => {
                if text == b"in" {
                    *frame = Frame::CasePattern;
                }
                return;
            }
            Some(Frame::CasePattern) => {
                if text == b"esac" {
                    self.frames.pop();
                    self.start = false;
                }
                return;
            }
            Some(Frame::Array | Frame::Glob) => return,
            Some(Frame::CaseBody | Frame::Subshell) | None => {}
        }
        let names = std::mem::take(&mut self.loop_words);
        if names > 0 {
            self.start = text == b"do";
            self.loop_words = names - 1;
            return;
        }
        if !std::mem::replace(&mut self.start, false) {
            return;
        }
        match text {
            b"case" => self.frames.push(Frame::CaseWord),
            b"esac" if top_is_case(&self.frames) => {
                self.frames.pop();
            }
            b"[[" => self.frames.push(Frame::Condition),
            b"for" | b"select" => self.loop_words = 2,
            b"function" => self.loop_words = 1,
            b"if" | b"then" | b"elif" | b"else" | b"while" | b"until" | b"do" | b"{" | b"!" | b"time" | b"coproc" => {
                self.start = true;
            }
            _ => {}
        }
    }
}

fn top_is_case(frames: &[Frame]) -> bool {
    frames.last() == Some(&Frame::CaseBody)
}
