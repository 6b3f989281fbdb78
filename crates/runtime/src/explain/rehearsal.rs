//! A backend that reads the table and notes every request, but writes nothing: each write succeeds without effect.

use std::collections::HashMap;

use keyfold_design::Design;
use keyfold_design::model::Projection;
use keyfold_dynamo::capacity::{Consistency, TRANSACTION_FACTOR, read_units};
use keyfold_dynamo::item::codec;
use keyfold_dynamo::operation::{
    ConsumedCapacity, DeleteItemInput, GetItemInput, GetItemOutput, PageOutput, PutItemInput, QueryInput,
    ReturnConsumedCapacity, ReturnValues, TransactWrite, TransactWriteItemsInput, TransactWriteItemsOutput,
    TransactWriteKind, UpdateItemInput, WriteOptions, WriteOutput,
};
use keyfold_dynamo::{Attributes, Backend, BackendFuture, ForwardingBackend, Item, ServiceError};
use parking_lot::Mutex;

use super::planned_request::PlannedRequest;
use super::write_cost::{TYPICAL_ITEM_BYTES, assumed_units, known_units};

/// The backend of an explanation.
pub(super) struct Rehearsal<'b> {
    design: &'b Design,
    table: &'b dyn Backend,
    noted: Mutex<NotedRequests>,
    /// The items that the call has read, as its writes leave them, by their encoded keys; `None` if there is none.
    known: Mutex<HashMap<Vec<u8>, Option<Attributes>>>,
}

/// The requests so far.
#[derive(Default)]
pub(crate) struct NotedRequests {
    pub requests: Vec<PlannedRequest>,
    pub read_units: f64,
    pub write_units: f64,
    /// The size that was assumed of items that the call does not read; absent if it reads all of them.
    pub assumed_item_bytes: Option<usize>,
}

impl<'b> Rehearsal<'b> {
    pub(super) fn new(design: &'b Design, table: &'b dyn Backend) -> Self {
        Self { design, table, noted: Mutex::default(), known: Mutex::default() }
    }

    pub(super) fn into_noted(self) -> NotedRequests {
        self.noted.into_inner()
    }

    fn note_read(&self, request: PlannedRequest, consumed: Option<ConsumedCapacity>, consistent: bool) {
        let mut noted = self.noted.lock();
        noted.requests.push(request);
        // A backend that does not report it: the smallest read.
        let smallest = read_units(0, Consistency::for_read(consistent));
        noted.read_units += consumed.map_or(smallest, |consumed| consumed.total.capacity);
    }

    fn note_write(&self, write: &TransactWrite, in_transaction: bool) -> Result<(), ServiceError> {
        let key = match &write.kind {
            TransactWriteKind::Put { item } => self.key_of(item),
            TransactWriteKind::Update { key, .. }
            | TransactWriteKind::Delete { key }
            | TransactWriteKind::ConditionCheck { key } => key.clone(),
        };
        let (mut known, mut noted) = (self.known.lock(), self.noted.lock());
        let units = match known.get_mut(&codec::encode(&key)) {
            Some(item) => {
                let after = match &write.kind {
                    TransactWriteKind::Put { item } => Some(item.clone()),
                    TransactWriteKind::Update { update, .. } => Some(update.apply(item.as_ref().unwrap_or(&key))?.item),
                    TransactWriteKind::Delete { .. } => None,
                    TransactWriteKind::ConditionCheck { .. } => item.clone(),
                };
                // A put of a new item costs what it would with a free key: the caller may not know who has the key.
                let replaces = |stored: &&Attributes| match (&write.kind, &write.condition) {
                    (TransactWriteKind::Put { .. }, Some(condition)) => condition.matches(stored),
                    _ => true,
                };
                let units = known_units(self.design, item.as_ref().filter(replaces), after.as_ref());
                *item = after;
                units
            }
            None => {
                if !matches!(write.kind, TransactWriteKind::Put { .. }) {
                    noted.assumed_item_bytes = Some(TYPICAL_ITEM_BYTES);
                }
                assumed_units(self.design, &write.kind)
            }
        };
        noted.write_units += units * if in_transaction { TRANSACTION_FACTOR } else { 1.0 };
        noted.requests.push(PlannedRequest::write(write, &key, in_transaction));
        Ok(())
    }

