//! Two ways in which YAML and the notation of design documents misunderstand each other.

use super::codes::{COMMENT_CUTS_TEMPLATE, JOINED_TEXT};
use super::node::{Node, NodeKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// `SK: "x#" + ID`: the seeds' spelling of a composite key, which YAML cannot read.
pub(super) fn joined_text(source: &str, line: Span) -> Option<Diagnostic> {
    let text = source.get(line.range())?;
    let (key, value) = text.split_once(": ")?;
    if !value.contains('"') || !value.contains('+') {
        return None;
    }
    let template = joined_template(value)?;
    let start = line.start + key.len() + 2 + (value.len() - value.trim_start().len());
    let span = Span::new(start, start + value.trim().len());
    Some(
        Diagnostic::new(
            &JOINED_TEXT,
            span,
            format!("`{}` joins texts with `+`, which a template does not need", value.trim()),
        )
        .help(format!("write `{}: {template}`", key.trim())),
    )
}

/// `"x#" + ID` as a template: `x#<ID>`.
pub(super) fn joined_template(text: &str) -> Option<String> {
    let text = text.split(" #").next()?;
    let mut template = String::new();
    for piece in text.split('+').map(str::trim) {
        match piece.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(literal) => template.push_str(literal),
            None if !piece.is_empty() && piece.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                template.push('<');
                template.push_str(piece);
                template.push('>');
            }
            None => return None,
        }
    }
    Some(template)
}

/// `a ? b : c` is a plain text of the expression language, and a mapping within a mapping to YAML. Masks the colons, so
/// that the line reads as it was meant; whether there was something to mask.
pub(super) fn mask_conditional(text: &mut String, line: Span) -> bool {
    let Some(content) = text.get(line.range()) else { return false };
    let Some(question) = content.find(" ? ") else { return false };
    let colons: Vec<usize> = content
        .match_indices(" : ")
        .map(|(at, _)| line.start + at + 1)
        .filter(|at| *at > line.start + question)
        .collect();
    for at in &colons {
        text.replace_range(*at..at + 1, ";");
    }
    !colons.is_empty()
}

/// A comment right behind a template that looks like a part of it.
pub(crate) fn comment_after(source: &str, node: &Node) -> Option<Diagnostic> {
    let NodeKind::Scalar(scalar) = &node.kind else { return None };
    if scalar.quoted {
        return None;
    }
    let rest = source.get(node.span.end..)?;
    let line = rest.split('\n').next()?;
    let gap = line.len() - line.trim_start_matches([' ', '\t']).len();
    let comment = line.get(gap..)?;
    let body = comment.strip_prefix('#')?;
    let looks_like_template = !body.starts_with([' ', '\t', '#', '-', '=', '!']) && !body.is_empty();
    let rest = body.trim();
    let holds_placeholder = rest.starts_with('<') && rest.ends_with('>') && !rest.contains(char::is_whitespace);
    if !looks_like_template && !holds_placeholder {
        return None;
    }
    let start = node.span.end + gap;
    let comment = comment.trim_end();
    Some(
        Diagnostic::new(
            &COMMENT_CUTS_TEMPLATE,
            Span::new(start, start + comment.len()),
            format!("`{comment}` is a comment, not part of the template `{}`", scalar.text),
        )
        .label("YAML ends the value before this")
        .also(node.span, "the template as YAML reads it")
        .help(format!(
            "write `{}{}` without a space; a comment has a space after its `#`",
            scalar.text,
            comment.split_whitespace().collect::<String>()
        )),
    )
}
