//! Deletes in several transactions.

use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::ReturnValues;

use super::{Cascade, DeletedItems, PendingDelete};
use crate::deletion_mark::{DELETION_MARK, DeletionMark};
use crate::error::Error;
use crate::retry;
use crate::write::executor::Failure;
use crate::write::plan::{Guard, GuardFailure, Plan};
use crate::write::planner::Compared;

impl Cascade<'_> {
    /// Deletes more items than a transaction holds: the item is invisible from now on, and deleted last.
    pub(super) async fn delete_in_steps(&self, items: &mut DeletedItems<'_>) -> Result<(), Failure> {
        // The item itself comes first, which was marked first: another call of the same delete resumes from it.
        if let (Some(root), false) = (items.marked.first(), items.resumed) {
            self.begin_deletion(std::slice::from_ref(root)).await?;
            items.marked.remove(0);
        }
        let marked = std::mem::take(&mut items.marked);
        self.begin_deletion(&marked).await?;
        let mut step = Plan::default();
        for item in &mut items.pending {
            item.mark = item.mark.map(|_| DeletionMark::Deleting);
            let removal = self.plan_pending(item).await?;
            let own = removal.actions.len() + item.side_writes.len();
            if step.actions.len() + step.side_writes.len() + own > TRANSACTION_ACTIONS {
                self.execute_step(std::mem::take(&mut step)).await?;
            }
            step.extend(removal)?;
            step.side_writes.append(&mut item.side_writes);
        }
        self.execute_step(step).await
    }

    /// Deletes an item with its dependent items, provided that it is still as it was found.
    pub(super) async fn plan_pending(&self, item: &PendingDelete<'_>) -> Result<Plan, Error> {
        let exists = Condition::attribute_exists(self.planner.items.partition_key().to_owned());
        let mut guards = vec![Guard::new(exists, GuardFailure::ChangedSinceRead)];
        match item.mark {
            // Nobody changes a marked item.
            Some(mark) => {
                let unchanged = Condition::equals(DELETION_MARK.to_owned(), mark.encode());
                guards.push(Guard::new(unchanged, GuardFailure::ChangedSinceRead));
            }
            None => {
                let compared = if item.decided_by_item { Compared::WholeItem } else { Compared::PlanInputs };
                guards.extend(self.planner.guards().unchanged(item.entity, &item.record, compared));
            }
        }
        for (counter, counted) in &item.counted {
            // The counter exceeds the items found if an index lags behind the table.
            guards.push(Guard::new(Condition::absent_or_at_most(counter, *counted), GuardFailure::ChangedSinceRead));
        }
        let mut plan = Plan::default();
        self.planner.plan_removal(&mut plan, item.entity, &item.record, guards).await?;
        Ok(plan)
    }

    /// Sends a step again while the table is throttled. After any other failure, the items have to be found again.
    async fn execute_step(&self, step: Plan) -> Result<(), Failure> {
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
