//! The verbs that write.

use keyfold_design::model::Verb;
use keyfold_dynamo::operation::ReturnValues;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::authorize::{Access, Authorized, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::record::{Record, entity_named};
use crate::retry;
use crate::runtime::Runtime;
use crate::tenancy::confinement;
use crate::write::executor::Failure;
use crate::write::plan::{Action, Plan};
use crate::write::planner::Purpose;
use crate::write::planner::as_left;
use crate::write::side_writes::{NoSideWrites, SideWrites};

/// One write of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// The item must not exist.
    Create { entity: String, attributes: Attributes },
    /// Creates the item or replaces it; when and by whom it was created stays.
    Put { entity: String, attributes: Attributes },
    /// Creates the item or changes what is given.
    Upsert { entity: String, attributes: Attributes },
    /// Changes an item that must exist; `NULL` takes an attribute away. Identity and changes together.
    Patch { entity: String, attributes: Attributes, options: PatchOptions },
    /// Removes an item that must exist.
    Delete { entity: String, identity: Attributes, options: DeleteOptions },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PatchOptions {
    /// The version that the caller has seen.
    pub expected_version: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    pub expected_version: Option<u64>,
    /// Deletes those who refer as well, where the entity's delete rule asks for that.
    pub cascade: bool,
}

impl Write {
    pub(crate) fn entity(&self) -> &str {
        match self {
            Self::Create { entity, .. }
            | Self::Put { entity, .. }
            | Self::Upsert { entity, .. }
            | Self::Patch { entity, .. }
            | Self::Delete { entity, .. } => entity,
        }
    }

    fn verb(&self) -> Verb {
        match self {
            Self::Create { .. } => Verb::Create,
            Self::Put { .. } | Self::Upsert { .. } | Self::Patch { .. } => Verb::Update,
            Self::Delete { .. } => Verb::Delete,
        }
    }
}

/// A write that may be made, with its tenant bound and its ids made.
pub(crate) struct Prepared<'a> {
    pub write: Write,
    pub authorized: Authorized<'a>,
    /// The ids that were made, rather than given.
    pub generated_ids: Vec<String>,
}

/// The outcome of planning one write: its actions, and the item it leaves.
pub(crate) struct PlannedWrite {
    pub plan: Plan,
    /// `None` where only the backend's answer tells, or where nothing is left.
    pub record: Option<Record>,
}

