//! Reads the partitions of a pattern until a page is full, one after the other or merged.

use std::collections::VecDeque;

use keyfold_design::access::{PartitionSet, READ_AHEAD};
use keyfold_dynamo::capacity::{Consistency, READ_UNIT_BYTES, read_units};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use super::item_problem::{ItemProblem, MOST_PROBLEMS};
use super::page::{Page, QueryOptions, StopReason};
use super::prepared::PreparedQuery;
use super::results::{Reading, Referenced, ResultReader};
use crate::cursor::Position;
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;

/// The limit of items examined by one call if the caller may see only some of them, and of those that do not fit the
/// design and are not reported. A page that ends here is not full, which discloses that there are such items; without a
/// limit, one call could read a partition of any size.
const MAX_EXAMINED: usize = 50_000;

/// Reads one page.
pub(super) struct PatternReader<'q> {
    runtime: &'q Runtime,
    query: &'q PreparedQuery<'q>,
    options: &'q QueryOptions,
    results: ResultReader<'q>,
    /// What the items read so far refer to.
    referenced: Referenced,
    descending: bool,
    /// How many results make the page full.
    wanted: usize,
    /// The position reached in each partition.
    positions: Vec<Position>,
    page: Page,
    /// The size of the results, as DynamoDB counts it.
    bytes: usize,
    /// The items examined by this call, including those hidden from the caller.
    examined: usize,
    /// Those that do not fit the design and are not reported to the caller.
    unreported: usize,
}

impl<'q> PatternReader<'q> {
    pub(super) fn new(
        runtime: &'q Runtime,
        query: &'q PreparedQuery<'q>,
        options: &'q QueryOptions,
        positions: Vec<Position>,
    ) -> Self {
        let page_size = query.plan.page_size as usize;
        let wanted = if query.plan.counts { usize::MAX } else { options.take.unwrap_or(page_size).max(1) };
        let page = Page::empty();
        Self {
            runtime,
            query,
            options,
            results: ResultReader { runtime, query },
            referenced: Referenced::default(),
            descending: query.is_descending(options.reverse),
            wanted,
            positions,
            page,
            bytes: 0,
            examined: 0,
            unreported: 0,
        }
    }

    /// The page, and the position reached in each partition.
    pub(super) async fn read(mut self) -> Result<(Page, Vec<Position>), Error> {
        if self.query.plan.partitions.as_ref().is_some_and(PartitionSet::is_merged) {
            self.read_merged().await?;
        } else {
            self.read_in_turn().await?;
        }
        if self.query.hides_items {
            self.page.read_units = (self.page.read_units * 2.0).ceil().max(1.0) / 2.0;
        }
        Ok((self.page, self.positions))
    }

    /// Partitions one after the other: the days of a range, the values of a list, or the one that there is.
    async fn read_in_turn(&mut self) -> Result<(), Error> {
        let mut order: Vec<usize> = (0..self.positions.len()).collect();
        if self.descending {
            order.reverse();
        }
        for partition in order {
            while let Some(position) = self.positions.get(partition).filter(|position| **position != Position::End) {
                let position = position.clone();
                if self.is_full() {
                    self.page.stop_reason = StopReason::Full;
                    return Ok(());
                }
                if self.is_spent() || self.has_examined_enough() {
                    self.page.stop_reason = self.reached_bound();
                    return Ok(());
                }
                let limit = self.next_limit(self.page.evaluated);
                let QueryPage { items, last } = self.query_partition(partition, position, limit).await?;
                let mut reached = None;
                for item in items {
                    self.add(&item).await?;
                    // If hidden items lie between the results, the request asked for more items than the budget.
                    if self.is_full() || self.query.hides_items && self.is_spent() || self.has_many_problems() {
                        reached = Some(self.cursor_key(&item)?);
                        break;
                    }
                }
                if let Some(position) = self.positions.get_mut(partition) {
                    *position = reached.or(last).map_or(Position::End, Position::After);
                }
            }
        }
        Ok(())
    }

    /// All shards of a partition at once, merged by the sort key.
    async fn read_merged(&mut self) -> Result<(), Error> {
        let mut shards: Vec<Shard> = self.positions.iter().cloned().map(Shard::new).collect();
        // Whatever the budget, a page makes progress: otherwise its cursor would lead back to itself.
        let mut progressed = false;
        loop {
            for (number, shard) in shards.iter_mut().enumerate() {
                self.fill_shard(number, shard, &mut progressed).await?;
            }
            if shards.iter().any(Shard::is_unread) {
                self.page.stop_reason = self.reached_bound();
                return Ok(());
            }
            let Some(next) = self.first_of(&shards)? else {
                self.positions.fill(Position::End);
                return Ok(());
            };
            let Some(item) = shards.get_mut(next).and_then(|shard| shard.items.pop_front()) else { continue };
            let position = Position::After(self.cursor_key(&item)?);
            if let (Some(reached), Some(shard)) = (self.positions.get_mut(next), shards.get(next)) {
                *reached = if shard.is_exhausted() { Position::End } else { position };
            }
            self.add(&item).await?;
            if self.is_full() || self.is_spent() || self.has_many_problems() {
                self.page.stop_reason = if self.is_full() { StopReason::Full } else { self.reached_bound() };
                for (position, shard) in self.positions.iter_mut().zip(&shards) {
                    if shard.is_exhausted() {
                        *position = Position::End;
                    }
                }
                return Ok(());
            }
        }
    }

