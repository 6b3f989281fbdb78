//! Rules and policies as their authors wrote them, for explanations.

use std::fmt;

/// A rule of the design or a policy of a `.cedar` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Made of the rule's words, so that it does not change when other rules do.
    pub id: String,
    pub effect: Effect,
    /// The `.cedar` file; `None` for the design itself.
    pub file: Option<String>,
    /// Counted from one; `None` where the design's text was not given.
    pub line: Option<usize>,
    /// The rule as it is written, on one line.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Permit,
    /// Overrides every permit.
    Forbid,
}

impl fmt::Display for Statement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`", self.text)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(out, " ({file}, line {line})"),
            (Some(file), None) => write!(out, " ({file})"),
            (None, Some(line)) => write!(out, " (line {line})"),
            (None, None) => Ok(()),
        }
    }
}
