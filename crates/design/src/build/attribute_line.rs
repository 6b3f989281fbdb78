//! One attribute: a type, then modifiers behind commas.

use keyfold_dynamo::Number;

use super::codes::{BAD_ATTRIBUTE_LINE, BAD_VALUE};
use super::reader::Reader;
use super::{grantee, unknown_type, value_text};
use crate::diagnostic::did_you_mean;
use crate::model::{Attribute, AttributeType, Bound, Expiry, Generator, OnDelete, Stamp, Storage, TextPattern, Unit};
use crate::span::Spanned;
use crate::syntax::Located;
use crate::template::TimestampFormat;

/// `refers to ENTITY`, before names are resolved.
#[derive(Debug, Clone)]
pub(super) struct ReferenceLine {
    pub target: Spanned<String>,
    pub through: Vec<Spanned<String>>,
    pub on_delete: OnDelete,
    pub acyclic: bool,
    pub counted_as: Option<Spanned<String>>,
}

const MODIFIERS: &[&str] = &[
    "optional",
    "default VALUE",
    "at least N",
    "at most N",
    "matches /…/",
    "fixed",
    "refers to ENTITY",
    "deleted with it",
    "delete refused",
    "delete ignored",
    "no cycles",
    "counted as ATTRIBUTE",
    "same as ATTRIBUTE",
    "visible to WHO",
    "settable by WHO",
    "personal",
    "key only",
    "made as ulid",
    "made as uuid",
    "made as sequence NAME",
];

/// Parses the line of an attribute.
pub(super) fn parse(
    name: &Spanned<String>,
    line: Located<'_>,
    reader: &mut Reader<'_>,
) -> (Attribute, Option<ReferenceLine>) {
    let mut pieces = line.split_outside(',').into_iter().peekable();
    let value_type = match unknown_type::choice(&mut pieces, is_modifier, reader) {
        Some(choice) => Some(choice),
        None => parse_type(pieces.next().unwrap_or(line), reader),
    };
    let is_known = value_type.is_some();
    if !is_known {
        reader.has_stand_ins = true;
    }
    // A string fits wherever an attribute of an unknown type is used.
    let value_type = value_type.unwrap_or(AttributeType::String);
    let mut attribute = Attribute::key_only(&name.value, name.span, value_type);
    attribute.storage = Storage::Stored;
    attribute.generator = match &attribute.value_type {
        AttributeType::Ulid => Some(Generator::Ulid),
        AttributeType::Uuid => Some(Generator::Uuid),
        AttributeType::Sequence(name) => Some(Generator::Sequence(name.clone())),
        _ => None,
    };
    let mut reference = None;
    // What a bound measures depends on the type.
    let is_readable = |piece: &Located<'_>| is_known || !piece.text.starts_with("at ");
    for piece in pieces.filter(is_readable) {
        modifier(piece, &mut attribute, &mut reference, reader);
    }
    if reference.is_some() {
        // The id of something else is given, never made.
        attribute.generator = None;
    }
    (attribute, reference)
}

/// Whether a piece of a line begins as a modifier does.
fn is_modifier(text: &str) -> bool {
    let word = text.split(' ').next();
    MODIFIERS.iter().any(|modifier| modifier.split(' ').next() == word)
}

fn parse_type(text: Located<'_>, reader: &mut Reader<'_>) -> Option<AttributeType> {
    if text.text.starts_with("list of ") {
        let element = parse_type(text.from("list of ".len()).trim(), reader)?;
        return Some(AttributeType::List(Some(Box::new(element))));
    }
    if text.text.contains('|') {
        return enumeration(text, reader);
    }
    if let Some(simple) = simple_type(text.text) {
        return Some(simple);
    }
    if let Some(name) = text.text.strip_prefix("sequence ").filter(|name| !name.trim().is_empty()) {
        return Some(AttributeType::Sequence(name.trim().to_owned()));
    }
    if let Some(found) = timestamps(text, reader) {
        return found;
    }
    if text.text.starts_with("expiry ") {
        return expiry(text, reader);
    }
    unknown_type::report(text, reader).and_then(simple_type)
}

