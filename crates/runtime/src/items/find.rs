//! Items by their identity, as they are now.

use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

use super::{Items, KeyError};
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
            let partition = self.partition_of(entity, attributes)?;
            return self.find_in_partition(entity, attributes, partition).await;
        }
        let stored = self.attributes_at_key(self.key_of(entity, attributes)?).await?;
        stored.map(|stored| Record::read(entity, stored)).transpose()
    }

    /// What a reader needs of an entity's items.
    pub(crate) fn columns_of(&self, entity: &Entity) -> Result<&Columns, Error> {
        let columns = self.columns.get(entity.id.index());
        columns.ok_or_else(|| Error::Invalid(format!("{} is not an entity of the design", entity.name)))
    }

    /// The same as [`Items::find_stored`] for readers: only declared attributes are decoded, and a value that no key can
    /// hold is an [`Error::ImpossibleIdentity`].
    pub async fn find_for_reader(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            let partition = self.partition_of(entity, attributes).map_err(KeyError::of_identity)?;
            return self.find_in_partition(entity, attributes, partition).await;
        }
        let key = self.key_of(entity, attributes).map_err(KeyError::of_identity)?;
        let Some(item) = self.at_key(key).await? else { return Ok(None) };
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
            _ => return Err(Error::Invalid(identified_by(entity))),
        };
    }
    Ok(identity)
}

/// The message for an identity that lacks an attribute.
pub(super) fn identified_by(entity: &Entity) -> String {
    format!("{} is identified by {}", entity.name, entity.identity.join(", "))
}

pub(crate) fn not_found(entity: &Entity, identity: &Attributes) -> Error {
    Error::NotFound { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}

pub(crate) fn exists(entity: &Entity, identity: &Attributes) -> Error {
    Error::Exists { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}
