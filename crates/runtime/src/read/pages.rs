//! Reads key ranges until a page is full, one after the other or merged.

use std::collections::VecDeque;

use keyfold_design::model::{Order, Pattern};
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use super::cursor::Position;
use super::query::{Page, Prepared, QueryOptions, Stopped};
use crate::error::Error;
use crate::runtime::Runtime;

/// The results of a page where neither the caller nor the pattern says.
const PAGE: usize = 100;

/// The most items that one call looks at where most may be others'. A page that ends here is not full, and tells that much
/// of what others have; without an end, one member's call could read a partition of any size.
const MOST_LOOKED_AT: usize = 50_000;

impl Runtime {
    /// Key ranges one after the other: the days of a range, the values of a list, or the one range there is.
    pub(super) async fn read_in_turn(
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
        let mut looked_at = 0;
        for range in order {
            while positions.get(range).is_some_and(|position| *position != Position::End) {
                if page.count >= wanted {
                    page.stopped = Stopped::Full;
                    return Ok(());
                }
                if spent(options, page) || looked_at >= MOST_LOOKED_AT && prepared.hides() {
                    page.stopped = Stopped::Budget;
                    return Ok(());
                }
                let position = positions.get(range).cloned().unwrap_or(Position::Start);
                let limit = next_limit(prepared, options, page.evaluated, wanted.saturating_sub(page.count));
                let Read { items, last, scanned } =
                    self.read_range(prepared, range, position, backwards, limit, page).await?;
                looked_at += scanned;
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
    pub(super) async fn read_merged(
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
        let mut looked_at = 0;
        loop {
            for (shard, (queue, last)) in waiting.iter_mut().zip(&mut lasts).enumerate() {
                // A page may be empty although more follows: no other shard's item is the next before that is known.
                while queue.is_empty()
                    && *last != Position::End
                    && !(moved && (spent(options, page) || looked_at >= MOST_LOOKED_AT && prepared.hides()))
                {
                    // Each shard may be read as far as the whole page may: what is left of the budget would mean tiny
                    // requests, repeated for every page.
                    let limit = next_limit(prepared, options, 0, wanted.saturating_sub(page.count));
                    let read = self.read_range(prepared, shard, last.clone(), backwards, limit, page).await?;
                    queue.extend(read.items);
                    *last = read.last.map_or(Position::End, Position::After);
                    looked_at += read.scanned;
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
    ) -> Result<Read, Error> {
        let mut input = self.request(prepared, range, backwards)?;
        input.page.limit = limit.and_then(|limit| i64::try_from(limit).ok());
        if let Position::After(key) = position {
            input.page.exclusive_start_key = Some(key);
        }
        let output = self.items().query(input).await?;
        let items = output.items.unwrap_or_default();
        if !prepared.hides() {
            page.read_units += output.consumed_capacity.map_or(0.0, |consumed| consumed.total.capacity);
            // What the filter dropped within the backend was looked at as well.
            page.evaluated += output.scanned_count.saturating_sub(items.len());
        }
        Ok(Read { items, last: output.last_evaluated_key, scanned: output.scanned_count })
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

/// What one request gave.
struct Read {
    items: Vec<Item>,
    /// Where to go on.
    last: Option<Attributes>,
    scanned: usize,
}

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
        || !pattern.others.is_empty()
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
