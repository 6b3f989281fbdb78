//! Values against the types and bounds of attributes.

use keyfold_dynamo::{AttributeValue, Number};

use super::{Attribute, AttributeType, Bound, Stamp, Unit, words};
use crate::counted;
use crate::template::{is_date, is_ulid, is_uuid, utc_date};

/// A value that an attribute cannot have: which attribute, which rule, which value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{attribute}` must be {rule} but is {value}")]
pub struct ConstraintViolation {
    /// The attribute concerned.
    pub attribute: String,
    /// What its value must be, to follow `must be`: `an integer`.
    pub rule: String,
    /// As short text, for people.
    pub value: String,
}

/// DynamoDB stores no empty sets.
const EMPTY_SET: &str = " with at least one value, or null to remove it,";

impl AttributeType {
    /// An argument of this type as the pattern takes it: where a date is expected, a timestamp stands for its day in
    /// UTC, and a timestamp in another spelling is brought into the attribute's own.
    pub fn argument(&self, value: AttributeValue) -> AttributeValue {
        match (self, &value) {
            (Self::Date, AttributeValue::S(text)) => utc_date(text).map_or(value, AttributeValue::S),
            (Self::Moment(_), AttributeValue::S(text)) if is_date(text) => value,
            (Self::Moment(format), _) => format.normalized(value),
            _ => match self.timestamp_format() {
                Some(format) => format.normalized(value),
                None => value,
            },
        }
    }

    /// Checks a value; the error is the rule that it breaks.
    pub fn check(&self, attribute: &str, value: &AttributeValue) -> Result<(), ConstraintViolation> {
        match self.broken_rule(value) {
            None => Ok(()),
            Some(rule) => {
                Err(ConstraintViolation { attribute: attribute.to_owned(), rule, value: describe_value(value) })
            }
        }
    }

    fn broken_rule(&self, value: &AttributeValue) -> Option<String> {
        let fits = match (self, value) {
            (Self::Any, _) => true,
            (Self::String | Self::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy), AttributeValue::S(_)) => true,
            (Self::Number, AttributeValue::N(_)) => true,
            (Self::Integer, AttributeValue::N(number)) => number.is_whole(),
            (Self::Sequence(_) | Self::Expiry(_) | Self::Stamp(Stamp::Version), AttributeValue::N(number)) => {
                number.to_i64().is_some_and(|number| number >= 0)
            }
            (Self::Boolean, AttributeValue::Bool(_)) => true,
            (Self::Binary, AttributeValue::B(_)) => true,
            (Self::Date, AttributeValue::S(text)) => is_date(text),
            (Self::Moment(_), AttributeValue::S(text)) if is_date(text) => true,
            (Self::DateTime(format) | Self::Moment(format), value) => format.admits(value),
            (Self::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)), value) => format.admits(value),
            (Self::Ulid, AttributeValue::S(text)) => is_ulid(text),
            (Self::Uuid, AttributeValue::S(text)) => is_uuid(text),
            (Self::Url, AttributeValue::S(text)) => is_url(text),
            (Self::Email, AttributeValue::S(text)) => is_email(text),
            (Self::Enumeration(values), AttributeValue::S(text)) => values.iter().any(|value| value == text),
            (Self::StringSet, AttributeValue::Ss(set)) if set.is_empty() => return Some(self.rule() + EMPTY_SET),
            (Self::NumberSet, AttributeValue::Ns(set)) if set.is_empty() => return Some(self.rule() + EMPTY_SET),
            (Self::StringSet, AttributeValue::Ss(_)) | (Self::NumberSet, AttributeValue::Ns(_)) => true,
            (Self::Map, AttributeValue::M(_)) => true,
            (Self::List(None), AttributeValue::L(_)) => true,
            (Self::List(Some(element)), AttributeValue::L(items)) => {
                return items
                    .iter()
                    .find_map(|item| element.broken_rule(item))
                    .map(|rule| format!("a list in which each item is {rule}"));
            }
            _ => false,
        };
        (!fits).then(|| self.rule())
    }

    /// Whether a value is of the kind that is stored for this type, whatever it says: a date is a string.
    pub fn stores(&self, value: &AttributeValue) -> bool {
        match (self, value) {
            (Self::Any, _) => true,
            (Self::List(Some(element)), AttributeValue::L(items)) => items.iter().all(|item| element.stores(item)),
            (
                Self::String
                | Self::Date
                | Self::Moment(_)
                | Self::Ulid
                | Self::Uuid
                | Self::Url
                | Self::Email
                | Self::Enumeration(_)
                | Self::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy),
                AttributeValue::S(_),
            )
            // Other programs may write timestamps in another format.
            | (
                Self::DateTime(_) | Self::Stamp(Stamp::CreatedAt(_) | Stamp::ModifiedAt(_)),
                AttributeValue::S(_) | AttributeValue::N(_),
            )
            | (
                Self::Integer | Self::Number | Self::Sequence(_) | Self::Expiry(_) | Self::Stamp(Stamp::Version),
                AttributeValue::N(_),
            )
            | (Self::Boolean, AttributeValue::Bool(_))
            | (Self::Binary, AttributeValue::B(_))
            | (Self::StringSet, AttributeValue::Ss(_))
            | (Self::NumberSet, AttributeValue::Ns(_))
            | (Self::Map, AttributeValue::M(_))
            | (Self::List(None), AttributeValue::L(_)) => true,
            _ => false,
        }
    }

    /// What a value has to be, in words.
    pub fn rule(&self) -> String {
        match self {
            Self::String | Self::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => "a string".to_owned(),
            Self::Integer => "an integer".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Boolean => "a boolean".to_owned(),
            Self::Binary => "binary".to_owned(),
            Self::Date => "a date (YYYY-MM-DD)".to_owned(),
            Self::DateTime(format) | Self::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => format.rule(),
            Self::Moment(format) => format!("{}, or {}", format.rule(), Self::Date.rule()),
            Self::Ulid => "a ULID".to_owned(),
            Self::Uuid => "a UUID in lower case".to_owned(),
            Self::Sequence(_) | Self::Stamp(Stamp::Version) => "a whole number from 0 on".to_owned(),
            Self::Expiry(_) => "seconds since the epoch".to_owned(),
            Self::Url => "an absolute URL".to_owned(),
            Self::Email => "an email address".to_owned(),
            Self::Enumeration(values) => format!("one of `{}`", values.join("`, `")),
            Self::StringSet => "a set of strings".to_owned(),
            Self::NumberSet => "a set of numbers".to_owned(),
            Self::List(None) => "a list".to_owned(),
            Self::List(Some(element)) => format!("a list in which each item is {}", element.rule()),
            Self::Map => "a map".to_owned(),
            Self::Any => "anything".to_owned(),
        }
    }
}

