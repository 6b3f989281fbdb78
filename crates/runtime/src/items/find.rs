//! Items by their identity, as they are now.

use keyfold_design::model::Entity;
use keyfold_dynamo::operation::GetItemInput;
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use crate::error::Error;
use crate::record::{Record, describe_identity};
use crate::runtime::Runtime;

impl Runtime {
    /// The newest item of an identity, of whichever tenant; `None` if it is being deleted.
    pub(crate) async fn find(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        Ok(self.find_stored(entity, attributes).await?.filter(|record| !record.is_being_deleted()))
    }

    /// The newest item of an identity, even if it is being deleted.
    pub(crate) async fn find_stored(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            return self.find_by_partition(entity, attributes).await;
        }
        let item = self.item_of(entity, attributes).await?;
        let stored = item.map(Item::into_attributes).transpose().map_err(ServiceError::from)?;
        stored.map(|stored| Record::read(entity, stored)).transpose()
    }

    /// The same for readers: only declared attributes are decoded.
    pub(crate) async fn find_for_reader(
        &self,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            return self.find_by_partition(entity, attributes).await;
        }
        let Some(item) = self.item_of(entity, attributes).await? else { return Ok(None) };
        match Record::of_item(entity, &item, self.columns_of(entity))? {
            Some(record) => Ok(Some(record)),
            None => Record::read(entity, item.into_attributes().map_err(ServiceError::from)?).map(Some),
        }
    }

    async fn item_of(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Item>, Error> {
        let input = GetItemInput {
            table_name: self.table.clone(),
            key: self.key_of(entity, attributes)?,
            consistent_read: true,
            ..GetItemInput::default()
        };
        Ok(self.get_item(input).await?.item)
    }

    /// The base key of an item.
    pub(crate) fn key_of(&self, entity: &Entity, attributes: &Attributes) -> Result<Attributes, Error> {
        let key = entity.layout.key(|name| attributes.get(name).filter(|value| **value != AttributeValue::Null))?;
        key.ok_or_else(|| {
            let missing: Vec<&str> =
                entity.layout.key_attributes().into_iter().filter(|name| !attributes.contains_key(*name)).collect();
            Error::Invalid(format!("the key of {} needs {}", entity.name, missing.join(", ")))
        })
    }

    /// The base key of a stored item that was computed from these attributes.
    pub(crate) fn key_among(
        &self,
        entity: &Entity,
        item: &Attributes,
        attributes: &Attributes,
    ) -> Result<Attributes, Error> {
        let key = self.stored_key(item);
        let parts = 1 + usize::from(self.design.table.sort.is_some());
        if key.len() == parts { Ok(key) } else { self.key_of(entity, attributes) }
    }

    pub(crate) fn stored_key(&self, stored: &Attributes) -> Attributes {
        let is_key = |name: &String| self.design.is_table_key(name);
        stored.iter().filter(|(name, _)| is_key(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// The attributes that identify an item.
pub(crate) fn identity_of(entity: &Entity, given: &Attributes) -> Result<Attributes, Error> {
    let mut identity = Attributes::new();
    for name in &entity.identity {
        match given.get(name) {
            Some(value) if *value != AttributeValue::Null => identity.insert(name.clone(), value.clone()),
            _ => {
                return Err(Error::Invalid(format!("{} is identified by {}", entity.name, entity.identity.join(", "))));
            }
        };
    }
    Ok(identity)
}

pub(crate) fn not_found(entity: &Entity, identity: &Attributes) -> Error {
    Error::NotFound { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}

pub(crate) fn exists(entity: &Entity, identity: &Attributes) -> Error {
    Error::Exists { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}
