//! Writes from authorization to execution. A plan that others were faster than is made again.

use keyfold_design::model::{Entity, Verb};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::ReturnValues;

use super::cascade::Cascade;
use super::command::{DeleteOptions, Write};
use super::executor::{Executor, Failure};
use super::plan::Plan;
use super::planner::{AuthorizedWrite, Planner, WrittenItem, add_other_writes};
use super::side_writes::{NoSideWrites, SideWrites};
use crate::authorize::{Access, authorize};
use crate::caller::Caller;
use crate::description::describe_identity;
use crate::error::{Error, ItemName};
use crate::incoming_references::needs_deletion_mark;
use crate::names::entity_named;
use crate::record::Record;
use crate::retry;
use crate::tenancy::confinement;

/// Carries out the writes of callers.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'r> {
    pub planner: Planner<'r>,
    pub executor: Executor<'r>,
}

impl<'r> Writer<'r> {
    /// Several writes, all or nothing; returns the record that each leaves, `None` for deletes.
    pub(crate) async fn transact(
        &self,
        caller: &'r Caller,
        writes: Vec<Write>,
        side_writes: &dyn SideWrites,
    ) -> Result<Vec<Option<Record>>, Error> {
        let mut authorized = Vec::with_capacity(writes.len());
        let is_single = writes.len() == 1;
        for (position, write) in writes.into_iter().enumerate() {
            let outcome = self.planner.authorize(caller, write).await;
            authorized.push(outcome.map_err(|error| if is_single { error } else { error.in_write(position) })?);
        }
        self.carry_out(caller, &authorized, side_writes).await
    }

    /// A patch of what the design says never changes: `append only` items and `fixed` attributes. Everything else about
    /// it is as for every patch.
    pub(crate) async fn correct(&self, caller: &'r Caller, patch: Write) -> Result<Vec<Option<Record>>, Error> {
        let authorized = self.planner.authorize(caller, patch).await?;
        self.carry_out(caller, &[AuthorizedWrite { is_correction: true, ..authorized }], &NoSideWrites).await
    }