impl Attribute {
    /// Checks a value against the type, the bounds and the pattern of the attribute.
    pub fn check(&self, value: &AttributeValue) -> Result<(), ConstraintViolation> {
        self.value_type.check(&self.name, value)?;
        for bound in &self.bounds {
            if !bound.admits(value) {
                return Err(self.violation(bound.to_string(), value));
            }
        }
        if let (Some(pattern), AttributeValue::S(text)) = (&self.pattern, value)
            && !pattern.admits(text)
        {
            return Err(self.violation(format!("of the form /{}/", pattern.source), value));
        }
        Ok(())
    }

    /// What is wrong with a stored value of a kind that the attribute never has: no reader of the type can take it.
    /// The value itself is not told.
    pub fn misfit(&self, value: &AttributeValue) -> Option<String> {
        (!self.value_type.stores(value)).then(|| {
            let (rule, stored) = (self.value_type.rule(), value.value_type().as_str());
            format!("`{}` must be {rule} but is stored as {stored}", self.name)
        })
    }

    fn violation(&self, rule: String, value: &AttributeValue) -> ConstraintViolation {
        ConstraintViolation { attribute: self.name.clone(), rule, value: describe_value(value) }
    }
}

impl Bound {
    /// Whether a value is within the bound; true for values that the unit does not measure.
    pub fn admits(&self, value: &AttributeValue) -> bool {
        let measured = match (self.unit, value) {
            (Unit::Value, AttributeValue::N(number)) => *number,
            (Unit::Characters, AttributeValue::S(text)) => count(text.chars().count()),
            (Unit::Words, AttributeValue::S(text)) => count(words(text).len()),
            (Unit::Bytes, value) => count(value.size()),
            (Unit::Items, AttributeValue::L(items)) => count(items.len()),
            (Unit::Items, AttributeValue::M(map)) => count(map.len()),
            (Unit::Items, AttributeValue::Ss(set)) => count(set.len()),
            (Unit::Items, AttributeValue::Ns(set)) => count(set.len()),
            (Unit::Items, AttributeValue::Bs(set)) => count(set.len()),
            _ => return true,
        };
        if self.at_least { measured >= self.limit } else { measured <= self.limit }
    }
}

fn count(size: usize) -> Number {
    Number::from(size as u64)
}

/// One `@` with something before it, and a host name with a dot behind it.
fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let clean = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control());
    text.len() <= 254
        && clean(local)
        && !local.contains('@')
        && clean(host)
        && host.split('.').count() >= 2
        && host.split('.').all(|label| !label.is_empty())
}

/// A scheme, `://` and a host.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        && !host.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// A value as an error shows it: short, texts in backticks.
pub(crate) fn describe_value(value: &AttributeValue) -> String {
    let text = match value {
        AttributeValue::S(text) => format!("`{text}`"),
        AttributeValue::N(number) => format!("`{number}`"),
        AttributeValue::Bool(flag) => format!("`{flag}`"),
        AttributeValue::Null => "null".to_owned(),
        AttributeValue::B(bytes) => counted(bytes.len(), "byte"),
        AttributeValue::M(_) => "a map".to_owned(),
        AttributeValue::L(items) => format!("a list of {}", counted(items.len(), "item")),
        AttributeValue::Ss(set) => format!("a set of {}", counted(set.len(), "item")),
        AttributeValue::Ns(set) => format!("a set of {}", counted(set.len(), "item")),
        AttributeValue::Bs(set) => format!("a set of {}", counted(set.len(), "item")),
    };
    if text.chars().count() <= 80 { text } else { text.chars().take(79).chain(['…']).collect() }
}
