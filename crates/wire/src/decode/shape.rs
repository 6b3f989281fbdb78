//! The types of the members of a request, with the service's texts for a value of another type. A member that is `null`
//! counts as absent.

use std::borrow::Cow;

use crate::failure::Failure;
use crate::json::{JsonKind, Malformed, Reader};

/// Where a structure stands; it changes the text for a scalar in its place.
#[derive(Clone, Copy)]
pub(super) enum Position {
    Member,
    Element,
}

const UNEXPECTED_STRUCTURE: &str = "Start of structure or map found where not expected";

pub(super) fn string<'a>(reader: &mut Reader<'a>) -> Result<Option<Cow<'a, str>>, Failure> {
    match reader.kind()? {
        JsonKind::String => Ok(Some(reader.string()?)),
        JsonKind::Null => absent(reader),
        kind => Err(not_a_scalar(reader, kind, "String")),
    }
}

pub(super) fn owned_string(reader: &mut Reader<'_>) -> Result<Option<String>, Failure> {
    Ok(string(reader)?.map(Cow::into_owned))
}

/// A boolean; the words that the service takes for one are taken too.
pub(super) fn boolean(reader: &mut Reader<'_>) -> Result<Option<bool>, Failure> {
    match reader.kind()? {
        kind @ (JsonKind::True | JsonKind::False) => {
            reader.literal(kind)?;
            Ok(Some(kind == JsonKind::True))
        }
        JsonKind::Null => absent(reader),
        JsonKind::String => {
            let word = reader.string()?;
            let is_one_of = |words: [&str; 3]| words.iter().any(|candidate| candidate.eq_ignore_ascii_case(&word));
            if is_one_of(["true", "1", "yes"]) {
                Ok(Some(true))
            } else if is_one_of(["false", "0", "no"]) {
                Ok(Some(false))
            } else {
                Err(Failure::wrong_type("Unexpected token received from parser"))
            }
        }
        kind => Err(not_a_scalar(reader, kind, "Boolean")),
    }
}

/// A whole number; `class` is the service's name for its width. A fraction is cut off, as the service does.
pub(super) fn integer(reader: &mut Reader<'_>, class: &str) -> Result<Option<i64>, Failure> {
    match reader.kind()? {
        JsonKind::Number => Ok(Some(whole_part(reader.number()?)?)),
        JsonKind::Null => absent(reader),
        kind => Err(not_a_scalar(reader, kind, class)),
    }
}

fn whole_part(text: &str) -> Result<i64, Malformed> {
    match text.parse() {
        Ok(whole) => Ok(whole),
        // Beyond the range of an i64 the conversion saturates.
        Err(_) => text.parse::<f64>().map(|value| value.floor() as i64).map_err(|_| Malformed),
    }
}

/// A structure named `class` in the service's API; whether it was there.
pub(super) fn structure<'a>(
    reader: &mut Reader<'a>,
    class: &str,
    position: Position,
    each: impl FnMut(&str, &mut Reader<'a>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let mut each = each;
    match reader.kind()? {
        JsonKind::Object => {
            reader.object(|name, reader| each(&name, reader))?;
            Ok(true)
        }
        JsonKind::Null => absent::<()>(reader).map(|_| false),
        JsonKind::Array => Err(Failure::wrong_type(format!(
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.{class}"
        ))),
        _ => Err(Failure::wrong_type(match position {
            Position::Member => "Unexpected field type",
            Position::Element => "Unexpected value type in payload",
        })),
    }
}

/// The structure that is the whole body: nothing may follow it.
pub(super) fn input<'a>(
    reader: &mut Reader<'a>,
    class: &str,
    each: impl FnMut(&str, &mut Reader<'a>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match structure(reader, class, Position::Element, each)? {
        true => Ok(reader.finish()?),
        false => Err(Malformed.into()),
    }
}

/// A list; whether it was there.
pub(super) fn list<'a>(
    reader: &mut Reader<'a>,
    each: impl FnMut(&mut Reader<'a>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    match reader.kind()? {
        JsonKind::Array => reader.array(each).map(|()| true),
        JsonKind::Null => absent::<()>(reader).map(|_| false),
        JsonKind::Object => Err(Failure::wrong_type(UNEXPECTED_STRUCTURE)),
        _ => Err(Failure::wrong_type("Unexpected field type")),
    }
}

/// A map from texts to values of the class named; whether it was there.
pub(super) fn map<'a>(
    reader: &mut Reader<'a>,
    value_class: &str,
    each: impl FnMut(Cow<'a, str>, &mut Reader<'a>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    match reader.kind()? {
        JsonKind::Object => reader.object(each).map(|()| true),
        JsonKind::Null => absent::<()>(reader).map(|_| false),
        JsonKind::Array => Err(Failure::wrong_type(format!(
            "Unrecognized collection type java.util.Map<java.lang.String, {value_class}>"
        ))),
        _ => Err(Failure::wrong_type("Unexpected field type")),
    }
}

/// A list of texts. A `null` among them is kept as such.
pub(super) fn strings(reader: &mut Reader<'_>) -> Result<Option<Vec<Option<String>>>, Failure> {
    let mut texts = Vec::new();
    let there = list(reader, |reader| {
        texts.push(owned_string(reader)?);
        Ok(())
    })?;
    Ok(there.then_some(texts))
}

fn absent<T>(reader: &mut Reader<'_>) -> Result<Option<T>, Failure> {
    reader.literal(JsonKind::Null)?;
    Ok(None)
}

/// The text for a value that cannot become a scalar of the class named.
fn not_a_scalar(reader: &mut Reader<'_>, kind: JsonKind, class: &str) -> Failure {
    let token = match kind {
        JsonKind::Object => return Failure::wrong_type(UNEXPECTED_STRUCTURE),
        JsonKind::Array => return Failure::wrong_type(format!("Unrecognized collection type class java.lang.{class}")),
        JsonKind::String => "STRING_VALUE",
        JsonKind::True => "TRUE_VALUE",
        JsonKind::False => "FALSE_VALUE",
        JsonKind::Null => "NULL_VALUE",
        JsonKind::Number => match reader.number() {
            Ok(text) if text.contains(['.', 'e', 'E']) => "DECIMAL_VALUE",
            Ok(_) => "NUMBER_VALUE",
            Err(malformed) => return malformed.into(),
        },
    };
    Failure::wrong_type(format!("{token} cannot be converted to {class}"))
}

/// The text for a value that cannot become bytes.
pub(super) fn not_bytes(kind: JsonKind) -> Failure {
    match kind {
        JsonKind::Object => Failure::wrong_type(UNEXPECTED_STRUCTURE),
        JsonKind::Array => Failure::wrong_type("Unrecognized collection type class java.nio.ByteBuffer"),
        _ => Failure::wrong_type("only base-64-encoded strings are convertible to bytes"),
    }
}
