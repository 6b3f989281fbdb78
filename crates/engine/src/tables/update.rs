//! UpdateTable: billing, throughput, deletion protection, and one index added or deleted at a time.

use std::collections::BTreeSet;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{IndexUpdate, UpdateTableInput};
use keyfold_dynamo::table::{AttributeDefinition, BillingMode, IndexSpec, TableDescription, TableStatus, Throughput};

use super::create::check_throughput_limit;
use super::delete::purge;
use super::index_rules::{check_index, check_throughput, index_definition};
use super::key_schema::invalid;
use crate::catalog::{IndexDefinition, IndexKind, IndexState, TableDefinition, ThroughputSetting};
use crate::shared::Shared;
use crate::store::Change;
use crate::write::Pending;

impl Shared {
    pub(crate) fn update_table(&self, input: UpdateTableInput) -> Result<Pending<TableDescription>, ServiceError> {
        check_request(&input)?;
        let _one_at_a_time = self.definitions.lock();
        let table = self.existing_table(&input.table_name)?;
        let before = table.definition();
        let mut after = (*before).clone();
        let now = self.now_ms();
        apply_settings(&mut after, &input, now)?;
        let mut changes = Vec::new();
        let mut deleted = None;
        for update in input.index_updates.iter().flatten() {
            match update {
                IndexUpdate::Create(spec) => {
                    self.disk_reserve.require_space()?;
                    let (id, ids) = self.catalog.allocate_ids(1);
                    add_index(&mut after, spec, &input.attribute_definitions, id)?;
                    changes.push(ids);
                }
                IndexUpdate::Delete { name } => deleted = Some(delete_index(&mut after, name, &mut changes)?),
                IndexUpdate::Update { name, throughput, on_demand } => {
                    let index = find_index(&mut after, name)?;
                    if let Some(throughput) = throughput {
                        set_throughput(&mut index.throughput, *throughput, now)?;
                    }
                    index.on_demand = on_demand.or(index.on_demand);
                }
            }
        }
        drop_unused_definitions(&mut after);
        let (definition, handle) = self.redefine(&table, |definition| *definition = after, changes)?;
        let mut description = self.describe(&definition);
        description.status = TableStatus::Updating;
        if let Some(index) = deleted {
            let before = self.describe(&before);
            let mut gone = before.global_indexes.into_iter().find(|other| other.name == index.name);
            if let Some(index) = &mut gone {
                index.status = Some(TableStatus::Deleting);
            }
            description.global_indexes.extend(gone);
        }
        Ok(Pending::new(Ok(description), Some(handle)))
    }
}

