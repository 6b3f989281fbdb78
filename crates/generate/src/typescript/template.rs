//! Key templates as TypeScript: expressions that build a key, patterns that read one.

use keyfold_design::template::{Format, Part, Placeholder, Template, TimestampFormat, ValueKind};
use keyfold_dynamo::table::KeyType;

use super::member;
use crate::typescript_text::{quoted, template_part};

/// The expression of a key from the properties of a value.
pub(super) fn expression(template: &Template, source: &str) -> String {
    expression_of(template, &|placeholder| member(source, &placeholder.attribute))
}

/// The expression of a key, where the caller says what each placeholder is; a number stays one where the key is
/// numeric.
pub(super) fn expression_of(template: &Template, value_of: &dyn Fn(&Placeholder) -> String) -> String {
    match template.plain_attribute() {
        Some(placeholder) if template.key_type != KeyType::S => value_of(placeholder),
        _ if template.key_type == KeyType::N && template.constant().is_some() => template.source.clone(),
        // A bound of timestamps that are numbers.
        None if template.key_type == KeyType::N => format!("Number({})", text_expression(template, value_of)),
        _ => text_expression(template, value_of),
    }
}

/// The expression of a key as text, where the caller says what each placeholder is.
pub(super) fn text_expression(template: &Template, value_of: &dyn Fn(&Placeholder) -> String) -> String {
    if let Some(text) = template.constant() {
        return quoted(text);
    }
    let mut text = String::from("`");
    for (at, part) in template.parts.iter().enumerate() {
        match part {
            Part::Literal(literal) => {
                text.push_str(&template_part(literal));
            }
            Part::Placeholder(placeholder) => {
                text.push_str(&format!("${{{}}}", piece(template, at, placeholder, &value_of(placeholder))));
            }
        }
    }
    text.push('`');
    text
}

fn piece(template: &Template, at: usize, placeholder: &Placeholder, value: &str) -> String {
    let formats: Vec<String> = placeholder.formats.iter().map(|format| spelling(*format)).collect();
    let value = match &placeholder.fallback {
        Some(fallback) => format!("{value} ?? {}", quoted(fallback)),
        None => value.to_owned(),
    };
    let is_last = at + 1 == template.parts.len();
    let is_counted = placeholder.fixed_length().is_some();
    let mut forbidden = String::new();
    if !is_last && !is_counted {
        forbidden.push(template.delimiter);
        if let Some(Part::Literal(literal)) = template.parts.get(at + 1)
            && let Some(next) = literal.chars().next()
            && next != template.delimiter
        {
            forbidden.push(next);
        }
    }
    let mut arguments = vec![quoted(&placeholder.attribute), value];
    if !formats.is_empty() || !forbidden.is_empty() {
        arguments.push(format!("[{}]", formats.join(", ")));
    }
    if !forbidden.is_empty() {
        arguments.push(quoted(&forbidden));
        arguments.extend(placeholder.sentinel.as_deref().map(quoted));
    }
    format!("support.part({})", arguments.join(", "))
}

pub(super) fn spelling(format: Format) -> String {
    match format {
        Format::Lower => "support.lower".to_owned(),
        Format::Upper => "support.upper".to_owned(),
        Format::First(count) => format!("support.first({count})"),
        Format::Width(digits) => format!("support.width({digits})"),
        Format::Descending(digits) => format!("support.descending({digits})"),
        Format::Url => "support.url".to_owned(),
        Format::Date => "support.slice(0, 10)".to_owned(),
        Format::Year => "support.slice(0, 4)".to_owned(),
        Format::Month => "support.slice(5, 7)".to_owned(),
        Format::Day => "support.slice(8, 10)".to_owned(),
        Format::Shard(count) => format!("support.shard({count})"),
        Format::StartOfDay(format) => format!("support.startOfDay({})", day_mark(format)),
        Format::EndOfDay(format) => format!("support.endOfDay({})", day_mark(format)),
    }
}

/// What stands between a date and its hour, or how many units of a number a second has.
fn day_mark(format: TimestampFormat) -> &'static str {
    match format {
        TimestampFormat::Text(text) if text.is_lower_case => "'t'",
        TimestampFormat::Text(_) => "'T'",
        TimestampFormat::EpochSeconds => "1",
        TimestampFormat::EpochMilliseconds => "1000",
    }
}

/// What the groups of a regular expression capture: the attribute, and how its value is read.
pub(super) type Captured = Vec<(String, &'static str)>;

/// A regular expression for the keys of each alternative of a template: `/^SITE#(.+)$/su`.
pub(super) fn readers(template: &Template) -> Vec<(String, Captured)> {
    template.alternatives().map(reader).collect()
}

fn reader(template: &Template) -> (String, Captured) {
    let mut pattern = String::from("/^");
    // Keys that belong to another entity's template.
    for rival in template.rivals() {
        let (rival, _) = body(rival, Reading::Claimed);
        pattern.push_str(&format!("(?!{rival}$)"));
    }
    let (own, captured) = body(template, Reading::Captured);
    pattern.push_str(&own);
    pattern.push_str("$/su");
    (pattern, captured)
}

/// What becomes of the values in a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Captured,
    /// Only their bounds matter: the key belongs to another entity within them.
    Claimed,
}

