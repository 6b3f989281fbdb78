//! Values that a design leaves open.

use keyfold_design::model::AttributeType;
use keyfold_dynamo::AttributeValue;
use keyfold_runtime::json;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::type_mismatch::TypeMismatch;
use crate::value::{FromValue, ToValue};

/// A value of any type; in JSON as plain as it gets.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Any(pub AttributeValue);

impl From<&str> for Any {
    fn from(text: &str) -> Self {
        Self(AttributeValue::S(text.to_owned()))
    }
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::plain(&self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = serde_json::Value::deserialize(deserializer)?;
        json::value_of("value", &AttributeType::Any, &given).map(Self).map_err(serde::de::Error::custom)
    }
}

impl ToValue for Any {
    fn to_value(&self) -> AttributeValue {
        self.0.clone()
    }
}

impl FromValue for Any {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        Ok(Self(value.clone()))
    }
}
