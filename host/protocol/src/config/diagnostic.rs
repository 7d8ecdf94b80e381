//! What a person should know about a configuration: where it is, what is wrong, how to mend it.

use std::fmt;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It works, and perhaps not as meant.
    Lint,
    /// It is ignored, or read in another way than it is written.
    Warning,
    /// It cannot be loaded: what it should have guarded is blocked.
    Error,
}

impl Severity {
    /// The word of messages and of JSON.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Lint => "lint",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One finding. Messages are lower case, without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// The file it is in; empty where the text came from nowhere (a value of a request).
    pub file: String,
    /// JSON path, as in `hooks.PreToolUse[0].hooks[1].timeout`; empty for the whole file.
    pub path: String,
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub fn new(severity: Severity, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity,
            file: String::new(),
            path: path.into(),
            message: message.into(),
            hint: None,
        }
    }

    pub fn error(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, path, message)
    }

    pub fn warning(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, path, message)
    }

    pub fn lint(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Lint, path, message)
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = file.to_owned();
        self
    }

    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.severity.name())?;
        match (self.file.is_empty(), self.path.is_empty()) {
            (true, true) => {}
            (false, true) => write!(f, "{}: ", self.file)?,
            (true, false) => write!(f, "{}: ", self.path)?,
            (false, false) => write!(f, "{}: {}: ", self.file, self.path)?,
        }
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}
