//! From the items of a key range to results.

use keyfold_design::access::{AccessResult, ItemSource, PartitionSearch};
use keyfold_design::model::Entity;
use keyfold_dynamo::{Attributes, Item, ServiceError};

use super::prepared::PreparedQuery;
use crate::authorize::Authorized;
use crate::description::plain_text;
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;

/// Reads the records behind the items that a query returns.
#[derive(Clone, Copy)]
pub(super) struct ResultReader<'q> {
    pub runtime: &'q Runtime,
    pub query: &'q PreparedQuery<'q>,
}

impl<'q> ResultReader<'q> {
    /// The result that an item stands for; `None` where it is not for the caller, or is another entity's.
    pub(super) async fn read(&self, item: &Item) -> Result<Option<(&'q Authorized<'q>, Record)>, Error> {
        // Where only one entity lies in the range, its key need not be compared with all others.
        if let ([(authorized, result)], false) = (self.query.results.as_slice(), self.query.plan.holds_others)
            && !matches!(result.source, ItemSource::Lookup { .. })
            && let Some(record) = self.record(authorized, result, item).await?
        {
            return Ok(self.admit(authorized, result, record));
        }
        let Some((authorized, result)) = self.recognize(item)? else { return Ok(None) };
        let record = self.record(authorized, result, item).await?;
        Ok(record.and_then(|record| self.admit(authorized, result, record)))
    }

    /// Which of the results an item is, by its keys. An item that no entity of the design has written is an error.
    fn recognize(&self, item: &Item) -> Result<Option<&'q (Authorized<'q>, &'q AccessResult)>, Error> {
        let design = &self.runtime.design;
        let keys = item.select(|name| design.is_table_key(name)).map_err(ServiceError::from)?;
        let entity = design.recognize(&keys);
        let lookup = if entity.is_none() { design.recognize_lookup(&keys) } else { None };
        if entity.is_none() && lookup.is_none() {
            return Err(self.unknown_item(&keys));
        }
        Ok(self.query.results.iter().find(|(_, result)| match &result.source {
            ItemSource::Query | ItemSource::Table { .. } => entity == Some(result.entity),
            ItemSource::Lookup { unique, .. } => lookup == Some((result.entity, unique.as_str())),
        }))
    }

    async fn record(
        &self,
        authorized: &Authorized<'_>,
        result: &AccessResult,
        item: &Item,
    ) -> Result<Option<Record>, Error> {
        let entity = authorized.entity();
        match &result.source {
            ItemSource::Query => Record::from_item(entity, item, self.runtime.items().columns_of(entity)),
            ItemSource::Table { moved } => self.record_of_row(entity, moved.as_ref(), item).await,
            // `Items::find` reads as the plan says, which is the same for everyone who reads an item by its identity.
            ItemSource::Lookup { unique, .. } => self.record_of_lookup(entity, unique, item).await,
        }
    }

    /// The item of an index row, by the table's key in it: a key may hold a value in a form that does not give it back,
    /// such as lower case.
    async fn record_of_row(
        &self,
        entity: &Entity,
        moved: Option<&PartitionSearch>,
        row: &Item,
    ) -> Result<Option<Record>, Error> {
        let items = self.runtime.items();
        let row = row.attributes().map_err(ServiceError::from)?;
        if let Some(item) = items.at_key(items.stored_key(row)).await? {
            return Record::from_item(entity, &item, items.columns_of(entity));
        }
        let Some(search) = moved else { return Ok(None) };
        let mut known = row.clone();
        for (name, value) in entity.read_keys(row).into_iter().flatten() {
            known.entry(name).or_insert(value);
        }
        // A row may hold a part of the identity in a form that does not give it back.
        if !search.identity.iter().all(|name| known.contains_key(name)) {
            return Ok(None);
        }
        let partition = items.partition_of(entity, &known)?;
        items.find_in_partition(entity, search, &known, partition).await
    }

    /// The item that a lookup leads to.
    async fn record_of_lookup(&self, entity: &Entity, unique: &str, lookup: &Item) -> Result<Option<Record>, Error> {
        let Some(unique) = entity.unique(unique) else { return Ok(None) };
        let known = lookup.attributes().map_err(ServiceError::from)?.clone();
        self.runtime.items().item_of_lookup(entity, unique, known).await
    }

    fn admit(
        &self,
        authorized: &'q Authorized<'q>,
        result: &AccessResult,
        record: Record,
    ) -> Option<(&'q Authorized<'q>, Record)> {
        let (design, attributes) = (&self.runtime.design, &record.attributes);
        let is_visible = !record.is_being_deleted()
            && self.query.confined.sees(authorized.entity(), attributes)
            && authorized.admits(attributes)
            && result
                .restricted
                .iter()
                .all(|name| authorized.sees_attribute(design, name, Some(attributes)) == Some(true));
        is_visible.then_some((authorized, record))
    }

    fn unknown_item(&self, keys: &Attributes) -> Error {
        let key: Vec<String> = keys.iter().map(|(name, value)| format!("{name}={}", plain_text(value))).collect();
        let results = self.query.results.iter();
        let expected: Vec<&str> = results.map(|(authorized, _)| authorized.entity().name.as_str()).collect();
        Error::Undecodable {
            key: key.join(", "),
            expected: expected.join(" or "),
            cause: "its key matches no entity of the design".to_owned(),
        }
    }
}
