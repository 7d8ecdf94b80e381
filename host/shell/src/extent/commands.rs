//! Where in a list of commands the scan is: what of the grammar decides whose a `)` is.

/// What the next `)` closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
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
pub(super) struct Pending {
    pub(super) delimiter: Vec<u8>,
    pub(super) quoted: bool,
    pub(super) tabs: bool,
}

/// The word at hand.
#[derive(Default)]
pub(super) struct Word {
    /// As far as it is plain text.
    pub(super) text: Vec<u8>,
    pub(super) there: bool,
    pub(super) quoted: bool,
}

/// Where in a list of commands the scan is.
pub(super) struct List {
    pub(super) frames: Vec<Frame>,
    pub(super) heredocs: Vec<Pending>,
    pub(super) word: Word,
    /// Whether a word of the grammar may come next.
    pub(super) start: bool,
    /// Words that are still the head of `for` or `select`.
    pub(super) loop_words: u32,
}

impl Word {
    pub(super) fn quote(&mut self) {
        self.there = true;
        self.quoted = true;
    }
}

impl List {
    pub(super) fn end_word(&mut self) {
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
