//! Consumed capacity and item collection metrics. What is incomplete is left out: the operation itself succeeded, and
//! must not be reported as failed because of its metrics.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{CapacityBreakdown, ConsumedCapacity, ItemCollectionMetrics, Units};

use crate::values::value_from_sdk;

/// `None` without the name of the table or the number of units.
pub(super) fn consumed(output: types::ConsumedCapacity) -> Option<ConsumedCapacity> {
    let has_breakdown =
        output.table.is_some() || output.global_secondary_indexes.is_some() || output.local_secondary_indexes.is_some();
    let breakdown = has_breakdown.then(|| CapacityBreakdown {
        // Services leave out a table of which only an index was read.
        table: output.table.as_ref().and_then(units).unwrap_or_default(),
        global_indexes: by_index(output.global_secondary_indexes),
        local_indexes: by_index(output.local_secondary_indexes),
    });
    let total = Units {
        capacity: output.capacity_units?,
        read: output.read_capacity_units,
        write: output.write_capacity_units,
    };
    Some(ConsumedCapacity { table_name: output.table_name?, total, breakdown })
}

fn by_index(output: Option<HashMap<String, types::Capacity>>) -> BTreeMap<String, Units> {
    let indexes = output.into_iter().flatten();
    indexes.filter_map(|(name, capacity)| Some((name, units(&capacity)?))).collect()
}

fn units(capacity: &types::Capacity) -> Option<Units> {
    Some(Units {
        capacity: capacity.capacity_units?,
        read: capacity.read_capacity_units,
        write: capacity.write_capacity_units,
    })
}

pub(super) fn all_consumed(output: Option<Vec<types::ConsumedCapacity>>) -> Vec<ConsumedCapacity> {
    output.into_iter().flatten().filter_map(consumed).collect()
}

/// `None` for metrics without a key or without a size estimate.
pub(super) fn metrics(output: types::ItemCollectionMetrics) -> Result<Option<ItemCollectionMetrics>, ServiceError> {
    let key = output.item_collection_key.and_then(|key| key.into_iter().next());
    let (Some((name, value)), Some(&[low, high])) = (key, output.size_estimate_range_gb.as_deref()) else {
        return Ok(None);
    };
    Ok(Some(ItemCollectionMetrics { key: (name, value_from_sdk(value)?), size_estimate_gb: [low, high] }))
}

pub(super) fn metrics_by_table(
    output: Option<HashMap<String, Vec<types::ItemCollectionMetrics>>>,
) -> Result<BTreeMap<String, Vec<ItemCollectionMetrics>>, ServiceError> {
    output
        .unwrap_or_default()
        .into_iter()
        .map(|(table, output)| {
            Ok((table, output.into_iter().filter_map(|output| metrics(output).transpose()).collect::<Result<_, _>>()?))
        })
        .collect()
}
