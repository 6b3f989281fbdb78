//! CreateTable.

use std::collections::BTreeSet;
use std::sync::Arc;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{BillingMode, IndexSpec, TableDescription, Throughput};
use keyfold_environment::random_bytes;

use super::index_rules::{
    check_index, check_index_set, check_local, check_throughput, index_definition, undefined_keys,
};
use super::key_schema::{check_shape, invalid, resolve};
use crate::catalog::{
    IndexDefinition, IndexKind, IndexState, Table, TableDefinition, ThroughputSetting, definition_row,
};
use crate::commit::Commit;
use crate::options::Options;
use crate::rows::key_schema::KeySchema;
use crate::rows::layout::RangeId;
use crate::shared::Shared;
use crate::write::Pending;

impl Shared {
    pub(crate) fn create_table(&self, input: CreateTableInput) -> Result<Pending<TableDescription>, ServiceError> {
        let key = check(&input)?;
        let _one_at_a_time = self.definitions.lock();
        if self.catalog.find(&input.table_name).is_some() {
            return Err(ServiceError::ResourceInUse(format!("Table already exists: {}", input.table_name)));
        }
        // After the name: servers begin with the creation of tables that may exist, on a full disk as well.
        self.disk_reserve.require_space()?;
        let index_count = input.local_indexes.iter().chain(&input.global_indexes).map(Vec::len).sum::<usize>();
        let index_count = u32::try_from(index_count).map_err(|_| ServiceError::validation("Too many indexes"))?;
        let (id, ids) = self.catalog.allocate_ids(index_count + 1);
        let definition = self.definition(input, key, id)?;
        let record = definition_row(&definition)?;
        let table = Arc::new(Table::new(definition));
        let description = self.describe(&table.definition());
        let (_, handle) = self.committer.enqueue(Commit { changes: vec![ids, record], ..Commit::default() })?;
        self.catalog.add(table);
        Ok(Pending::new(Ok(description), Some(handle)))
    }

    fn definition(
        &self,
        input: CreateTableInput,
        key: KeySchema,
        id: RangeId,
    ) -> Result<TableDefinition, ServiceError> {
        let now = self.now_ms();
        let billing_mode = input.billing_mode.unwrap_or(BillingMode::Provisioned);
        let mut indexes: Vec<IndexDefinition> = Vec::new();
        let specs = with_kind(input.local_indexes.as_deref(), IndexKind::Local)
            .chain(with_kind(input.global_indexes.as_deref(), IndexKind::Global));
        for ((spec, kind), id) in specs.zip(id + 1..) {
            indexes.push(index_definition(spec, kind, id, &input.attribute_definitions, IndexState::Active)?);
        }
        Ok(TableDefinition {
            id,
            name: input.table_name,
            uuid: self.new_uuid()?,
            created_ms: now,
            key,
            attribute_definitions: input.attribute_definitions,
            indexes,
            billing_mode,
            on_demand_since_ms: (billing_mode == BillingMode::PayPerRequest).then_some(now),
            throughput: input.throughput.map_or(ThroughputSetting::default(), |throughput| ThroughputSetting {
                read: throughput.read,
                write: throughput.write,
                ..ThroughputSetting::default()
            }),
            on_demand: input.on_demand,
            deletion_protection: input.deletion_protection,
            table_class: input.table_class,
            tags: input.tags,
            time_to_live: None,
        })
    }

    /// A random UUID, version 4.
    fn new_uuid(&self) -> Result<String, ServiceError> {
        let drawn = random_bytes(self.options.random.as_ref());
        let value = u128::from_be_bytes(drawn.map_err(|error| ServiceError::Internal(error.to_string()))?);
        let value = (value & !(0xF << 76)) | (0x4 << 76);
        let value = (value & !(0x3 << 62)) | (0x2 << 62);
        let digits = |from: u32, count: u32| (value >> (128 - 4 * (from + count))) & ((1 << (4 * count)) - 1);
        Ok(format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            digits(0, 8),
            digits(8, 4),
            digits(12, 4),
            digits(16, 4),
            digits(20, 12)
        ))
    }
}

fn with_kind(specs: Option<&[IndexSpec]>, kind: IndexKind) -> impl Iterator<Item = (&IndexSpec, IndexKind)> {
    specs.unwrap_or_default().iter().map(move |spec| (spec, kind))
}

pub(crate) fn table_arn(options: &Options, name: &str) -> String {
    format!("arn:aws:dynamodb:{}:{}:table/{name}", options.region, options.account)
}

fn check(input: &CreateTableInput) -> Result<KeySchema, ServiceError> {
    check_billing(input)?;
    let definitions = &input.attribute_definitions;
    let defined: Vec<&str> = definitions.iter().map(|definition| definition.name.as_str()).collect();
    if defined.iter().collect::<BTreeSet<_>>().len() < defined.len() {
        return Err(ServiceError::validation("Cannot have two attributes with the same name"));
    }
    let undefined = || match input.key_schema.as_slice() {
        [_, _] => ServiceError::validation("Invalid KeySchema: Some index key attribute have no definition"),
        [] => ServiceError::validation(
            "No defined key schema.  A key schema containing at least a hash key must be defined for all tables",
        ),
        keys => undefined_keys(keys, definitions),
    };
    let key = resolve(&input.key_schema, definitions).ok_or_else(undefined)?;
    check_shape(&input.key_schema)?;
    let empty = |indexes: &Option<Vec<IndexSpec>>| indexes.as_ref().is_some_and(Vec::is_empty);
    if empty(&input.local_indexes) {
        return Err(invalid("List of LocalSecondaryIndexes is empty"));
    }
    if empty(&input.global_indexes) {
        return Err(invalid("List of GlobalSecondaryIndexes is empty"));
    }
    let local = input.local_indexes.as_deref().unwrap_or_default();
    let global = input.global_indexes.as_deref().unwrap_or_default();
    for spec in local.iter().chain(global) {
        check_index(spec, definitions)?;
    }
    for spec in local {
        check_local(spec, &key)?;
    }
    check_index_set(local, global)?;
    for spec in global {
        check_throughput(spec, input.billing_mode.unwrap_or(BillingMode::Provisioned))?;
    }
    refuse_unused_definitions(input)?;
    Ok(key)
}

fn check_billing(input: &CreateTableInput) -> Result<(), ServiceError> {
    match (input.billing_mode.unwrap_or(BillingMode::Provisioned), input.throughput) {
        (BillingMode::PayPerRequest, Some(_)) => Err(invalid(
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
        )),
        (BillingMode::Provisioned, None) => Err(invalid(
            "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
        )),
        (_, Some(throughput)) => check_throughput_limit(throughput),
        _ => Ok(()),
    }
}

pub(super) fn check_throughput_limit(throughput: Throughput) -> Result<(), ServiceError> {
    if throughput.read.max(throughput.write) <= MAX_UNITS {
        return Ok(());
    }
    Err(ServiceError::validation("Cannot increase provisioned throughput to more than 40,000 units per table"))
}

/// The maximum throughput of a table.
const MAX_UNITS: i64 = keyfold_dynamo::limits::TABLE_CAPACITY_UNITS.cast_signed();

fn refuse_unused_definitions(input: &CreateTableInput) -> Result<(), ServiceError> {
    let specs = input.local_indexes.iter().chain(&input.global_indexes).flatten();
    let used: BTreeSet<&str> = input
        .key_schema
        .iter()
        .chain(specs.flat_map(|spec| &spec.key_schema))
        .map(|element| element.name.as_str())
        .collect();
    if used.len() == input.attribute_definitions.len() {
        return Ok(());
    }
    Err(invalid(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions",
    ))
}
