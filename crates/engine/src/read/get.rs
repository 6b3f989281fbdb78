//! GetItem and TransactGetItems.

use keyfold_dynamo::capacity::{Consistency, read_units};
use keyfold_dynamo::error::CancellationReason;
use keyfold_dynamo::expression::Projection;
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{GetItemInput, GetItemOutput, TransactGetItemsInput, TransactGetItemsOutput};
use keyfold_dynamo::{Attributes, Item, ServiceError};

use crate::capacity::{Consumption, Direction};
use crate::catalog::TableDefinition;
use crate::commit::store_failed;
use crate::rows::layout;
use crate::shared::Shared;
use crate::store::{Row, Snapshot};
use crate::write::{check_key, report_by_table};

impl Shared {
    pub(crate) fn get_item(&self, input: &GetItemInput) -> Result<GetItemOutput, ServiceError> {
        let table = self.catalog.table(&input.table_name)?.definition();
        check_key(&table.key, &input.key)?;
        table.refuse_paths_into_keys(input.projection.iter().flat_map(Projection::paths))?;
        let stored = stored_item(self.store.snapshot().as_ref(), &table, &input.key)?;
        let size = stored.as_ref().map_or(Ok(0), Item::size)?;
        let units = read_units(size, Consistency::for_read(input.consistent_read));
        Ok(GetItemOutput {
            item: stored.map(|item| project(input.projection.as_ref(), item)).transpose()?,
            consumed_capacity: Consumption::for_table(units).report(
                &table.name,
                input.return_consumed_capacity,
                Direction::Plain,
            ),
        })
    }

    pub(crate) fn transact_get_items(
        &self,
        input: &TransactGetItemsInput,
    ) -> Result<TransactGetItemsOutput, ServiceError> {
        let mut gets = Vec::with_capacity(input.gets.len());
        for get in &input.gets {
            let table = self.catalog.table(&get.table_name)?.definition();
            table.refuse_paths_into_keys(get.projection.iter().flat_map(Projection::paths))?;
            gets.push((table, &get.key, get.projection.as_ref()));
        }
        let reasons: Vec<CancellationReason> = gets
            .iter()
            .map(|(table, key, _)| match check_key(&table.key, key) {
                Ok(()) => CancellationReason::NONE,
                Err(error) => CancellationReason::validation(error.to_string()),
            })
            .collect();
        if reasons.iter().any(|reason| *reason != CancellationReason::NONE) {
            return Err(ServiceError::TransactionCanceled { reasons });
        }
        refuse_duplicate_gets(&gets)?;
        // One snapshot for all items, so that no transaction is seen partially.
        let snapshot = self.store.snapshot();
        let mut items = Vec::with_capacity(gets.len());
        let mut consumed = Vec::with_capacity(gets.len());
        let mut bytes = 0;
        for (table, key, projection) in &gets {
            let stored = stored_item(snapshot.as_ref(), table, key)?;
            let size = stored.as_ref().map_or(Ok(0), Item::size)?;
            bytes += size;
            let units = read_units(size, Consistency::Transactional);
            consumed.push((table.name.clone(), Consumption::for_table(units)));
            items.push(stored.map(|item| project(*projection, item)).transpose()?);
        }
        if bytes > limits::TRANSACTION_BYTES {
            return Err(ServiceError::validation(
                "Aggregated size of all the items in a transaction request cannot exceed 4 MB",
            ));
        }
        let consumed_capacity = report_by_table(consumed.into_iter(), input.return_consumed_capacity, Direction::Read);
        Ok(TransactGetItemsOutput { items, consumed_capacity })
    }
}

type Get<'a> = (std::sync::Arc<TableDefinition>, &'a Attributes, Option<&'a Projection>);

fn refuse_duplicate_gets(gets: &[Get<'_>]) -> Result<(), ServiceError> {
    let distinct: std::collections::BTreeSet<_> =
        gets.iter().map(|(table, key, _)| layout::item_row(table.id, &table.key, key)).collect();
    if distinct.len() < gets.len() {
        return Err(ServiceError::validation("Transaction request cannot include multiple operations on one item"));
    }
    Ok(())
}

/// The item with a key that has been checked.
pub(super) fn stored_item(
    snapshot: &dyn Snapshot,
    table: &TableDefinition,
    key: &Attributes,
) -> Result<Option<Item>, ServiceError> {
    let Some(row) = layout::item_row(table.id, &table.key, key) else { return Ok(None) };
    let stored = snapshot.get(&row).map_err(|error| store_failed(&error))?;
    Ok(stored.map(encoded_item))
}

/// An item in its stored encoding; responses are written directly from it.
pub(super) fn encoded_item(stored: Row) -> Item {
    Item::from_encoded(stored.into_bytes())
}

pub(super) fn project(projection: Option<&Projection>, item: Item) -> Result<Item, ServiceError> {
    match projection {
        Some(projection) => Ok(projection.apply(item.attributes()?).into()),
        None => Ok(item),
    }
}