/// The type of a name that takes no argument.
fn simple_type(name: &str) -> Option<AttributeType> {
    Some(match name {
        "string" => AttributeType::String,
        "integer" => AttributeType::Integer,
        "number" => AttributeType::Number,
        "boolean" => AttributeType::Boolean,
        "binary" => AttributeType::Binary,
        "date" => AttributeType::Date,
        "datetime" => AttributeType::DateTime(TimestampFormat::default()),
        "ulid" => AttributeType::Ulid,
        "uuid" => AttributeType::Uuid,
        "url" => AttributeType::Url,
        "email" => AttributeType::Email,
        "string set" => AttributeType::StringSet,
        "number set" => AttributeType::NumberSet,
        "list" => AttributeType::List(None),
        "map" => AttributeType::Map,
        "any" => AttributeType::Any,
        "created at" => AttributeType::Stamp(Stamp::CreatedAt(TimestampFormat::default())),
        "created by" => AttributeType::Stamp(Stamp::CreatedBy),
        "modified at" => AttributeType::Stamp(Stamp::ModifiedAt(TimestampFormat::default())),
        "modified by" => AttributeType::Stamp(Stamp::ModifiedBy),
        "version" => AttributeType::Stamp(Stamp::Version),
        "expiry" => AttributeType::Expiry(None),
        _ => return None,
    })
}

/// `datetime in seconds`, `created at in epoch milliseconds`; `None` for another type.
fn timestamps(text: Located<'_>, reader: &mut Reader<'_>) -> Option<Option<AttributeType>> {
    let (kind, words) = text.text.split_once(" in ")?;
    let format = TimestampFormat::parse(words);
    let value_type = match kind {
        "datetime" => format.map(AttributeType::DateTime),
        "created at" => format.map(|format| AttributeType::Stamp(Stamp::CreatedAt(format))),
        "modified at" => format.map(|format| AttributeType::Stamp(Stamp::ModifiedAt(format))),
        _ => return None,
    };
    if value_type.is_some() {
        return Some(value_type);
    }
    let message = format!("`{words}` is not a format of timestamps");
    let help = "formats are `seconds`, `milliseconds` and `microseconds`, each alone, `with offset` or `without zone` and \
                with `lower-case` before it, `epoch seconds` and `epoch milliseconds`";
    reader.fault(&BAD_ATTRIBUTE_LINE, text.from(text.text.len() - words.len()).span(), message, help);
    Some(None)
}

fn enumeration(text: Located<'_>, reader: &mut Reader<'_>) -> Option<AttributeType> {
    let mut values: Vec<String> = Vec::new();
    for piece in text.split_outside('|') {
        let value = piece.text.trim_matches('"').to_owned();
        if value.is_empty() {
            let help = "write the values apart: `active | expired`";
            reader.fault(&BAD_ATTRIBUTE_LINE, text.span(), "an enumeration with an empty value", help);
            return None;
        }
        if values.contains(&value) {
            reader.fault(
                &BAD_ATTRIBUTE_LINE,
                piece.span(),
                format!("`{value}` is listed twice"),
                "remove one of the two",
            );
            continue;
        }
        values.push(value);
    }
    Some(AttributeType::Enumeration(values.into()))
}

/// `expiry 90 days after sentAt`.
fn expiry(text: Located<'_>, reader: &mut Reader<'_>) -> Option<AttributeType> {
    let words: Vec<&str> = text.text.split_whitespace().collect();
    if let [_, count, unit, "after", attribute] = words.as_slice() {
        let seconds = match unit.trim_end_matches('s') {
            "day" => Some(86_400),
            "hour" => Some(3_600),
            "minute" => Some(60),
            "second" => Some(1),
            _ => None,
        };
        if let (Ok(count), Some(seconds)) = (count.parse::<u64>(), seconds) {
            return Some(AttributeType::Expiry(Some(Expiry {
                seconds: count * seconds,
                after: (*attribute).to_owned(),
            })));
        }
    }
    let help = "write `expiry`, or `expiry 90 days after sentAt`";
    reader.fault(&BAD_ATTRIBUTE_LINE, text.span(), format!("`{}` is not a valid expiry", text.text), help);
    None
}

