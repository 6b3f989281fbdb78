//! Dates, instants and ids in the one spelling that a design stores, and that sorts.

use std::fmt;
use std::str::FromStr;

use keyfold_design::template::{Timestamp, TimestampFormat, ValueKind, is_date, is_datetime, is_ulid, is_uuid};
use keyfold_dynamo::AttributeValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::type_mismatch::TypeMismatch;
use crate::value::{FromValue, KeyValue, ToValue};

#[expect(clippy::expect_used, reason = "only `from_str` makes a value, from the bytes of a text")]
pub(crate) fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the bytes are those of a text")
}

fn as_it_is(stored: String) -> String {
    stored
}

/// What another program stored in another format is read in this one.
fn in_milliseconds(stored: String) -> String {
    Timestamp::parse(&stored).map_or(stored, |instant| TimestampFormat::default().text(instant))
}

/// A type that is nothing but a text of a fixed length and form.
macro_rules! fixed_text {
    ($(#[$comment:meta])* $name:ident, $length:literal, $admits:path, $kind:expr, $form:literal, $read:path) => {
        $(#[$comment])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name([u8; $length]);

        impl $name {
            /// The text as the table stores it.
            pub fn as_str(&self) -> &str {
                text_of(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = TypeMismatch;

            fn from_str(text: &str) -> Result<Self, TypeMismatch> {
                match <[u8; $length]>::try_from(text.as_bytes()) {
                    Ok(bytes) if $admits(text) => Ok(Self(bytes)),
                    _ => Err(TypeMismatch::new(format!(concat!("`{}` is not a ", $form), text))),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl ToValue for $name {
            fn to_value(&self) -> AttributeValue {
                AttributeValue::S(self.as_str().to_owned())
            }
        }

        impl FromValue for $name {
            fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
                $read(String::from_value(value)?).parse()
            }
        }

        impl KeyValue for $name {
            fn kind() -> ValueKind {
                $kind
            }
        }
    };
}

fixed_text!(
    /// A day, `2026-11-15`.
    Date,
    10,
    is_date,
    ValueKind::Date,
    "date (YYYY-MM-DD)",
    as_it_is
);
fixed_text!(
    /// An instant in UTC with milliseconds, `2026-11-15T08:00:00.000Z`.
    DateTime,
    24,
    is_datetime,
    ValueKind::DateTime(TimestampFormat::default()),
    "datetime in UTC with milliseconds (2026-11-15T08:00:00.000Z)",
    in_milliseconds
);

fixed_text!(
    /// A ULID, `01K9ZV0000000000000000AAAA`.
    Ulid,
    26,
    is_ulid,
    ValueKind::Ulid,
    "ULID",
    as_it_is
);
fixed_text!(
    /// A UUID in lower case, `019a5c00-0000-7000-8000-000000000ada`.
    Uuid,
    36,
    is_uuid,
    ValueKind::Uuid,
    "UUID in lower case",
    as_it_is
);

impl TryFrom<jiff::civil::Date> for Date {
    type Error = TypeMismatch;

    fn try_from(date: jiff::civil::Date) -> Result<Self, TypeMismatch> {
        date.to_string().parse()
    }
}

impl TryFrom<jiff::Timestamp> for DateTime {
    type Error = TypeMismatch;

    /// Anything finer than a millisecond is cut off.
    fn try_from(instant: jiff::Timestamp) -> Result<Self, TypeMismatch> {
        format!("{instant:.3}").parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_of_the_calendar() {
        assert_eq!("2026-02-28".parse::<Date>().unwrap().as_str(), "2026-02-28");
        assert_eq!("2026-02-29".parse::<Date>().unwrap_err().to_string(), "`2026-02-29` is not a date (YYYY-MM-DD)");
        assert!("2026-2-8".parse::<Date>().is_err());
        assert!("2026-01-01".parse::<Date>().unwrap() < "2026-01-02".parse::<Date>().unwrap());
        assert_eq!(Date::try_from(jiff::civil::date(2026, 1, 31)).unwrap().as_str(), "2026-01-31");
        assert!(Date::try_from(jiff::civil::date(-1, 1, 31)).is_err());
    }

    #[test]
    fn instants_have_milliseconds() {
        let instant: jiff::Timestamp = "2026-11-15T09:00:00.1239+01:00".parse().unwrap();
        assert_eq!(DateTime::try_from(instant).unwrap().as_str(), "2026-11-15T08:00:00.123Z");
        assert!("2026-11-15T08:00:00Z".parse::<DateTime>().is_err());
        assert!("9999-12-31T23:59:59.999Z".parse::<DateTime>().is_ok());
        let stored = AttributeValue::S("2026-11-15T09:00:00.123456+01:00".to_owned());
        assert_eq!(DateTime::from_value(&stored).unwrap().as_str(), "2026-11-15T08:00:00.123Z");
    }

    #[test]
    fn in_json_they_are_texts() {
        let date: Date = serde_json::from_str("\"2026-01-31\"").unwrap();
        assert_eq!(serde_json::to_string(&date).unwrap(), "\"2026-01-31\"");
        let error = serde_json::from_str::<Date>("\"31.1.2026\"").unwrap_err();
        assert_eq!(error.to_string(), "`31.1.2026` is not a date (YYYY-MM-DD)");
    }
}
