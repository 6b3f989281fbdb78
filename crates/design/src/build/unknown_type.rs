//! Types that the language does not have: each is reported once, and a stand-in keeps its consequences out of the
//! report.

use super::codes::BAD_ATTRIBUTE_LINE;
use super::reader::Reader;
use crate::diagnostic::did_you_mean;
use crate::model::AttributeType;
use crate::syntax::Located;

/// The types, as the help lists them.
const TYPES: &[&str] = &[
    "string",
    "integer",
    "number",
    "boolean",
    "binary",
    "date",
    "datetime",
    "ulid",
    "uuid",
    "sequence NAME",
    "url",
    "email",
    "string set",
    "number set",
    "list",
    "list of TYPE",
    "map",
    "any",
    "created at",
    "created by",
    "modified at",
    "modified by",
    "version",
    "expiry",
];

/// Ways in which people introduce the values of an enumeration.
const CHOICES: &[&str] = &["any of ", "one of ", "enum of ", "enum "];

/// Reports an unknown type; returns the one that it is close to.
pub(super) fn report(text: Located<'_>, reader: &mut Reader<'_>) -> Option<&'static str> {
    let close = did_you_mean(text.text, TYPES.iter().copied());
    let help = match close {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("types are `{}` and enumerations such as `active | expired`", TYPES.join("`, `")),
    };
    let message = match text.text {
        "" => "the attribute has no type".to_owned(),
        other => format!("unknown type `{other}`"),
    };
    reader.fault(&BAD_ATTRIBUTE_LINE, text.span(), message, help);
    close
}

/// `any of open, done`: an enumeration in other words. Takes its values from the pieces of the line.
pub(super) fn choice<'a>(
    pieces: &mut std::iter::Peekable<impl Iterator<Item = Located<'a>>>,
    is_modifier: impl Fn(&str) -> bool,
    reader: &mut Reader<'_>,
) -> Option<AttributeType> {
    let first = *pieces.peek()?;
    let introduction = CHOICES.iter().find(|words| first.text.starts_with(**words))?;
    pieces.next();
    let mut last = first;
    let mut values = vec![first.from(introduction.len()).trim().text.to_owned()];
    while let Some(piece) = pieces.next_if(|piece| !is_modifier(piece.text)) {
        values.push(piece.text.to_owned());
        last = piece;
    }
    let message = format!("`{}` does not list the values of an enumeration", introduction.trim_end());
    let help = format!("write `{}`", values.join(" | "));
    reader.fault(&BAD_ATTRIBUTE_LINE, first.span().to(last.span()), message, help);
    Some(AttributeType::Enumeration(values.into()))
}
