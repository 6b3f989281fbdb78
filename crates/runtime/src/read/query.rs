//! Access patterns: pages that are full, whatever a filter drops, within a budget that the answer reports.

use keyfold_design::model::{Entity, EntityId, FanOut, Pattern, Projection, Returned, TenantMode, Verb};
use keyfold_dynamo::item::codec;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use super::arguments::{check_arguments, ranges};
use super::cursor::Position;
use crate::authorize::{Access, Authorized, Decision, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::{Confinement, confinement};

/// How much of a pattern's results is wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryOptions {
    /// The most results of the page.
    pub take: Option<usize>,
    /// The most items looked at, whether they are results or not.
    pub limit: Option<usize>,
    /// The most read units spent.
    pub read_budget: Option<f64>,
    /// Where an earlier page ended.
    pub cursor: Option<String>,
    /// The other order than the pattern's own.
    pub reverse: bool,
}

/// Results of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// In the order of the key; each tells its entity.
    pub records: Vec<Record>,
    /// How many results there are; for a pattern that only counts there are no records.
    pub count: usize,
    /// For the next page. Only a missing cursor means the end.
    pub cursor: Option<String>,
    /// The items looked at. Where the range may hold items that the caller must not learn of, other tenants' or such that
    /// no rule lets them list, they are told of the results only: neither this number, nor the read units, nor where a
    /// page ends depends on anything else.
    pub evaluated: usize,
    pub read_units: f64,
    pub stopped: Stopped,
}

/// Why a page ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// There is no more.
    End,
    /// As many as were asked for.
    Full,
    /// As many items were looked at, or as much was read, as was allowed.
    Budget,
}

/// A pattern with its arguments, ready to be read.
pub(crate) struct Prepared<'a> {
    pub(super) pattern: &'a Pattern,
    pub(super) entities: Vec<(Authorized<'a>, &'a Returned)>,
    pub(super) arguments: Attributes,
    pub(super) confined: Confinement,
    /// Whether items that the caller must not learn of may lie in the range.
    hides: bool,
    /// One set of arguments for each key range that is read.
    pub(super) ranges: Vec<Attributes>,
}

impl Runtime {
    /// One page of an access pattern.
    pub async fn query(
        &self,
        caller: &Caller,
        pattern: &str,
        arguments: Attributes,
        options: &QueryOptions,
    ) -> Result<Page, Error> {
        let prepared = self.prepare_query(caller, pattern, arguments)?;
        let context = self.cursor_context(&prepared, options.reverse);
        let mut positions = match &options.cursor {
            Some(cursor) => self.unseal(cursor, &context)?,
            None => vec![Position::Start; prepared.ranges.len()],
        };
        if positions.len() != prepared.ranges.len() {
            return Err(Error::Invalid("the cursor is not one of this pattern".to_owned()));
        }
        let mut page =
            Page { records: Vec::new(), count: 0, cursor: None, evaluated: 0, read_units: 0.0, stopped: Stopped::End };
        let merged = matches!(prepared.pattern.fan_out, Some(FanOut::Shards { .. }));
        if merged {
            self.read_merged(&prepared, options, &mut positions, &mut page).await?;
        } else {
            self.read_in_turn(&prepared, options, &mut positions, &mut page).await?;
        }
        if prepared.hides() {
            page.read_units = (page.read_units * 2.0).ceil().max(1.0) / 2.0;
        }
        if positions.iter().any(|position| *position != Position::End) {
            page.cursor = Some(self.seal(&positions, &context)?);
        } else {
            page.stopped = Stopped::End;
        }
        Ok(page)
    }

