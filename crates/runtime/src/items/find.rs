//! Items by their identity, as they are now.

use keyfold_design::access::PartitionSearch;
use keyfold_design::model::Entity;
use keyfold_dynamo::{Attributes, ServiceError};

use super::{Items, KeyError};
use crate::error::Error;
use crate::record::{Columns, Record};

impl Items<'_> {
    /// The newest item of an identity, of whichever tenant; `None` if it is being deleted.
    pub(crate) async fn find(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        Ok(self.find_stored(entity, attributes).await?.filter(|record| !record.is_being_deleted()))
    }

    /// The newest item of an identity, even if it is being deleted.
    pub(crate) async fn find_stored(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        if let Some(search) = PartitionSearch::of_entity(entity) {
            let partition = self.partition_of(entity, attributes)?;
            return self.find_in_partition(entity, &search, attributes, partition).await;
        }
        let stored = self.attributes_at_key(self.key_of(entity, attributes)?).await?;
        stored.map(|stored| Record::read(entity, stored)).transpose()
    }

    /// The columns of an entity's items that a reader needs.
    pub(crate) fn columns_of(&self, entity: &Entity) -> &Columns {
        &self.columns[entity.id]
    }

    /// The same as [`Items::find_stored`] for readers: only declared attributes are decoded, and a value that no key can
    /// hold is an [`Error::ImpossibleIdentity`].
    pub(crate) async fn find_for_reader(
        &self,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<Option<Record>, Error> {
        if let Some(search) = PartitionSearch::of_entity(entity) {
            let partition = self.partition_of(entity, attributes).map_err(KeyError::into_identity_error)?;
            return self.find_in_partition(entity, &search, attributes, partition).await;
        }
        let key = self.key_of(entity, attributes).map_err(KeyError::into_identity_error)?;
        let Some(item) = self.at_key(key).await? else { return Ok(None) };
        match Record::from_item(entity, &item, self.columns_of(entity))? {
            Some(record) => Ok(Some(record)),
            None => Record::read(entity, item.into_attributes().map_err(ServiceError::from)?).map(Some),
        }
    }
}
