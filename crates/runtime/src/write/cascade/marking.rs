//! Marks on items that are being deleted, so that nobody refers to them any more.
//!
//! `checking …` says that someone looks for those who refer: others wait, and the item is still there. `deleting` says
//! that those who refer are going: the item counts as gone, and whoever deletes it again goes on.

use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::random_bytes;

use crate::error::Error;
use crate::expression::Condition;
use crate::record::{DELETE_MARK, Record, describe_identity};
use crate::retry;
use crate::runtime::Runtime;
use crate::write::executor::Failure;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

/// A mark that only looks for those who refer is forgotten after so long: whoever set it is gone.
const STALE_MARK_MS: u64 = 30_000;

/// An item's key and the mark that it has.
pub(crate) type Marked = (Attributes, AttributeValue);

/// The mark of an item that counts as gone.
pub(crate) fn deleting() -> AttributeValue {
    AttributeValue::S("deleting".to_owned())
}

impl Runtime {
    /// Marks an item that is still as it was read. The answer is the item with its mark: its counters are final upwards.
    pub(crate) async fn mark(
        &self,
        entity: &Entity,
        record: &Record,
        expected: Option<Guard>,
        takes_over: bool,
    ) -> Result<(Record, AttributeValue), Failure> {
        let token = u64::from_be_bytes(random_bytes(self.random.as_ref()).map_err(Error::from)?);
        let text = format!("checking {} {token:016x}", self.clock.now_ms());
        let mark = AttributeValue::S(text);
        let mut changes = AttributeChanges::default();
        changes.set.insert(DELETE_MARK.to_owned(), mark.clone());
        let mut guards =
            vec![Guard::new(Condition::Exists(self.partition_key().to_owned()), GuardFailure::ChangedSinceRead)];
        match record.stored.get(DELETE_MARK) {
            Some(theirs) if takes_over || self.is_stale(theirs) => {
                guards.push(Guard::new(
                    Condition::Equals(DELETE_MARK.to_owned(), theirs.clone()),
                    GuardFailure::ChangedSinceRead,
                ));
            }
            _ => {
                let identity = describe_identity(entity, &record.attributes);
                let busy = GuardFailure::BeingDeleted { entity: entity.name.clone(), identity };
                guards.push(Guard::new(Condition::Absent(DELETE_MARK.to_owned()), busy));
            }
        }
        guards.extend(expected);
        guards.extend(self.unchanged(entity, record));
        let key = self.stored_key(&record.stored);
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Update(changes), guards })?;
        let marked = match self.execute(plan).await? {
            Some(stored) => Record::read(entity, stored)?,
            None => record.clone(),
        };
        Ok((marked, mark))
    }

    /// Takes marks away again. What cannot be reached now is forgotten when its mark is stale.
    pub(crate) async fn unmark(&self, marked: Vec<Marked>) {
        for (key, mark) in marked {
            let mut changes = AttributeChanges::default();
            changes.remove.insert(DELETE_MARK.to_owned());
            let own = Guard::new(Condition::Equals(DELETE_MARK.to_owned(), mark), GuardFailure::ChangedSinceRead);
            let mut plan = Plan::default();
            // Where the condition fails the mark is not ours any more, or the item is gone.
            if plan.add(Action { key, effect: Effect::Update(changes), guards: vec![own] }).is_ok() {
                drop(self.execute(plan).await);
            }
        }
    }

    /// Makes items invisible that were marked before; they go from now on.
    pub(crate) async fn hide(&self, marked: &[Marked]) -> Result<(), Failure> {
        for part in marked.chunks(keyfold_dynamo::limits::TRANSACTION_ACTIONS) {
            let mut plan = Plan::default();
            for (key, mark) in part {
                let mut changes = AttributeChanges::default();
                changes.set.insert(DELETE_MARK.to_owned(), deleting());
                let own =
                    Guard::new(Condition::Equals(DELETE_MARK.to_owned(), mark.clone()), GuardFailure::ChangedSinceRead);
                plan.add(Action { key: key.clone(), effect: Effect::Update(changes), guards: vec![own] })?;
            }
            self.execute(plan).await?;
        }
        Ok(())
    }

    /// After a failed attempt: the error where there is no point in another one. Otherwise a mark whose process is gone
    /// is taken away, and some time passes.
    pub(crate) async fn recover(&self, failure: Failure, attempt: u32) -> Result<(), Error> {
        let (error, mark) = match failure {
            Failure::Final(error) => return Err(error),
            Failure::Again(error) => (error, None),
            Failure::Marked(error, marked) => (error, Some(marked)),
        };
        if attempt + 1 >= retry::ATTEMPTS {
            return Err(*error);
        }
        if let Some((key, mark)) = mark.map(|marked| *marked)
            && self.is_stale(&mark)
        {
            self.unmark(vec![(key, mark)]).await;
        }
        retry::wait(self.clock.as_ref(), self.random.as_ref(), attempt).await;
        Ok(())
    }

    fn is_stale(&self, mark: &AttributeValue) -> bool {
        let mut words = mark.as_str().unwrap_or_default().split(' ');
        words.next() == Some("checking")
            && words
                .next()
                .and_then(|set| set.parse::<u64>().ok())
                .is_none_or(|set| set.saturating_add(STALE_MARK_MS) < self.clock.now_ms())
    }
}
