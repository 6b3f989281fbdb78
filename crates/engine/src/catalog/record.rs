//! The stored form of a table's definition: a JSON document, so that a damaged or old one can be read by a person.

use keyfold_dynamo::table::{AttributeDefinition, BillingMode, KeyType, OnDemandThroughput};
use serde::{Deserialize, Serialize};

use super::{IndexDefinition, IndexKind, IndexProjection, IndexState, TableDefinition, ThroughputSetting, TimeToLive};
use crate::rows::key_schema::{KeyAttribute, KeySchema};

#[derive(Serialize, Deserialize)]
struct TableRecord {
    id: u32,
    name: String,
    uuid: String,
    created_ms: u64,
    key: KeyRecord,
    attribute_definitions: Vec<(String, String)>,
    indexes: Vec<IndexRecord>,
    billing_mode: String,
    on_demand_since_ms: Option<u64>,
    throughput: ThroughputRecord,
    on_demand: Option<(Option<i64>, Option<i64>)>,
    deletion_protection: bool,
    table_class: Option<String>,
    tags: std::collections::BTreeMap<String, String>,
    time_to_live: Option<TimeToLiveRecord>,
}

#[derive(Serialize, Deserialize)]
struct KeyRecord {
    partition: (String, String),
    sort: Option<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct IndexRecord {
    id: u32,
    name: String,
    global: bool,
    key: KeyRecord,
    projection: ProjectionRecord,
    backfilling: bool,
    throughput: ThroughputRecord,
    on_demand: Option<(Option<i64>, Option<i64>)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ProjectionRecord {
    All,
    KeysOnly,
    Include(Vec<String>),
}

#[derive(Serialize, Deserialize)]
struct ThroughputRecord {
    read: i64,
    write: i64,
    decreases_today: i64,
    last_increase_ms: Option<u64>,
    last_decrease_ms: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct TimeToLiveRecord {
    id: u32,
    attribute: String,
    backfilling: bool,
}

pub(super) fn encode(table: &TableDefinition) -> Result<Vec<u8>, serde_json::Error> {
    let record = TableRecord {
        id: table.id,
        name: table.name.clone(),
        uuid: table.uuid.clone(),
        created_ms: table.created_ms,
        key: key_record(&table.key),
        attribute_definitions: table
            .attribute_definitions
            .iter()
            .map(|definition| (definition.name.clone(), definition.key_type.as_str().to_owned()))
            .collect(),
        indexes: table.indexes.iter().map(index_record).collect(),
        billing_mode: table.billing_mode.as_str().to_owned(),
        on_demand_since_ms: table.on_demand_since_ms,
        throughput: throughput_record(table.throughput),
        on_demand: table.on_demand.map(on_demand_record),
        deletion_protection: table.deletion_protection,
        table_class: table.table_class.clone(),
        tags: table.tags.clone(),
        time_to_live: table.time_to_live.as_ref().map(|ttl| TimeToLiveRecord {
            id: ttl.id,
            attribute: ttl.attribute.clone(),
            backfilling: ttl.backfilling,
        }),
    };
    serde_json::to_vec(&record)
}

/// A record that is not a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Undecodable;

pub(super) fn decode(bytes: &[u8]) -> Result<TableDefinition, Undecodable> {
    let record: TableRecord = serde_json::from_slice(bytes).map_err(|_| Undecodable)?;
    Ok(TableDefinition {
        id: record.id,
        name: record.name,
        uuid: record.uuid,
        created_ms: record.created_ms,
        key: key_schema(record.key)?,
        attribute_definitions: record
            .attribute_definitions
            .into_iter()
            .map(|(name, key_type)| Ok(AttributeDefinition { name, key_type: parse_key_type(&key_type)? }))
            .collect::<Result<_, Undecodable>>()?,
        indexes: record.indexes.into_iter().map(index).collect::<Result<_, _>>()?,
        billing_mode: BillingMode::parse(&record.billing_mode).ok_or(Undecodable)?,
        on_demand_since_ms: record.on_demand_since_ms,
        throughput: throughput(record.throughput),
        on_demand: record.on_demand.map(on_demand),
        deletion_protection: record.deletion_protection,
        table_class: record.table_class,
        tags: record.tags,
        time_to_live: record.time_to_live.map(|ttl| TimeToLive {
            id: ttl.id,
            attribute: ttl.attribute,
            backfilling: ttl.backfilling,
        }),
    })
}

fn key_record(key: &KeySchema) -> KeyRecord {
    let pair = |attribute: &KeyAttribute| (attribute.name.clone(), attribute.key_type.as_str().to_owned());
    KeyRecord { partition: pair(&key.partition), sort: key.sort.as_ref().map(pair) }
}

fn key_schema(record: KeyRecord) -> Result<KeySchema, Undecodable> {
    let attribute = |(name, key_type): (String, String)| {
        Ok::<_, Undecodable>(KeyAttribute { name, key_type: parse_key_type(&key_type)? })
    };
    Ok(KeySchema { partition: attribute(record.partition)?, sort: record.sort.map(attribute).transpose()? })
}

fn parse_key_type(text: &str) -> Result<KeyType, Undecodable> {
    KeyType::parse(text).ok_or(Undecodable)
}

fn index_record(index: &IndexDefinition) -> IndexRecord {
    IndexRecord {
        id: index.id,
        name: index.name.clone(),
        global: index.kind == IndexKind::Global,
        key: key_record(&index.key),
        projection: match &index.projection {
            IndexProjection::All => ProjectionRecord::All,
            IndexProjection::KeysOnly => ProjectionRecord::KeysOnly,
            IndexProjection::Include(names) => ProjectionRecord::Include(names.clone()),
        },
        backfilling: index.state == IndexState::Backfilling,
        throughput: throughput_record(index.throughput),
        on_demand: index.on_demand.map(on_demand_record),
    }
}

fn index(record: IndexRecord) -> Result<IndexDefinition, Undecodable> {
    Ok(IndexDefinition {
        id: record.id,
        name: record.name,
        kind: if record.global { IndexKind::Global } else { IndexKind::Local },
        key: key_schema(record.key)?,
        projection: match record.projection {
            ProjectionRecord::All => IndexProjection::All,
            ProjectionRecord::KeysOnly => IndexProjection::KeysOnly,
            ProjectionRecord::Include(names) => IndexProjection::Include(names),
        },
        state: if record.backfilling { IndexState::Backfilling } else { IndexState::Active },
        throughput: throughput(record.throughput),
        on_demand: record.on_demand.map(on_demand),
    })
}

fn throughput_record(setting: ThroughputSetting) -> ThroughputRecord {
    ThroughputRecord {
        read: setting.read,
        write: setting.write,
        decreases_today: setting.decreases_today,
        last_increase_ms: setting.last_increase_ms,
        last_decrease_ms: setting.last_decrease_ms,
    }
}

fn throughput(record: ThroughputRecord) -> ThroughputSetting {
    ThroughputSetting {
        read: record.read,
        write: record.write,
        decreases_today: record.decreases_today,
        last_increase_ms: record.last_increase_ms,
        last_decrease_ms: record.last_decrease_ms,
    }
}

fn on_demand_record(setting: OnDemandThroughput) -> (Option<i64>, Option<i64>) {
    (setting.max_read_request_units, setting.max_write_request_units)
}

fn on_demand((read, write): (Option<i64>, Option<i64>)) -> OnDemandThroughput {
    OnDemandThroughput { max_read_request_units: read, max_write_request_units: write }
}
