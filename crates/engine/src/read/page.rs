//! One page of a Query or Scan: up to 1 MB or `Limit` items are read, then filtered and projected.

use keyfold_dynamo::capacity::{Consistency, read_units};
use keyfold_dynamo::expression::{Condition, ConditionKind, Projection};
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{PageOptions, PageOutput};
use keyfold_dynamo::{Item, ServiceError};

use super::select::Shape;
use super::source::{Source, SourceItem};
use crate::capacity::{Consumption, Direction};
use crate::catalog::TableDefinition;
use crate::commit::store_failed;
use crate::offload::yield_now;
use crate::slow_ranges::{Slot, SlowRanges};
use crate::store::{KeyRange, RowIterator, Snapshot};

/// A page is read in pieces of this many rows or bytes, a fraction of a millisecond each.
const PIECE_ROWS: usize = 64;
const PIECE_BYTES: usize = 128 << 10;

/// Checks the expressions that Query and Scan have in common, for trees that no parser has checked.
pub(super) fn check_filter(page: &PageOptions) -> Result<(), ServiceError> {
    page.filter.as_ref().map_or(Ok(()), |filter| filter.check(ConditionKind::Filter))
}

pub(super) fn refuse_paths_into_keys(table: &TableDefinition, page: &PageOptions) -> Result<(), ServiceError> {
    let filtered = page.filter.iter().flat_map(Condition::paths);
    let projected = page.projection.iter().flat_map(Projection::paths);
    table.refuse_paths_into_keys(filtered.chain(projected))
}

/// A page to be read.
pub(super) struct Page<'a> {
    pub source: &'a Source<'a>,
    pub range: KeyRange,
    pub reverse: bool,
    pub limit: Option<usize>,
    pub shape: Shape<'a>,
    /// Whether a local index must fetch whole items.
    pub whole: bool,
    pub options: &'a PageOptions,
}

/// A page that is being read.
struct Reading<'a> {
    page: &'a Page<'a>,
    snapshot: &'a dyn Snapshot,
    rows: RowIterator,
    items: Vec<Item>,
    output: PageOutput,
    bytes: usize,
    fetched_bytes: usize,
    fetched_units: f64,
}

/// `Limit` as a count.
pub(crate) fn count(limit: Option<i64>) -> Result<Option<usize>, ServiceError> {
    match limit {
        None => Ok(None),
        Some(limit) => usize::try_from(limit)
            .ok()
            .filter(|limit| *limit > 0)
            .map(Some)
            .ok_or_else(|| ServiceError::validation("Limit must be greater than or equal to 1")),
    }
}

impl Page<'_> {
    /// Reads the page piece by piece: other requests are served in between.
    pub(super) async fn read(
        &self,
        snapshot: &dyn Snapshot,
        slow_ranges: &SlowRanges,
        slot: Slot,
    ) -> Result<PageOutput, ServiceError> {
        // The store looks for the first row when it is asked for it, not here.
        let rows = snapshot.range(self.range.clone(), self.reverse);
        let mut reading = Reading::new(self, snapshot, rows);
        while !slow_ranges.read(slot, || reading.read_piece()).await? {
            yield_now().await;
        }
        Ok(reading.finish())
    }

    fn consistency(&self) -> Consistency {
        Consistency::for_read(self.options.consistent_read)
    }
}

impl<'a> Reading<'a> {
    fn new(page: &'a Page<'a>, snapshot: &'a dyn Snapshot, rows: RowIterator) -> Self {
        let (items, output) = (Vec::new(), PageOutput::default());
        Self { page, snapshot, rows, items, output, bytes: 0, fetched_bytes: 0, fetched_units: 0.0 }
    }

    /// Whether the page is complete.
    fn read_piece(&mut self) -> Result<bool, ServiceError> {
        let end = (self.output.scanned_count + PIECE_ROWS, self.bytes + PIECE_BYTES);
        while self.output.scanned_count < end.0 && self.bytes < end.1 {
            let Some(row) = self.rows.next() else { return Ok(true) };
            let (key, value) = row.map_err(|error| store_failed(&error))?;
            let source_item = self.page.source.read(self.snapshot, &key, value, self.page.whole)?;
            if self.add(source_item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the page is full with this item.
    fn add(&mut self, source_item: SourceItem) -> Result<bool, ServiceError> {
        let consistency = self.page.consistency();
        self.output.scanned_count += 1;
        self.bytes += source_item.size;
        self.fetched_bytes += source_item.fetched.unwrap_or(0);
        self.fetched_units += source_item.fetched.map_or(0.0, |size| read_units(size, consistency));
        let is_full =
            self.bytes + self.fetched_bytes >= limits::PAGE_BYTES || self.page.limit == Some(self.output.scanned_count);
        if is_full {
            self.output.last_evaluated_key = Some(self.page.source.last_key(source_item.item.attributes()?));
        }
        let is_wanted = match &self.page.options.filter {
            None => true,
            Some(filter) => filter.matches(source_item.item.attributes()?),
        };
        if is_wanted {
            self.output.count += 1;
            self.items.extend(shaped(&self.page.shape, source_item.item)?);
        }
        Ok(is_full)
    }

    fn finish(self) -> PageOutput {
        let Self { page, items, mut output, .. } = self;
        if !matches!(page.shape, Shape::Count) {
            output.items = Some(items);
        }
        let units = read_units(self.bytes, page.consistency());
        let consumption = match page.source.index {
            None => Consumption::for_table(units),
            Some(index) => Consumption::for_index(&index.name, index.kind, units, self.fetched_units),
        };
        output.consumed_capacity =
            consumption.report(&page.source.table.name, page.options.return_consumed_capacity, Direction::Plain);
        output
    }
}

fn shaped(shape: &Shape<'_>, item: Item) -> Result<Option<Item>, ServiceError> {
    Ok(match shape {
        Shape::Count => None,
        Shape::All => Some(item),
        Shape::Projected(projection) => Some(projection.apply(item.attributes()?).into()),
    })
}
