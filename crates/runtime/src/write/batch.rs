//! Many writes, each on its own: those that need neither a condition nor a transaction go to the table in groups.

use keyfold_design::model::{DeleteRule, Entity, Stamp, Verb};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::limits::BATCH_WRITE_REQUESTS;
use keyfold_dynamo::operation::{BatchWriteItemInput, BatchWriteRequest};

use crate::authorize::{Access, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::items::identity_of;
use crate::record::{Record, entity_named};
use crate::retry;
use crate::runtime::Runtime;
use crate::tenancy::confinement;
use crate::write::plan::Effect;
use crate::write::planner::Purpose;
use crate::write::verbs::Write;

/// What became of one write of a batch: the item as it is then, `None` for deletes.
pub type BatchOutcome = Result<Option<Record>, Error>;

/// A write that waits for its group.
struct Waiting {
    /// Its place among the writes of the call.
    place: usize,
    key: Vec<u8>,
    request: BatchWriteRequest,
    record: Option<Record>,
}

impl Runtime {
    /// Many writes, each on its own, with their outcomes in order. Puts and deletes of entities with nothing to keep, to
    /// check or to write beside them go to the table in groups, and replace the item whole; all others are written one
    /// by one. What is to be deleted and is not there is no error.
    pub async fn batch_write(&self, caller: &Caller, writes: Vec<Write>) -> Vec<BatchOutcome> {
        let mut outcomes: Vec<BatchOutcome> = Vec::with_capacity(writes.len());
        let mut group: Vec<Waiting> = Vec::new();
        for (place, write) in writes.iter().enumerate() {
            let simple = self.simple_write(caller, write).await;
            let waiting = match simple {
                Ok(waiting) => waiting,
                Err(error) => {
                    outcomes.push(Err(error));
                    continue;
                }
            };
            // A request may name an item once, and later writes of an item come later.
            let again = waiting.as_ref().is_some_and(|(key, ..)| group.iter().any(|other| other.key == *key));
            if again || waiting.is_none() || group.len() == BATCH_WRITE_REQUESTS {
                self.write_group(caller, &writes, std::mem::take(&mut group), &mut outcomes).await;
            }
            match waiting {
                Some((key, request, record)) => {
                    outcomes.push(Ok(None));
                    group.push(Waiting { place, key, request, record });
                }
                None => outcomes.push(self.write_alone(caller, write.clone()).await),
            }
        }
        self.write_group(caller, &writes, group, &mut outcomes).await;
        outcomes
    }

    async fn write_alone(&self, caller: &Caller, write: Write) -> BatchOutcome {
        let outcome = match write {
            Write::Delete { entity, identity, options } => {
                self.delete(caller, &entity, identity, options).await.map(|()| None)
            }
            write => {
                return self.transact(caller, vec![write]).await.map(|records| records.into_iter().next().flatten());
            }
        };
        match outcome {
            Err(Error::NotFound { .. }) => Ok(None),
            outcome => outcome,
        }
    }

    /// The request of a write that can be part of a group; `None` where it has to be written alone.
    async fn simple_write(
        &self,
        caller: &Caller,
        write: &Write,
    ) -> Result<Option<(Vec<u8>, BatchWriteRequest, Option<Record>)>, Error> {
        let entity = entity_named(&self.design, write.entity())?;
        if !self.is_simple(caller, entity) {
            return Ok(None);
        }
        match write {
            Write::Put { .. } => {
                let prepared = self.prepare(caller, write.clone(), Purpose::Write).await?;
                let Write::Put { attributes, .. } = prepared.write else { return Ok(None) };
                let access = Access { caller, verb: Verb::Create, entity, pattern: None };
                let authorized = authorize(self.authorizer.as_ref(), access)?;
                let planned = self.plan_create(&authorized, attributes, &prepared.generated_ids).await;
                let planned = planned.map_err(|failure| failure.into_error())?;
                let [action] = planned.plan.actions.as_slice() else { return Ok(None) };
                let Effect::Put(item) = &action.effect else { return Ok(None) };
                let mut record = planned.record;
                if let Some(record) = &mut record {
                    authorized.conceal(&self.design, record);
                    record.stored.clear();
                }
                Ok(Some((codec::encode(&action.key), BatchWriteRequest::Put { item: item.clone() }, record)))
            }
            Write::Delete { identity, options, .. }
                if options.expected_version.is_none() && entity.delete != DeleteRule::Never =>
            {
                let mut identity = identity.clone();
                if !confinement(&self.design, caller).bind_identity(entity, &mut identity) {
                    return Ok(None);
                }
                let key = self.key_of(entity, &identity_of(entity, &identity)?)?;
                Ok(Some((codec::encode(&key), BatchWriteRequest::Delete { key }, None)))
            }
            _ => Ok(None),
        }
    }

    /// Whether a put or a delete by this caller depends on nothing that is stored, and changes one item only.
    fn is_simple(&self, caller: &Caller, entity: &Entity) -> bool {
        let keeps =
            [Stamp::CreatedAt, Stamp::CreatedBy, Stamp::Version].into_iter().any(|stamp| entity.stamp(stamp).is_some());
        let bound = entity.attributes.iter().any(|attribute| {
            let in_identity = entity.identity.contains(&attribute.name);
            attribute.fixed && !in_identity || self.is_counter(entity, &attribute.name)
        });
        let allowed = [Verb::Create, Verb::Update, Verb::Delete].into_iter().all(|verb| {
            let access = Access { caller, verb, entity, pattern: None };
            authorize(self.authorizer.as_ref(), access).is_ok_and(|authorized| !authorized.reads_items())
        });
        let confined = confinement(&self.design, caller);
        let alone = !self.has_dependent_items(entity) && entity.references.is_empty() && !self.can_be_marked(entity);
        alone
            && !keeps
            && !bound
            && allowed
            && entity.is_found_by_key()
            && entity.is_written_directly()
            && !entity.keeps_sequences
            && !entity.append_only
            && !entity.open
            && confined.guard(entity).is_none()
            && confined.require_writer(entity).is_ok()
    }

    /// Sends a group, and what was left of it again, boundedly.
    async fn write_group(
        &self,
        caller: &Caller,
        writes: &[Write],
        mut group: Vec<Waiting>,
        outcomes: &mut [BatchOutcome],
    ) {
        let mut told = |place: usize, outcome: BatchOutcome| {
            if let Some(slot) = outcomes.get_mut(place) {
                *slot = outcome;
            }
        };
        for attempt in 0..retry::ATTEMPTS {
            if group.is_empty() {
                return;
            }
            let requests = group.iter().map(|waiting| waiting.request.clone()).collect();
            let input = BatchWriteItemInput {
                requests: vec![(self.table.clone(), requests)],
                ..BatchWriteItemInput::default()
            };
            match self.backend.batch_write_item(input).await {
                Ok(output) => {
                    let left: Vec<BatchWriteRequest> =
                        output.unprocessed.into_iter().flat_map(|(_, requests)| requests).collect();
                    let (again, done) = group.into_iter().partition(|waiting| left.contains(&waiting.request));
                    group = again;
                    done.into_iter().for_each(|done: Waiting| told(done.place, Ok(done.record)));
                }
                Err(error) => match Error::from(error) {
                    Error::Throttled => {}
                    // One of them does not fit: each alone tells which.
                    Error::Invalid(_) => {
                        for waiting in group {
                            if let Some(write) = writes.get(waiting.place) {
                                told(waiting.place, self.write_alone(caller, write.clone()).await);
                            }
                        }
                        return;
                    }
                    error => {
                        group.iter().for_each(|waiting| told(waiting.place, Err(error.clone())));
                        return;
                    }
                },
            }
            if !group.is_empty() {
                retry::wait(self.clock.as_ref(), self.random.as_ref(), attempt).await;
            }
        }
        group.iter().for_each(|waiting| told(waiting.place, Err(Error::Throttled)));
    }
}

impl Runtime {
    /// The key of an item by which answers are told apart.
    pub(crate) fn encoded_key(&self, stored: &Attributes) -> Vec<u8> {
        codec::encode(&self.stored_key(stored))
    }
}
