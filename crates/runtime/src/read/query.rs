//! Access patterns: pages that are full, whatever a filter drops, within a budget that the answer reports.

use std::collections::VecDeque;

use keyfold_design::model::{FanOut, Order, Pattern, Projection, RenderedSort, Returned, Scope, TenantMode, Verb};
use keyfold_dynamo::item::codec;
use keyfold_dynamo::operation::{PageOptions, QueryInput, ReturnConsumedCapacity};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number, ServiceError};

use super::cursor::Position;
use super::filter;
use crate::authorize::{Access, Authorized, authorize};
use crate::caller::Caller;
use crate::clock::days;
use crate::error::Error;
use crate::expression::AliasWriter;
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
    /// The items looked at. Where items of several tenants lie in the range, a member is told of the own results only:
    /// neither this number, nor the read units, nor where a page ends depends on what others have.
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

/// The results of a page where neither the caller nor the pattern says.
const PAGE: usize = 100;

/// A pattern with its arguments, ready to be read.
pub(crate) struct Prepared<'a> {
    pattern: &'a Pattern,
    entities: Vec<(Authorized<'a>, &'a Returned)>,
    arguments: Attributes,
    confined: Confinement,
    /// One set of arguments for each key range that is read.
    ranges: Vec<Attributes>,
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
            page.cursor = Some(self.seal(&positions, &context));
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
        if let (true, Some(refusal)) = (entities.is_empty(), refusal) {
            return Err(refusal);
        }
        if let TenantMode::Pinned { parameter } = &pattern.tenant
            && let Confinement::Tenant { tenant, .. } = &confined
        {
            match arguments.get(parameter) {
                // Another tenant's partition is as empty as one that does not exist; it is not even looked at.
                Some(given) if given.as_str() != Some(tenant) => {
                    return Ok(Prepared { pattern, entities, arguments, confined, ranges: Vec::new() });
                }
                _ => drop(arguments.insert(parameter.clone(), AttributeValue::S(tenant.clone()))),
            }
        }
        if matches!(pattern.tenant, TenantMode::Pinned { .. }) && matches!(confined, Confinement::GlobalOnly { .. }) {
            return Err(Error::NotAllowed(format!("`{}` is for members of a tenant", pattern.name)));
        }
        check_arguments(pattern, &arguments)?;
        let ranges = ranges(pattern, &arguments)?;
        Ok(Prepared { pattern, entities, arguments, confined, ranges })
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

    /// Key ranges one after the other: the days of a range, the values of a list, or the one range there is.
    async fn read_in_turn(
        &self,
        prepared: &Prepared<'_>,
        options: &QueryOptions,
        positions: &mut [Position],
        page: &mut Page,
    ) -> Result<(), Error> {
        let backwards = descending(prepared.pattern, options);
        let mut order: Vec<usize> = (0..prepared.ranges.len()).collect();
        if backwards {
            order.reverse();
        }
        let wanted = wanted(prepared.pattern, options);
        for range in order {
            while positions.get(range).is_some_and(|position| *position != Position::End) {
                if page.count >= wanted {
                    page.stopped = Stopped::Full;
                    return Ok(());
                }
                if spent(options, page) {
                    page.stopped = Stopped::Budget;
                    return Ok(());
                }
                let position = positions.get(range).cloned().unwrap_or(Position::Start);
                let limit = next_limit(prepared, options, page.evaluated, wanted.saturating_sub(page.count));
                let (items, last) = self.read_range(prepared, range, position, backwards, limit, page).await?;
                let mut reached = None;
                for item in items {
                    self.take(prepared, &item, page).await?;
                    // Where others' items lie between, the request was for more than the budget of results.
                    if page.count >= wanted || prepared.hides() && spent(options, page) {
                        reached = Some(self.position_of(prepared.pattern, &item)?);
                        break;
                    }
                }
                if let Some(position) = positions.get_mut(range) {
                    *position = reached.or(last).map_or(Position::End, Position::After);
                }
            }
        }
        Ok(())
    }

    /// All shards of a partition at once, merged by the sort key.
    async fn read_merged(
        &self,
        prepared: &Prepared<'_>,
        options: &QueryOptions,
        positions: &mut [Position],
        page: &mut Page,
    ) -> Result<(), Error> {
        let backwards = descending(prepared.pattern, options);
        let wanted = wanted(prepared.pattern, options);
        let mut waiting: Vec<VecDeque<Item>> = vec![VecDeque::new(); positions.len()];
        let mut lasts = positions.to_vec();
        // Whatever the budget, a page gets somewhere: otherwise its cursor would lead back to itself.
        let mut moved = false;
        loop {
            for (shard, (queue, last)) in waiting.iter_mut().zip(&mut lasts).enumerate() {
                // A page may be empty although more follows: no other shard's item is the next before that is known.
                while queue.is_empty() && *last != Position::End && !(moved && spent(options, page)) {
                    // Each shard may be read as far as the whole page may: what is left of the budget would mean tiny
                    // requests, repeated for every page.
                    let limit = next_limit(prepared, options, 0, wanted.saturating_sub(page.count));
                    let (items, next) = self.read_range(prepared, shard, last.clone(), backwards, limit, page).await?;
                    queue.extend(items);
                    *last = next.map_or(Position::End, Position::After);
                    // What was looked at for nothing need not be looked at again.
                    if let (true, Some(position)) = (queue.is_empty(), positions.get_mut(shard)) {
                        position.clone_from(last);
                        moved = true;
                    }
                }
            }
            let unread = waiting.iter().zip(&lasts).any(|(queue, last)| queue.is_empty() && *last != Position::End);
            if unread {
                page.stopped = Stopped::Budget;
                return Ok(());
            }
            let mut fronts = Vec::new();
            for (shard, queue) in waiting.iter().enumerate() {
                if let Some(item) = queue.front() {
                    fronts.push((shard, self.sort_value(prepared.pattern, &self.position_of(prepared.pattern, item)?)));
                }
            }
            let next = fronts
                .into_iter()
                .min_by(|(_, left), (_, right)| if backwards { right.cmp(left) } else { left.cmp(right) })
                .map(|(shard, _)| shard);
            let Some(shard) = next else {
                positions.iter_mut().for_each(|position| *position = Position::End);
                return Ok(());
            };
            let Some(item) = waiting.get_mut(shard).and_then(VecDeque::pop_front) else { continue };
            let exhausted = waiting.get(shard).is_some_and(VecDeque::is_empty)
                && lasts.get(shard).is_some_and(|last| *last == Position::End);
            if let Some(position) = positions.get_mut(shard) {
                *position =
                    if exhausted { Position::End } else { Position::After(self.position_of(prepared.pattern, &item)?) };
            }
            self.take(prepared, &item, page).await?;
            if page.count >= wanted || spent(options, page) {
                page.stopped = if page.count >= wanted { Stopped::Full } else { Stopped::Budget };
                for (position, (queue, last)) in positions.iter_mut().zip(waiting.iter().zip(&lasts)) {
                    if queue.is_empty() && *last == Position::End {
                        *position = Position::End;
                    }
                }
                return Ok(());
            }
        }
    }

    /// One request, and where it ended.
    async fn read_range(
        &self,
        prepared: &Prepared<'_>,
        range: usize,
        position: Position,
        backwards: bool,
        limit: Option<usize>,
        page: &mut Page,
    ) -> Result<(Vec<Item>, Option<Attributes>), Error> {
        let mut input = self.request(prepared, range, backwards)?;
        input.page.limit = limit.and_then(|limit| i64::try_from(limit).ok());
        if let Position::After(key) = position {
            input.page.exclusive_start_key = Some(key);
        }
        let output = self.query_items(input).await?;
        let items = output.items.unwrap_or_default();
        if !prepared.hides() {
            page.read_units += output.consumed_capacity.map_or(0.0, |consumed| consumed.total.capacity);
            // What the filter dropped within the backend was looked at as well.
            page.evaluated += output.scanned_count.saturating_sub(items.len());
        }
        Ok((items, output.last_evaluated_key))
    }

    /// The request of a key range, from its start.
    pub(crate) fn request(&self, prepared: &Prepared<'_>, range: usize, backwards: bool) -> Result<QueryInput, Error> {
        let pattern = prepared.pattern;
        let arguments = prepared.ranges.get(range).unwrap_or(&prepared.arguments);
        let lookup = |name: &str| arguments.get(name);
        let mut aliases = AliasWriter::default();
        let mut conditions = Vec::new();
        for condition in pattern.partition.iter().chain(&pattern.sort_equal) {
            let value = condition.template.render(lookup)?.ok_or_else(|| missing_argument(pattern))?;
            conditions.push(format!("{} = {}", aliases.name(&condition.attribute), aliases.value(&value)));
        }
        if let Some(FanOut::Range { attribute, .. } | FanOut::Values { attribute, .. }) = &pattern.fan_out
            && let Some(value) = arguments.get(FAN_OUT_VALUE)
        {
            conditions.push(format!("{} = {}", aliases.name(attribute), aliases.value(value)));
        }
        if let Some(sort) = &pattern.sort {
            let rendered = sort.render(lookup)?.ok_or_else(|| missing_argument(pattern))?;
            conditions.push(sort_condition(&sort.attribute, &rendered, &mut aliases));
        }
        let filters = self.filters(prepared, &mut aliases);
        let page = PageOptions {
            index_name: pattern.index.and_then(|id| self.design.index(id)).map(|index| index.name.clone()),
            filter_expression: (!filters.is_empty()).then(|| filters.join(" AND ")),
            aliases: aliases.into_aliases(),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            ..PageOptions::default()
        };
        Ok(QueryInput {
            table_name: self.table.clone(),
            key_condition_expression: Some(conditions.join(" AND ")),
            forward: !backwards,
            page,
        })
    }

    fn filters(&self, prepared: &Prepared<'_>, aliases: &mut AliasWriter) -> Vec<String> {
        let mut filters = Vec::new();
        if let (TenantMode::Filtered, Confinement::Tenant { attribute, tenant }) =
            (&prepared.pattern.tenant, &prepared.confined)
            // DynamoDB refuses filters on the keys of what is queried.
            && !self.is_key_of(prepared.pattern, attribute)
        {
            // Only what all the pattern's entities have in common can be left to the backend; each is checked here too.
            let scopes: Vec<Scope> =
                prepared.entities.iter().map(|(authorized, _)| authorized.entity().scope).collect();
            let name = aliases.name(attribute);
            if scopes.iter().all(|scope| *scope == Scope::Tenant) {
                let value = aliases.value(&AttributeValue::S(tenant.clone()));
                filters.push(format!("{name} = {value}"));
            } else if scopes.iter().all(|scope| *scope != Scope::Global) {
                let value = aliases.value(&AttributeValue::S(tenant.clone()));
                filters.push(format!("(attribute_not_exists({name}) OR {name} = {value})"));
            }
        }
        if let Some(filter) = &prepared.pattern.filter {
            filters.push(format!("({})", filter::write(filter, &prepared.arguments, aliases)));
        }
        filters
    }

    /// Adds an item to the page if it is a result.
    async fn take(&self, prepared: &Prepared<'_>, item: &Item, page: &mut Page) -> Result<(), Error> {
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
            (prepared.entities.as_slice(), prepared.pattern.holds_others)
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
            Returned::ThroughUnique { .. } => {
                self.find(authorized.entity(), item.attributes().map_err(ServiceError::from)?).await?
            }
            Returned::Entity(_) => self.reader_record(prepared, authorized, item).await?,
        };
        Ok(record.and_then(|record| self.admit(prepared, authorized, record)))
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
            return Record::of_item(entity, item, self.columns_of(entity));
        }
        let stored = item.attributes().map_err(ServiceError::from)?;
        match entity.read_key(stored) {
            Some(known) => self.find(entity, &known).await,
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
        let wanted = !record.is_going()
            && prepared.confined.sees(entity, &record.attributes)
            && authorized.admits(&record.attributes);
        wanted.then_some((authorized, record))
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
    fn is_key_of(&self, pattern: &Pattern, name: &str) -> bool {
        match pattern.index.and_then(|id| self.design.index(id)) {
            Some(index) => index.keys().any(|key| key.name == name),
            None => self.design.is_table_key(name),
        }
    }

    /// Where to go on after an item: its keys in the table and in the index.
    fn position_of(&self, pattern: &Pattern, item: &Item) -> Result<Attributes, Error> {
        let is_key = |name: &str| self.design.is_table_key(name) || self.is_key_of(pattern, name);
        Ok(item.select(is_key).map_err(ServiceError::from)?)
    }

    fn sort_value(&self, pattern: &Pattern, item: &Attributes) -> Vec<u8> {
        let names: Vec<&str> = match pattern.index.and_then(|id| self.design.index(id)) {
            Some(index) => index.sort.iter().map(|key| key.name.as_str()).collect(),
            None => self.design.table.sort.iter().map(|key| key.name.as_str()).collect(),
        };
        let mut bytes = Vec::new();
        for value in names.into_iter().filter_map(|name| item.get(name)) {
            match value {
                AttributeValue::S(text) => bytes.extend_from_slice(text.as_bytes()),
                AttributeValue::N(number) => number.encode_ordered(&mut bytes),
                AttributeValue::B(binary) => bytes.extend_from_slice(binary),
                _ => {}
            }
            bytes.push(0);
        }
        bytes
    }
}