fn modifier(
    text: Located<'_>,
    attribute: &mut Attribute,
    reference: &mut Option<ReferenceLine>,
    reader: &mut Reader<'_>,
) {
    let rest = |prefix: &str| text.text.strip_prefix(prefix).map(|rest| text.from(text.text.len() - rest.len()).trim());
    match text.text {
        "optional" => attribute.optional = true,
        "required" => attribute.optional = false,
        "fixed" => attribute.fixed = true,
        "personal" => attribute.personal = true,
        "key only" => attribute.storage = Storage::KeyOnly,
        "made as ulid" => attribute.generator = Some(Generator::Ulid),
        "made as uuid" => attribute.generator = Some(Generator::Uuid),
        "deleted with it" => on_delete(text, reference, OnDelete::Cascade, reader),
        "delete refused" => on_delete(text, reference, OnDelete::Refuse, reader),
        "delete ignored" => on_delete(text, reference, OnDelete::Ignore, reader),
        "no cycles" => match reference {
            Some(reference) => reference.acyclic = true,
            None => needs_reference(text, reader),
        },
        _ => {
            if let Some(value) = rest("default ") {
                default(value, attribute, reader);
            } else if let Some(bound) = rest("at least ") {
                bounds(bound, true, attribute, reader);
            } else if let Some(bound) = rest("at most ") {
                bounds(bound, false, attribute, reader);
            } else if let Some(pattern) = rest("matches ") {
                matches(pattern, attribute, reader);
            } else if let Some(target) = rest("refers to ") {
                *reference = Some(refers_to(target));
            } else if let Some(counter) = rest("counted as ") {
                match reference {
                    Some(reference) => {
                        reference.counted_as = Some(Spanned::new(counter.text.to_owned(), counter.span()))
                    }
                    None => needs_reference(text, reader),
                }
            } else if let Some(other) = rest("same as ") {
                attribute.same_as = Some(other.text.to_owned());
            } else if let Some(visible) = rest("visible to ") {
                attribute.visible_to = grantee::parse(visible, reader);
            } else if let Some(settable) = rest("settable by ") {
                attribute.settable_by = grantee::parse(settable, reader);
            } else if let Some(sequence) = rest("made as sequence ") {
                made_as_sequence(sequence, attribute, reader);
            } else {
                unknown_modifier(text, reader);
            }
        }
    }
}

/// `made as sequence place`: the number as text, so that ids of other programs may be any text.
fn made_as_sequence(name: Located<'_>, attribute: &mut Attribute, reader: &mut Reader<'_>) {
    if attribute.value_type != AttributeType::String {
        let spelling = attribute.value_type.spelling();
        let message = format!("`made as sequence {}` makes a string, and `{}` is not one", name.text, spelling);
        let help = format!("write `string, made as sequence {0}`, or `sequence {0}` for a number", name.text);
        reader.fault(&BAD_ATTRIBUTE_LINE, name.span(), message, help);
        return;
    }
    attribute.generator = Some(Generator::Sequence(name.text.to_owned()));
}

fn unknown_modifier(text: Located<'_>, reader: &mut Reader<'_>) {
    let help = match did_you_mean(text.text, MODIFIERS.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("modifiers are `{}`", MODIFIERS.join("`, `")),
    };
    let message = match text.text {
        "" => "a modifier is missing behind the comma".to_owned(),
        other => format!("unknown modifier `{other}`"),
    };
    reader.fault(&BAD_ATTRIBUTE_LINE, text.span(), message, help);
}

fn on_delete(text: Located<'_>, reference: &mut Option<ReferenceLine>, rule: OnDelete, reader: &mut Reader<'_>) {
    match reference {
        Some(reference) => reference.on_delete = rule,
        None => needs_reference(text, reader),
    }
}

fn needs_reference(text: Located<'_>, reader: &mut Reader<'_>) {
    let message = format!("`{}` needs a reference before it", text.text);
    reader.fault(&BAD_ATTRIBUTE_LINE, text.span(), message, format!("write `refers to ENTITY, {}`", text.text));
}

