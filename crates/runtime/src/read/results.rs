//! From the items of a key range to results.

use keyfold_design::access::{AccessResult, ItemSource, PartitionSearch};
use keyfold_design::model::{Entity, EntityId};
use keyfold_dynamo::{Attributes, Item, ServiceError};

use super::item_problem::ItemProblem;
use super::prepared::PreparedQuery;
use crate::authorize::Authorized;
use crate::error::Error;
use crate::items::leads_nowhere;
use crate::record::Record;
use crate::runtime::Runtime;

/// Reads the records behind the items that a query returns.
#[derive(Clone, Copy)]
pub(super) struct ResultReader<'q> {
    pub runtime: &'q Runtime,
    pub query: &'q PreparedQuery<'q>,
}

impl<'q> ResultReader<'q> {
    /// What an item of a key range is to the caller.
    pub(super) async fn read(&self, item: &Item) -> Result<Reading<'q>, Error> {
        // Where only one entity lies in the range, its key need not be compared with all others.
        if let ([(authorized, result)], false) = (self.query.results.as_slice(), self.query.plan.holds_others)
            && !matches!(result.source, ItemSource::Lookup { .. })
            && let Some(reading) = self.read_as(authorized, result, item).await?
        {
            return Ok(reading);
        }
        let design = &self.runtime.design;
        let key = self.table_key(item)?;
        let entity = design.recognize(&key);
        let lookup = if entity.is_none() { design.recognize_lookup(&key) } else { None };
        if entity.is_none() && lookup.is_none() {
            let cause = "its key matches no entity of the design".to_owned();
            return Ok(self.unless_hidden(ItemProblem { key, item: None, expected: self.expected(), cause }));
        }
        let of_item = |result: &AccessResult| match &result.source {
            ItemSource::Query | ItemSource::Table { .. } => entity == Some(result.entity),
            ItemSource::Lookup { unique, .. } => lookup == Some((result.entity, unique.as_str())),
        };
        let Some((authorized, result)) = self.query.results.iter().find(|(_, result)| of_item(result)) else {
            return Ok(Reading::Nothing);
        };
        Ok(self.read_as(authorized, result, item).await?.unwrap_or(Reading::Nothing))
    }

    /// What an item is to the caller as a result; `None` if it is no item of the entity.
    async fn read_as(
        &self,
        authorized: &'q Authorized<'q>,
        result: &AccessResult,
        item: &Item,
    ) -> Result<Option<Reading<'q>>, Error> {
        match self.record(authorized, result, item).await {
            Ok(record) => Ok(record.map(|record| self.admit(authorized, result, record))),
            Err(Error::Undecodable { expected, cause, .. }) => {
                let stored = item.attributes().map_err(ServiceError::from)?;
                let item = Some(self.name(authorized.entity(), stored));
                let problem = ItemProblem { key: self.runtime.items().stored_key(stored), item, expected, cause };
                Ok(Some(self.unless_hidden(problem)))
            }
            Err(error) => Err(error),
        }
    }

    /// What an item that does not tell whose it is is to the caller.
    fn unless_hidden(&self, problem: ItemProblem) -> Reading<'q> {
        if self.query.reports_unknown_items { Reading::Problem(problem) } else { Reading::Unreported }
    }

    /// The problem with an item of the key range, of which `record` is what the caller sees; `None` if they are not
    /// told of it.
    pub(super) fn misfit(
        &self,
        authorized: &Authorized<'_>,
        item: &Item,
        record: &Record,
        cause: String,
    ) -> Result<Option<ItemProblem>, Error> {
        if !self.query.reports_misfits {
            return Ok(None);
        }
        let (entity, design) = (authorized.entity(), &self.runtime.design);
        let shows_key = authorized.caller().is_operator(design)
            || entity.layout.key_attributes().into_iter().all(|name| record.attributes.contains_key(name));
        let identity = |name: &&String| entity.identity.contains(name);
        let key = if !shows_key {
            let own = record.attributes.iter().filter(|(name, _)| identity(name));
            own.map(|(name, value)| (name.clone(), value.clone())).collect()
        } else if record.stored.contains_key(&design.table.partition.name) {
            // The item of the range may be another one, such as a lookup.
            self.runtime.items().stored_key(&record.stored)
        } else {
            self.table_key(item)?
        };
        let item = Some(self.name(entity, &record.identified()));
        Ok(Some(ItemProblem { key, item, expected: entity.name.clone(), cause }))
    }

    /// The entity, the identity and the tenant of an item.
    fn name(&self, entity: &Entity, attributes: &Attributes) -> (EntityId, Attributes) {
        let tenant = self.runtime.design.tenant.as_ref().map(|tenant| &tenant.attribute);
        let named = attributes.iter().filter(|(name, _)| entity.identity.contains(name) || tenant == Some(name));
        (entity.id, named.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    fn table_key(&self, item: &Item) -> Result<Attributes, Error> {
        Ok(item.select(|name| self.runtime.design.is_table_key(name)).map_err(ServiceError::from)?)
    }

    /// The entities that the items of the range should be.
    fn expected(&self) -> String {
        let names: Vec<&str> =
            self.query.results.iter().map(|(authorized, _)| authorized.entity().name.as_str()).collect();
        names.join(" or ")
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
        let partition = items.partition_of(entity, &known);
        let partition = partition.map_err(|error| leads_nowhere(entity, row, error.into()))?;
        items.find_in_partition(entity, search, &known, partition).await
    }

    /// The item that a lookup leads to.
    async fn record_of_lookup(&self, entity: &Entity, unique: &str, lookup: &Item) -> Result<Option<Record>, Error> {
        let Some(unique) = entity.unique(unique) else { return Ok(None) };
        let known = lookup.attributes().map_err(ServiceError::from)?.clone();
        self.runtime.items().item_of_lookup(entity, unique, known).await
    }

    fn admit(&self, authorized: &'q Authorized<'q>, result: &AccessResult, record: Record) -> Reading<'q> {
        let (design, attributes) = (&self.runtime.design, &record.attributes);
        let is_visible = !record.is_being_deleted()
            && self.query.confined.sees(authorized.entity(), attributes)
            && authorized.admits(attributes)
            && result
                .restricted
                .iter()
                .all(|name| authorized.sees_attribute(design, name, Some(attributes)) == Some(true));
        if is_visible { Reading::Result(authorized, record) } else { Reading::Nothing }
    }
}

/// What an item of a key range is to the caller.
pub(super) enum Reading<'q> {
    Result(&'q Authorized<'q>, Record),
    /// It is not for the caller, or is another entity's.
    Nothing,
    /// It does not fit the design.
    Problem(ItemProblem),
    /// It does not fit the design, and the caller is not told of it.
    Unreported,
}
