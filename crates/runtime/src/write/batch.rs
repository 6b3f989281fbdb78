//! Many independent writes, as few requests as possible.

use keyfold_design::model::{AttributeType, Entity, Stamp, Verb};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::limits::BATCH_WRITE_REQUESTS;
use keyfold_dynamo::operation::{BatchWriteItemInput, BatchWriteRequest};

use super::command::{DeleteOptions, Write};
use super::plan::Effect;
use super::planner::{require_deletable, tenant_condition};
use super::side_writes::NoSideWrites;
use super::writer::Writer;
use crate::attribute_dependencies::has_dependent_items;
use crate::authorize::{Access, Authorized, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::incoming_references::needs_deletion_mark;
use crate::names::entity_named;
use crate::record::Record;
use crate::retry;
use crate::tenancy::confinement;

/// The outcome of one write of a batch: the record that it leaves, `None` for deletes.
pub type BatchOutcome = Result<Option<Record>, Error>;

/// Sends writes in batches where that is possible.
pub(super) struct BatchWriter<'r> {
    pub writer: Writer<'r>,
}

/// A write that can be sent in a batch.
struct BatchedWrite {
    key: Vec<u8>,
    request: BatchWriteRequest,
    record: Option<Record>,
}

/// A batched write with its position among the writes of the call.
struct QueuedWrite {
    position: usize,
    write: BatchedWrite,
}

impl<'r> BatchWriter<'r> {
    pub(super) async fn write(&self, caller: &'r Caller, writes: Vec<Write>) -> Vec<BatchOutcome> {
        let mut outcomes: Vec<BatchOutcome> = Vec::with_capacity(writes.len());
        let mut batch: Vec<QueuedWrite> = Vec::new();
        for (position, write) in writes.iter().enumerate() {
            let batched = match self.batch_request(caller, write).await {
                Ok(batched) => batched,
                Err(error) => {
                    outcomes.push(Err(error));
                    continue;
                }
            };
            // A request may name an item once, and writes of one item keep their order.
            let again = batched.as_ref().is_some_and(|new| batch.iter().any(|queued| queued.write.key == new.key));
            if again || batched.is_none() || batch.len() == BATCH_WRITE_REQUESTS {
                self.send(caller, &writes, std::mem::take(&mut batch), &mut outcomes).await;
            }
            match batched {
                Some(write) => {
                    outcomes.push(Ok(None));
                    batch.push(QueuedWrite { position, write });
                }
                None => outcomes.push(self.write_single(caller, write.clone()).await),
            }
        }
        self.send(caller, &writes, batch, &mut outcomes).await;
        outcomes
    }

    async fn write_single(&self, caller: &'r Caller, write: Write) -> BatchOutcome {
        match write {
            Write::Delete { entity, identity, options } => {
                match self.writer.delete(caller, &entity, identity, options, &NoSideWrites).await {
                    Ok(()) | Err(Error::NotFound { .. }) => Ok(None),
                    Err(error) => Err(error),
                }
            }
            write => {
                let records = self.writer.transact(caller, vec![write], &NoSideWrites).await?;
                Ok(records.into_iter().next().flatten())
            }
        }
    }

    /// The request of a write that can be sent in a batch; `None` if it has to be written by itself.
    async fn batch_request(&self, caller: &'r Caller, write: &Write) -> Result<Option<BatchedWrite>, Error> {
        let entity = entity_named(self.writer.planner.design, write.entity())?;
        if !self.is_unconditional(caller, entity) {
            return Ok(None);
        }
        match write {
            Write::Put { .. } => self.batched_put(caller, entity, write).await,
            Write::Delete { identity, options, .. } if options.expected_version.is_none() => {
                self.batched_delete(caller, entity, identity.clone(), *options)
            }
            Write::Create { .. } | Write::Upsert { .. } | Write::Patch { .. } | Write::Delete { .. } => Ok(None),
        }
    }

    async fn batched_put(
        &self,
        caller: &'r Caller,
        entity: &'r Entity,
        write: &Write,
    ) -> Result<Option<BatchedWrite>, Error> {
        let planner = &self.writer.planner;
        // Whether the item exists is not known, so the caller needs the right to create and the right to change.
        let (Some(create), Some(update)) =
            (self.allowed(caller, Verb::Create, entity), self.allowed(caller, Verb::Update, entity))
        else {
            return Ok(None);
        };
        if self.keeps_values(&update) {
            return Ok(None);
        }
        let put = planner.authorize(caller, write.clone()).await?;
        let Write::Put { attributes, .. } = put.write else { return Ok(None) };
        let planned = planner.plan_create(&create, attributes, &put.generated_ids).await?;
        let [action] = planned.plan.actions.as_slice() else { return Ok(None) };
        let Effect::Put(item) = &action.effect else { return Ok(None) };
        let mut record = planned.record;
        if let Some(record) = &mut record {
            planner.reader(caller).conceal(entity, record);
        }
        let request = BatchWriteRequest::Put { item: item.clone() };
        Ok(Some(BatchedWrite { key: codec::encode(&action.key), request, record }))
    }

