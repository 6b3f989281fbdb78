//! Items whose identity gives the partition, but not the sort key.

use keyfold_design::access::PartitionSearch;
use keyfold_design::model::Entity;
use keyfold_dynamo::expression::{Condition, KeyCondition};
use keyfold_dynamo::operation::{PageOptions, QueryInput};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::identity::identified_by;
use super::{Items, KeyError};
use crate::error::Error;
use crate::record::Record;

impl Items<'_> {
    /// An item whose identity is its partition.
    pub(crate) async fn find_in_partition(
        &self,
        entity: &Entity,
        search: &PartitionSearch,
        attributes: &Attributes,
        partition: AttributeValue,
    ) -> Result<Option<Record>, Error> {
        for _ in 0..PartitionSearch::ATTEMPTS {
            let found = self.look_in_partition(entity, search, attributes, partition.clone()).await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
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
        search: &PartitionSearch,
        attributes: &Attributes,
        partition: AttributeValue,
    ) -> Result<Option<Record>, Error> {
        let mut key_condition = KeyCondition::partition(&entity.layout.partition.key.name, partition);
        if let Some(sort) = &search.sort_prefix {
            let prefix = AttributeValue::S(sort.prefix.clone());
            key_condition = key_condition.and(Condition::begins_with(&sort.attribute, prefix));
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
                if self.design.recognize(&stored) != Some(entity.id) {
                    continue;
                }
                // An item of another program whose keys contradict each other is not the one.
                let Ok(record) = Record::read(entity, stored) else { continue };
                if search.identity.iter().all(|name| record.attributes.get(name) == attributes.get(name)) {
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
