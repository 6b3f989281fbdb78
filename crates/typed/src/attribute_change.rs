//! What a patch does to an attribute that an item may lack.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Left as it is, set, or taken away. In JSON: absent, a value, `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AttributeChange<T> {
    /// The attribute stays as it is.
    #[default]
    Keep,
    /// The attribute gets this value.
    Set(T),
    /// The attribute is removed.
    Clear,
}

impl<T> AttributeChange<T> {
    /// Whether the attribute stays as it is; serde skips it then.
    pub fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

impl<T> From<T> for AttributeChange<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

impl<T: Serialize> Serialize for AttributeChange<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Set(value) => value.serialize(serializer),
            Self::Keep | Self::Clear => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AttributeChange<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}