impl Runtime {
    pub async fn create(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Create { entity: entity.to_owned(), attributes }).await
    }

    pub async fn put(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Put { entity: entity.to_owned(), attributes }).await
    }

    pub async fn upsert(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Upsert { entity: entity.to_owned(), attributes }).await
    }

    pub async fn patch(
        &self,
        caller: &Caller,
        entity: &str,
        attributes: Attributes,
        options: PatchOptions,
    ) -> Result<Record, Error> {
        self.write_one(caller, Write::Patch { entity: entity.to_owned(), attributes, options }).await
    }

    async fn write_one(&self, caller: &Caller, write: Write) -> Result<Record, Error> {
        let records = self.transact(caller, vec![write]).await?;
        records.into_iter().next().flatten().ok_or_else(|| Error::Unavailable("the write gave no item".to_owned()))
    }

    /// Several writes, all or nothing; each item as it is then, `None` for deletes.
    pub async fn transact(&self, caller: &Caller, writes: Vec<Write>) -> Result<Vec<Option<Record>>, Error> {
        self.transact_with(caller, writes, &NoSideWrites).await
    }

    /// The same as [`Runtime::transact`], with writes to other tables in the same transaction. A condition of theirs
    /// that does not hold is [`Error::SideWriteFailed`], and nothing is written.
    pub async fn transact_with(
        &self,
        caller: &Caller,
        writes: Vec<Write>,
        side_writes: &dyn SideWrites,
    ) -> Result<Vec<Option<Record>>, Error> {
        let mut prepared = Vec::with_capacity(writes.len());
        for write in writes {
            prepared.push(self.prepare(caller, write, Purpose::Write).await?);
        }
        for attempt in 0..retry::ATTEMPTS {
            match self.attempt(&prepared, side_writes, attempt == 0).await {
                Ok(records) => return Ok(records),
                Err(failure) => {
                    self.recover(failure, attempt).await.map_err(|error| self.with_visible_item(caller, error))?;
                }
            }
        }
        Err(Error::Throttled)
    }

    /// The actions of writes, and the requests that read the items to plan them. Nothing is written.
    pub(crate) async fn plan_only(
        &self,
        caller: &Caller,
        writes: Vec<Write>,
    ) -> Result<(Vec<&'static str>, Vec<Action>), Error> {
        let mut plan = Plan::default();
        let mut reads = Vec::new();
        let alone = writes.len() == 1;
        for write in writes {
            let prepared = self.prepare(caller, write, Purpose::Explain).await?;
            let planned = self.plan_write(&prepared, alone).await.map_err(Failure::into_error)?;
            let blind = matches!(prepared.write, Write::Create { .. }) || planned.record.is_none();
            if !blind {
                reads.push(prepared.authorized.entity().read_request());
            }
            plan.extend_with_write(planned.plan)?;
        }
        self.settle_shared_sets(&mut plan).await?;
        Ok((reads, plan.actions))
    }

    /// What is done once, however often the write is planned: ids are generated_ids and the tenant is bound.
    pub(crate) async fn prepare<'a>(
        &'a self,
        caller: &'a Caller,
        mut write: Write,
        purpose: Purpose,
    ) -> Result<Prepared<'a>, Error> {
        let entity = entity_named(&self.design, write.entity())?;
        if !entity.is_written_directly() || entity.keeps_sequences {
            return Err(Error::Invalid(format!("{} is kept by Keyfold and cannot be written", entity.name)));
        }
        // Asked before anything is generated_ids or read: nobody learns anything from a write they may not make.
        let access = Access { caller, verb: write.verb(), entity, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        let mut generated_ids = Vec::new();
        if let Write::Create { attributes, .. } | Write::Put { attributes, .. } | Write::Upsert { attributes, .. } =
            &mut write
        {
            self.reject_unsettable(entity, attributes)?;
            attributes.retain(|_, value| *value != AttributeValue::Null);
            confinement(&self.design, caller).bind_new(entity, attributes)?;
            generated_ids = self.generate_ids(entity, attributes, purpose).await?;
        }
        Ok(Prepared { write, authorized, generated_ids })
    }

    async fn attempt(
        &self,
        writes: &[Prepared<'_>],
        side_writes: &dyn SideWrites,
        is_first: bool,
    ) -> Result<Vec<Option<Record>>, Failure> {
        let (mut plan, mut records) = match writes {
            [alone] => {
                let planned = self.plan_write(alone, is_first && !side_writes.is_any()).await?;
                (planned.plan, vec![planned.record])
            }
            writes => self.plan_together(writes).await?,
        };
        // Side writes keep the record, so it must not hold what the caller may not see.
        self.conceal(writes, &mut records);
        plan.side_writes = side_writes.writes(&records);
        let asked = if records.contains(&None) { ReturnValues::AllNew } else { ReturnValues::None };
        let answer = self.execute_asking(plan, asked).await?;
        if let (Some(stored), [None], [prepared]) = (answer, records.as_slice(), writes) {
            records = vec![Some(Record::read(prepared.authorized.entity(), stored)?)];
            self.conceal(writes, &mut records);
        }
        Ok(records)
    }

    /// One plan of several writes, and the items as all of them leave them.
    async fn plan_together(&self, writes: &[Prepared<'_>]) -> Result<(Plan, Vec<Option<Record>>), Failure> {
        let mut plan = Plan::default();
        let mut records = Vec::with_capacity(writes.len());
        let mut own = Vec::with_capacity(writes.len());
        for write in writes {
            let planned = self.plan_write(write, false).await?;
            own.push(planned.plan.actions.first().cloned());
            plan.extend_with_write(planned.plan)?;
            records.push(planned.record);
        }
        for ((prepared, own), record) in writes.iter().zip(own).zip(&mut records) {
            if let (Some(own), Some(alone)) = (own, record.as_mut()) {
                as_left(&plan, &own, prepared.authorized.entity(), alone)?;
            }
        }
        Ok((plan, records))
    }

    /// Leaves of each item what the caller may see.
    fn conceal(&self, writes: &[Prepared<'_>], records: &mut [Option<Record>]) {
        for (prepared, record) in writes.iter().zip(records) {
            if let Some(record) = record {
                prepared.authorized.conceal(&self.design, record);
                record.stored.clear();
            }
        }
    }

    /// The actions of one write; `blindly` where it may be sent without a look at the stored item.
    async fn plan_write(&self, prepared: &Prepared<'_>, blindly: bool) -> Result<PlannedWrite, Failure> {
        let Prepared { write, authorized, generated_ids } = prepared;
        match write {
            Write::Create { attributes, .. } => self.plan_create(authorized, attributes.clone(), generated_ids).await,
            // In boxes, since they are large and creating is what has to be fast.
            Write::Put { attributes, .. } => {
                Box::pin(self.plan_replace(authorized, attributes, generated_ids, false)).await
            }
            Write::Upsert { attributes, .. } => {
                Box::pin(self.plan_replace(authorized, attributes, generated_ids, true)).await
            }
            Write::Patch { attributes, options, .. } => {
                Box::pin(self.plan_patch(authorized, attributes.clone(), *options, blindly)).await
            }
            Write::Delete { identity, options, .. } => {
                Box::pin(self.plan_delete(authorized, identity.clone(), *options)).await
            }
        }
    }

    /// An error that shows the item as it is now shows what the caller may read of it.
    pub(crate) fn with_visible_item(&self, caller: &Caller, error: Error) -> Error {
        let Error::Conflict { entity: name, identity, current: Some(stored) } = error else { return error };
        let visible = self.design.entity_named(&name).and_then(|entity| {
            let access = Access { caller, verb: Verb::Get, entity, pattern: None };
            let authorized = authorize(self.authorizer.as_ref(), access).ok()?;
            let mut record = Record::read(entity, stored).ok()?;
            let confined = confinement(&self.design, caller);
            let sees = confined.sees(entity, &record.attributes) && authorized.admits(&record.attributes);
            authorized.conceal(&self.design, &mut record);
            sees.then_some(record.attributes)
        });
        Error::Conflict { entity: name, identity, current: visible }
    }
}
