//! DynamoDB's number, with all its digits.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use keyfold_design::model::AttributeType;
use keyfold_design::template::ValueKind;
use keyfold_dynamo::AttributeValue;
use keyfold_runtime::json;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::type_mismatch::TypeMismatch;
use crate::value::{FromValue, KeyValue, ToValue};

/// A decimal of up to 38 digits, exact; in JSON a number where readers would not round it, otherwise a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(pub keyfold_dynamo::Number);

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(value.into())
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(value.into())
    }
}

impl FromStr for Number {
    type Err = TypeMismatch;

    fn from_str(text: &str) -> Result<Self, TypeMismatch> {
        keyfold_dynamo::Number::parse(text).map(Self).map_err(|error| TypeMismatch::new(format!("`{text}`: {error}")))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::plain(&AttributeValue::N(self.0)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = serde_json::Value::deserialize(deserializer)?;
        let value = json::value_of("number", &AttributeType::Number, &given).map_err(serde::de::Error::custom)?;
        Self::from_value(&value).map_err(serde::de::Error::custom)
    }
}

impl ToValue for Number {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::N(self.0)
    }
}

impl FromValue for Number {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        value.as_number().copied().map(Self).ok_or_else(|| TypeMismatch::wrong_type("a number", value))
    }
}

impl KeyValue for Number {
    fn kind() -> ValueKind {
        ValueKind::Number
    }
}

impl ToValue for BTreeSet<Number> {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::Ns(self.iter().map(|number| number.0).collect())
    }
}

impl FromValue for BTreeSet<Number> {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        match value {
            AttributeValue::Ns(set) => Ok(set.iter().copied().map(Number).collect()),
            other => Err(TypeMismatch::wrong_type("a set of numbers", other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_digits_that_a_float_would_lose() {
        let number: Number = "12345678901234567890.125".parse().unwrap();
        assert_eq!(serde_json::to_string(&number).unwrap(), "\"12345678901234567890.125\"");
        assert_eq!(serde_json::from_str::<Number>("\"12345678901234567890.125\"").unwrap(), number);
        assert_eq!(serde_json::to_string(&"54.5".parse::<Number>().unwrap()).unwrap(), "54.5");
        assert!("1 2".parse::<Number>().is_err());
    }
}
