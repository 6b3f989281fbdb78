//! The codes of the diagnostics.

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the design is clean with it.
    Note,
    /// Works, and will hurt; accepted with a reason or changed.
    Warning,
    /// The design cannot run.
    Error,
}

impl Severity {
    /// In lower case, as text and JSON output print it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A kind of finding: what `keyfold check --explain` prints about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `KF` and three digits.
    pub id: &'static str,
    /// A few words in lower case.
    pub title: &'static str,
    /// Of every finding of this code.
    pub severity: Severity,
    /// Why it matters, in a few sentences.
    pub explanation: &'static str,
    /// What to write instead, often with an example.
    pub fix: &'static str,
}