    fn key_of(&self, item: &Attributes) -> Attributes {
        let keys = item.iter().filter(|(name, _)| self.design.is_table_key(name));
        keys.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Whether the table itself is read, or an index that holds all attributes.
    fn holds_whole_items(&self, index: Option<&str>) -> bool {
        let Some(name) = index else { return true };
        let mut indexes = self.design.indexes.iter();
        indexes.any(|index| index.name == name && index.projection == Projection::All)
    }

    fn note_single(
        &self,
        table_name: String,
        kind: TransactWriteKind,
        options: WriteOptions,
    ) -> Result<WriteOutput, ServiceError> {
        let condition = options.condition;
        let write = TransactWrite { table_name, kind, condition, return_old_on_failure: false };
        self.note_write(&write, false).map(|()| WriteOutput::default())
    }

    /// The attributes that an update would leave: a planner needs the number that it draws from a sequence. The call
    /// itself does not send this read.
    async fn updated(&self, input: &UpdateItemInput) -> Result<Option<Attributes>, ServiceError> {
        let (ReturnValues::UpdatedNew, Some(update)) = (input.options.return_values, &input.update) else {
            return Ok(None);
        };
        let (table_name, key) = (input.table_name.clone(), input.key.clone());
        let read = GetItemInput { table_name, key, consistent_read: true, ..GetItemInput::default() };
        let stored = self.table.get_item(read).await?.item.map(Item::into_attributes).transpose()?;
        let item = update.apply(stored.as_ref().unwrap_or(&input.key))?.item;
        Ok(Some(update.project_touched(&item)))
    }
}

impl ForwardingBackend for Rehearsal<'_> {
    fn inner(&self) -> &dyn Backend {
        self.table
    }

    /// Every other operation: it must not reach the table unnoted.
    fn before(&self, operation: &'static str) -> Result<(), ServiceError> {
        Err(ServiceError::Internal(format!("{operation} cannot be explained")))
    }

    fn get_item(&self, mut input: GetItemInput) -> BackendFuture<'_, GetItemOutput> {
        Box::pin(async move {
            input.return_consumed_capacity = ReturnConsumedCapacity::Total;
            let (request, consistent) = (PlannedRequest::get(&input), input.consistent_read);
            let key = codec::encode(&input.key);
            let mut output = self.table.get_item(input).await?;
            self.note_read(request, output.consumed_capacity.take(), consistent);
            let item = output.item.as_ref().map(|item| item.attributes().cloned()).transpose()?;
            self.known.lock().entry(key).or_insert(item);
            Ok(output)
        })
    }

    fn query(&self, mut input: QueryInput) -> BackendFuture<'_, PageOutput> {
        Box::pin(async move {
            input.page.return_consumed_capacity = ReturnConsumedCapacity::Total;
            let (request, consistent) = (PlannedRequest::query(&input), input.page.consistent_read);
            let index = input.page.index_name.clone();
            let mut output = self.table.query(input).await?;
            self.note_read(request, output.consumed_capacity.take(), consistent);
            for item in output.items.iter().flatten().filter(|_| self.holds_whole_items(index.as_deref())) {
                let item = item.attributes()?;
                let key = codec::encode(&self.key_of(item));
                self.known.lock().entry(key).or_insert_with(|| Some(item.clone()));
            }
            Ok(output)
        })
    }

    fn put_item(&self, input: PutItemInput) -> BackendFuture<'_, WriteOutput> {
        let noted = self.note_single(input.table_name, TransactWriteKind::Put { item: input.item }, input.options);
        Box::pin(async { noted })
    }

    fn update_item(&self, input: UpdateItemInput) -> BackendFuture<'_, WriteOutput> {
        Box::pin(async move {
            let attributes = self.updated(&input).await?;
            let UpdateItemInput { table_name, key, update, options } = input;
            let kind = match update {
                Some(update) => TransactWriteKind::Update { key, update },
                None => TransactWriteKind::ConditionCheck { key },
            };
            Ok(WriteOutput { attributes, ..self.note_single(table_name, kind, options)? })
        })
    }

    fn delete_item(&self, input: DeleteItemInput) -> BackendFuture<'_, WriteOutput> {
        let noted = self.note_single(input.table_name, TransactWriteKind::Delete { key: input.key }, input.options);
        Box::pin(async { noted })
    }

    fn transact_write_items(&self, input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        let noted = input.writes.iter().try_for_each(|write| self.note_write(write, true));
        Box::pin(async { noted.map(|()| TransactWriteItemsOutput::default()) })
    }
}
