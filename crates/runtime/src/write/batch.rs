//! Many independent writes, as few requests as possible.

use keyfold_design::model::{DeleteRule, Entity, Stamp, Verb};
use keyfold_dynamo::item::codec;
use keyfold_dynamo::limits::BATCH_WRITE_REQUESTS;
use keyfold_dynamo::operation::{BatchWriteItemInput, BatchWriteRequest};

use super::command::Write;
use super::plan::Effect;
use super::planner::{Numbering, tenant_condition};
use super::side_writes::NoSideWrites;
use super::writer::Writer;
use crate::attribute_dependencies::has_dependent_items;
use crate::authorize::{Access, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::incoming_references::needs_deletion_mark;
use crate::items::identity_of;
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
        let planner = &self.writer.planner;
        let entity = entity_named(planner.design, write.entity())?;
        if !self.is_unconditional(caller, entity) {
            return Ok(None);
        }
        match write {
            Write::Put { .. } => {
                let put = planner.authorize(caller, write.clone(), Numbering::Draw).await?;
                let Write::Put { attributes, .. } = put.write else { return Ok(None) };
                let access = Access { caller, verb: Verb::Create, entity, pattern: None };
                let authorized = authorize(planner.authorizer, access)?;
                let planned = planner.plan_create(&authorized, attributes, &put.generated_ids).await?;
                let [action] = planned.plan.actions.as_slice() else { return Ok(None) };
                let Effect::Put(item) = &action.effect else { return Ok(None) };
                let mut record = planned.record;
                if let Some(record) = &mut record {
                    authorized.conceal(planner.design, record);
                    record.stored.clear();
                }
                let request = BatchWriteRequest::Put { item: item.clone() };
                Ok(Some(BatchedWrite { key: codec::encode(&action.key), request, record }))
            }
            Write::Delete { identity, options, .. }
                if options.expected_version.is_none() && entity.delete != DeleteRule::Never =>
            {
                let mut identity = identity.clone();
                if !confinement(planner.design, caller).bind_identity(entity, &mut identity) {
                    return Ok(None);
                }
                let key = planner.items.key_of(entity, &identity_of(entity, &identity)?)?;
                let encoded = codec::encode(&key);
                Ok(Some(BatchedWrite { key: encoded, request: BatchWriteRequest::Delete { key }, record: None }))
            }
            Write::Create { .. } | Write::Upsert { .. } | Write::Patch { .. } | Write::Delete { .. } => Ok(None),
        }
    }

    /// Whether a put or a delete by this caller depends on nothing that is stored, and writes one item only.
    fn is_unconditional(&self, caller: &Caller, entity: &Entity) -> bool {
        let planner = &self.writer.planner;
        let keeps_stamps =
            [Stamp::CreatedAt, Stamp::CreatedBy, Stamp::Version].into_iter().any(|stamp| entity.stamp(stamp).is_some());
        let keeps_values = entity.attributes.iter().any(|attribute| {
            let in_identity = entity.identity.contains(&attribute.name);
            attribute.fixed && !in_identity || entity.is_counter(&attribute.name)
        });
        let is_allowed = [Verb::Create, Verb::Update, Verb::Delete].into_iter().all(|verb| {
            let access = Access { caller, verb, entity, pattern: None };
            authorize(planner.authorizer, access).is_ok_and(|authorized| !authorized.reads_items())
        });
        let confined = confinement(planner.design, caller);
        let is_alone = !has_dependent_items(entity)
            && entity.references.is_empty()
            && !needs_deletion_mark(planner.design, entity);
        is_alone
            && !keeps_stamps
            && !keeps_values
            && is_allowed
            && entity.is_found_by_key()
            && entity.is_written_directly()
            && !entity.keeps_sequences
            && !entity.append_only
            && !entity.open
            && tenant_condition(entity, &confined).is_none()
            && confined.require_writer(entity).is_ok()
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
