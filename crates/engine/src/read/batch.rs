//! BatchGetItem.

use keyfold_dynamo::capacity::{Consistency, read_units};
use keyfold_dynamo::expression::Projection;
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{BatchGetItemInput, BatchGetItemOutput, KeysAndAttributes};
use keyfold_dynamo::{Item, ServiceError};

use super::get::{project, stored_item};
use crate::capacity::{Consumption, Direction};
use crate::shared::Shared;
use crate::write::{check_key, report_by_table};

impl Shared {
    pub(crate) fn batch_get_item(&self, input: BatchGetItemInput) -> Result<BatchGetItemOutput, ServiceError> {
        input.requests.iter().try_for_each(|(_, request)| request.refuse_duplicates())?;
        let mut tables = Vec::with_capacity(input.requests.len());
        for (name, request) in &input.requests {
            let table = self.catalog.table(name)?.definition();
            table.refuse_paths_into_keys(request.projection.iter().flat_map(Projection::paths))?;
            request.keys.iter().try_for_each(|key| check_key(&table.key, key))?;
            tables.push(table);
        }
        let snapshot = self.store.snapshot();
        let mut output = BatchGetItemOutput::default();
        let mut consumed = Vec::new();
        let mut bytes = 0;
        for ((name, request), table) in input.requests.into_iter().zip(tables) {
            let found = output.responses.entry(name.clone()).or_default();
            let mut keys = request.keys.into_iter();
            let mut left_over = Vec::new();
            for key in keys.by_ref() {
                let stored = stored_item(snapshot.as_ref(), &table, &key)?;
                let size = stored.as_ref().map_or(Ok(0), Item::size)?;
                bytes += size;
                // Keys beyond the size limit of a response are returned as unprocessed.
                if bytes > limits::BATCH_GET_BYTES {
                    left_over.push(key);
                    break;
                }
                let units = read_units(size, Consistency::for_read(request.consistent_read));
                consumed.push((name.clone(), Consumption::for_table(units)));
                found.extend(stored.map(|item| project(request.projection.as_ref(), item)).transpose()?);
            }
            left_over.extend(keys);
            if !left_over.is_empty() {
                output.unprocessed.push((name, KeysAndAttributes { keys: left_over, ..request }));
            }
        }
        output.consumed_capacity =
            report_by_table(consumed.into_iter(), input.return_consumed_capacity, Direction::Plain);
        Ok(output)
    }
}