impl<'a> Prepared<'a> {
    pub(crate) fn pattern(&self) -> &'a Pattern {
        self.pattern
    }

    /// Whether items that the caller must not learn of lie in the range.
    fn hides(&self) -> bool {
        self.pattern.tenant == TenantMode::Filtered && self.confined != Confinement::None
    }

    pub(crate) fn range_count(&self) -> usize {
        self.ranges.len()
    }
}

/// The value of the partition that one range of a fan-out reads.
const FAN_OUT_VALUE: &str = "\u{0}fan-out";

fn descending(pattern: &Pattern, options: &QueryOptions) -> bool {
    (pattern.order == Order::Descending) != options.reverse
}

fn wanted(pattern: &Pattern, options: &QueryOptions) -> usize {
    if pattern.count {
        return usize::MAX;
    }
    options.take.unwrap_or_else(|| pattern.limit.map_or(PAGE, |limit| limit as usize)).max(1)
}

fn spent(options: &QueryOptions, page: &Page) -> bool {
    options.limit.is_some_and(|limit| page.evaluated >= limit)
        || options.read_budget.is_some_and(|budget| page.read_units >= budget)
}

/// How many items the next request may look at.
fn next_limit(prepared: &Prepared<'_>, options: &QueryOptions, evaluated: usize, missing: usize) -> Option<usize> {
    let pattern = prepared.pattern;
    let drops = pattern.filter.is_some()
        || pattern.holds_others
        || prepared.hides()
        || prepared.entities.iter().any(|(authorized, _)| authorized.reads_items());
    // Where items are dropped, a request for just the missing ones would mean many requests.
    let asked = if drops { missing.saturating_mul(4).clamp(50, 1000) } else { missing };
    let left = options.limit.filter(|_| !prepared.hides()).map(|limit| limit.saturating_sub(evaluated).max(1));
    match (pattern.count, left) {
        (true, left) => left,
        (false, Some(left)) => Some(asked.min(left)),
        (false, None) => Some(asked.max(1)),
    }
}

