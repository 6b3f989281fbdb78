//! Shared steps of walking the syntax: expected shapes, known words, faults.

use super::codes::{BAD_WORD, UNKNOWN_KEY, WRONG_SHAPE};
use crate::diagnostic::{Code, Diagnostic, Findings, did_you_mean};
use crate::entity_keyword::EntityKeyword;
use crate::span::Span;
use crate::syntax::{Entry, Located, Node};
use crate::template::DELIMITER;

pub(super) struct Reader<'a> {
    pub source: &'a str,
    pub delimiter: char,
    pub patterns_incomplete: bool,
    pub entities_incomplete: bool,
    pub rules_incomplete: bool,
    pub has_stand_ins: bool,
    findings: &'a mut Findings,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a str, findings: &'a mut Findings) -> Self {
        Self {
            source,
            delimiter: DELIMITER,
            patterns_incomplete: false,
            entities_incomplete: false,
            rules_incomplete: false,
            has_stand_ins: false,
            findings,
        }
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.findings.push(diagnostic);
    }

    pub(super) fn fault(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.findings.push(Diagnostic::new(code, span, message).help(help));
    }

    pub(super) fn mapping<'n>(&mut self, node: &'n Node, what: &str, example: &str) -> &'n [Entry] {
        match node.entries() {
            Some(entries) => entries,
            // `patterns:` with nothing below it is an empty mapping.
            None if node.is_empty() => &[],
            None => {
                self.wrong_shape(node, what, "a mapping", example);
                &[]
            }
        }
    }

    pub(super) fn text<'n>(&mut self, node: &'n Node, what: &str, example: &str) -> Option<&'n str> {
        match node.scalar() {
            Some(text) if !node.is_empty() => Some(text),
            _ => {
                self.wrong_shape(node, what, "text", example);
                None
            }
        }
    }

    fn wrong_shape(&mut self, node: &Node, what: &str, wanted: &str, example: &str) {
        let message = format!("{what} must be {wanted}, but this is {}", node.describe());
        self.fault(&WRONG_SHAPE, node.span, message, format!("write `{example}`"));
    }

    /// Several words or texts: a list, or a text with commas.
    pub(super) fn list<'n>(&mut self, node: &'n Node, what: &str, example: &str) -> Vec<(&'n str, Span)> {
        if let Some(items) = node.items() {
            return items.iter().filter_map(|item| Some((self.text(item, what, example)?, item.span))).collect();
        }
        if self.text(node, what, example).is_none() {
            return Vec::new();
        }
        node.located().map(Self::pieces).unwrap_or_default()
    }

    /// The pieces of a text with commas.
    pub(super) fn pieces(text: Located<'_>) -> Vec<(&str, Span)> {
        let pieces = text.split_outside(',').into_iter().filter(|piece| !piece.text.is_empty());
        pieces.map(|piece| (piece.text, piece.span())).collect()
    }

    pub(super) fn unknown_key(&mut self, entry: &Entry, known: &[&str], of: &str) {
        let name = entry.name();
        let help = match did_you_mean(name, known.iter().copied()) {
            Some(close) => format!("did you mean `{close}`?"),
            None if entry.value.is_empty() => {
                "a comma inside `{…}` ends the value before it: quote the text".to_owned()
            }
            None => format!("{of} has `{}`", known.join("`, `")),
        };
        self.fault(&UNKNOWN_KEY, entry.key.span, format!("unknown key `{name}` in {of}"), help);
    }

    pub(super) fn bad_word(&mut self, span: Span, word: &str, what: &str, choices: &[&str]) {
        let help = match did_you_mean(word, choices.iter().copied()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("choose from `{}`", choices.join("`, `")),
        };
        self.fault(&BAD_WORD, span, format!("`{word}` is not a valid {what}"), help);
    }

    /// `yes` or `no`.
    pub(super) fn flag(&mut self, entry: &Entry) -> bool {
        match entry.value.scalar() {
            Some("yes" | "true") => true,
            Some("no" | "false") => false,
            _ if entry.value.is_empty() => true,
            other => {
                let word = other.unwrap_or("this").to_owned();
                self.bad_word(entry.value.span, &word, "flag", &["yes", "no"]);
                false
            }
        }
    }
}

pub(super) fn entry<'n>(entries: &'n [Entry], name: &str) -> Option<&'n Entry> {
    entries.iter().find(|entry| entry.name() == name)
}

/// The entry of an entity's keyword.
pub(super) fn keyword(entries: &[Entry], keyword: EntityKeyword) -> Option<&Entry> {
    entry(entries, keyword.as_str())
}

/// The candidate that a name probably stands for, a snake-case spelling of a camel-case name included.
pub(super) fn suggest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str> + Clone) -> Option<&'c str> {
    let folded = name.replace(['_', '-'], "").to_lowercase();
    let mut others = candidates.clone().into_iter().filter(|candidate| *candidate != name);
    let same = others.find(|candidate| candidate.replace(['_', '-'], "").to_lowercase() == folded);
    same.or_else(|| did_you_mean(name, candidates))
}