    /// Authorizes a pattern and binds its arguments.
    pub(crate) fn prepare_query<'a>(
        &'a self,
        caller: &'a Caller,
        pattern: &str,
        mut arguments: Attributes,
    ) -> Result<Prepared<'a>, Error> {
        let pattern = self.design.pattern_named(pattern).ok_or_else(|| {
            let known: Vec<&str> = self.design.patterns.iter().map(|pattern| pattern.name.as_str()).collect();
            Error::Invalid(format!("there is no pattern `{pattern}`; the design has {}", known.join(", ")))
        })?;
        let confined = confinement(&self.design, caller);
        if pattern.tenant == TenantMode::AcrossTenants && confined != Confinement::None {
            return Err(Error::NotAllowed(format!("`{}` reads across tenants and is for operators", pattern.name)));
        }
        let mut entities = Vec::new();
        let mut refusal = None;
        for returned in &pattern.returns {
            let Some(entity) = self.design.entity(returned.entity()) else { continue };
            let access = Access { caller, verb: Verb::List, entity, pattern: Some(pattern) };
            // A collection returns those of its entities that the caller may list.
            match authorize(self.authorizer.as_ref(), access) {
                Ok(authorized) => entities.push((authorized, returned)),
                Err(error) => refusal = Some(error),
            }
        }
        if let (true, Some(refusal)) = (entities.is_empty(), &refusal) {
            return Err(refusal.clone());
        }
        let hides = pattern.tenant == TenantMode::Filtered && confined != Confinement::None
            || refusal.is_some()
            || entities.iter().any(|(authorized, _)| authorized.reads_items())
            || pattern.others.iter().any(|other| !self.may_list_all(caller, pattern, *other));
        if let TenantMode::Pinned { parameter } = &pattern.tenant
            && let Confinement::Tenant { tenant, .. } = &confined
        {
            match arguments.get(parameter) {
                // Another tenant's partition is as empty as one that does not exist; it is not even looked at.
                Some(given) if given.as_str() != Some(tenant) => {
                    return Ok(Prepared { pattern, entities, arguments, confined, hides, ranges: Vec::new() });
                }
                _ => drop(arguments.insert(parameter.clone(), AttributeValue::S(tenant.clone()))),
            }
        }
        if matches!(pattern.tenant, TenantMode::Pinned { .. }) && matches!(confined, Confinement::GlobalOnly { .. }) {
            return Err(Error::NotAllowed(format!("`{}` is for members of a tenant", pattern.name)));
        }
        check_arguments(pattern, &arguments)?;
        let ranges = ranges(pattern, &arguments)?;
        Ok(Prepared { pattern, entities, arguments, confined, hides, ranges })
    }

    /// Whether every item of an entity is one that the caller may list.
    fn may_list_all(&self, caller: &Caller, pattern: &Pattern, entity: EntityId) -> bool {
        self.design.entity(entity).is_some_and(|entity| {
            let access = Access { caller, verb: Verb::List, entity, pattern: Some(pattern) };
            self.authorizer.decide(&access) == Decision::Allowed
        })
    }

    fn cursor_context(&self, prepared: &Prepared<'_>, reverse: bool) -> Vec<u8> {
        let texts = [self.design.name.as_str(), &self.table, &prepared.pattern.name, &prepared.confined.label()];
        let mut context = Vec::new();
        for text in texts {
            context.extend_from_slice(&(text.len() as u64).to_be_bytes());
            context.extend_from_slice(text.as_bytes());
        }
        context.push(u8::from(reverse));
        context.extend(codec::encode(&prepared.arguments));
        context
    }

    /// Adds an item to the page if it is a result.
    pub(super) async fn take(&self, prepared: &Prepared<'_>, item: &Item, page: &mut Page) -> Result<(), Error> {
        let result = self.result(prepared, item).await?;
        if !prepared.hides() {
            page.evaluated += 1;
        }
        let Some((authorized, record)) = result else { return Ok(()) };
        page.count += 1;
        if prepared.hides() {
            page.evaluated += 1;
            // A query pays half a unit for 4 KB.
            page.read_units += item_size(&record.attributes) as f64 / 8192.0;
        }
        if self.looks_up(prepared) {
            // Read by itself, consistently.
            page.read_units += (item_size(&record.attributes) as f64 / 4096.0).ceil();
        }
        if !prepared.pattern.count {
            let mut record = record;
            authorized.conceal(&self.design, &mut record);
            page.records.push(record);
        }
        Ok(())
    }

    async fn result<'p>(
        &self,
        prepared: &'p Prepared<'p>,
        item: &Item,
    ) -> Result<Option<(&'p Authorized<'p>, Record)>, Error> {
        // Where only one entity lies in the range, its key need not be compared with all others.
        if let ([(authorized, Returned::Entity(_))], false) =
            (prepared.entities.as_slice(), !prepared.pattern.others.is_empty())
            && let Some(record) = self.reader_record(prepared, authorized, item).await?
        {
            return Ok(self.admit(prepared, authorized, record));
        }
        let marks = item.select(|name| self.design.is_table_key(name)).map_err(ServiceError::from)?;
        let recognised = self.design.recognise(&marks);
        let lookup = if recognised.is_none() { self.design.recognise_lookup(&marks) } else { None };
        let returned = prepared.entities.iter().find(|(_, returned)| match returned {
            Returned::Entity(entity) => recognised == Some(*entity),
            Returned::ThroughUnique { entity, unique } => lookup == Some((*entity, unique.as_str())),
        });
        let Some((authorized, returned)) = returned else {
            if recognised.is_none() && lookup.is_none() {
                return Err(self.unknown_item(&marks, prepared));
            }
            return Ok(None);
        };
        let record = match returned {
            Returned::ThroughUnique { unique, .. } => self.behind_lookup(authorized.entity(), unique, item).await?,
            Returned::Entity(_) => self.reader_record(prepared, authorized, item).await?,
        };
        Ok(record.and_then(|record| self.admit(prepared, authorized, record)))
    }

    /// The item that a lookup leads to, if it has the lookup's values: an index may be behind the table.
    async fn behind_lookup(&self, entity: &Entity, unique: &str, lookup: &Item) -> Result<Option<Record>, Error> {
        let Some(unique) = entity.unique(unique) else { return Ok(None) };
        let mut known = lookup.attributes().map_err(ServiceError::from)?.clone();
        // Others may say in the lookup's keys alone whose it is.
        for (name, value) in unique.layout.read_keys(&known).unwrap_or_default() {
            known.entry(name).or_insert(value);
        }
        let Some(record) = self.items().find(entity, &known).await? else { return Ok(None) };
        let place = unique.layout.key(|name| record.attributes.get(name))?;
        let is_own = place.is_none_or(|place| place.iter().all(|(name, value)| known.get(name) == Some(value)));
        Ok(is_own.then_some(record))
    }

    /// The item as an entity's, whole: an index may hold less than the table.
    async fn reader_record(
        &self,
        prepared: &Prepared<'_>,
        authorized: &Authorized<'_>,
        item: &Item,
    ) -> Result<Option<Record>, Error> {
        let entity = authorized.entity();
        if self.is_whole(prepared.pattern) {
            return Record::of_item(entity, item, self.items().columns_of(entity)?);
        }
        let stored = item.attributes().map_err(ServiceError::from)?;
        match entity.read_key(stored) {
            Some(known) => self.items().find(entity, &known).await,
            None => Ok(None),
        }
    }

    fn admit<'p>(
        &self,
        prepared: &Prepared<'_>,
        authorized: &'p Authorized<'p>,
        record: Record,
    ) -> Option<(&'p Authorized<'p>, Record)> {
        let entity = authorized.entity();
        let wanted = !record.is_being_deleted()
            && prepared.confined.sees(entity, &record.attributes)
            && authorized.admits(&record.attributes);
        wanted.then_some((authorized, record))
    }

    /// Whether what a pattern finds leads to further items, each of which is read.
    fn looks_up(&self, prepared: &Prepared<'_>) -> bool {
        let through = |(_, returned): &(_, &Returned)| matches!(returned, Returned::ThroughUnique { .. });
        !self.is_whole(prepared.pattern) || prepared.entities.iter().any(through)
    }

    /// Whether the index holds whole items.
    fn is_whole(&self, pattern: &Pattern) -> bool {
        let index = pattern.index.and_then(|id| self.design.index(id));
        index.is_none_or(|index| index.projection == Projection::All)
    }

    fn unknown_item(&self, stored: &Attributes, prepared: &Prepared<'_>) -> Error {
        let key: Vec<String> = stored
            .iter()
            .filter(|(name, _)| self.design.is_table_key(name))
            .map(|(name, value)| format!("{name}={}", crate::record::plain_text(value)))
            .collect();
        let expected: Vec<&str> =
            prepared.entities.iter().map(|(authorized, _)| authorized.entity().name.as_str()).collect();
        Error::Undecodable {
            key: key.join(", "),
            expected: expected.join(" or "),
            cause: "its key fits no entity of the design".to_owned(),
        }
    }

    /// Whether an attribute is a key of the index, or of the table where there is none.
    pub(super) fn is_key_of(&self, pattern: &Pattern, name: &str) -> bool {
        match pattern.index.and_then(|id| self.design.index(id)) {
            Some(index) => index.keys().any(|key| key.name == name),
            None => self.design.is_table_key(name),
        }
    }
}

impl<'a> Prepared<'a> {
    pub(crate) fn pattern(&self) -> &'a Pattern {
        self.pattern
    }

    /// Whether items that the caller must not learn of may lie in the range: other tenants', or such that no rule lets
    /// them list.
    pub(super) fn hides(&self) -> bool {
        self.hides
    }

    pub(crate) fn range_count(&self) -> usize {
        self.ranges.len()
    }
}
