//! Recovery between two attempts: back-off, and removal of stale deletion marks.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::ReturnValues;

use super::{Executor, Failure, MarkedItem};
use crate::deletion_mark::{DELETION_MARK, DeletionMark};
use crate::error::Error;
use crate::retry;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

impl Executor<'_> {
    /// Prepares for another attempt: a stale deletion mark is removed, and some time passes. Returns the error if there
    /// is no point in another attempt.
    pub(crate) async fn recover(&self, failure: Failure, attempt: u32) -> Result<(), Error> {
        let (error, marked) = match failure {
            Failure::Final(error) => return Err(error),
            Failure::Retry(error) => (error, None),
            Failure::Marked(error, marked) => (error, Some(marked)),
        };
        if attempt + 1 >= retry::ATTEMPTS {
            return Err(*error);
        }
        if let Some(marked) = marked.filter(|marked| marked.mark.is_stale(self.items.retry.clock.now_ms())) {
            self.unmark(vec![*marked]).await;
        }
        self.items.retry.pause(attempt).await;
        Ok(())
    }

    /// Removes deletion marks. One that cannot be removed now is removed by others when it is stale.
    pub(crate) async fn unmark(&self, marked: Vec<MarkedItem>) {
        for MarkedItem { key, mark } in marked {
            let mut changes = AttributeChanges::default();
            changes.remove.insert(DELETION_MARK.to_owned());
            // If the guard fails, the mark is another's or the item is gone.
            let plan = Plan::from_actions(vec![marked_action(key, mark, changes)]);
            drop(self.execute(plan, ReturnValues::None).await);
        }
    }
}

/// A change of an item that still has this deletion mark.
pub(crate) fn marked_action(key: Attributes, mark: DeletionMark, changes: AttributeChanges) -> Action {
    let own = Condition::equals(DELETION_MARK.to_owned(), mark.encode());
    Action { key, effect: Effect::Update(changes), guards: vec![Guard::new(own, GuardFailure::ChangedSinceRead)] }
}