fn missing_argument(pattern: &Pattern) -> Error {
    let names: Vec<&str> = pattern.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    Error::Invalid(format!("`{}` takes {}", pattern.name, names.join(", ")))
}

/// Exactly the parameters of the pattern, each of its type.
fn check_arguments(pattern: &Pattern, arguments: &Attributes) -> Result<(), Error> {
    let unknown = arguments.keys().find(|name| pattern.parameter(name).is_none());
    let missing = pattern.parameters.iter().find(|parameter| !arguments.contains_key(&parameter.name));
    if unknown.is_some() || missing.is_some() {
        return Err(missing_argument(pattern));
    }
    for parameter in &pattern.parameters {
        let Some(value) = arguments.get(&parameter.name) else { continue };
        match value {
            AttributeValue::L(values) if parameter.many => {
                values.iter().try_for_each(|value| parameter.value_type.check(&parameter.name, value))?;
            }
            value => parameter.value_type.check(&parameter.name, value)?,
        }
        if let (Some(least), AttributeValue::S(text)) = (parameter.at_least_characters, value)
            && text.chars().count() < least
        {
            return Err(Error::constraint(
                parameter.name.clone(),
                Some(&parameter.name),
                format!("`{}` must have at least {least} characters, and is `{text}`", parameter.name),
            ));
        }
    }
    Ok(())
}

