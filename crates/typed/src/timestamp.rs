//! Timestamps in formats other than UTC with milliseconds.

use std::fmt;
use std::str::FromStr;

use keyfold_design::template::ValueKind;
use keyfold_dynamo::AttributeValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fixed_text::text_of;
use crate::type_mismatch::TypeMismatch;
use crate::value::{FromValue, KeyValue, ToValue};

/// An instant as the table spells it, such as `2026-11-15T08:00:00+01:00`. The design checks the format of what is
/// written; what is read keeps every character. The order is that of the texts, which is that of the instants in
/// formats that sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// The text, followed by zeros.
    bytes: [u8; LONGEST],
    length: usize,
}

/// Nine digits behind the second, and an offset.
const LONGEST: usize = "2026-11-15T08:00:00.123456789+01:00".len();

impl Timestamp {
    /// The text as the table stores it.
    pub fn as_str(&self) -> &str {
        text_of(self.bytes.get(..self.length).unwrap_or_default())
    }
}

impl FromStr for Timestamp {
    type Err = TypeMismatch;

    fn from_str(text: &str) -> Result<Self, TypeMismatch> {
        let mut bytes = [0; LONGEST];
        match (keyfold_design::template::Timestamp::parse(text), bytes.get_mut(..text.len())) {
            (Some(_), Some(own)) => {
                own.copy_from_slice(text.as_bytes());
                Ok(Self { bytes, length: text.len() })
            }
            _ => Err(TypeMismatch::new(format!("`{text}` is not a timestamp"))),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl ToValue for Timestamp {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::S(self.as_str().to_owned())
    }
}

impl FromValue for Timestamp {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        String::from_value(value)?.parse()
    }
}

impl KeyValue for Timestamp {
    fn kind() -> ValueKind {
        ValueKind::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_keeps_its_spelling() {
        for text in ["2026-11-15T08:00:00Z", "2026-11-15T08:00:00.123456789+01:00", "2026-11-15t08:00:00"] {
            let timestamp: Timestamp = text.parse().unwrap();
            assert_eq!(Timestamp::from_value(&timestamp.to_value()).unwrap().as_str(), text);
            assert_eq!(serde_json::to_string(&timestamp).unwrap(), format!("{text:?}"));
        }
        assert!("2026-11-15".parse::<Timestamp>().is_err());
        assert!(serde_json::from_str::<Timestamp>("\"noon\"").is_err());
    }
}
