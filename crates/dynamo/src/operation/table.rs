//! The operations on tables: create, update, describe, delete, list, tags, time to live, limits.

use crate::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeySchemaElement, OnDemandThroughput, TableDescription, Tags,
    Throughput, TimeToLiveStatus,
};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct CreateTableInput {
    pub table_name: String,
    pub attribute_definitions: Vec<AttributeDefinition>,
    pub key_schema: Vec<KeySchemaElement>,
    /// `None` and an empty list are told apart: an empty list is refused.
    pub global_indexes: Option<Vec<IndexSpec>>,
    pub local_indexes: Option<Vec<IndexSpec>>,
    pub billing_mode: Option<BillingMode>,
    pub throughput: Option<Throughput>,
    pub on_demand: Option<OnDemandThroughput>,
    pub deletion_protection: bool,
    pub table_class: Option<String>,
    pub tags: Tags,
}

#[derive(Debug, Clone, PartialEq)]
pub enum IndexUpdate {
    Create(IndexSpec),
    Update { name: String, throughput: Option<Throughput>, on_demand: Option<OnDemandThroughput> },
    Delete { name: String },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateTableInput {
    pub table_name: String,
    pub attribute_definitions: Vec<AttributeDefinition>,
    pub billing_mode: Option<BillingMode>,
    pub throughput: Option<Throughput>,
    pub on_demand: Option<OnDemandThroughput>,
    pub index_updates: Option<Vec<IndexUpdate>>,
    pub deletion_protection: Option<bool>,
    pub table_class: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListTablesInput {
    pub exclusive_start: Option<String>,
    pub limit: Option<i64>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListTablesOutput {
    pub table_names: Vec<String>,
    pub last_evaluated: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateTimeToLiveInput {
    pub table_name: String,
    pub enabled: bool,
    pub attribute_name: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TimeToLiveDescription {
    pub status: TimeToLiveStatus,
    pub attribute_name: Option<String>,
}

/// What DescribeContinuousBackups tells: backups and point-in-time recovery, both off.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContinuousBackupsDescription {
    pub enabled: bool,
    pub point_in_time_recovery: bool,
}

/// The Kinesis data streams that receive a table's changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KinesisDestinations {
    pub table_name: String,
    pub destinations: Vec<KinesisDestination>,
}

/// One data stream of a table. Absent members were not reported by the service.
#[derive(Debug, Clone, PartialEq)]
pub struct KinesisDestination {
    pub stream_arn: Option<String>,
    /// `ENABLING`, `ACTIVE`, `DISABLING`, `DISABLED`, `ENABLE_FAILED` or `UPDATING`.
    pub status: Option<String>,
    pub status_description: Option<String>,
    /// `MILLISECOND` or `MICROSECOND`.
    pub precision: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct LimitsDescription {
    pub account_max_read: u64,
    pub account_max_write: u64,
    pub table_max_read: u64,
    pub table_max_write: u64,
}

/// One page of a table's tags.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TagsPage {
    pub tags: Vec<(String, String)>,
    pub next_token: Option<String>,
}

/// The answer of CreateTable, UpdateTable, DeleteTable and DescribeTable.
pub type TableOutput = TableDescription;
