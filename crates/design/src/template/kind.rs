//! How the values of an attribute look as a piece of a key.

use std::sync::Arc;

use keyfold_dynamo::{AttributeValue, Number};

use super::instant::is_date;
use super::timestamp::TimestampFormat;

/// What the text of a value in a key looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueKind {
    /// Any text.
    Text,
    /// A whole number that fits 64 bits, without leading zeros.
    Integer,
    /// A number in DynamoDB's spelling.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `YYYY-MM-DD`.
    Date,
    /// A timestamp in its format.
    DateTime(TimestampFormat),
    /// A timestamp or a date, for a parameter that is a bound of timestamps.
    Moment(TimestampFormat),
    /// 26 characters in upper case.
    Ulid,
    /// 36 characters in lower case.
    Uuid,
    /// One of these texts.
    Enumeration(Arc<[String]>),
    /// Bytes: only as a whole key attribute of that type.
    Binary,
}

impl ValueKind {
    /// The text of a value, `None` where the value is not of this kind.
    pub(crate) fn text_of(&self, value: &AttributeValue) -> Option<String> {
        match (self, value) {
            (Self::Integer, AttributeValue::N(number)) => number.to_i64().map(|number| number.to_string()),
            (Self::Number, AttributeValue::N(number)) => Some(number.to_string()),
            (Self::DateTime(format) | Self::Moment(format), AttributeValue::N(number)) if format.is_number() => {
                number.to_i64().map(|number| number.to_string())
            }
            (Self::DateTime(format), _) if format.is_number() => None,
            (Self::Boolean, AttributeValue::Bool(flag)) => Some(flag.to_string()),
            (Self::Integer | Self::Number | Self::Boolean | Self::Binary, _) => None,
            (kind, AttributeValue::S(text)) if kind.admits(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// The value that a text stands for, `None` where it stands for none.
    pub(crate) fn value_of(&self, text: &str) -> Option<AttributeValue> {
        if !self.admits(text) {
            return None;
        }
        Some(match self {
            Self::Integer | Self::Number => AttributeValue::N(Number::parse(text).ok()?),
            Self::DateTime(format) | Self::Moment(format) if format.is_number() && !is_date(text) => {
                AttributeValue::N(Number::parse(text).ok()?)
            }
            Self::Boolean => AttributeValue::Bool(text == "true"),
            _ => AttributeValue::S(text.to_owned()),
        })
    }

    /// Whether a text is one that a value of this kind has.
    pub fn admits(&self, text: &str) -> bool {
        match self {
            Self::Text => true,
            Self::Integer => text.parse::<i64>().is_ok_and(|number| number.to_string() == text),
            Self::Number => Number::parse(text).is_ok_and(|number| number.to_string() == text),
            Self::Boolean => matches!(text, "true" | "false"),
            Self::Date => is_date(text),
            Self::DateTime(format) => format.admits_text(text),
            Self::Moment(format) => format.admits_text(text) || is_date(text),
            Self::Ulid => is_ulid(text),
            Self::Uuid => is_uuid(text),
            Self::Enumeration(values) => values.iter().any(|value| value == text),
            Self::Binary => false,
        }
    }

    /// Whether some value of this kind begins with a text: `2026-02` does for dates, `2026-13` does not.
    pub(crate) fn admits_prefix(&self, text: &str) -> bool {
        // A calendar value that lacks its end is completed with the end of one that exists.
        let completed = |example: &str| example.get(text.len()..).map(|rest| format!("{text}{rest}"));
        match self {
            Self::Date => completed("2000-01-01").is_some_and(|text| is_date(&text)),
            Self::DateTime(format) | Self::Moment(format) if !format.is_number() => {
                completed(&format.text_of_year_2000()).is_some_and(|text| format.admits_text(&text))
            }
            Self::Enumeration(values) => values.iter().any(|value| value.starts_with(text)),
            _ => true,
        }
    }

    pub(crate) fn fixed_length(&self) -> Option<usize> {
        match self {
            Self::Date => Some(10),
            Self::DateTime(format) => format.fixed_length(),
            Self::Ulid => Some(26),
            Self::Uuid => Some(36),
            Self::Enumeration(values) => {
                let length = values.first()?.chars().count();
                values.iter().all(|value| value.chars().count() == length).then_some(length)
            }
            _ => None,
        }
    }

    /// Whether some value of this kind contains a character.
    pub fn may_contain(&self, character: char) -> bool {
        match self {
            Self::Text => true,
            Self::Integer => character == '-' || character.is_ascii_digit(),
            Self::Number => matches!(character, '-' | '.' | 'E' | '+') || character.is_ascii_digit(),
            Self::Boolean => "truefalse".contains(character),
            Self::Date => character == '-' || character.is_ascii_digit(),
            Self::DateTime(format) | Self::Moment(format) => format.may_contain(character),
            Self::Ulid => character.is_ascii_digit() || character.is_ascii_uppercase(),
            Self::Uuid => character == '-' || character.is_ascii_digit() || ('a'..='f').contains(&character),
            Self::Enumeration(values) => values.iter().any(|value| value.contains(character)),
            Self::Binary => false,
        }
    }

    /// Whether values are stored as numbers.
    pub(crate) fn is_number(&self) -> bool {
        match self {
            Self::Integer | Self::Number => true,
            Self::DateTime(format) => format.is_number(),
            _ => false,
        }
    }

    /// Whether some value of this kind has letters beyond ASCII.
    pub(crate) fn may_have_other_letters(&self) -> bool {
        match self {
            Self::Text => true,
            Self::Enumeration(values) => !values.iter().all(|value| value.is_ascii()),
            _ => false,
        }
    }

    /// With an article, as messages name it: `a date (YYYY-MM-DD)`.
    pub fn describe(&self) -> String {
        match self {
            Self::Text => "a string".to_owned(),
            Self::Integer => "an integer".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Boolean => "a boolean".to_owned(),
            Self::Date => "a date (YYYY-MM-DD)".to_owned(),
            Self::DateTime(format) => format.describe(),
            Self::Moment(format) => format!("{} or a date (YYYY-MM-DD)", format.describe()),
            Self::Ulid => "a ULID".to_owned(),
            Self::Uuid => "a UUID".to_owned(),
            Self::Enumeration(values) => format!("one of `{}`", values.join("`, `")),
            Self::Binary => "binary".to_owned(),
        }
    }
}

/// 26 characters of Crockford's alphabet, the first at most 7 (128 bits).
pub fn is_ulid(text: &str) -> bool {
    text.len() == 26
        && text.bytes().next().is_some_and(|first| (b'0'..=b'7').contains(&first))
        && text.bytes().all(
            |byte| matches!(byte, b'0'..=b'9' | b'A'..=b'H' | b'J' | b'K' | b'M' | b'N' | b'P'..=b'T' | b'V'..=b'Z'),
        )
}

/// A UUID in lower case with hyphens, of any version: others may have written it.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        })
}
