//! DescribeTable, ListTables, DescribeLimits, DescribeContinuousBackups, DescribeKinesisStreamingDestination.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{
    ContinuousBackupsDescription, KinesisDestinations, LimitsDescription, ListTablesInput, ListTablesOutput,
};
use keyfold_dynamo::table::{IndexDescription, TableDescription, TableStatus, ThroughputDescription};

use super::table_arn;
use crate::catalog::{IndexDefinition, IndexKind, IndexState, TableDefinition, ThroughputSetting};
use crate::read::count;
use crate::shared::Shared;

impl Shared {
    pub(crate) fn describe_table(&self, name: &str) -> Result<TableDescription, ServiceError> {
        Ok(self.describe(&self.existing_table(name)?.definition()))
    }

    pub(crate) fn describe(&self, table: &TableDefinition) -> TableDescription {
        let count = self.committer.count(table.id);
        let indexes = |kind: IndexKind| {
            table
                .indexes
                .iter()
                .filter(|index| index.kind == kind)
                .map(|index| self.describe_index(table, index))
                .collect()
        };
        TableDescription {
            name: table.name.clone(),
            id: Some(table.uuid.clone()),
            arn: Some(table_arn(&self.options, &table.name)),
            status: TableStatus::Active,
            created_at: Some(seconds(table.created_ms)),
            attribute_definitions: table.attribute_definitions.clone(),
            key_schema: table.key.elements(),
            global_indexes: indexes(IndexKind::Global),
            local_indexes: indexes(IndexKind::Local),
            billing_mode: table.billing_mode,
            on_demand_since: table.on_demand_since_ms.map(seconds),
            throughput: throughput(table.throughput, self.now_ms()),
            on_demand: table.on_demand,
            size_bytes: count.bytes,
            item_count: count.items,
            deletion_protection: table.deletion_protection,
            table_class: table.table_class.clone(),
        }
    }

    fn describe_index(&self, table: &TableDefinition, index: &IndexDefinition) -> IndexDescription {
        let count = self.committer.count(index.id);
        let global = index.kind == IndexKind::Global;
        let filling = index.state == IndexState::Backfilling;
        IndexDescription {
            name: index.name.clone(),
            arn: Some(format!("{}/index/{}", table_arn(&self.options, &table.name), index.name)),
            key_schema: index.key.elements(),
            projection: index.projection.spec(),
            status: global.then_some(if filling { TableStatus::Creating } else { TableStatus::Active }),
            backfilling: filling.then_some(true),
            throughput: global.then(|| throughput(index.throughput, self.now_ms())),
            on_demand: index.on_demand,
            size_bytes: count.bytes,
            item_count: count.items,
        }
    }

    pub(crate) fn list_tables(&self, input: &ListTablesInput) -> Result<ListTablesOutput, ServiceError> {
        let limit = count(input.limit)?.unwrap_or(limits::LIST_TABLES);
        let (table_names, more) = self.catalog.names_after(input.exclusive_start.as_deref(), limit);
        let last_evaluated = if more { table_names.last().cloned() } else { None };
        Ok(ListTablesOutput { table_names, last_evaluated })
    }

    pub(crate) fn describe_limits(&self) -> LimitsDescription {
        LimitsDescription {
            account_max_read: limits::ACCOUNT_CAPACITY_UNITS,
            account_max_write: limits::ACCOUNT_CAPACITY_UNITS,
            table_max_read: limits::TABLE_CAPACITY_UNITS,
            table_max_write: limits::TABLE_CAPACITY_UNITS,
        }
    }

    /// The engine streams to no Kinesis data stream.
    pub(crate) fn describe_kinesis_destinations(&self, name: &str) -> Result<KinesisDestinations, ServiceError> {
        let table_name = self.existing_table(name)?.definition().name.clone();
        Ok(KinesisDestinations { table_name, destinations: Vec::new() })
    }

    pub(crate) fn describe_continuous_backups(&self, name: &str) -> Result<ContinuousBackupsDescription, ServiceError> {
        self.catalog
            .find(name)
            .map(|_| ContinuousBackupsDescription::default())
            .ok_or_else(|| ServiceError::TableNotFound(format!("Table not found: {name}")))
    }
}

fn throughput(setting: ThroughputSetting, now_ms: u64) -> ThroughputDescription {
    ThroughputDescription {
        read: setting.read,
        write: setting.write,
        decreases_today: setting.decreases_on_day_of(now_ms),
        last_increase: setting.last_increase_ms.map(seconds),
        last_decrease: setting.last_decrease_ms.map(seconds),
    }
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}
