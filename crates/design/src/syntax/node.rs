//! The spanned syntax of a design file: YAML's mappings, sequences and scalars, all of them raw text.

use crate::span::{Span, Spanned};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub span: Span,
    pub kind: NodeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Scalar(Scalar),
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub text: String,
    pub quoted: bool,
    /// Whether each byte of the text stands in the file as it is, from the start of the span (after a quote) on.
    pub verbatim: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub key: Spanned<String>,
    pub value: Node,
}

impl Entry {
    pub(crate) fn name(&self) -> &str {
        &self.key.value
    }
}

impl Node {
    pub(crate) fn scalar(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    pub(crate) fn entries(&self) -> Option<&[Entry]> {
        match &self.kind {
            NodeKind::Mapping(entries) => Some(entries),
            _ => None,
        }
    }

    pub(crate) fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// An absent value: `key:` with nothing after it.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(&self.kind, NodeKind::Scalar(scalar) if !scalar.quoted && scalar.text.is_empty())
    }

    pub(crate) fn describe(&self) -> &'static str {
        match &self.kind {
            NodeKind::Scalar(_) if self.is_empty() => "nothing",
            NodeKind::Scalar(_) => "text",
            NodeKind::Sequence(_) => "a list",
            NodeKind::Mapping(_) => "a mapping",
        }
    }

    /// The text of a scalar together with where each of its bytes is.
    pub(crate) fn located(&self) -> Option<Located<'_>> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(Located {
                text: &scalar.text,
                span: self.span,
                offset: scalar.verbatim.then(|| self.span.start + usize::from(scalar.quoted)),
            }),
            _ => None,
        }
    }
}

/// A text of the file that can be cut into pieces which still know their place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located<'a> {
    pub text: &'a str,
    span: Span,
    offset: Option<usize>,
}

impl<'a> Located<'a> {
    /// A text that stands verbatim at a place of the file.
    #[cfg(test)]
    pub(crate) fn verbatim(text: &'a str, start: usize) -> Self {
        Self { text, span: Span::new(start, start + text.len()), offset: Some(start) }
    }

    /// A text whose place is known as a whole only.
    pub(crate) fn whole(text: &'a str, span: Span) -> Self {
        Self { text, span, offset: None }
    }

    /// The key of a mapping.
    pub(crate) fn of_key(key: &'a Spanned<String>) -> Self {
        let verbatim = key.span.end - key.span.start == key.value.len();
        Self { text: &key.value, span: key.span, offset: verbatim.then_some(key.span.start) }
    }

    pub(crate) fn span(&self) -> Span {
        match self.offset {
            Some(offset) => Span::new(offset, offset + self.text.len()),
            None => self.span,
        }
    }

    /// The piece between two byte positions of the text.
    pub(crate) fn slice(&self, start: usize, end: usize) -> Located<'a> {
        Located {
            text: self.text.get(start..end).unwrap_or_default(),
            span: self.span,
            offset: self.offset.map(|offset| offset + start),
        }
    }

    pub(crate) fn from(&self, start: usize) -> Located<'a> {
        self.slice(start, self.text.len())
    }

    pub(crate) fn trim(&self) -> Located<'a> {
        let start = self.text.len() - self.text.trim_start().len();
        self.slice(start, start + self.text.trim().len())
    }

    /// The pieces between separators that stand outside of brackets, quotes and placeholders.
    pub(crate) fn split_outside(&self, separator: char) -> Vec<Located<'a>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for at in self.positions_outside(separator) {
            pieces.push(self.slice(start, at).trim());
            start = at + separator.len_utf8();
        }
        pieces.push(self.from(start).trim());
        pieces
    }

    /// Where a character stands outside of brackets, quotes, placeholders and `/regular expressions/`.
    fn positions_outside(&self, wanted: char) -> Vec<usize> {
        let mut depth = 0usize;
        let mut quote: Option<char> = None;
        let mut escaped = false;
        let mut previous = ' ';
        let mut found = Vec::new();
        for (at, character) in self.text.char_indices() {
            if let Some(end) = quote {
                if !escaped && character == end {
                    quote = None;
                }
                escaped = character == '\\' && !escaped;
            } else {
                match character {
                    '"' | '\'' if previous == ' ' || previous == '(' || previous == '[' || previous == ',' => {
                        quote = Some(character);
                    }
                    '/' if self.text.get(..at).is_some_and(|before| before.trim_end().ends_with("matches")) => {
                        quote = Some('/');
                    }
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    '<' if self.text.get(at + 1..).is_some_and(opens_placeholder) => depth += 1,
                    '>' if depth > 0 && previous != '-' => depth -= 1,
                    _ if character == wanted && depth == 0 => found.push(at),
                    _ => {}
                }
            }
            previous = character;
        }
        found
    }
}

/// Whether the text after a `<` begins a placeholder rather than the right side of a comparison.
fn opens_placeholder(rest: &str) -> bool {
    rest.starts_with(|first: char| first.is_alphabetic() || first == '_')
}
