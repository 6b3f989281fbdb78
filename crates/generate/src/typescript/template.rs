//! Key templates as TypeScript: expressions that build a key, patterns that read one.

use keyfold_design::template::{Format, Part, Placeholder, Template, ValueKind};
use keyfold_dynamo::table::KeyType;

use super::{member, quoted};

/// The formats that a file has to import.
pub const FORMATS: [&str; 7] = ["first", "lower", "shard", "slice", "upper", "url", "width"];

/// The expression of a key from the properties of a value; a number stays one where the key is numeric.
pub fn expression(template: &Template, source: &str) -> String {
    match template.plain_attribute() {
        Some(placeholder) if template.key_type != KeyType::S => member(source, &placeholder.attribute),
        _ if template.key_type == KeyType::N && template.constant().is_some() => template.source.clone(),
        _ => text_expression(template, &|placeholder| member(source, &placeholder.attribute)),
    }
}

/// The expression of a key as text, where the caller says what each placeholder is.
pub fn text_expression(template: &Template, value_of: &dyn Fn(&Placeholder) -> String) -> String {
    if let Some(text) = template.constant() {
        return quoted(text);
    }
    let mut text = String::from("`");
    for (at, part) in template.parts.iter().enumerate() {
        match part {
            Part::Literal(literal) => {
                text.push_str(&literal.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${"));
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
    }
    format!("part({})", arguments.join(", "))
}

fn spelling(format: Format) -> String {
    match format {
        Format::Lower => "lower".to_owned(),
        Format::Upper => "upper".to_owned(),
        Format::First(count) => format!("first({count})"),
        Format::Width(digits) => format!("width({digits})"),
        Format::Url => "url".to_owned(),
        Format::Date => "slice(0, 10)".to_owned(),
        Format::Year => "slice(0, 4)".to_owned(),
        Format::Month => "slice(5, 7)".to_owned(),
        Format::Day => "slice(8, 10)".to_owned(),
        Format::Shard(count) => format!("shard({count})"),
    }
}

/// A regular expression for the keys of a template, with what its groups tell: `/^SITE#(.+)$/su`.
pub fn reader(template: &Template) -> (String, Vec<(String, &'static str)>) {
    let mut pattern = String::from("/^");
    let mut captured = Vec::new();
    for (at, part) in template.parts.iter().enumerate() {
        match part {
            Part::Literal(literal) => pattern.push_str(&escaped(literal)),
            Part::Placeholder(placeholder) => {
                let is_last = at + 1 == template.parts.len();
                pattern.push_str(&format!("({})", shape(template, placeholder, is_last)));
                captured.push((placeholder.attribute.clone(), told(placeholder)));
            }
        }
    }
    pattern.push_str("$/su");
    (pattern, captured)
}

fn told(placeholder: &Placeholder) -> &'static str {
    if placeholder.fallback.is_some() {
        return "none";
    }
    match placeholder.formats.as_slice() {
        [] => match placeholder.kind {
            ValueKind::Integer | ValueKind::Number => "number",
            ValueKind::Boolean => "boolean",
            _ => "text",
        },
        [Format::Url] if matches!(placeholder.kind, ValueKind::Text) => "url",
        [Format::Width(_)] => "number",
        _ => "none",
    }
}

/// What a placeholder's text looks like.
fn shape(template: &Template, placeholder: &Placeholder, is_last: bool) -> String {
    let own = match placeholder.formats.last() {
        Some(Format::Width(digits)) => format!("\\d{{{digits}}}"),
        Some(Format::Year) => "\\d{4}".to_owned(),
        Some(Format::Month | Format::Day) => "\\d{2}".to_owned(),
        Some(Format::Date) => "\\d{4}-\\d{2}-\\d{2}".to_owned(),
        Some(Format::Shard(_)) => "\\d+".to_owned(),
        Some(Format::Url) => "[A-Za-z0-9._~%\\-]+".to_owned(),
        Some(Format::First(count)) => format!(".{{1,{count}}}"),
        Some(Format::Lower | Format::Upper) => text_shape(template, is_last),
        None => match &placeholder.kind {
            ValueKind::Ulid => "[0-7][0-9A-HJKMNP-TV-Z]{25}".to_owned(),
            ValueKind::Uuid => "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}".to_owned(),
            ValueKind::Date => "\\d{4}-\\d{2}-\\d{2}".to_owned(),
            ValueKind::DateTime => "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z".to_owned(),
            ValueKind::Integer => "-?\\d+".to_owned(),
            ValueKind::Number => "-?[0-9.E+\\-]+".to_owned(),
            ValueKind::Boolean => "true|false".to_owned(),
            ValueKind::Enumeration(values) => values.iter().map(|value| escaped(value)).collect::<Vec<_>>().join("|"),
            ValueKind::Text | ValueKind::Binary => text_shape(template, is_last),
        },
    };
    match &placeholder.fallback {
        Some(fallback) => format!("{own}|{}", escaped(fallback)),
        None => own,
    }
}

fn text_shape(template: &Template, is_last: bool) -> String {
    if is_last { ".+".to_owned() } else { format!("[^{}]+", escaped(&template.delimiter.to_string())) }
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
