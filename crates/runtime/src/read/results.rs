//! From the items of a key range to results.

use keyfold_design::access::{AccessResult, ItemSource, PartitionSearch};
use keyfold_design::model::Entity;
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
        match self.result(item).await {
            Err(Error::Undecodable { expected, cause, .. }) => {
                Reading::unless_hidden(self.query, || self.problem(item, expected, cause))
            }
            outcome => outcome,
        }
    }

    async fn result(&self, item: &Item) -> Result<Reading<'q>, Error> {
        // Where only one entity lies in the range, its key need not be compared with all others.
        if let ([(authorized, result)], false) = (self.query.results.as_slice(), self.query.plan.holds_others)
            && !matches!(result.source, ItemSource::Lookup { .. })
            && let Some(record) = self.record(authorized, result, item).await?
        {
            return Ok(self.admit(authorized, result, record));
        }
        let design = &self.runtime.design;
        let key = self.table_key(item)?;
        let entity = design.recognize(&key);
        let lookup = if entity.is_none() { design.recognize_lookup(&key) } else { None };
        if entity.is_none() && lookup.is_none() {
            let cause = "its key matches no entity of the design".to_owned();
            return Reading::unless_hidden(self.query, || Ok(ItemProblem { key, expected: self.expected(), cause }));
        }
        let of_item = |result: &AccessResult| match &result.source {
            ItemSource::Query | ItemSource::Table { .. } => entity == Some(result.entity),
            ItemSource::Lookup { unique, .. } => lookup == Some((result.entity, unique.as_str())),
        };
        let Some((authorized, result)) = self.query.results.iter().find(|(_, result)| of_item(result)) else {
            return Ok(Reading::Nothing);
        };
        let record = self.record(authorized, result, item).await?;
        Ok(record.map_or(Reading::Nothing, |record| self.admit(authorized, result, record)))
    }

    /// The problem with an item, for a caller who may know of it.
    pub(super) fn problem(&self, item: &Item, expected: String, cause: String) -> Result<ItemProblem, Error> {
        Ok(ItemProblem { key: self.table_key(item)?, expected, cause })
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
}

impl Reading<'_> {
    /// A problem with an item that does not tell whose it is, where the caller may know of such items.
    fn unless_hidden(
        query: &PreparedQuery<'_>,
        problem: impl FnOnce() -> Result<ItemProblem, Error>,
    ) -> Result<Self, Error> {
        if query.reports_unknown_items { problem().map(Self::Problem) } else { Ok(Self::Nothing) }
    }
}
