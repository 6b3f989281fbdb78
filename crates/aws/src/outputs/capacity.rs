//! Consumed capacity and item collection metrics.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{CapacityBreakdown, ConsumedCapacity, ItemCollectionMetrics, Units};

use crate::values::value_from_sent;

pub fn consumed(told: types::ConsumedCapacity) -> ConsumedCapacity {
    let has_breakdown =
        told.table.is_some() || told.global_secondary_indexes.is_some() || told.local_secondary_indexes.is_some();
    let breakdown = has_breakdown.then(|| CapacityBreakdown {
        table: told.table.as_ref().map(units).unwrap_or_default(),
        global_indexes: by_index(told.global_secondary_indexes),
        local_indexes: by_index(told.local_secondary_indexes),
    });
    ConsumedCapacity {
        table_name: told.table_name.unwrap_or_default(),
        total: Units {
            capacity: told.capacity_units.unwrap_or_default(),
            read: told.read_capacity_units,
            write: told.write_capacity_units,
        },
        breakdown,
    }
}

fn by_index(told: Option<HashMap<String, types::Capacity>>) -> BTreeMap<String, Units> {
    told.unwrap_or_default().into_iter().map(|(name, capacity)| (name, units(&capacity))).collect()
}

fn units(capacity: &types::Capacity) -> Units {
    Units {
        capacity: capacity.capacity_units.unwrap_or_default(),
        read: capacity.read_capacity_units,
        write: capacity.write_capacity_units,
    }
}

pub fn all_consumed(told: Option<Vec<types::ConsumedCapacity>>) -> Vec<ConsumedCapacity> {
    told.unwrap_or_default().into_iter().map(consumed).collect()
}

/// Metrics without a key or without its bounds say nothing.
pub fn metrics(told: types::ItemCollectionMetrics) -> Result<Option<ItemCollectionMetrics>, ServiceError> {
    let key = told.item_collection_key.and_then(|key| key.into_iter().next());
    let (Some((name, value)), Some(&[low, high])) = (key, told.size_estimate_range_gb.as_deref()) else {
        return Ok(None);
    };
    Ok(Some(ItemCollectionMetrics { key: (name, value_from_sent(value)?), size_estimate_gb: [low, high] }))
}

pub fn metrics_by_table(
    told: Option<HashMap<String, Vec<types::ItemCollectionMetrics>>>,
) -> Result<BTreeMap<String, Vec<ItemCollectionMetrics>>, ServiceError> {
    told.unwrap_or_default()
        .into_iter()
        .map(|(table, told)| {
            Ok((table, told.into_iter().filter_map(|told| metrics(told).transpose()).collect::<Result<_, _>>()?))
        })
        .collect()
}
