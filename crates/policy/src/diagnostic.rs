//! Diagnostics of policy files, in the form of the design's own.

use std::fmt;

use keyfold_design::diagnostic::{Code, Diagnostic};
use keyfold_design::span::Span;

use crate::source::{column_of, line_of};

/// A diagnostic of a `.cedar` file. Its span is within that file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyDiagnostic {
    pub file: String,
    /// Counted from one.
    pub line: usize,
    /// In characters, counted from one.
    pub column: usize,
    pub diagnostic: Diagnostic,
}

/// One or two lines, for logs.
impl fmt::Display for PolicyDiagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, diagnostic } = self;
        write!(out, "{file}:{line}:{column}: {}", diagnostic.message)?;
        match &diagnostic.help {
            Some(help) => write!(out, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// A file that is being read.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    pub(crate) fn diagnostic(
        self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> PolicyDiagnostic {
        PolicyDiagnostic {
            file: self.file.to_owned(),
            line: line_of(self.text, span.start),
            column: column_of(self.text, span.start),
            diagnostic: Diagnostic::new(code, span, message).help(help),
        }
    }

    /// A report of Cedar, at the position that Cedar reports; at `fallback` if it reports none.
    pub(crate) fn cedar_report(
        self,
        code: &'static Code,
        report: &dyn miette::Diagnostic,
        fallback: Span,
        help: &str,
    ) -> PolicyDiagnostic {
        let label = report.labels().and_then(|mut labels| labels.next());
        let span = label.as_ref().map_or(fallback, |label| Span::new(label.offset(), label.offset() + label.len()));
        let mut message = without_policy_id(&report.to_string()).to_owned();
        if let Some(expected) = label.as_ref().and_then(|label| label.label()) {
            message.push_str(&format!(": {expected}"));
        }
        let help = report.help().map_or_else(|| help.to_owned(), |help| help.to_string());
        self.diagnostic(code, span, message, help)
    }

    /// The first line of the policy that begins at an offset; the beginning of the file if the offset is not known.
    pub(crate) fn first_line_at(self, offset: Option<usize>) -> Span {
        let Some((offset, rest)) = offset.and_then(|offset| Some((offset, self.text.get(offset..)?))) else {
            return Span::new(0, 0);
        };
        let line = rest.split('\n').next().map_or(0, |line| line.trim_end().len());
        Span::new(offset, offset + line)
    }
}

/// Cedar begins some messages with its own number of the policy, which is in no file.
fn without_policy_id(message: &str) -> &str {
    let rest = message.strip_prefix("for policy `").and_then(|rest| rest.split_once("`, "));
    rest.map_or(message, |(_, rest)| rest)
}