    /// Reads a shard until its next item is known, or the budget is spent.
    async fn fill_shard(&mut self, number: usize, shard: &mut Shard, progressed: &mut bool) -> Result<(), Error> {
        // A response may have no items although more follow: until the shard's next item is known, no item of another
        // shard can be added to the page.
        while shard.is_unread() && !(*progressed && (self.is_spent() || self.has_examined_enough())) {
            // Each shard may use the budget of the whole page: the rest of the budget would mean tiny requests,
            // repeated for every page.
            let limit = self.next_limit(0);
            let read = self.query_partition(number, shard.last.clone(), limit).await?;
            shard.items.extend(read.items);
            shard.last = read.last.map_or(Position::End, Position::After);
            // Items that were examined without a result are not examined again.
            if let (true, Some(position)) = (shard.items.is_empty(), self.positions.get_mut(number)) {
                position.clone_from(&shard.last);
                *progressed = true;
            }
        }
        Ok(())
    }

    /// The shard whose next item comes first.
    fn first_of(&self, shards: &[Shard]) -> Result<Option<usize>, Error> {
        let mut first: Option<(usize, Vec<u8>)> = None;
        for (number, shard) in shards.iter().enumerate() {
            let Some(item) = shard.items.front() else { continue };
            let key = self.sort_value(&self.cursor_key(item)?);
            let is_first = match &first {
                None => true,
                Some((_, least)) if self.descending => key > *least,
                Some((_, least)) => key < *least,
            };
            if is_first {
                first = Some((number, key));
            }
        }
        Ok(first.map(|(number, _)| number))
    }

    /// Sends one request for a partition.
    async fn query_partition(
        &mut self,
        partition: usize,
        position: Position,
        limit: Option<usize>,
    ) -> Result<QueryPage, Error> {
        let mut input = self.query.request(&self.runtime.table, partition, self.descending)?;
        // A limit beyond what a request can state has no effect.
        input.page.limit = limit.and_then(|limit| i64::try_from(limit).ok());
        if let Position::After(key) = position {
            input.page.exclusive_start_key = Some(key);
        }
        let output = self.runtime.items().query(input).await?;
        let items = output.items.ok_or_else(|| Error::Unavailable("a query returned no items".to_owned()))?;
        self.examined += output.scanned_count;
        if !self.query.hides_items {
            // A backend that does not report its cost is not charged for it.
            self.page.read_units += output.consumed_capacity.map_or(0.0, |consumed| consumed.total.capacity);
            // Items that the backend filtered out were examined as well.
            self.page.evaluated += output.scanned_count.saturating_sub(items.len());
        }
        self.results.read_referenced(&items, &mut self.referenced).await?;
        Ok(QueryPage { items, last: output.last_evaluated_key })
    }

    /// Adds an item to the page if it is a result.
    async fn add(&mut self, item: &Item) -> Result<(), Error> {
        // Thousands of items may be hidden from the caller: other requests are served in between.
        tokio::task::consume_budget().await;
        let reading = self.results.read(item, &self.referenced).await?;
        let hides_items = self.query.hides_items;
        if !hides_items && !matches!(reading, Reading::Unreported) {
            self.page.evaluated += 1;
        }
        let (authorized, mut record) = match reading {
            Reading::Result(authorized, record) => (authorized, record),
            Reading::Nothing => return Ok(()),
            Reading::Problem(problem) => {
                self.add_problem(problem, item_size(item.attributes().map_err(ServiceError::from)?));
                return Ok(());
            }
            Reading::Unreported => {
                self.unreported += 1;
                return Ok(());
            }
        };
        let reads_again = self.query.reads_again(record.entity);
        // With what is concealed from the caller: it was read.
        let size = if hides_items || reads_again { item_size(&record.attributes) } else { 0 };
        authorized.conceal(&self.runtime.design, &mut record);
        let entity = authorized.entity();
        self.query.keep_projected(entity.id, &mut record.attributes);
        if let Some(cause) = self.runtime.items().columns_of(entity).misfit(entity, &record.attributes) {
            match self.results.misfit(authorized, item, &record, cause)? {
                Some(problem) => self.add_problem(problem, size),
                None => self.unreported += 1,
            }
            return Ok(());
        }
        record.stored.clear();
        self.page.count += 1;
        self.charge(size);
        if reads_again {
            // Read by itself, consistently.
            self.page.read_units += read_units(size, Consistency::Strong);
        }
        if self.query.plan.counts {
            if entity.audit_reads {
                let tenant = self.tenant_of(&record);
                *self.page.counted.entry((entity.id, tenant)).or_default() += 1;
            }
        } else {
            self.bytes += item_size(&record.attributes);
            self.page.records.push(record);
        }
        Ok(())
    }

