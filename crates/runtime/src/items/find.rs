//! Items by their identity, as they are now.

use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

use super::Items;
use crate::error::Error;
use crate::record::{Columns, Record, describe_identity};

impl Items<'_> {
    /// The newest item of an identity, of whichever tenant; `None` if it is being deleted.
    pub(crate) async fn find(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        Ok(self.find_stored(entity, attributes).await?.filter(|record| !record.is_being_deleted()))
    }

    /// The newest item of an identity, even if it is being deleted.
    pub(crate) async fn find_stored(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            return self.find_by_partition(entity, attributes).await;
        }
        let stored = self.attributes_at_key(self.key_of(entity, attributes)?).await?;
        stored.map(|stored| Record::read(entity, stored)).transpose()
    }

    /// What a reader needs of an entity's items.
    pub(crate) fn columns_of(&self, entity: &Entity) -> Result<&Columns, Error> {
        let columns = self.columns.get(entity.id.index());
        columns.ok_or_else(|| Error::Invalid(format!("{} is not an entity of the design", entity.name)))
    }

    /// The same as [`Items::find_stored`] for readers: only declared attributes are decoded.
    pub(crate) async fn find_for_reader(
        &self,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            return self.find_by_partition(entity, attributes).await;
        }
        let Some(item) = self.at_key(self.key_of(entity, attributes)?).await? else { return Ok(None) };
        match Record::of_item(entity, &item, self.columns_of(entity)?)? {
            Some(record) => Ok(Some(record)),
            None => Record::read(entity, item.into_attributes().map_err(ServiceError::from)?).map(Some),
        }
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
