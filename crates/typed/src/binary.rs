//! Bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use keyfold_dynamo::AttributeValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::type_mismatch::TypeMismatch;
use crate::value::{FromValue, ToValue};

/// Bytes; in JSON as Base64.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binary(pub Vec<u8>);

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}

impl ToValue for Binary {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::B(self.0.clone())
    }
}

impl FromValue for Binary {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        match value {
            AttributeValue::B(bytes) => Ok(Self(bytes.clone())),
            other => Err(TypeMismatch::wrong_type("binary", other)),
        }
    }
}
