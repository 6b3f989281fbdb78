//! Carries out plans: as one request or as one transaction.

mod failure;
mod recovery;
mod single;
mod transaction;

use keyfold_design::Design;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::ReturnValues;

pub(crate) use self::failure::{Failure, MarkedItem};
pub(crate) use self::recovery::marked_action;
use super::plan::{Action, Plan};
use crate::items::Items;

/// Sends the requests of plans to a table.
#[derive(Clone, Copy)]
pub(crate) struct Executor<'r> {
    pub design: &'r Design,
    pub items: Items<'r>,
}

impl Executor<'_> {
    /// Carries out a plan. The response of a single update holds what `returned` asks for.
    pub(crate) async fn execute(&self, plan: Plan, returned: ReturnValues) -> Result<Option<Attributes>, Failure> {
        plan.check_size()?;
        if !plan.side_writes.is_empty() {
            return self.send_transaction(plan.actions, plan.side_writes).await.map(|()| None);
        }
        match <[Action; 1]>::try_from(plan.actions) {
            Ok([action]) => self.send_single(action, returned).await,
            Err(actions) if actions.is_empty() => Ok(None),
            Err(actions) => self.send_transaction(actions, Vec::new()).await.map(|()| None),
        }
    }
}
