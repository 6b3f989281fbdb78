//! What is wrong with a policy file.

use std::fmt;

use miette::Diagnostic;

use crate::source::{column_of, line_of};

/// A problem of a `.cedar` file, at its place and with the way out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub struct PolicyProblem {
    pub file: String,
    /// From one.
    pub line: usize,
    /// In characters, from one.
    pub column: usize,
    pub message: String,
    pub help: String,
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message, help } = self;
        write!(out, "{file}:{line}:{column}: {message}\n  help: {help}")
    }
}

impl PolicyProblem {
    /// A problem at a place of a file.
    pub(crate) fn at(
        file: &str,
        text: &str,
        offset: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            line: line_of(text, offset),
            column: column_of(text, offset),
            message: message.into(),
            help: help.into(),
        }
    }

    /// What Cedar says about a file, where it says it; without a place of its own it is at `fallback`.
    pub(crate) fn of(file: &str, text: &str, found: &dyn Diagnostic, fallback: usize, help: &str) -> Self {
        let label = found.labels().and_then(|mut labels| labels.next());
        let offset = label.as_ref().map_or(fallback, miette::LabeledSpan::offset);
        let mut message = found.to_string();
        if let Some(said) = label.as_ref().and_then(|label| label.label()) {
            message.push_str(&format!(": {said}"));
        }
        let help = found.help().map_or_else(|| help.to_owned(), |help| help.to_string());
        Self::at(file, text, offset, message, help)
    }
}
