//! The operations on tables: create, update, describe, delete, list, tags, time to live, limits.

use crate::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeySchemaElement, OnDemandThroughput, TableDescription, Tags,
    Throughput, TimeToLiveStatus,
};

/// The input of CreateTable.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CreateTableInput {
    /// The name of the table, 3 to 255 characters.
    pub table_name: String,
    /// The attributes that the keys of the table and of its indexes use; no others.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// The partition key, and the sort key if there is one.
    pub key_schema: Vec<KeySchemaElement>,
    /// Global secondary indexes; absent: none. The service rejects an empty list.
    pub global_indexes: Option<Vec<IndexSpec>>,
    /// Local secondary indexes; absent: none. The service rejects an empty list.
    pub local_indexes: Option<Vec<IndexSpec>>,
    /// Absent: provisioned.
    pub billing_mode: Option<BillingMode>,
    /// The provisioned capacity; absent with on-demand billing.
    pub throughput: Option<Throughput>,
    /// The limits of on-demand billing; absent: none.
    pub on_demand: Option<OnDemandThroughput>,
    /// Whether DeleteTable is refused; `false` in DynamoDB by default.
    pub deletion_protection: bool,
    /// `STANDARD` or `STANDARD_INFREQUENT_ACCESS`; absent: `STANDARD`.
    pub table_class: Option<String>,
    /// The tags of the table; empty: none.
    pub tags: Tags,
}

/// One change of a global index.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexUpdate {
    /// Adds an index, which is then filled in the background.
    Create(IndexSpec),
    /// Changes the capacity of an index.
    Update {
        /// The name of the index.
        name: String,
        /// The new provisioned capacity; absent: unchanged.
        throughput: Option<Throughput>,
        /// The new limits of on-demand billing; absent: unchanged.
        on_demand: Option<OnDemandThroughput>,
    },
    /// Removes an index.
    Delete {
        /// The name of the index.
        name: String,
    },
}

/// The input of UpdateTable.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateTableInput {
    /// The name of the table.
    pub table_name: String,
    /// The attributes that the keys of new indexes use; empty if there are no new ones.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// Absent: unchanged.
    pub billing_mode: Option<BillingMode>,
    /// The provisioned capacity; absent: unchanged.
    pub throughput: Option<Throughput>,
    /// The limits of on-demand billing; absent: unchanged.
    pub on_demand: Option<OnDemandThroughput>,
    /// Changes of global indexes; absent: none. The service rejects an empty list.
    pub index_updates: Option<Vec<IndexUpdate>>,
    /// Whether DeleteTable is refused; absent: unchanged.
    pub deletion_protection: Option<bool>,
    /// `STANDARD` or `STANDARD_INFREQUENT_ACCESS`; absent: unchanged.
    pub table_class: Option<String>,
}

/// The input of ListTables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListTablesInput {
    /// The page starts after this name; absent: at the first table.
    pub exclusive_start: Option<String>,
    /// The number of names in the page, 1 to 100; absent: 100.
    pub limit: Option<i64>,
}

/// The output of ListTables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListTablesOutput {
    /// Names in ascending order.
    pub table_names: Vec<String>,
    /// The next page starts after this name; absent at the end.
    pub last_evaluated: Option<String>,
}

/// The input and the output of UpdateTimeToLive.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateTimeToLiveInput {
    /// The name of the table.
    pub table_name: String,
    /// Whether items expire.
    pub enabled: bool,
    /// The attribute with the time of expiry, a number of seconds since the Unix epoch.
    pub attribute_name: String,
}

/// The output of DescribeTimeToLive.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeToLiveDescription {
    /// Whether items expire.
    pub status: TimeToLiveStatus,
    /// The attribute with the time of expiry; absent while expiry is off.
    pub attribute_name: Option<String>,
}

/// The output of DescribeContinuousBackups; the default, and the embedded engine, have both off.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContinuousBackupsDescription {
    /// Whether continuous backups are on; in DynamoDB they always are.
    pub enabled: bool,
    /// Whether the table can be restored to any second of the last weeks.
    pub point_in_time_recovery: bool,
}

/// The Kinesis data streams that receive a table's changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KinesisDestinations {
    /// The name of the table.
    pub table_name: String,
    /// The data streams; empty if there are none.
    pub destinations: Vec<KinesisDestination>,
}

/// One data stream of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct KinesisDestination {
    /// The Amazon resource name of the stream; absent if the service does not report it.
    pub stream_arn: Option<String>,
    /// `ENABLING`, `ACTIVE`, `DISABLING`, `DISABLED`, `ENABLE_FAILED` or `UPDATING`; absent if the service does not
    /// report it.
    pub status: Option<String>,
    /// The reason of the status, in words; absent if there is none.
    pub status_description: Option<String>,
    /// The precision of the records' times, `MILLISECOND` or `MICROSECOND`; absent if the service does not report it.
    pub precision: Option<String>,
}

/// The output of DescribeLimits, in capacity units.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LimitsDescription {
    /// Read capacity of all tables of the account together.
    pub account_max_read: u64,
    /// Write capacity of all tables of the account together.
    pub account_max_write: u64,
    /// Read capacity of one table and its global indexes.
    pub table_max_read: u64,
    /// Write capacity of one table and its global indexes.
    pub table_max_write: u64,
}

/// One page of a table's tags.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TagsPage {
    /// Keys and values.
    pub tags: Vec<(String, String)>,
    /// For the next page; absent at the end.
    pub next_token: Option<String>,
}

/// The output of CreateTable, UpdateTable, DeleteTable and DescribeTable.
pub type TableOutput = TableDescription;