    async fn carry_out(
        &self,
        caller: &Caller,
        authorized: &[AuthorizedWrite<'_>],
        side_writes: &dyn SideWrites,
    ) -> Result<Vec<Option<Record>>, Error> {
        for attempt in 0..retry::ATTEMPTS {
            match self.attempt(authorized, side_writes, attempt == 0).await {
                Ok(records) => return Ok(records),
                Err(failure) => {
                    let named = authorized.iter().map(|write| (write.authorized.entity(), write.write.attributes()));
                    self.recover(caller, named, failure, attempt).await?;
                }
            }
        }
        Err(Error::Throttled)
    }

    /// Deletes an item. If that takes several transactions, the side writes of the item are part of the last.
    pub(crate) async fn delete(
        &self,
        caller: &'r Caller,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
        side_writes: &dyn SideWrites,
    ) -> Result<(), Error> {
        let known = entity_named(self.planner.design, entity)?;
        if !needs_deletion_mark(self.planner.design, known) {
            let write = Write::Delete { entity: entity.to_owned(), identity, options };
            return self.transact(caller, vec![write], side_writes).await.map(|_| ());
        }
        let access = Access { caller, verb: Verb::Delete, entity: known, pattern: None };
        let authorized = authorize(self.planner.authorizer, access)?;
        let cascade = Cascade { planner: self.planner, executor: self.executor };
        for attempt in 0..retry::ATTEMPTS {
            match cascade.delete(&authorized, identity.clone(), options, side_writes).await {
                Ok(()) => return Ok(()),
                Err(failure) => self.recover(caller, [(known, &identity)], failure, attempt).await?,
            }
        }
        Err(Error::Throttled)
    }

    async fn attempt(
        &self,
        writes: &[AuthorizedWrite<'_>],
        side_writes: &dyn SideWrites,
        is_first: bool,
    ) -> Result<Vec<Option<Record>>, Failure> {
        let (mut plan, mut records) = match writes {
            [write] => {
                let planned = self.planner.plan(write, is_first && !side_writes.is_any()).await?;
                (planned.plan, vec![planned.record])
            }
            writes => self.plan_several(writes).await?,
        };
        // Side writes keep the record, so it must not hold what the caller may not see.
        self.conceal(writes, &mut records);
        if plan.changes_nothing() {
            return Ok(records);
        }
        plan.side_writes = side_writes.writes(&records)?;
        self.planner.shared_sets().settle(&mut plan).await?;
        let returned = if records.contains(&None) { ReturnValues::AllNew } else { ReturnValues::None };
        let is_unread = is_first && records.contains(&None);
        let response = match self.executor.execute(plan, returned).await {
            // Another program stored the version in another type. Planned on the stored item, it starts again at 1.
            Err(Failure::Final(error @ Error::Invalid(_))) if is_unread => return Err(Failure::Retry(Box::new(error))),
            outcome => outcome?,
        };
        if let (Some(stored), [None], [write]) = (response, records.as_slice(), writes) {
            records = vec![Some(Record::read(write.authorized.entity(), stored)?)];
            self.conceal(writes, &mut records);
        }
        Ok(records)
    }

    /// One plan of several writes, and the records that they leave together.
    async fn plan_several(&self, writes: &[AuthorizedWrite<'_>]) -> Result<(Plan, Vec<Option<Record>>), Error> {
        let mut plan = Plan::default();
        let mut records = Vec::with_capacity(writes.len());
        let mut own_actions = Vec::with_capacity(writes.len());
        for (position, write) in writes.iter().enumerate() {
            let in_write = |error: Error| error.in_write(position);
            let mut planned = self.planner.plan(write, false).await.map_err(in_write)?;
            planned.plan.assign_to_write(position);
            own_actions.push(planned.plan.actions.first().cloned());
            plan.extend_with_write(planned.plan).map_err(in_write)?;
            records.push(planned.record);
        }
        let written = writes.iter().zip(&records).filter_map(|(write, record)| {
            let is_new = matches!(write.write, Write::Create { .. });
            Some(WrittenItem { entity: write.authorized.entity(), attributes: &record.as_ref()?.attributes, is_new })
        });
        self.planner.plan_ancestors_within(&mut plan, &written.collect::<Vec<_>>()).await?;
        for ((write, own), record) in writes.iter().zip(own_actions).zip(&mut records) {
            if let (Some(own), Some(record)) = (own, record.as_mut()) {
                add_other_writes(&plan, &own, write.authorized.entity(), record)?;
            }
        }
        Ok((plan, records))
    }

    /// Removes from each record what the caller may not see.
    fn conceal(&self, writes: &[AuthorizedWrite<'_>], records: &mut [Option<Record>]) {
        for (write, record) in writes.iter().zip(records) {
            if let Some(record) = record {
                self.planner.reader(write.authorized.caller()).conceal(write.authorized.entity(), record);
            }
        }
    }

    /// Prepares for another attempt at writes of the named items, or returns the error as the caller may know it.
    async fn recover<'a>(
        &self,
        caller: &Caller,
        named: impl IntoIterator<Item = (&'a Entity, &'a Attributes)>,
        failure: Failure,
        attempt: u32,
    ) -> Result<(), Error> {
        match self.executor.recover(failure, attempt).await {
            Err(Error::Conflict { item: Some(item), current }) => {
                let is_named = named.into_iter().any(|(entity, given)| self.names(caller, entity, given, &item));
                Err(self.conceal_conflict(caller, item, current, is_named))
            }
            outcome => outcome,
        }
    }

    /// Whether a call names an item, so that an error about it tells its caller nothing new.
    fn names(&self, caller: &Caller, entity: &Entity, given: &Attributes, item: &ItemName) -> bool {
        let mut identity = given.clone();
        entity.name == item.entity
            && confinement(self.planner.design, caller).bind_identity(entity, &mut identity)
            && describe_identity(entity, &identity) == item.identity
    }

    /// Reduces a conflict to what the caller may read: the current item, and the name of an item that the call does not
    /// name.
    fn conceal_conflict(&self, caller: &Caller, item: ItemName, current: Option<Attributes>, is_named: bool) -> Error {
        let reader = self.planner.reader(caller);
        let Some(entity) = self.planner.design.entity_named(&item.entity) else {
            return Error::Conflict { item: None, current: None };
        };
        let current = current.and_then(|stored| {
            let mut record = Record::read(entity, stored).ok()?;
            reader.conceal(entity, &mut record);
            record.is_readable.then_some(record.attributes)
        });
        let is_shown = is_named || current.is_some() || reader.reads_all(entity);
        Error::Conflict { item: is_shown.then_some(item), current }
    }
}
