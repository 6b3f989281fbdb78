//! PutItem, UpdateItem and DeleteItem.

use std::sync::Arc;

use keyfold_dynamo::operation::check_item_size;
use keyfold_dynamo::operation::{
    DeleteItemInput, ItemCollectionMetrics, PutItemInput, ReturnValues, UpdateItemInput, WriteOptions, WriteOutput,
};
use keyfold_dynamo::{Attributes, ServiceError};

use super::intent::{Action, Intent, Refusal};
use super::pending::Pending;
use super::{read_newest, row_changes};
use crate::capacity::{Consumption, Direction, WriteCost};
use crate::catalog::TableDefinition;
use crate::commit::Commit;
use crate::shared::Shared;

impl Shared {
    pub(crate) fn put_item(&self, input: PutItemInput) -> Result<Pending<WriteOutput>, ServiceError> {
        let PutItemInput { table_name, item, options } = input;
        check_return_values(&options)?;
        check_item_size(&item)?;
        self.write_item(&table_name, Action::Put { item }, options)
    }

    pub(crate) fn delete_item(&self, input: DeleteItemInput) -> Result<Pending<WriteOutput>, ServiceError> {
        let DeleteItemInput { table_name, key, options } = input;
        check_return_values(&options)?;
        self.write_item(&table_name, Action::Delete { key }, options)
    }

    pub(crate) fn update_item(&self, input: UpdateItemInput) -> Result<Pending<WriteOutput>, ServiceError> {
        let UpdateItemInput { table_name, key, update, options } = input;
        self.write_item(&table_name, Action::Update { key, update }, options)
    }

    fn write_item(
        &self,
        table_name: &str,
        action: Action,
        mut options: WriteOptions,
    ) -> Result<Pending<WriteOutput>, ServiceError> {
        let intent = Intent::new(action, options.condition.take(), options.return_old_on_failure)?;
        let table = self.catalog.table(table_name)?;
        let gate = table.enter()?;
        let definition = &gate.definition;
        intent.check(definition)?;
        if intent.adds_data() {
            self.disk_reserve.require_space()?;
        }
        let row = intent.row(definition)?;

        let mut lock = self.in_flight.lock(&row);
        let newest = read_newest(self, &lock, &row)?;
        let new = match intent.apply(definition, newest.item.as_deref()) {
            Ok(new) => new.map(Arc::new),
            Err(refusal) => {
                let error = refused(refusal, &intent, newest.item.as_deref());
                let handle = if newest.uncommitted { Some(self.committer.barrier()?) } else { None };
                return Ok(Pending::new(Err(error), handle));
            }
        };
        let mut commit = Commit::default();
        let cost = row_changes(self, definition, &row, &newest, new.as_deref(), &mut commit)?;
        let handle = if commit.changes.is_empty() {
            if newest.uncommitted { Some(self.committer.barrier()?) } else { None }
        } else {
            commit.slots.extend(lock.slot());
            let (number, handle) = self.committer.enqueue(commit)?;
            lock.publish(new.clone(), number);
            Some(handle)
        };
        drop(lock);
        let output = output(definition, &intent, &options, newest.item.as_deref(), new.as_deref(), &cost);
        Ok(Pending::new(Ok(output), handle))
    }
}

fn check_return_values(options: &WriteOptions) -> Result<(), ServiceError> {
    match options.return_values {
        ReturnValues::None | ReturnValues::AllOld => Ok(()),
        _ => Err(ServiceError::validation("ReturnValues can only be ALL_OLD or NONE")),
    }
}

fn refused(refusal: Refusal, intent: &Intent, old: Option<&Attributes>) -> ServiceError {
    match refusal {
        Refusal::Invalid(error) => error,
        Refusal::Condition => ServiceError::ConditionalCheckFailed {
            item: if intent.return_old_on_failure { old.cloned() } else { None },
        },
    }
}

fn output(
    definition: &TableDefinition,
    intent: &Intent,
    options: &WriteOptions,
    old: Option<&Attributes>,
    new: Option<&Attributes>,
    cost: &WriteCost,
) -> WriteOutput {
    WriteOutput {
        attributes: returned_attributes(intent, options.return_values, old, new),
        consumed_capacity: Consumption::for_write(cost, 1.0).report(
            &definition.name,
            options.return_consumed_capacity,
            Direction::Plain,
        ),
        item_collection_metrics: if options.return_collection_metrics {
            collection_metrics(definition, intent)
        } else {
            None
        },
    }
}

fn returned_attributes(
    intent: &Intent,
    wanted: ReturnValues,
    old: Option<&Attributes>,
    new: Option<&Attributes>,
) -> Option<Attributes> {
    let touched = |item: Option<&Attributes>| match &intent.action {
        Action::Update { update: Some(update), .. } => item.map(|item| update.project_touched(item)),
        _ => None,
    };
    let attributes = match wanted {
        ReturnValues::None => None,
        ReturnValues::AllOld => old.cloned(),
        ReturnValues::AllNew => new.cloned(),
        ReturnValues::UpdatedOld => touched(old),
        ReturnValues::UpdatedNew => touched(new),
    };
    attributes.filter(|attributes| !attributes.is_empty())
}

/// The collection a write touched; DynamoDB reports it only for tables with local indexes.
pub(super) fn collection_metrics(definition: &TableDefinition, intent: &Intent) -> Option<ItemCollectionMetrics> {
    if !definition.has_local_indexes() {
        return None;
    }
    let value = intent.partition_value(definition)?;
    Some(ItemCollectionMetrics { key: (definition.key.partition.name.clone(), value), size_estimate_gb: [0.0, 1.0] })
}
