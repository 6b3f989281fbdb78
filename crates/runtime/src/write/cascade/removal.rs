//! Deletes in several transactions.

use keyfold_design::model::Entity;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::{ReturnValues, TransactWrite};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::marking::has_mark;
use super::path::{Level, Next, Path};
use super::{Cascade, PendingDelete};
use crate::deletion_mark::DeletionMark;
use crate::error::Error;
use crate::incoming_references::needs_deletion_mark;
use crate::record::Record;
use crate::retry;
use crate::write::executor::Failure;
use crate::write::plan::{Effect, Guard, GuardFailure, Plan};
use crate::write::planner::Compared;
use crate::write::side_writes::SideWrites;

impl<'r> Cascade<'r> {
    /// Deletes an item that is invisible by now, after everything that refers to it. `named` are the side writes of its
    /// own delete.
    pub(super) async fn remove_all(
        &self,
        entity: &'r Entity,
        record: Record,
        named: Vec<TransactWrite>,
        side_writes: &dyn SideWrites,
    ) -> Result<(), Failure> {
        let (design, stored_items) = (self.planner.design, self.planner.items);
        let deleting = |entity: &'r Entity, record: Record| {
            let item = PendingDelete::new(entity, record, Some(DeletionMark::Deleting));
            let mut level = Level::new(design, &stored_items, item);
            level.defer_unfindable(design);
            level
        };
        let mut step = Plan::default();
        let mut path = Path::default();
        path.push(deleting(entity, record));
        while let Some(level) = path.last_mut() {
            match level.next(&stored_items).await? {
                Next::Reference(child, reference) => level.open(&stored_items, child, reference)?,
                Next::Page => {
                    if let Some((child, page)) = level.page_mut() {
                        self.begin_page(child, page).await?;
                    }
                }
                Next::Item(child, reference, record) => {
                    let key = stored_items.encoded_key(&record.stored);
                    let is_parent = needs_deletion_mark(design, child);
                    if is_parent && path.contains(&key) {
                        // It is deleted later than what it refers to, so that it still counts.
                        path.last_mut().into_iter().for_each(|level| level.count(reference));
                    } else if deletes(&step, &stored_items.stored_key(&record.stored)) {
                        continue;
                    } else if is_parent {
                        path.push(deleting(child, record));
                    } else {
                        path.leave_out(&stored_items, child.id, &key);
                        let mut item = PendingDelete::new(child, record, None);
                        item.side_writes = side_writes.removal(&item.record)?;
                        self.add_to_step(&mut step, item).await?;
                    }
                }
                Next::End => {
                    let Some(Level { mut item, .. }) = path.pop() else { break };
                    if path.is_empty() {
                        item.side_writes.clone_from(&named);
                    } else {
                        path.leave_out(&stored_items, item.entity.id, &stored_items.encoded_key(&item.record.stored));
                        item.side_writes = side_writes.removal(&item.record)?;
                    }
                    self.add_to_step(&mut step, item).await?;
                }
            }
        }
        self.execute_step(step).await
    }

    /// Adds the removal of an item to a step, which is carried out first if both together are more than a transaction.
    async fn add_to_step(&self, step: &mut Plan, mut item: PendingDelete<'r>) -> Result<(), Failure> {
        // Which items its counters may still count depends on the step.
        let counted = std::mem::take(&mut item.counted);
        let mut removal = self.plan_pending(&item).await?;
        let own = removal.actions.len() + item.side_writes.len();
        if step.actions.len() + step.side_writes.len() + own > TRANSACTION_ACTIONS {
            self.execute_step(std::mem::take(step)).await?;
        }
        let key = self.planner.items.stored_key(&item.record.stored);
        if let Some(delete) = removal.actions.first_mut() {
            let allowed = counted.iter().map(|(counter, kept)| (counter, kept + decrements(step, &key, counter)));
            delete.guards.extend(allowed.map(|(counter, count)| counts_at_most(counter, count)));
        }
        step.extend(removal)?;
        step.side_writes.append(&mut item.side_writes);
        Ok(())
    }

    /// Deletes an item with its dependent items, provided that it is still as it was found.
    pub(super) async fn plan_pending(&self, item: &PendingDelete<'_>) -> Result<Plan, Error> {
        let mut guards = self.exists(item.entity);
        match item.mark {
            // Nobody changes a marked item.
            Some(mark) => guards.push(has_mark(mark)),
            None => {
                let compared = if item.decided_by_item { Compared::WholeItem } else { Compared::PlanInputs };
                guards.extend(self.planner.guards().unchanged(item.entity, &item.record, compared));
            }
        }
        guards.extend(item.counted.iter().map(|(counter, count)| counts_at_most(counter, *count)));
        let mut plan = Plan::default();
        self.planner.plan_removal(&mut plan, item.entity, &item.record, guards).await?;
        Ok(plan)
    }

    /// Sends a step again while the table is throttled. After any other failure, the items have to be found again.
    pub(super) async fn execute_step(&self, step: Plan) -> Result<(), Failure> {
        let mut attempt = 0;
        loop {
            let mut step = step.clone();
            self.planner.shared_sets().settle(&mut step).await?;
            match self.executor.execute(step, ReturnValues::None).await {
                Ok(_) => return Ok(()),
                Err(Failure::Retry(error)) if *error == Error::Throttled && attempt < retry::ATTEMPTS => {
                    self.executor.items.retry.pause(attempt).await;
                    attempt += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }
}

/// The counter exceeds the items found if an index lags behind the table.
fn counts_at_most(counter: &str, count: u64) -> Guard {
    Guard::new(Condition::absent_or_at_most(counter, count), GuardFailure::ChangedSinceRead)
}

/// Whether a step deletes the item with this key.
fn deletes(step: &Plan, key: &Attributes) -> bool {
    step.actions.iter().any(|action| action.effect == Effect::Delete && action.key == *key)
}

/// How many items a step takes off a counter.
fn decrements(step: &Plan, key: &Attributes, counter: &str) -> u64 {
    let action = step.actions.iter().find(|action| action.key == *key);
    let Some(Effect::Update(changes)) = action.map(|action| &action.effect) else { return 0 };
    let change = changes.add.get(counter).and_then(AttributeValue::as_number).and_then(|number| number.to_i64());
    change.map_or(0, i64::unsigned_abs)
}
