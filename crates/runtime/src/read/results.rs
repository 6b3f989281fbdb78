//! From the items of a key range to results.

use std::collections::{BTreeMap, HashMap};

use keyfold_design::access::{AccessResult, FurtherRead, ItemSource, PartitionSearch};
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
    pub(super) async fn read(&self, item: &Item, referenced: &Referenced) -> Result<Reading<'q>, Error> {
        // Where only one entity lies in the range, its key need not be compared with all others.
        if let ([(authorized, result)], []) = (self.query.results.as_slice(), self.query.plan.others.as_slice())
            && !matches!(result.source, ItemSource::Lookup { .. })
            && let Some(reading) = self.read_as(authorized, result, item, referenced).await?
        {
            return Ok(reading);
        }
        let design = &self.runtime.design;
        let key = self.table_key(item)?;
        let Some(known) = self.known_part(item).await? else { return Ok(Reading::Nothing) };
        let entity = design.recognize(&known);
        let lookup = if entity.is_none() { design.recognize_lookup(&key) } else { None };
        if entity.is_none() && lookup.is_none() {
            let cause = "its key matches no entity of the design".to_owned();
            return Ok(self.unless_hidden(ItemProblem { key, item: None, expected: self.expected(), cause }));
        }
        let of_item = |result: &AccessResult| match &result.source {
            ItemSource::Query | ItemSource::Table { .. } | ItemSource::Projected { .. } => {
                entity == Some(result.entity)
            }
            ItemSource::Reference { from, .. } => entity == Some(*from),
            ItemSource::Lookup { unique, .. } => lookup == Some((result.entity, unique.as_str())),
        };
        let Some((authorized, result)) = self.query.results.iter().find(|(_, result)| of_item(result)) else {
            return Ok(Reading::Nothing);
        };
        Ok(self.read_as(authorized, result, item, referenced).await?.unwrap_or(Reading::Nothing))
    }

    /// What an item is to the caller as a result; `None` if it is no item of the entity.
    async fn read_as(
        &self,
        authorized: &'q Authorized<'q>,
        result: &AccessResult,
        item: &Item,
        referenced: &Referenced,
    ) -> Result<Option<Reading<'q>>, Error> {
        match self.record(authorized, result, item, referenced).await {
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

    /// The keys of an item and what tells entities with the same keys apart, which an index may lack: then the stored
    /// item is read; `None` if it is gone.
    async fn known_part(&self, item: &Item) -> Result<Option<Attributes>, Error> {
        let design = &self.runtime.design;
        let is_known = |name: &str| design.is_table_key(name) || design.is_kind_attribute(name);
        let known = item.select(is_known).map_err(ServiceError::from)?;
        if !design.lacks_kind(&known) || self.query.plan.index.is_none() {
            return Ok(Some(known));
        }
        let items = self.runtime.items();
        items.attributes_at_key(items.stored_key(&known)).await
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
        referenced: &Referenced,
    ) -> Result<Option<Record>, Error> {
        let entity = authorized.entity();
        match &result.source {
            ItemSource::Reference { .. } => self.record_of_reference(entity, result, item, referenced).await,
            ItemSource::Query => Record::from_item(entity, item, self.runtime.items().columns_of(entity)),
            ItemSource::Projected { moved, .. } if self.query.reads_whole.contains(&result.entity) => {
                self.record_of_row(entity, moved.as_ref(), item).await
            }
            ItemSource::Projected { .. } => Record::from_item(entity, item, self.runtime.items().columns_of(entity)),
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

    /// What an item of the range refers to, if the caller may list the item.
    async fn record_of_reference(
        &self,
        entity: &Entity,
        result: &AccessResult,
        item: &Item,
        referenced: &Referenced,
    ) -> Result<Option<Record>, Error> {
        let Some(identity) = self.referenced_identity(result, item).await? else { return Ok(None) };
        let items = self.runtime.items();
        if !matches!(result.source, ItemSource::Reference { read: FurtherRead::Key, .. }) {
            return items.find_stored(entity, &identity).await;
        }
        let Ok(key) = items.key_of(entity, &identity) else { return Ok(None) };
        let stored = referenced.items.get(&items.encoded_key(&key)).cloned();
        stored.map(|stored| Record::read(entity, stored)).transpose()
    }

    /// The identity that an item of the range refers to; `None` if it refers to nothing, or the caller may not list it.
    async fn referenced_identity(&self, result: &AccessResult, item: &Item) -> Result<Option<Attributes>, Error> {
        let ItemSource::Reference { from, mapping, is_partial, restricted, .. } = &result.source else {
            return Ok(None);
        };
        let Some(authorized) = self.query.referrers.iter().find(|referrer| referrer.entity().id == *from) else {
            return Ok(None);
        };
        let (design, items) = (&self.runtime.design, self.runtime.items());
        let entity = authorized.entity();
        let tenant = design.tenant.as_ref().filter(|_| entity.scope.has_tenant());
        let mut found = Record::from_item(entity, item, items.columns_of(entity))?;
        let is_unclear = |record: &Record| {
            let lacks_tenant = tenant.is_some_and(|tenant| !record.attributes.contains_key(&tenant.attribute));
            authorized.reads_items() || !restricted.is_empty() || lacks_tenant
        };
        if *is_partial && found.as_ref().is_some_and(is_unclear) {
            found = self.record_of_row(entity, PartitionSearch::of_entity(entity).as_ref(), item).await?;
        }
        let is_visible = |record: &Record| {
            let sees = |name: &String| authorized.sees_attribute(design, name, Some(&record.attributes)) == Some(true);
            !record.is_being_deleted()
                && self.query.confined.sees(entity, &record.attributes)
                && authorized.admits(&record.attributes)
                && restricted.iter().all(sees)
        };
        let Some(record) = found.filter(is_visible) else { return Ok(None) };
        let value = |(name, own): &(String, String)| Some((name.clone(), record.attributes.get(own)?.clone()));
        Ok(mapping.iter().map(value).collect())
    }

    /// Reads what the items of a response refer to, together.
    pub(super) async fn read_referenced(&self, found: &[Item], referenced: &mut Referenced) -> Result<(), Error> {
        let items = self.runtime.items();
        for (authorized, result) in &self.query.results {
            if !matches!(result.source, ItemSource::Reference { read: FurtherRead::Key, .. }) {
                continue;
            }
            let mut keys = BTreeMap::new();
            for item in found {
                let identity = match self.referenced_identity(result, item).await {
                    // It is reported when it is added to the page.
                    Err(Error::Undecodable { .. }) | Ok(None) => continue,
                    Ok(Some(identity)) => identity,
                    Err(error) => return Err(error),
                };
                // An identity that no key can hold identifies no item.
                let Ok(key) = items.key_of(authorized.entity(), &identity) else { continue };
                keys.insert(items.encoded_key(&key), key);
            }
            keys.retain(|encoded, _| !referenced.items.contains_key(encoded));
            if !keys.is_empty() {
                referenced.items.extend(items.at_keys(keys.into_values().collect()).await?);
            }
        }
        Ok(())
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

/// The items that those of a response refer to, by their encoded keys.
#[derive(Default)]
pub(super) struct Referenced {
    items: HashMap<Vec<u8>, Attributes>,
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
