//! Descriptions of tables.

use keyfold_dynamo::table::{
    BillingMode, IndexDescription, KeySchemaElement, OnDemandThroughput, ProjectionSpec, TableDescription,
    ThroughputDescription,
};

use crate::json::Writer;

/// The description of a table under the member that the operation has for it.
pub(crate) fn described_table(member: &'static str, table: &TableDescription) -> Vec<u8> {
    let mut out = Writer::with_capacity(1024);
    out.object(|out| table_description(out.key(member), table));
    out.into_bytes()
}

fn table_description(out: &mut Writer, table: &TableDescription) {
    out.object(|out| {
        out.key("AttributeDefinitions").array(&table.attribute_definitions, |out, definition| {
            out.object(|out| {
                out.key("AttributeName").string(&definition.name);
                out.key("AttributeType").string(definition.key_type.as_str());
            });
        });
        out.key("TableName").string(&table.name);
        key_schema(out, &table.key_schema);
        out.key("TableStatus").string(table.status.as_str());
        if let Some(created_at) = table.created_at {
            out.key("CreationDateTime").time(created_at);
        }
        throughput(out, &table.throughput);
        out.key("TableSizeBytes").integer(table.size_bytes);
        out.key("ItemCount").integer(table.item_count);
        for (key, text) in [("TableArn", &table.arn), ("TableId", &table.id)] {
            if let Some(text) = text {
                out.key(key).string(text);
            }
        }
        billing_mode(out, table);
        indexes(out, "LocalSecondaryIndexes", &table.local_indexes);
        indexes(out, "GlobalSecondaryIndexes", &table.global_indexes);
        if let Some(table_class) = &table.table_class {
            out.key("TableClassSummary").object(|out| out.key("TableClass").string(table_class));
        }
        out.key("DeletionProtectionEnabled").boolean(table.deletion_protection);
        on_demand_throughput(out, table.on_demand.as_ref());
    });
}

/// Reported only for tables that are on demand, or once were.
fn billing_mode(out: &mut Writer, table: &TableDescription) {
    if table.billing_mode == BillingMode::Provisioned && table.on_demand_since.is_none() {
        return;
    }
    out.key("BillingModeSummary").object(|out| {
        out.key("BillingMode").string(table.billing_mode.as_str());
        if let Some(since) = table.on_demand_since {
            out.key("LastUpdateToPayPerRequestDateTime").time(since);
        }
    });
}

fn key_schema(out: &mut Writer, elements: &[KeySchemaElement]) {
    out.key("KeySchema").array(elements, |out, element| {
        out.object(|out| {
            out.key("AttributeName").string(&element.name);
            out.key("KeyType").string(element.role.as_str());
        });
    });
}

fn throughput(out: &mut Writer, throughput: &ThroughputDescription) {
    out.key("ProvisionedThroughput").object(|out| {
        if let Some(time) = throughput.last_increase {
            out.key("LastIncreaseDateTime").time(time);
        }
        if let Some(time) = throughput.last_decrease {
            out.key("LastDecreaseDateTime").time(time);
        }
        out.key("NumberOfDecreasesToday").integer(throughput.decreases_today);
        out.key("ReadCapacityUnits").integer(throughput.read);
        out.key("WriteCapacityUnits").integer(throughput.write);
    });
}

fn on_demand_throughput(out: &mut Writer, throughput: Option<&OnDemandThroughput>) {
    let Some(throughput) = throughput else { return };
    out.key("OnDemandThroughput").object(|out| {
        if let Some(units) = throughput.max_read_request_units {
            out.key("MaxReadRequestUnits").integer(units);
        }
        if let Some(units) = throughput.max_write_request_units {
            out.key("MaxWriteRequestUnits").integer(units);
        }
    });
}

fn indexes(out: &mut Writer, member: &'static str, indexes: &[IndexDescription]) {
    if !indexes.is_empty() {
        out.key(member).array(indexes, index_description);
    }
}

fn index_description(out: &mut Writer, index: &IndexDescription) {
    out.object(|out| {
        out.key("IndexName").string(&index.name);
        key_schema(out, &index.key_schema);
        projection(out, &index.projection);
        if let Some(status) = index.status {
            out.key("IndexStatus").string(status.as_str());
        }
        if let Some(backfilling) = index.backfilling {
            out.key("Backfilling").boolean(backfilling);
        }
        if let Some(units) = &index.throughput {
            throughput(out, units);
        }
        out.key("IndexSizeBytes").integer(index.size_bytes);
        out.key("ItemCount").integer(index.item_count);
        if let Some(arn) = &index.arn {
            out.key("IndexArn").string(arn);
        }
        on_demand_throughput(out, index.on_demand.as_ref());
    });
}

fn projection(out: &mut Writer, projection: &ProjectionSpec) {
    out.key("Projection").object(|out| {
        if let Some(projection_type) = &projection.projection_type {
            out.key("ProjectionType").string(projection_type.as_str());
        }
        if let Some(names) = &projection.non_key_attributes {
            out.key("NonKeyAttributes").array(names, |out, name| out.string(name));
        }
    });
}
