//! What stands inside words: quotes, `$…`, arithmetic, `${…}`.

use super::Extent;
use super::scan::Scan;

impl Scan<'_> {
    /// Text in which only expansions count, up to `close` or the end: of double quotes, and of a heredoc.
    pub(super) fn text(&mut self, close: Option<u8>) -> Option<()> {
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
    pub(super) fn quoted(&mut self, quote: u8) -> Option<()> {
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
    pub(super) fn dollar(&mut self, double_quoted: bool) -> Option<()> {
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
    pub(super) fn substitution(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 2;
        self.inside += 1;
        let read = self.deeper(|scan| scan.list(true));
        self.inside -= 1;
        read?;
        self.note(start);
        Some(())
    }

    pub(super) fn note(&mut self, start: usize) {
        if self.inside == 0 {
            self.found.push(Extent { start, end: self.at });
        }
    }

    /// From the second bracket of `((` past both that close it; none where they do not stand together.
    pub(super) fn arithmetic(&mut self) -> Option<()> {
        self.at += 1;
        self.brackets(b'(', b')')?;
        let closed = self.peek(0) == Some(b')');
        self.at += 1;
        closed.then_some(())
    }

    /// From behind an opening bracket past the one that closes it.
    pub(super) fn brackets(&mut self, open: u8, close: u8) -> Option<()> {
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
    pub(super) fn parameter(&mut self, double_quoted: bool) -> Option<()> {
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
