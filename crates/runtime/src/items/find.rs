//! Items by their identity, as they are now.

use keyfold_design::access::PartitionSearch;
use keyfold_design::model::{Entity, Unique};
use keyfold_dynamo::{Attributes, ServiceError};

use super::{Items, KeyError};
use crate::error::Error;
use crate::record::{Columns, Record, undecodable};

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
        Ok(stored.map(|stored| Record::read_kind(entity, stored)).transpose()?.flatten())
    }

    /// The item that a lookup item leads to, if it has the lookup's values: an index may be behind the table. `None` if
    /// it is being deleted.
    pub(crate) async fn item_of_lookup(
        &self,
        entity: &Entity,
        unique: &Unique,
        mut lookup: Attributes,
    ) -> Result<Option<Record>, Error> {
        // The keys of a lookup that others wrote may be all that identifies the item.
        for (name, value) in unique.layout.read_keys(&lookup).into_iter().flatten() {
            lookup.entry(name).or_insert(value);
        }
        let found = self.find(entity, &lookup).await.map_err(|error| leads_nowhere(entity, &lookup, error))?;
        let Some(record) = found else { return Ok(None) };
        // No lookup belongs to an item whose values no key can hold.
        let Ok(key) = unique.layout.key(|name| record.attributes.get(name)) else { return Ok(None) };
        let is_own = match key {
            Some(key) => key.iter().all(|(name, value)| lookup.get(name) == Some(value)),
            // An item may lack what its lookup tells. One that does not meet the condition has no lookup.
            None => unique.layout.condition.is_none(),
        };
        Ok(is_own.then_some(record))
    }

    /// The columns of an entity's items that a reader needs.
    pub(crate) fn columns_of(&self, entity: &Entity) -> &Columns {
        &self.columns[entity.id]
    }

    /// The same as [`Items::find_stored`] for readers: only declared attributes are decoded, and a value that no key
    /// can hold is an [`Error::ImpossibleIdentity`].
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
            None => Record::read_kind(entity, item.into_attributes().map_err(ServiceError::from)?),
        }
    }
}

/// The error of reading the item that a stored one leads to. If its values give no key, the item is what is wrong, not
/// the call; the values are not told.
pub(crate) fn leads_nowhere(entity: &Entity, stored: &Attributes, error: Error) -> Error {
    match error {
        Error::Constraint(_) | Error::Invalid(_) => {
            undecodable(entity, stored, format!("its values do not lead to a {}", entity.name))
        }
        error => error,
    }
}
