//! Consumed capacity and item collection metrics.

use std::collections::BTreeMap;

use keyfold_dynamo::operation::{ConsumedCapacity, ItemCollectionMetrics, Units};

use super::value::attribute_value;
use crate::json::Writer;

pub(super) fn consumed_capacity(out: &mut Writer, capacity: &ConsumedCapacity) {
    out.object(|out| {
        out.key("TableName").string(&capacity.table_name);
        units(out, &capacity.total);
        let Some(breakdown) = &capacity.breakdown else { return };
        out.key("Table").object(|out| units(out, &breakdown.table));
        indexes(out, "LocalSecondaryIndexes", &breakdown.local_indexes);
        indexes(out, "GlobalSecondaryIndexes", &breakdown.global_indexes);
    });
}

/// `ConsumedCapacity` of an operation on several tables; absent where it was not asked for.
pub(super) fn consumed_capacities(out: &mut Writer, capacities: &[ConsumedCapacity]) {
    if !capacities.is_empty() {
        out.key("ConsumedCapacity").array(capacities, consumed_capacity);
    }
}

fn indexes(out: &mut Writer, member: &'static str, indexes: &BTreeMap<String, Units>) {
    if indexes.is_empty() {
        return;
    }
    out.key(member).object(|out| {
        for (name, consumed) in indexes {
            out.name(name).object(|out| units(out, consumed));
        }
    });
}

fn units(out: &mut Writer, consumed: &Units) {
    out.key("CapacityUnits").decimal(consumed.capacity);
    if let Some(read) = consumed.read {
        out.key("ReadCapacityUnits").decimal(read);
    }
    if let Some(write) = consumed.write {
        out.key("WriteCapacityUnits").decimal(write);
    }
}

pub(super) fn collection_metrics(out: &mut Writer, metrics: &ItemCollectionMetrics) {
    out.object(|out| {
        let (name, value) = &metrics.key;
        out.key("ItemCollectionKey").object(|out| attribute_value(out.name(name), value));
        out.key("SizeEstimateRangeGB").array(metrics.size_estimate_gb, |out, bound| out.decimal(bound));
    });
}

/// `ItemCollectionMetrics` of an operation on several tables; absent where it was not asked for.
pub(super) fn collection_metrics_by_table(out: &mut Writer, metrics: &BTreeMap<String, Vec<ItemCollectionMetrics>>) {
    if metrics.is_empty() {
        return;
    }
    out.key("ItemCollectionMetrics").object(|out| {
        for (table, metrics) in metrics {
            out.name(table).array(metrics, collection_metrics);
        }
    });
}
