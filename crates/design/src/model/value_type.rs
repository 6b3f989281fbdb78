//! The types of attributes.

use std::sync::Arc;

use keyfold_dynamo::value::ValueType;

use crate::counted;
use crate::template::{TimestampFormat, ValueKind};

/// The type of an attribute's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeType {
    /// `string`: any text.
    String,
    /// `integer`: a whole number of at most 38 digits.
    Integer,
    /// `number`: at most 38 digits.
    Number,
    /// `boolean`
    Boolean,
    /// `binary`: bytes.
    Binary,
    /// `YYYY-MM-DD`.
    Date,
    /// A timestamp in its format, by default UTC with milliseconds, `2026-11-15T08:00:00.000Z`.
    DateTime(TimestampFormat),
    /// Of parameters only: a bound of timestamps, either a timestamp or a date, which stands for its whole day in UTC.
    Moment(TimestampFormat),
    /// `ulid`: 26 characters of Crockford's base 32, in upper case.
    Ulid,
    /// Version 7 when made here.
    Uuid,
    /// A whole number from the counter of this name.
    Sequence(String),
    /// `url`: an absolute URL.
    Url,
    /// `email`: an address of at most 254 bytes.
    Email,
    /// `active | expired`: one of these texts.
    Enumeration(Arc<[String]>),
    /// `string set`
    StringSet,
    /// `number set`
    NumberSet,
    /// `list`, or `list of` a type; `None` admits elements of any type.
    List(Option<Box<AttributeType>>),
    /// `map`: named values of any type.
    Map,
    /// `any`: a value of any type.
    Any,
    /// Kept by the runtime; callers do not set it.
    Stamp(Stamp),
    /// Seconds since the epoch, after which DynamoDB removes the item.
    Expiry(Option<Expiry>),
}

/// What the runtime notes about the changes of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// `created at`: the time of creation.
    CreatedAt(TimestampFormat),
    /// `created by`: the subject of the caller who created it.
    CreatedBy,
    /// `modified at`: the time of the last change.
    ModifiedAt(TimestampFormat),
    /// `modified by`: the subject of the caller who changed it last.
    ModifiedBy,
    /// `version`: 1 after creation, and one more with each change.
    Version,
}

/// `expiry 90 days after sentAt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expiry {
    /// The time that an item lives on after the date.
    pub seconds: u64,
    /// A date or datetime of the same entity.
    pub after: String,
}

/// How an absent value is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generator {
    /// A new ULID.
    Ulid,
    /// A new UUID of version 7.
    Uuid,
    /// The next number of the counter of this name; as text if the attribute is a string.
    Sequence(String),
}

impl AttributeType {
    /// DynamoDB's type of the stored values; `None` for `any`.
    pub fn stored(&self) -> Option<ValueType> {
        Some(match self {
            Self::String
            | Self::Date
            | Self::Ulid
            | Self::Uuid
            | Self::Url
            | Self::Email
            | Self::Enumeration(_)
            | Self::Moment(_)
            | Self::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => ValueType::S,
            Self::DateTime(format) | Self::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => {
                if format.is_number() { ValueType::N } else { ValueType::S }
            }
            Self::Integer | Self::Number | Self::Sequence(_) | Self::Expiry(_) | Self::Stamp(Stamp::Version) => {
                ValueType::N
            }
            Self::Boolean => ValueType::Bool,
            Self::Binary => ValueType::B,
            Self::StringSet => ValueType::Ss,
            Self::NumberSet => ValueType::Ns,
            Self::List(_) => ValueType::L,
            Self::Map => ValueType::M,
            Self::Any => return None,
        })
    }

    /// How values look within a key; `None` for types that cannot be in one.
    pub fn kind(&self) -> Option<ValueKind> {
        Some(match self {
            Self::String | Self::Url | Self::Email | Self::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => {
                ValueKind::Text
            }
            Self::Integer | Self::Sequence(_) | Self::Expiry(_) | Self::Stamp(Stamp::Version) => ValueKind::Integer,
            Self::Number => ValueKind::Number,
            Self::Boolean => ValueKind::Boolean,
            Self::Binary => ValueKind::Binary,
            Self::Date => ValueKind::Date,
            Self::DateTime(format) | Self::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => {
                ValueKind::DateTime(*format)
            }
            Self::Moment(format) => ValueKind::Moment(*format),
            Self::Ulid => ValueKind::Ulid,
            Self::Uuid => ValueKind::Uuid,
            Self::Enumeration(values) => ValueKind::Enumeration(Arc::clone(values)),
            Self::StringSet | Self::NumberSet | Self::List(_) | Self::Map | Self::Any => return None,
        })
    }

    /// The format of a type whose values are timestamps.
    pub fn timestamp_format(&self) -> Option<TimestampFormat> {
        match self {
            Self::DateTime(format) | Self::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => Some(*format),
            _ => None,
        }
    }

    /// The type of the elements of a list or set.
    pub fn element(&self) -> Option<AttributeType> {
        match self {
            Self::StringSet => Some(Self::String),
            Self::NumberSet => Some(Self::Number),
            Self::List(element) => Some(element.as_deref().cloned().unwrap_or(Self::Any)),
            _ => None,
        }
    }

    /// Whether the runtime sets the value, and callers cannot.
    pub fn is_kept_by_runtime(&self) -> bool {
        matches!(self, Self::Stamp(_) | Self::Expiry(Some(_)))
    }

    /// As the design spells it.
    pub fn spelling(&self) -> String {
        match self {
            Self::String => "string".to_owned(),
            Self::Integer => "integer".to_owned(),
            Self::Number => "number".to_owned(),
            Self::Boolean => "boolean".to_owned(),
            Self::Binary => "binary".to_owned(),
            Self::Date => "date".to_owned(),
            Self::DateTime(format) => format!("datetime{}", format.spelling()),
            Self::Moment(format) => format!("datetime{} or date", format.spelling()),
            Self::Ulid => "ulid".to_owned(),
            Self::Uuid => "uuid".to_owned(),
            Self::Sequence(name) => format!("sequence {name}"),
            Self::Url => "url".to_owned(),
            Self::Email => "email".to_owned(),
            Self::Enumeration(values) => values.join(" | "),
            Self::StringSet => "string set".to_owned(),
            Self::NumberSet => "number set".to_owned(),
            Self::List(None) => "list".to_owned(),
            Self::List(Some(element)) => format!("list of {}", element.spelling()),
            Self::Map => "map".to_owned(),
            Self::Any => "any".to_owned(),
            Self::Stamp(Stamp::CreatedAt(format)) => format!("created at{}", format.spelling()),
            Self::Stamp(Stamp::CreatedBy) => "created by".to_owned(),
            Self::Stamp(Stamp::ModifiedAt(format)) => format!("modified at{}", format.spelling()),
            Self::Stamp(Stamp::ModifiedBy) => "modified by".to_owned(),
            Self::Stamp(Stamp::Version) => "version".to_owned(),
            Self::Expiry(None) => "expiry".to_owned(),
            Self::Expiry(Some(expiry)) => match expiry.seconds {
                seconds if seconds.is_multiple_of(86_400) => {
                    format!("expiry {} after {}", counted(seconds / 86_400, "day"), expiry.after)
                }
                seconds if seconds.is_multiple_of(3_600) => {
                    format!("expiry {} after {}", counted(seconds / 3_600, "hour"), expiry.after)
                }
                seconds => format!("expiry {} after {}", counted(seconds, "second"), expiry.after),
            },
        }
    }
}