fn check_request(input: &UpdateTableInput) -> Result<(), ServiceError> {
    let nothing = input.billing_mode.is_none()
        && input.throughput.is_none()
        && input.on_demand.is_none()
        && input.index_updates.as_ref().is_none_or(Vec::is_empty)
        && input.deletion_protection.is_none()
        && input.table_class.is_none();
    if nothing {
        return Err(ServiceError::validation(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required",
        ));
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = input.index_updates.iter().flatten().map(updated_index).find(|name| !names.insert(*name)) {
        return Err(invalid(format!(
            "Only one global secondary index update per index is allowed simultaneously. Index: {twice}"
        )));
    }
    let structural =
        input.index_updates.iter().flatten().filter(|update| !matches!(update, IndexUpdate::Update { .. })).count();
    if structural > 1 {
        return Err(ServiceError::LimitExceeded(
            "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
                .to_owned(),
        ));
    }
    Ok(())
}

fn updated_index(update: &IndexUpdate) -> &str {
    match update {
        IndexUpdate::Create(spec) => &spec.name,
        IndexUpdate::Update { name, .. } | IndexUpdate::Delete { name } => name,
    }
}

fn apply_settings(table: &mut TableDefinition, input: &UpdateTableInput, now: u64) -> Result<(), ServiceError> {
    if let Some(mode) = input.billing_mode {
        set_billing_mode(table, mode, input, now)?;
    } else if let Some(throughput) = input.throughput {
        if table.billing_mode == BillingMode::PayPerRequest {
            return Err(invalid(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
            ));
        }
        set_throughput(&mut table.throughput, throughput, now)?;
    }
    if let Some(protection) = input.deletion_protection {
        table.deletion_protection = protection;
    }
    table.on_demand = input.on_demand.or(table.on_demand);
    if input.table_class.is_some() {
        table.table_class.clone_from(&input.table_class);
    }
    Ok(())
}

fn set_billing_mode(
    table: &mut TableDefinition,
    mode: BillingMode,
    input: &UpdateTableInput,
    now: u64,
) -> Result<(), ServiceError> {
    match (mode, input.throughput) {
        (BillingMode::PayPerRequest, Some(_)) => {
            return Err(invalid(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
            ));
        }
        (BillingMode::PayPerRequest, None) => {
            if table.billing_mode != mode {
                table.on_demand_since_ms = Some(now);
                table.throughput = ThroughputSetting::default();
                for index in &mut table.indexes {
                    index.throughput = ThroughputSetting::default();
                }
            }
        }
        (BillingMode::Provisioned, Some(throughput)) => {
            if table.billing_mode == mode {
                set_throughput(&mut table.throughput, throughput, now)?;
            } else {
                table.throughput =
                    ThroughputSetting { read: throughput.read, write: throughput.write, ..table.throughput };
            }
        }
        (BillingMode::Provisioned, None) if table.billing_mode == mode => {}
        (BillingMode::Provisioned, None) => {
            return Err(invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED"));
        }
    }
    table.billing_mode = mode;
    Ok(())
}

fn set_throughput(setting: &mut ThroughputSetting, new: Throughput, now: u64) -> Result<(), ServiceError> {
    if (setting.read, setting.write) == (new.read, new.write) {
        return Err(ServiceError::validation(format!(
            "The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: {}. Requested ReadCapacityUnits: {}. Current WriteCapacityUnits provisioned for the table: {}. Requested WriteCapacityUnits: {}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
            setting.read, new.read, setting.write, new.write
        )));
    }
    check_throughput_limit(new)?;
    if new.read > setting.read || new.write > setting.write {
        setting.last_increase_ms = Some(now);
    }
    if new.read < setting.read || new.write < setting.write {
        setting.decreases_today = setting.decreases_on_day_of(now) + 1;
        setting.last_decrease_ms = Some(now);
    }
    setting.read = new.read;
    setting.write = new.write;
    Ok(())
}

fn add_index(
    table: &mut TableDefinition,
    spec: &IndexSpec,
    definitions: &[AttributeDefinition],
    id: u32,
) -> Result<(), ServiceError> {
    if table.index(&spec.name).is_some() {
        return Err(ServiceError::validation("Attempting to create an index which already exists"));
    }
    if table.indexes.iter().any(|index| index.state == IndexState::Backfilling) {
        return Err(ServiceError::LimitExceeded(
            "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
                .to_owned(),
        ));
    }
    if table.indexes.iter().filter(|index| index.kind == IndexKind::Global).count() >= limits::GLOBAL_INDEXES {
        return Err(ServiceError::LimitExceeded(format!(
            "Subscriber limit exceeded: Number of GSIs exceeds the per-table limit of {}",
            limits::GLOBAL_INDEXES
        )));
    }
    let mut all = table.attribute_definitions.clone();
    for definition in definitions {
        match all.iter().find(|known| known.name == definition.name) {
            None => all.push(definition.clone()),
            Some(known) if known.key_type == definition.key_type => {}
            Some(_) => {
                return Err(ServiceError::validation(
                    "invalid attribute, SchemaElement redefined should be of same type as previously defined",
                ));
            }
        }
    }
    check_index(spec, if definitions.is_empty() { &all } else { definitions })?;
    check_throughput(spec, table.billing_mode)?;
    let index = index_definition(spec, IndexKind::Global, id, &all, IndexState::Backfilling)?;
    table.attribute_definitions = all;
    table.indexes.push(index);
    Ok(())
}

fn find_index<'a>(table: &'a mut TableDefinition, name: &str) -> Result<&'a mut IndexDefinition, ServiceError> {
    table
        .indexes
        .iter_mut()
        .find(|index| index.kind == IndexKind::Global && index.name == name)
        .ok_or_else(|| ServiceError::ResourceNotFound("Requested resource not found".to_owned()))
}

fn delete_index(
    table: &mut TableDefinition,
    name: &str,
    changes: &mut Vec<Change>,
) -> Result<IndexDefinition, ServiceError> {
    let index = find_index(table, name)?.clone();
    table.indexes.retain(|other| other.id != index.id);
    changes.push(purge(index.id));
    Ok(index)
}

/// Removes attribute definitions that no key uses any more.
fn drop_unused_definitions(table: &mut TableDefinition) {
    let TableDefinition { attribute_definitions, key, indexes, .. } = table;
    attribute_definitions.retain(|definition| {
        key.contains(&definition.name) || indexes.iter().any(|index| index.key.contains(&definition.name))
    });
}
