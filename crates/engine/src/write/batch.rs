//! BatchWriteItem: puts and deletes without conditions. All of them are in one commit, which DynamoDB does not
//! guarantee.

use std::sync::Arc;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::check_item_size;
use keyfold_dynamo::operation::{BatchWriteItemInput, BatchWriteItemOutput, BatchWriteRequest};

use super::intent::{Action, Intent};
use super::pending::Pending;
use super::single::collection_metrics;
use super::transact::{Evaluation, PlannedWrite, refuse_duplicates, report_by_table};
use crate::capacity::{Consumption, Direction};
use crate::commit::Commit;
use crate::shared::Shared;

impl Shared {
    pub(crate) fn batch_write_item(
        &self,
        input: BatchWriteItemInput,
    ) -> Result<Pending<BatchWriteItemOutput>, ServiceError> {
        for request in input.requests.iter().flat_map(|(_, requests)| requests) {
            if let BatchWriteRequest::Put { item } = request {
                check_item_size(item)?;
            }
        }
        let names: Vec<String> = input.requests.iter().map(|(name, _)| name.clone()).collect();
        let tables = self.tables_in_order(&names)?;
        let gates = tables.values().map(|table| table.enter()).collect::<Result<Vec<_>, _>>()?;
        let mut parts = Vec::new();
        for (name, requests) in input.requests {
            let definition = gates
                .iter()
                .map(|gate| &gate.definition)
                .find(|definition| definition.name == name)
                .ok_or_else(ServiceError::no_such_table)?;
            for request in requests {
                let intent = Intent::plain(match request {
                    BatchWriteRequest::Put { item } => Action::Put { item },
                    BatchWriteRequest::Delete { key } => Action::Delete { key },
                });
                // For a put without a key attribute, DynamoDB's text here is the one for keys.
                let row = intent.row(definition)?;
                intent.check(definition)?;
                parts.push(PlannedWrite { intent, definition: Arc::clone(definition), row });
            }
        }
        refuse_duplicates(&parts, "Provided list of item keys contains duplicates")?;
        if parts.iter().any(|part| part.intent.adds_data()) {
            self.disk_reserve.require_space()?;
        }

        let mut locks = self.lock_all(&parts);
        let mut commit = Commit::default();
        let applied = match self.evaluate(&parts, &mut locks, &mut commit)? {
            Evaluation::Applied(applied) => applied,
            // Puts and deletes without a condition are never refused.
            Evaluation::Refused { .. } => {
                return Err(ServiceError::Internal("a batch write was refused without a condition".to_owned()));
            }
        };
        let (_, handle) = self.enqueue_all(commit, applied.new_values)?;
        let mut output = BatchWriteItemOutput::default();
        let consumed = parts
            .iter()
            .zip(&applied.outcomes)
            .map(|(part, done)| (part.definition.name.clone(), Consumption::for_write(&done.cost, 1.0)));
        output.consumed_capacity = report_by_table(consumed, input.return_consumed_capacity, Direction::Plain);
        if input.return_collection_metrics {
            for part in &parts {
                if let Some(touched) = collection_metrics(&part.definition, &part.intent) {
                    output.item_collection_metrics.entry(part.definition.name.clone()).or_default().push(touched);
                }
            }
        }
        Ok(Pending::new(Ok(output), Some(handle)))
    }
}