    /// The tenant of an item; `None` where it belongs to none.
    fn tenant_of(&self, record: &Record) -> Option<String> {
        let tenant = self.runtime.design.tenant.as_ref()?;
        match record.identified().get(&tenant.attribute)? {
            AttributeValue::S(tenant) => Some(tenant.clone()),
            AttributeValue::N(tenant) => Some(tenant.to_string()),
            _ => None,
        }
    }

    fn add_problem(&mut self, problem: ItemProblem, size: usize) {
        self.page.problems.push(problem);
        self.charge(size);
    }

    /// Adds an item that the caller learns of to what the page cost, where the cost of others must not show.
    fn charge(&mut self, size: usize) {
        if self.query.hides_items {
            self.page.evaluated += 1;
            // A query pays half a unit for each block, and for all of its items together.
            self.page.read_units += size as f64 / (2 * READ_UNIT_BYTES) as f64;
        }
    }

    /// The keys of the item at which a page ended.
    fn cursor_key(&self, item: &Item) -> Result<Attributes, Error> {
        let is_key = |name: &str| self.query.plan.cursor_keys.iter().any(|key| key == name);
        Ok(item.select(is_key).map_err(ServiceError::from)?)
    }

    /// The sort key in bytes that sort as DynamoDB sorts.
    fn sort_value(&self, item: &Attributes) -> Vec<u8> {
        let mut bytes = Vec::new();
        for value in self.query.plan.sort_key.iter().filter_map(|name| item.get(name)) {
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

    /// A page ends at its number of results, or with the one that reaches its size.
    fn is_full(&self) -> bool {
        self.page.count >= self.wanted || self.query.plan.page_bytes.is_some_and(|bytes| self.bytes >= bytes)
    }

    fn is_spent(&self) -> bool {
        self.is_limit_reached() || self.is_budget_spent()
    }

    fn is_limit_reached(&self) -> bool {
        self.options.limit.is_some_and(|limit| self.page.evaluated >= limit)
    }

    fn is_budget_spent(&self) -> bool {
        self.options.read_budget.is_some_and(|budget| self.page.read_units >= budget)
    }

    /// Why a page ends that is not full.
    fn reached_bound(&self) -> StopReason {
        if self.is_budget_spent() {
            StopReason::Budget
        } else if self.is_limit_reached() {
            StopReason::Limit
        } else {
            StopReason::Examined
        }
    }

    fn has_examined_enough(&self) -> bool {
        let hidden = if self.query.hides_items { self.examined } else { self.unreported };
        hidden >= MAX_EXAMINED || self.has_many_problems()
    }

    fn has_many_problems(&self) -> bool {
        self.page.problems.len() >= MOST_PROBLEMS
    }

    /// How many items the next request may examine.
    fn next_limit(&self, evaluated: usize) -> Option<usize> {
        let missing = self.wanted.saturating_sub(self.page.count);
        let drops_items = self.query.drops_items() || self.unreported > 0 || !self.page.problems.is_empty();
        let asked = if drops_items { READ_AHEAD.items(missing) } else { missing };
        let limit = self.options.limit.filter(|_| !self.query.hides_items);
        let left = limit.map(|limit| limit.saturating_sub(evaluated).max(1));
        match (self.query.plan.counts, left) {
            (true, left) => left,
            (false, Some(left)) => Some(asked.min(left)),
            (false, None) => Some(asked.max(1)),
        }
    }
}

/// The response to one request.
struct QueryPage {
    items: Vec<Item>,
    /// The key to continue after.
    last: Option<Attributes>,
}

/// A shard that is being merged.
struct Shard {
    /// Items read but not yet on the page.
    items: VecDeque<Item>,
    /// The position up to which the shard was read.
    last: Position,
}

impl Shard {
    fn new(position: Position) -> Self {
        Self { items: VecDeque::new(), last: position }
    }

    /// Whether its next item is not known.
    fn is_unread(&self) -> bool {
        self.items.is_empty() && self.last != Position::End
    }

    fn is_exhausted(&self) -> bool {
        self.items.is_empty() && self.last == Position::End
    }
}
