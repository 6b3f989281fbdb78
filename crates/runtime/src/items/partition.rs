//! Items whose identity gives the partition, but not the sort key.

use keyfold_design::model::Entity;
use keyfold_dynamo::expression::{Condition, KeyCondition};
use keyfold_dynamo::operation::{PageOptions, QueryInput};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::identity::identified_by;
use super::{Items, KeyError};
use crate::error::Error;
use crate::record::Record;

impl Items<'_> {
    /// An item whose identity is its partition. It may move during the query, and a query is not isolated from
    /// transactions, so an item that is not found is looked for once more.
    pub(crate) async fn find_in_partition(
        &self,
        entity: &Entity,
        attributes: &Attributes,
        partition: AttributeValue,
    ) -> Result<Option<Record>, Error> {
        match self.look_in_partition(entity, attributes, partition.clone()).await? {
            Some(record) => Ok(Some(record)),
            None => self.look_in_partition(entity, attributes, partition).await,
        }
    }

    /// The partition of an identity.
    pub(crate) fn partition_of(&self, entity: &Entity, attributes: &Attributes) -> Result<AttributeValue, KeyError> {
        let value = entity.layout.partition.template.render(|name| attributes.get(name))?;
        value.ok_or_else(|| KeyError::Missing(identified_by(entity)))
    }

    /// The item of this entity in its partition.
    async fn look_in_partition(
        &self,
        entity: &Entity,
        attributes: &Attributes,
        partition: AttributeValue,
    ) -> Result<Option<Record>, Error> {
        let mut key_condition = KeyCondition::partition(&entity.layout.partition.key.name, partition);
        // Other entities' items may share the partition, and be many.
        if let Some(sort) = entity.layout.sort.as_ref().filter(|sort| sort.template.otherwise.is_none())
            && let prefix = sort.template.literal_prefix()
            && !prefix.is_empty()
        {
            let prefix = AttributeValue::S(prefix.to_owned());
            key_condition = key_condition.and(Condition::begins_with(&sort.key.name, prefix));
        }
        let mut start = None;
        loop {
            let page =
                PageOptions { consistent_read: true, exclusive_start_key: start.take(), ..PageOptions::default() };
            let input = QueryInput {
                table_name: self.table.to_owned(),
                key_condition: key_condition.clone(),
                forward: true,
                page,
            };
            let (items, next) = self.query_attributes(input).await?;
            for stored in items {
                if self.design.recognise(&stored) != Some(entity.id) {
                    continue;
                }
                let record = Record::read(entity, stored)?;
                if entity.identity.iter().all(|name| record.attributes.get(name) == attributes.get(name)) {
                    return Ok(Some(record));
                }
            }
            match next {
                Some(key) => start = Some(key),
                None => return Ok(None),
            }
        }
    }
}
