//! The text of a template to its parts.

use super::format::{FORMAT_NAMES, Format};
use super::kind::ValueKind;
use super::{Part, Placeholder, Template};
use crate::diagnostic::did_you_mean;
use crate::span::Span;
use crate::syntax::Located;

/// What is wrong with a template, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TemplateFault {
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

fn fault(span: Span, message: impl Into<String>, help: Option<String>) -> TemplateFault {
    TemplateFault { span, message: message.into(), help }
}

/// Parses a template; reports all its faults.
pub(crate) fn parse(text: Located<'_>, delimiter: char) -> Result<Template, Vec<TemplateFault>> {
    let mut parts = Vec::new();
    let mut faults = Vec::new();
    let mut literal = String::new();
    let mut at = 0;
    while let Some(character) = text.text.get(at..).and_then(|rest| rest.chars().next()) {
        match character {
            '<' => {
                let Some(length) = text.from(at).text.find('>') else {
                    faults.push(fault(
                        text.from(at).span(),
                        format!("the placeholder `{}` has no closing `>`", text.from(at).text),
                        Some("close it: `<attribute>`".to_owned()),
                    ));
                    break;
                };
                if !literal.is_empty() {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                }
                match placeholder(text.slice(at, at + length + 1)) {
                    Ok(placeholder) => parts.push(Part::Placeholder(placeholder)),
                    Err(found) => faults.push(found),
                }
                at += length + 1;
            }
            '>' => {
                faults.push(fault(
                    text.slice(at, at + 1).span(),
                    "this `>` closes no placeholder",
                    Some("placeholders are spelt `<attribute>`".to_owned()),
                ));
                at += 1;
            }
            other => {
                literal.push(other);
                at += other.len_utf8();
            }
        }
    }
    if !literal.is_empty() {
        parts.push(Part::Literal(literal));
    }
    if parts.is_empty() && faults.is_empty() {
        faults.push(fault(
            text.span(),
            "the template is empty",
            Some("write a key such as `ACCOUNT#<accountId>`".to_owned()),
        ));
    }
    if faults.is_empty() { Ok(Template::new(text.text, text.span(), parts, delimiter)) } else { Err(faults) }
}

/// Parses `<name:format(argument) or fallback>`.
fn placeholder(text: Located<'_>) -> Result<Placeholder, TemplateFault> {
    let inner = text.slice(1, text.text.len() - 1);
    let (head, fallback) = match inner.text.find(" or ") {
        Some(at) => (inner.slice(0, at).trim(), Some(inner.from(at + 4).trim())),
        None => (inner.trim(), None),
    };
    if head.text.contains('|') {
        let name = head.text.split('|').next().unwrap_or_default().trim();
        let word = head.text.split('|').nth(1).unwrap_or_default().trim();
        let mut formats = FORMAT_NAMES.iter().copied();
        let help = match formats
            .find(|format| *format == word)
            .or_else(|| did_you_mean(word, FORMAT_NAMES.iter().copied()))
        {
            Some(format) => format!("a format is spelt with a colon: `<{name}:{format}>`"),
            None => "the values go to the attribute (`status: active | expired`), the template names it: `<status>`"
                .to_owned(),
        };
        return Err(fault(
            head.span(),
            format!("`{}` is not a placeholder: `|` separates the values of an attribute", text.text),
            Some(help),
        ));
    }
    let mut pieces = head.split_outside(':').into_iter();
    let name = pieces.next().unwrap_or(head);
    if !is_name(name.text) {
        let help = if name.text.contains(' ') || name.text.is_empty() {
            "name one attribute: `<accountId>`"
        } else {
            "names are letters, digits and `_`, and begin with a letter"
        };
        return Err(fault(text.span(), format!("`{}` does not name an attribute", text.text), Some(help.to_owned())));
    }
    let formats = pieces.map(format).collect::<Result<Vec<_>, _>>()?;
    if let Some(fallback) = fallback.filter(|fallback| fallback.text.is_empty()) {
        return Err(fault(
            fallback.span(),
            "the fallback is empty",
            Some("write `<endDate or 9999-12-31>`".to_owned()),
        ));
    }
    Ok(Placeholder {
        attribute: name.text.to_owned(),
        span: text.span(),
        formats,
        fallback: fallback.map(|fallback| fallback.text.to_owned()),
        kind: ValueKind::Text,
        optional: false,
        range: None,
        sentinel: None,
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'))
}

fn format(text: Located<'_>) -> Result<Format, TemplateFault> {
    let (name, argument) = match text.text.find('(') {
        Some(at) => (text.slice(0, at), text.text.strip_suffix(')').map(|_| text.slice(at + 1, text.text.len() - 1))),
        None => (text, None),
    };
    let count = argument.and_then(|argument| argument.text.trim().parse::<u32>().ok()).filter(|count| *count > 0);
    let plain = match name.text {
        "lower" => Some(Format::Lower),
        "upper" => Some(Format::Upper),
        "url" => Some(Format::Url),
        "date" => Some(Format::Date),
        "year" => Some(Format::Year),
        "month" => Some(Format::Month),
        "day" => Some(Format::Day),
        _ => None,
    };
    if let Some(format) = plain {
        if argument.is_some() || name.text != text.text {
            return Err(fault(
                text.span(),
                format!("`{}` takes no argument", name.text),
                Some(format!("write `:{}`", name.text)),
            ));
        }
        return Ok(format);
    }
    let counted: Option<fn(u32) -> Format> = match name.text {
        "first" => Some(|count| Format::First(count as usize)),
        "width" => Some(|count| Format::Width(count as usize)),
        "descending" => Some(|count| Format::Descending(count as usize)),
        "shard" => Some(Format::Shard),
        _ => None,
    };
    match (counted, count) {
        (Some(make), Some(count)) => Ok(make(count)),
        (Some(_), None) => Err(fault(
            text.span(),
            format!("`{}` needs a number", name.text),
            Some(format!("write `:{}(8)`", name.text)),
        )),
        (None, _) => {
            let help = match did_you_mean(name.text, FORMAT_NAMES.iter().copied()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("formats are `{}`", FORMAT_NAMES.join("`, `")),
            };
            Err(fault(text.span(), format!("unknown format `{}`", text.text), Some(help)))
        }
    }
}
