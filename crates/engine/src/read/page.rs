//! One page of a Query or Scan: up to 1 MB or `Limit` items are read, then filtered and projected.

use keyfold_dynamo::capacity::{Consistency, read_units};
use keyfold_dynamo::expression::{Condition, ConditionKind, Projection};
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{PageOptions, PageOutput};
use keyfold_dynamo::{Item, ServiceError};

use super::select::Shape;
use super::source::Source;
use crate::capacity::{Consumption, Direction};
use crate::catalog::TableDefinition;
use crate::commit::store_failed;
use crate::offload::YieldBudget;
use crate::store::{KeyRange, Snapshot};

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
    pub(super) async fn read(self, snapshot: &dyn Snapshot, options: &PageOptions) -> Result<PageOutput, ServiceError> {
        let mut items = Vec::new();
        let mut output = PageOutput::default();
        let (mut bytes, mut fetched_bytes, mut fetched_units) = (0, 0, 0.0);
        let consistency = Consistency::for_read(options.consistent_read);
        let mut budget = YieldBudget::default();
        for row in snapshot.range(self.range, self.reverse) {
            let (key, value) = row.map_err(|error| store_failed(&error))?;
            let source_item = self.source.read(snapshot, &key, value, self.whole)?;
            let size = source_item.size;
            output.scanned_count += 1;
            bytes += source_item.size;
            fetched_bytes += source_item.fetched.unwrap_or(0);
            fetched_units += source_item.fetched.map_or(0.0, |size| read_units(size, consistency));
            let full = bytes + fetched_bytes >= limits::PAGE_BYTES || self.limit == Some(output.scanned_count);
            if full {
                output.last_evaluated_key = Some(self.source.last_key(source_item.item.attributes()?));
            }
            let wanted = match &options.filter {
                None => true,
                Some(filter) => filter.matches(source_item.item.attributes()?),
            };
            if wanted {
                output.count += 1;
                items.extend(shaped(&self.shape, source_item.item)?);
            }
            if full {
                break;
            }
            budget.spend(size).await;
        }
        if !matches!(self.shape, Shape::Count) {
            output.items = Some(items);
        }
        let units = read_units(bytes, consistency);
        let consumption = match self.source.index {
            None => Consumption::for_table(units),
            Some(index) => Consumption::for_index(&index.name, index.kind, units, fetched_units),
        };
        output.consumed_capacity =
            consumption.report(&self.source.table.name, options.return_consumed_capacity, Direction::Plain);
        Ok(output)
    }
}

fn shaped(shape: &Shape<'_>, item: Item) -> Result<Option<Item>, ServiceError> {
    Ok(match shape {
        Shape::Count => None,
        Shape::All => Some(item),
        Shape::Projected(projection) => Some(projection.apply(item.attributes()?).into()),
    })
}