fn default(value: Located<'_>, attribute: &mut Attribute, reader: &mut Reader<'_>) {
    match value_text::parse(value.text, &attribute.value_type) {
        Ok(parsed) => attribute.default = Some(parsed),
        Err(rule) => {
            let message = format!("the default `{}` of `{}` is not {rule}", value.text, attribute.name);
            reader.fault(&BAD_VALUE, value.span(), message, "give a value of the attribute's type");
        }
    }
}

fn bounds(text: Located<'_>, at_least: bool, attribute: &mut Attribute, reader: &mut Reader<'_>) {
    let (number, unit) = match text.text.split_once(' ') {
        Some((number, unit)) => (number, Some(unit.trim())),
        None => (text.text, None),
    };
    let natural = match attribute.value_type {
        AttributeType::Integer | AttributeType::Number | AttributeType::Sequence(_) | AttributeType::Any => Unit::Value,
        AttributeType::List(_) | AttributeType::Map | AttributeType::StringSet | AttributeType::NumberSet => {
            Unit::Items
        }
        AttributeType::Binary => Unit::Bytes,
        _ => Unit::Characters,
    };
    let unit = match unit {
        None if natural == Unit::Value => Some(Unit::Value),
        None => None,
        Some("characters" | "character") if natural == Unit::Characters => Some(Unit::Characters),
        Some("words" | "word") if attribute.value_type == AttributeType::String => Some(Unit::Words),
        Some("items" | "item") if natural == Unit::Items => Some(Unit::Items),
        Some("bytes" | "byte") => Some(Unit::Bytes),
        Some(_) => None,
    };
    match (Number::parse(number), unit) {
        (Ok(limit), Some(unit)) => {
            attribute.bounds.push(Bound { at_least, limit, unit });
            if let (Some(least), Some(most)) = (attribute.least(unit), attribute.most(unit))
                && least > most
            {
                let message =
                    format!("`at least {}` contradicts `at most {}`", unit.describe(least), unit.describe(most));
                reader.fault(
                    &BAD_ATTRIBUTE_LINE,
                    text.span(),
                    message,
                    "no value can satisfy both; change one of them",
                );
            }
        }
        _ => {
            let side = if at_least { "at least" } else { "at most" };
            let message =
                format!("`{side} {}` is not a valid bound of `{}`", text.text, attribute.value_type.spelling());
            let help = match natural {
                Unit::Value => format!("write `{side} 1`"),
                other => format!("write `{side} {}`", other.describe(2)),
            };
            reader.fault(&BAD_ATTRIBUTE_LINE, text.span(), message, help);
        }
    }
}

fn matches(text: Located<'_>, attribute: &mut Attribute, reader: &mut Reader<'_>) {
    let Some(source) = text.text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) else {
        let message = format!("`{}` is not a regular expression between slashes", text.text);
        reader.fault(&BAD_ATTRIBUTE_LINE, text.span(), message, "write `matches /[a-z]+/`");
        return;
    };
    match TextPattern::compile(source) {
        Ok(pattern) => attribute.pattern = Some(pattern),
        Err(error) => {
            let cause = error.to_string();
            let cause = cause.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            let message = format!("`{source}` is not a valid regular expression: {cause}");
            reader.fault(
                &BAD_ATTRIBUTE_LINE,
                text.span(),
                message,
                "look-around and back-references are not supported",
            );
        }
    }
}

fn refers_to(text: Located<'_>) -> ReferenceLine {
    let (target, through) = match text.text.find(" through ") {
        Some(at) => (text.slice(0, at).trim(), Some(text.from(at + " through ".len()))),
        None => (text, None),
    };
    let spanned = |piece: Located<'_>| Spanned::new(piece.text.to_owned(), piece.span());
    let through = through.map(|names| {
        let mut rest = names;
        let mut pieces = Vec::new();
        while let Some(at) = rest.text.find(" and ") {
            pieces.push(spanned(rest.slice(0, at).trim()));
            rest = rest.from(at + " and ".len());
        }
        pieces.push(spanned(rest.trim()));
        pieces
    });
    ReferenceLine {
        target: spanned(target),
        through: through.unwrap_or_default(),
        on_delete: OnDelete::Refuse,
        acyclic: false,
        counted_as: None,
    }
}