    fn batched_delete(
        &self,
        caller: &'r Caller,
        entity: &'r Entity,
        mut identity: Attributes,
        options: DeleteOptions,
    ) -> Result<Option<BatchedWrite>, Error> {
        let planner = &self.writer.planner;
        let Some(authorized) = self.allowed(caller, Verb::Delete, entity) else { return Ok(None) };
        require_deletable(entity, options)?;
        let target = match planner.targets().bind(&authorized, &mut identity) {
            Ok(target) => target,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let key = planner.items.key_of(entity, &target.identity)?;
        let encoded = codec::encode(&key);
        Ok(Some(BatchedWrite { key: encoded, request: BatchWriteRequest::Delete { key }, record: None }))
    }

    /// The authorization of a verb for every item; `None` if it is denied or depends on the item.
    fn allowed(&self, caller: &'r Caller, verb: Verb, entity: &'r Entity) -> Option<Authorized<'r>> {
        let access = Access { caller, verb, entity, pattern: None };
        authorize(self.writer.planner.authorizer, access).ok().filter(|authorized| !authorized.reads_items())
    }

    /// Whether a put or a delete by this caller depends on no stored item but its own, and writes one item only.
    fn is_unconditional(&self, caller: &Caller, entity: &Entity) -> bool {
        let design = self.writer.planner.design;
        let confined = confinement(design, caller);
        !has_dependent_items(entity)
            && entity.references.is_empty()
            && !needs_deletion_mark(design, entity)
            && entity.is_found_by_key()
            && entity.kind.is_none()
            && entity.is_written_directly()
            && !entity.keeps_sequences
            && !entity.append_only
            && tenant_condition(entity, &confined).is_none()
            && confined.require_writer(entity).is_ok()
    }

    /// Whether a put keeps values of the stored item, which therefore has to be read: creation stamps, versions,
    /// counters, fixed attributes, and attributes that the caller may not see or set.
    fn keeps_values(&self, authorized: &Authorized<'_>) -> bool {
        let entity = authorized.entity();
        let is_kept = |value_type: &AttributeType| {
            matches!(value_type, AttributeType::Stamp(Stamp::CreatedAt(_) | Stamp::CreatedBy | Stamp::Version))
        };
        entity.attributes.iter().any(|attribute| is_kept(&attribute.value_type))
            || entity.attributes.iter().any(|attribute| {
                let name = &attribute.name;
                let is_kept = authorized.keeps(self.writer.planner.design, attribute, None) != Some(false);
                attribute.fixed && !entity.identity.contains(name) || entity.is_counter(name) || is_kept
            })
    }

    /// Sends a batch, and its unprocessed writes again, a bounded number of times.
    async fn send(
        &self,
        caller: &'r Caller,
        writes: &[Write],
        mut batch: Vec<QueuedWrite>,
        outcomes: &mut [BatchOutcome],
    ) {
        let items = &self.writer.planner.items;
        let mut report = |position: usize, outcome: BatchOutcome| {
            if let Some(slot) = outcomes.get_mut(position) {
                *slot = outcome;
            }
        };
        for attempt in 0..retry::ATTEMPTS {
            if batch.is_empty() {
                return;
            }
            let requests = batch.iter().map(|queued| queued.write.request.clone()).collect();
            let input = BatchWriteItemInput {
                requests: vec![(items.table.to_owned(), requests)],
                ..BatchWriteItemInput::default()
            };
            match items.backend.batch_write_item(input).await {
                Ok(output) => {
                    let left: Vec<BatchWriteRequest> =
                        output.unprocessed.into_iter().flat_map(|(_, requests)| requests).collect();
                    let (unprocessed, done): (Vec<QueuedWrite>, Vec<QueuedWrite>) =
                        batch.into_iter().partition(|queued| left.contains(&queued.write.request));
                    batch = unprocessed;
                    done.into_iter().for_each(|done| report(done.position, Ok(done.write.record)));
                }
                Err(error) => match Error::from(error) {
                    Error::Throttled => {}
                    // One of them is invalid: each by itself shows which.
                    Error::Invalid(_) => {
                        for queued in batch {
                            if let Some(write) = writes.get(queued.position) {
                                report(queued.position, self.write_single(caller, write.clone()).await);
                            }
                        }
                        return;
                    }
                    error => {
                        batch.iter().for_each(|queued| report(queued.position, Err(error.clone())));
                        return;
                    }
                },
            }
            if !batch.is_empty() {
                items.retry.pause(attempt).await;
            }
        }
        batch.iter().for_each(|queued| report(queued.position, Err(Error::Throttled)));
    }
}