fn body(template: &Template, reading_of: Reading) -> (String, Captured) {
    let mut pattern = String::new();
    let mut captured = Vec::new();
    for (at, part) in template.parts.iter().enumerate() {
        match part {
            Part::Literal(literal) => pattern.push_str(&escaped(literal)),
            Part::Placeholder(placeholder) => {
                let text = text_shape(template, at);
                let (group, shape) = match reading_of {
                    Reading::Captured => ("(", shape(placeholder, text)),
                    Reading::Claimed => ("(?:", bounded(placeholder).unwrap_or_else(|| shape(placeholder, text))),
                };
                pattern.push_str(&format!("{group}{shape})"));
                captured.push((placeholder.attribute.clone(), reading(placeholder)));
            }
        }
    }
    (pattern, captured)
}

/// How the value of a captured text is read; `none` where the text does not tell it.
fn reading(placeholder: &Placeholder) -> &'static str {
    if placeholder.fallback.is_some() {
        return "none";
    }
    match placeholder.formats.as_slice() {
        [] => match placeholder.kind {
            ValueKind::Integer | ValueKind::Number => "number",
            ValueKind::DateTime(format) if format.is_number() => "number",
            ValueKind::Boolean => "boolean",
            ValueKind::Binary => "binary",
            _ => "text",
        },
        [Format::Url] if matches!(placeholder.kind, ValueKind::Text) => "url",
        [Format::Width(_)] => "number",
        [Format::Descending(_)] => "descending",
        [.., Format::Lower] => "lower",
        [.., Format::Upper] => "upper",
        _ => "none",
    }
}

/// What a placeholder's text looks like.
fn shape(placeholder: &Placeholder, text: String) -> String {
    let own = match placeholder.formats.last() {
        Some(Format::Width(digits) | Format::Descending(digits)) => format!("\\d{{{digits}}}"),
        Some(Format::Year) => "\\d{4}".to_owned(),
        Some(Format::Month | Format::Day) => "\\d{2}".to_owned(),
        Some(Format::Date) => "\\d{4}-\\d{2}-\\d{2}".to_owned(),
        Some(Format::Shard(count)) => format!("\\d{{{}}}", count.saturating_sub(1).to_string().len()),
        Some(Format::Url) => "[A-Za-z0-9._~%\\-]+".to_owned(),
        Some(Format::First(count)) => format!(".{{1,{count}}}"),
        Some(Format::Lower | Format::Upper | Format::StartOfDay(_) | Format::EndOfDay(_)) => text,
        None => match &placeholder.kind {
            ValueKind::Ulid => "[0-7][0-9A-HJKMNP-TV-Z]{25}".to_owned(),
            ValueKind::Uuid => "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}".to_owned(),
            ValueKind::Date => "\\d{4}-\\d{2}-\\d{2}".to_owned(),
            ValueKind::DateTime(format) => format.pattern().replace("[0-9]", "\\d"),
            ValueKind::Integer => "-?\\d+".to_owned(),
            ValueKind::Number => "-?[0-9.E+\\-]+".to_owned(),
            ValueKind::Boolean => "true|false".to_owned(),
            ValueKind::Enumeration(values) => values.iter().map(|value| escaped(value)).collect::<Vec<_>>().join("|"),
            ValueKind::Text | ValueKind::Binary | ValueKind::Moment(_) => text,
        },
    };
    let others = placeholder.fallback.iter().chain(&placeholder.sentinel);
    others.fold(own, |own, other| format!("{own}|{}", escaped(other)))
}

/// The texts of a number within its bounds; `None` if it has none.
fn bounded(placeholder: &Placeholder) -> Option<String> {
    let width = match placeholder.formats.as_slice() {
        [] => None,
        [Format::Width(width)] => Some(*width),
        _ => return None,
    };
    let digits = |(from, to): &(char, char)| match from == to {
        true => from.to_string(),
        false => format!("[{from}-{to}]"),
    };
    let spellings = placeholder.range?.spellings(width);
    let spellings = spellings.iter().map(|spelling| spelling.iter().map(digits).collect::<String>());
    let fallback = placeholder.fallback.iter().map(|fallback| escaped(fallback));
    Some(spellings.chain(fallback).collect::<Vec<_>>().join("|"))
}

/// Any text up to what follows the placeholder at an index.
fn text_shape(template: &Template, at: usize) -> String {
    let mut ends = String::new();
    match template.parts.get(at + 1) {
        None => return ".+".to_owned(),
        Some(Part::Literal(literal)) => ends.extend(literal.chars().take(1)),
        Some(Part::Placeholder(_)) => {}
    }
    if !ends.contains(template.delimiter) {
        ends.push(template.delimiter);
    }
    format!("[^{}]+", escaped(&ends).replace('-', "\\-"))
}

/// Text that a regular expression takes literally.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "\\^$.*+?()[]{}|/".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
