//! Diagnostics for editors and continuous integration.

use serde_json::{Value, json};

use super::Diagnostic;
use crate::span::Span;

/// The diagnostics of one file, each with lines and columns that start at 1, columns counted in characters.
pub fn to_json(file_name: &str, source: &str, diagnostics: &[Diagnostic]) -> Value {
    let lines = LineStarts::new(source);
    diagnostics
        .iter()
        .map(|diagnostic| {
            json!({
                "file": file_name,
                "code": diagnostic.code.id,
                "severity": diagnostic.severity.as_str(),
                "message": diagnostic.message,
                "range": lines.range(source, diagnostic.span),
                "label": diagnostic.label,
                "labels": diagnostic.labels.iter().map(|label| json!({
                    "range": lines.range(source, label.span),
                    "text": label.text,
                })).collect::<Vec<_>>(),
                "help": diagnostic.help,
                "accept": diagnostic.subject.as_ref().map(|subject| format!("{} {subject}", diagnostic.code.id)),
            })
        })
        .collect()
}

/// Where each line of the source starts.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn new(source: &str) -> Self {
        Self(std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    fn range(&self, source: &str, span: Span) -> Value {
        let (line, column) = self.position(source, span.start);
        let (end_line, end_column) = self.position(source, span.end);
        json!({
            "start": {"line": line, "column": column, "offset": span.start},
            "end": {"line": end_line, "column": end_column, "offset": span.end},
        })
    }

    fn position(&self, source: &str, offset: usize) -> (usize, usize) {
        let line = self.0.partition_point(|start| *start <= offset).max(1);
        let start = self.0.get(line - 1).copied().unwrap_or(0);
        let column = source.get(start..offset).map_or(0, |text| text.chars().count());
        (line, column + 1)
    }
}