/// The arguments of each key range.
fn ranges(pattern: &Pattern, arguments: &Attributes) -> Result<Vec<Attributes>, Error> {
    let with = |name: &str, value: AttributeValue| {
        let mut range = arguments.clone();
        range.insert(name.to_owned(), value);
        range
    };
    Ok(match &pattern.fan_out {
        None => vec![arguments.clone()],
        Some(FanOut::Shards { placeholder, count }) => {
            let shards =
                (0..*count).filter_map(|shard| Number::parse(&shard.to_string()).ok()).map(AttributeValue::N);
            shards.map(|shard| with(placeholder, shard)).collect()
        }
        Some(FanOut::Values { parameter, at_most, .. }) => {
            let values = match arguments.get(parameter) {
                Some(AttributeValue::L(values)) => values.clone(),
                Some(value) => vec![value.clone()],
                None => Vec::new(),
            };
            let mut distinct: Vec<AttributeValue> = Vec::with_capacity(values.len());
            for value in values {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            refuse_wide(pattern, distinct.len(), *at_most)?;
            distinct.into_iter().map(|value| with(FAN_OUT_VALUE, value)).collect()
        }
        Some(FanOut::Range { from, to, at_most, .. }) => {
            let text = |template: &keyfold_design::template::Template| {
                template.render_text(|name| arguments.get(name))?.ok_or_else(|| missing_argument(pattern))
            };
            let (from, to) = (text(from)?, text(to)?);
            let found = days(&from, &to, *at_most as usize)
                .ok_or_else(|| Error::Invalid(format!("`{from}` to `{to}` is no range of days")))?;
            let days = match found {
                Ok(days) => days,
                Err(count) => {
                    refuse_wide(pattern, count, *at_most)?;
                    Vec::new()
                }
            };
            days.into_iter().map(|day| with(FAN_OUT_VALUE, AttributeValue::S(day))).collect()
        }
    })
}

fn refuse_wide(pattern: &Pattern, count: usize, at_most: u32) -> Result<(), Error> {
    if count <= at_most as usize {
        return Ok(());
    }
    Err(Error::constraint(
        "range",
        None,
        format!("`{}` reads at most {at_most} partitions, and {count} are asked for", pattern.name),
    ))
}

fn sort_condition(attribute: &str, sort: &RenderedSort, aliases: &mut AliasWriter) -> String {
    let name = aliases.name(attribute);
    match sort {
        RenderedSort::Equal(value) => format!("{name} = {}", aliases.value(value)),
        RenderedSort::Less(value) => format!("{name} < {}", aliases.value(value)),
        RenderedSort::LessOrEqual(value) => format!("{name} <= {}", aliases.value(value)),
        RenderedSort::Greater(value) => format!("{name} > {}", aliases.value(value)),
        RenderedSort::GreaterOrEqual(value) => format!("{name} >= {}", aliases.value(value)),
        RenderedSort::BeginsWith(value) => format!("begins_with({name}, {})", aliases.value(value)),
        RenderedSort::Between(low, high) => {
            format!("{name} BETWEEN {} AND {}", aliases.value(low), aliases.value(high))
        }
    }
}
