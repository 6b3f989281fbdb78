//! Query: a range of one partition, in the order of the sort key.

use std::ops::{Bound, RangeBounds};

use keyfold_dynamo::expression::{Condition, PartitionRange, SortCondition};
use keyfold_dynamo::operation::{PageOutput, QueryInput};
use keyfold_dynamo::{Attributes, ServiceError};

use super::page::{Page, check_filter, count, refuse_paths_into_keys};
use super::select::{check_select, refuse_unprojected_filter, shape};
use super::source::Source;
use super::start_key::start_row;
use crate::rows::key_codec::{self, NotAKeyValue};
use crate::rows::layout;
use crate::shared::Shared;
use crate::store::KeyRange;
use crate::write::{check_partition_size, check_sort_size};

impl Shared {
    pub(crate) async fn query(&self, input: &QueryInput) -> Result<PageOutput, ServiceError> {
        let limit = count(input.page.limit)?;
        check_filter(&input.page)?;
        input.key_condition.check()?;
        check_select(&input.page)?;

        let named = self.catalog.table(&input.table_name)?;
        let table = named.definition();
        let source = Source::new(&table, input.page.index_name.as_deref(), input.page.consistent_read)?;
        let key = source.key();
        let condition = input.key_condition.resolve_in(
            input.page.index_name.as_deref(),
            (&key.partition.name, key.partition.key_type),
            key.sort.as_ref().map(|sort| (sort.name.as_str(), sort.key_type)),
        )?;
        check_condition_sizes(&condition)?;
        let mut range = condition_range(&source, &condition)?;
        if let Some(start) = &input.page.exclusive_start_key {
            let row = start_row(&source, start)?;
            check_start(&source, &condition, &range, start)?;
            if input.forward {
                range.0 = Bound::Excluded(row);
            } else {
                range.1 = Bound::Excluded(row);
            }
        }
        refuse_paths_into_keys(&table, &input.page)?;
        if let Some(filter) = &input.page.filter {
            refuse_key_attributes(&source, filter)?;
            refuse_unprojected_filter(&source, filter)?;
        }
        let (shape, whole) = shape(&source, &input.page)?;
        let page = Page { source: &source, range, reverse: !input.forward, limit, shape, whole };
        let output = page.read(self.store.snapshot().as_ref(), &input.page).await?;
        source.check_still_exists(&named)?;
        Ok(output)
    }
}

/// A condition value must not be longer than a key may be.
fn check_condition_sizes(condition: &PartitionRange) -> Result<(), ServiceError> {
    check_partition_size(&condition.partition.1)?;
    condition.sort.iter().flat_map(|(_, sort)| sort.values()).try_for_each(check_sort_size)
}

/// A filter must not refer to key attributes; the key condition selects by those.
fn refuse_key_attributes(source: &Source<'_>, filter: &Condition) -> Result<(), ServiceError> {
    match source.key().attributes().find(|key| filter.paths().any(|path| path.root == key.name)) {
        None => Ok(()),
        Some(key) => Err(ServiceError::validation(format!(
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: {}",
            key.name
        ))),
    }
}

/// The rows that a key condition selects.
fn condition_range(source: &Source<'_>, condition: &PartitionRange) -> Result<KeyRange, NotAKeyValue> {
    let partition = layout::partition_prefix(source.id(), &condition.partition.1)?;
    let whole = layout::prefix_range(&partition);
    let Some((_, sort)) = &condition.sort else { return Ok(whole) };
    // All rows with one sort value lie within the prefix of that value: encoded values are never prefixes of others.
    let with = |value| {
        let mut prefix = partition.clone();
        key_codec::encode(value, &mut prefix)?;
        Ok::<_, NotAKeyValue>(layout::prefix_range(&prefix))
    };
    let from_end_of = |range: KeyRange| match range.1 {
        Bound::Excluded(end) => Bound::Included(end),
        other => other,
    };
    let until_start_of = |range: KeyRange| match range.0 {
        Bound::Included(start) => Bound::Excluded(start),
        other => other,
    };
    Ok(match sort {
        SortCondition::Equal(value) => with(value)?,
        SortCondition::Less(value) => (whole.0, until_start_of(with(value)?)),
        SortCondition::LessOrEqual(value) => (whole.0, with(value)?.1),
        SortCondition::Greater(value) => (from_end_of(with(value)?), whole.1),
        SortCondition::GreaterOrEqual(value) => (with(value)?.0, whole.1),
        SortCondition::Between(low, high) => (with(low)?.0, with(high)?.1),
        SortCondition::BeginsWith(value) => {
            let mut prefix = partition.clone();
            key_codec::encode_prefix(value, &mut prefix)?;
            layout::prefix_range(&prefix)
        }
    })
}

/// A start key must lie within the range of the query. If both its sort key and its partition are wrong, DynamoDB
/// reports the sort key.
fn check_start(
    source: &Source<'_>,
    condition: &PartitionRange,
    range: &KeyRange,
    start: &Attributes,
) -> Result<(), ServiceError> {
    let partition = &source.key().partition.name;
    let mut within = start.clone();
    within.insert(partition.clone(), condition.partition.1.clone());
    if !source.start_row(&within).is_some_and(|row| range.contains(&row)) {
        return Err(ServiceError::validation("The provided starting key does not match the range key predicate"));
    }
    if start.get(partition) == Some(&condition.partition.1) {
        return Ok(());
    }
    Err(ServiceError::validation(match condition.sort {
        None => "The provided starting key is outside query boundaries based on provided conditions",
        Some(_) => "The query can return at most one row and cannot be restarted",
    }))
}
