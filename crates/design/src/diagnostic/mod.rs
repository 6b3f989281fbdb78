//! What the checker has to say about a design: a code, a place, a message and the way out.

mod code;
mod json;
mod text;

pub use code::{Code, Severity};
pub use json::to_json;
pub use text::{explain, to_text};

use crate::span::Span;

/// A span of the file with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The part of the file.
    pub span: Span,
    /// What the part has to do with the finding.
    pub text: String,
}

/// One finding. The first span is where it is; labels point at other places that matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of finding.
    pub code: &'static Code,
    /// The code's own.
    pub severity: Severity,
    /// Lower case, the user's input in backticks.
    pub message: String,
    /// The part of the file that the finding is about.
    pub span: Span,
    /// The message under the span; `None` if `message` says it all.
    pub label: Option<String>,
    /// Other parts of the file that matter.
    pub labels: Vec<Label>,
    /// How to fix it; `None` if `message` implies that.
    pub help: Option<String>,
    /// What an `accept` line calls the thing this is about; `None` if it cannot be accepted by name.
    pub subject: Option<String>,
}

impl Diagnostic {
    /// A finding with the severity of its code, and nothing but a message.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity,
            message: message.into(),
            span,
            label: None,
            labels: Vec::new(),
            help: None,
            subject: None,
        }
    }

    /// Adds a message under the span.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// Adds another part of the file.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Names the thing an `accept` line would have to name.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Whether the design cannot run.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Collects diagnostics, so that one run reports all of them.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    diagnostics: Vec<Diagnostic>,
}

impl Findings {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Everything found, in the order of the file.
    pub(crate) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| (a.span, a.code.id, &a.message).cmp(&(b.span, b.code.id, &b.message)));
        self.diagnostics.dedup();
        self.diagnostics
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    pub(crate) fn diagnostics_mut(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

/// The candidate that `word` was probably meant to be; never the word itself.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .map(|candidate| (strsim::osa_distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count().max(word.chars().count()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_close_word_is_suggested_and_a_far_one_is_not() {
        assert_eq!(did_you_mean("acountId", ["accountId", "licenseId"]), Some("accountId"));
        assert_eq!(did_you_mean("pattenrs", ["patterns", "entities"]), Some("patterns"));
        assert_eq!(did_you_mean("zebra", ["accountId", "licenseId"]), None);
        assert_eq!(did_you_mean("read", ["read"]), None);
        assert_eq!(did_you_mean("Read", ["read"]), Some("read"));
    }

    #[test]
    fn a_swap_of_neighbours_is_one_edit() {
        assert_eq!(did_you_mean("ab", ["ba"]), Some("ba"));
        assert_eq!(did_you_mean("ab", ["cd"]), None);
    }
}
