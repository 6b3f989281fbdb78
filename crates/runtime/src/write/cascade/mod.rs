//! Deletes of items that other items may refer to.
//!
//! The item gets a deletion mark first. From then on no new item can refer to it, so that the referring items found
//! afterwards are all there are. A delete that fits into a transaction is one. A larger one makes the item invisible,
//! deletes the referring items in steps and the item last; another call of the same delete resumes it.
//!
//! The caller needs permission to delete the item that the call names. Items that are deleted with it need none, but a policy
//! that forbids the delete of one of them prevents the whole delete. All are decided before the first is deleted; a delete
//! that is resumed is not decided again.

mod discovery;
mod marking;
mod order;
mod steps;

use std::collections::HashSet;

use keyfold_design::model::Entity;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::{ReturnValues, TransactWrite};

use super::command::DeleteOptions;
use super::executor::{Executor, Failure, MarkedItem};
use super::plan::{Effect, Guard, Plan};
use super::planner::{Planner, require_deletable, version_guard};
use super::side_writes::SideWrites;
use crate::authorize::Authorized;
use crate::caller::Caller;
use crate::deletion_mark::DeletionMark;
use crate::record::Record;

/// Deletes an item together with the items that refer to it.
#[derive(Clone, Copy)]
pub(crate) struct Cascade<'r> {
    pub planner: Planner<'r>,
    pub executor: Executor<'r>,
}

/// An item to be deleted.
struct PendingDelete<'d> {
    entity: &'d Entity,
    record: Record,
    /// Its deletion mark, if other items may refer to it.
    mark: Option<DeletionMark>,
    /// The side writes of its delete.
    side_writes: Vec<TransactWrite>,
    /// Whether the decision about it depends on its values, so that they must not change before it is deleted.
    decided_by_item: bool,
    /// For each of its counters, how many of the items that are deleted with it it counts.
    counted: Vec<(String, u64)>,
}

/// The items that one delete comprises.
struct DeletedItems<'d> {
    /// The entity of the item that the call names.
    named: &'d Entity,
    caller: &'d Caller,
    /// Whether the caller asks for the referring items to be deleted as well.
    cascade: bool,
    /// An earlier call has made the item invisible: its marks are taken over.
    resumed: bool,
    pending: Vec<PendingDelete<'d>>,
    /// The marks that this call has set.
    marked: Vec<MarkedItem>,
    /// The keys of the items found so far: one can be reached by several references.
    seen: HashSet<Vec<u8>>,
}

impl<'r> Cascade<'r> {
    /// One attempt to delete an item. The side writes of each item are part of the transaction that deletes it.
    pub(super) async fn delete(
        &self,
        authorized: &Authorized<'r>,
        mut identity: Attributes,
        options: DeleteOptions,
        side_writes: &dyn SideWrites,
    ) -> Result<(), Failure> {
        let entity = authorized.entity();
        require_deletable(entity, options)?;
        let target = self.planner.targets().bind(authorized, &mut identity)?;
        let version = version_guard(entity, &target.identity, options.expected_version)?;
        let old = self.planner.targets().read_for_delete(authorized, target).await?;
        let resumed = old.is_being_deleted();
        let mut items = DeletedItems {
            named: entity,
            caller: authorized.caller(),
            // An interrupted delete was asked for.
            cascade: resumed || options.cascade,
            resumed,
            pending: Vec::new(),
            marked: Vec::new(),
            seen: HashSet::new(),
        };
        let outcome = self.delete_all(entity, old, version, side_writes, &mut items).await;
        if outcome.is_err() {
            self.executor.unmark(items.marked).await;
        }
        outcome
    }

    async fn delete_all(
        &self,
        entity: &'r Entity,
        old: Record,
        version: Option<Guard>,
        side_writes: &dyn SideWrites,
        items: &mut DeletedItems<'r>,
    ) -> Result<(), Failure> {
        self.find_and_mark(entity, old, version, items).await?;
        // The item that the call names is found last, since the items that refer to it are pending before it.
        if let Some((named, others)) = items.pending.split_last_mut() {
            named.side_writes = side_writes.writes(&[None])?;
            for item in others {
                item.side_writes = side_writes.removal(&item.record)?;
            }
        }
        order::sort(self.planner.design, &mut items.pending);
        if items.resumed || items.pending.len() > TRANSACTION_ACTIONS {
            return self.delete_in_steps(items).await;
        }
        let mut plan = Plan::default();
        let stored = |item: &PendingDelete<'_>| self.planner.items.stored_key(&item.record.stored);
        let keys: Vec<Attributes> = items.pending.iter().map(stored).collect();
        for item in &items.pending {
            let mut removal = self.plan_pending(item).await?;
            // The counters of items that the same transaction deletes do not matter.
            removal.actions.retain(|action| !matches!(action.effect, Effect::Update(_)) || !keys.contains(&action.key));
            plan.extend(removal)?;
            plan.side_writes.extend(item.side_writes.iter().cloned());
        }
        if plan.actions.len() + plan.side_writes.len() > TRANSACTION_ACTIONS {
            return self.delete_in_steps(items).await;
        }
        self.planner.shared_sets().settle(&mut plan).await?;
        self.executor.execute(plan, ReturnValues::None).await.map(|_| ())
    }
}
