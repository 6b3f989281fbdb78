//! The base keys of items.

use keyfold_design::model::Entity;
use keyfold_design::template::TemplateError;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Items;
use crate::error::Error;

/// Why attributes do not give a key.
#[derive(Debug)]
pub(crate) enum KeyError {
    /// A key cannot hold a value.
    Unfit(TemplateError),
    /// An attribute is missing.
    Missing(String),
}

impl KeyError {
    /// The error of a read: there is no item to be found.
    pub(crate) fn into_identity_error(self) -> Error {
        match self {
            Self::Unfit(error) => Error::ImpossibleIdentity(error.into()),
            Self::Missing(message) => Error::Invalid(message),
        }
    }
}

impl From<TemplateError> for KeyError {
    fn from(error: TemplateError) -> Self {
        Self::Unfit(error)
    }
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Unfit(error) => error.into(),
            KeyError::Missing(message) => Self::Invalid(message),
        }
    }
}

impl Items<'_> {
    /// The base key of an item.
    pub(crate) fn key_of(&self, entity: &Entity, attributes: &Attributes) -> Result<Attributes, KeyError> {
        let key = entity.layout.key(|name| attributes.get(name).filter(|value| **value != AttributeValue::Null))?;
        key.ok_or_else(|| {
            let missing: Vec<&str> =
                entity.layout.key_attributes().into_iter().filter(|name| !attributes.contains_key(*name)).collect();
            KeyError::Missing(format!("the key of {} needs {}", entity.name, missing.join(", ")))
        })
    }

    /// The base key of a stored item that was computed from these attributes.
    pub(crate) fn key_among(
        &self,
        entity: &Entity,
        item: &Attributes,
        attributes: &Attributes,
    ) -> Result<Attributes, KeyError> {
        let key = self.stored_key(item);
        let parts = 1 + usize::from(self.design.table.sort.is_some());
        if key.len() == parts { Ok(key) } else { self.key_of(entity, attributes) }
    }

    /// The base key of a stored item.
    pub(crate) fn stored_key(&self, stored: &Attributes) -> Attributes {
        let is_key = |name: &String| self.design.is_table_key(name);
        stored.iter().filter(|(name, _)| is_key(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The base key of a stored item as bytes, for maps.
    pub(crate) fn encoded_key(&self, stored: &Attributes) -> Vec<u8> {
        codec::encode(&self.stored_key(stored))
    }

    /// The attribute that every item has: a condition on it tells whether the item exists.
    pub(crate) fn partition_key(&self) -> &str {
        &self.design.table.partition.name
    }
}
