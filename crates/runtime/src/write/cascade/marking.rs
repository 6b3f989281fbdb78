//! Deletion marks: set before the referring items are looked for, and turned into deletion once it cannot be stopped.

use keyfold_design::model::Entity;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::ReturnValues;
use keyfold_environment::random_bytes;

use super::Cascade;
use crate::deletion_mark::{DELETION_MARK, DeletionMark};
use crate::description::describe_identity;
use crate::error::Error;
use crate::record::Record;
use crate::write::executor::{Failure, MarkedItem, marked_action};
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};
use crate::write::planner::Compared;

impl Cascade<'_> {
    /// Marks an item that is still as it was read, and returns it as it is then: its counters cannot grow any more.
    pub(super) async fn mark(
        &self,
        entity: &Entity,
        record: &Record,
        version: Option<Guard>,
        takes_over: bool,
    ) -> Result<(Record, DeletionMark), Failure> {
        let planner = &self.planner;
        let token = u64::from_be_bytes(random_bytes(planner.random).map_err(Error::from)?);
        let now_ms = planner.clock.now_ms();
        let mark = DeletionMark::Checking { since_ms: now_ms, token };
        let exists = Condition::attribute_exists(planner.items.partition_key().to_owned());
        let mut guards = vec![Guard::new(exists, GuardFailure::ChangedSinceRead)];
        guards.push(match DeletionMark::read(&record.stored) {
            Some(theirs) if takes_over || theirs.is_stale(now_ms) => {
                let unchanged = Condition::equals(DELETION_MARK.to_owned(), theirs.encode());
                Guard::new(unchanged, GuardFailure::ChangedSinceRead)
            }
            _ => {
                let identity = describe_identity(entity, &record.attributes);
                let marked = GuardFailure::BeingDeleted { entity: entity.name.clone(), identity };
                Guard::new(Condition::attribute_not_exists(DELETION_MARK.to_owned()), marked)
            }
        });
        guards.extend(version);
        guards.extend(planner.guards().unchanged(entity, record, Compared::PlanInputs));
        let key = planner.items.stored_key(&record.stored);
        let plan = Plan::from_actions(vec![Action { key, effect: Effect::Update(set_mark(mark)), guards }]);
        let marked = match self.executor.execute(plan, ReturnValues::AllNew).await? {
            Some(stored) => Record::read(entity, stored)?,
            None => record.clone(),
        };
        Ok((marked, mark))
    }

    /// Makes marked items invisible: from now on they are being deleted.
    pub(super) async fn begin_deletion(&self, marked: &[MarkedItem]) -> Result<(), Failure> {
        for part in marked.chunks(TRANSACTION_ACTIONS) {
            let begin =
                |item: &MarkedItem| marked_action(item.key.clone(), item.mark, set_mark(DeletionMark::Deleting));
            let plan = Plan::from_actions(part.iter().map(begin).collect());
            self.executor.execute(plan, ReturnValues::None).await?;
        }
        Ok(())
    }
}

fn set_mark(mark: DeletionMark) -> AttributeChanges {
    let mut changes = AttributeChanges::default();
    changes.set.insert(DELETION_MARK.to_owned(), mark.encode());
    changes
}
