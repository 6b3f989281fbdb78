//! Deletes of items that other items may refer to.
//!
//! The item gets a deletion mark first. From then on no new item can refer to it, so that the referring items found
//! afterwards are all there are; each of them that others may refer to is marked in turn. A delete that fits into a
//! transaction is one. A larger one keeps nothing of what it found but the marks: it makes the item invisible, finds
//! the referring items again, deletes them in steps and the item last. Another call of the same delete resumes it.
//!
//! The caller needs permission to delete the item that the call names. Items that are deleted with it need none, but a
//! policy that forbids the delete of one of them prevents the whole delete. All are decided before the first is
//! deleted; a delete that is resumed is not decided again.

mod discovery;
mod marking;
mod order;
mod path;
mod removal;
mod tally;

use std::collections::HashSet;

use keyfold_design::model::Entity;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::{ReturnValues, TransactWrite};
use keyfold_environment::random_bytes;

use self::tally::Tally;
use super::command::DeleteOptions;
use super::executor::{Executor, Failure, MarkedItem};
use super::plan::{Effect, Guard, Plan};
use super::planner::{Planner, require_deletable, version_guard};
use super::side_writes::SideWrites;
use crate::authorize::Authorized;
use crate::caller::Caller;
use crate::deletion_mark::DeletionMark;
use crate::error::Error;
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
    /// For each of its counters, how many items it may still count when it is deleted.
    counted: Vec<(String, u64)>,
}

impl<'d> PendingDelete<'d> {
    fn new(entity: &'d Entity, record: Record, mark: Option<DeletionMark>) -> Self {
        Self { entity, record, mark, side_writes: Vec::new(), decided_by_item: false, counted: Vec::new() }
    }
}

/// The items that one delete comprises.
struct DeletedItems<'d> {
    /// The entity of the item that the call names.
    named: &'d Entity,
    caller: &'d Caller,
    /// Whether the caller asks for the referring items to be deleted as well.
    cascade: bool,
    /// The token of all marks that this call sets.
    token: u64,
    /// Whether there are more items than a transaction holds. Then only the marks in the table tell which they are.
    is_large: bool,
    /// All items found so far, each behind those that refer to it; none if there are too many.
    pending: Vec<PendingDelete<'d>>,
    /// The marks that this call has set, that of the named item first; only that one if there are too many items.
    marked: Vec<MarkedItem>,
    /// The keys of the items found so far, since one can be reached by several references; none if there are too many.
    seen: HashSet<Vec<u8>>,
    /// The counters of the items found so far that only all items together account for.
    tally: Tally,
    /// The key of an item that more items refer to than were found.
    incomplete: Option<Attributes>,
    /// Whether the item is invisible by now, so that its delete is not taken back.
    is_begun: bool,
}

impl<'d> DeletedItems<'d> {
    /// Keeps an item for the transaction that deletes all of them, as long as there can be one.
    fn keep(&mut self, item: PendingDelete<'d>) {
        if !self.is_large && self.pending.len() < TRANSACTION_ACTIONS {
            self.pending.push(item);
            return;
        }
        self.is_large = true;
        self.marked.truncate(1);
        self.pending = Vec::new();
        self.seen = HashSet::new();
    }
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
        // What was begun was asked for, and decided.
        if old.is_being_deleted() {
            let named = side_writes.writes(&[None])?;
            return self.remove_all(entity, old, named, side_writes).await;
        }
        let mut items = DeletedItems {
            named: entity,
            caller: authorized.caller(),
            cascade: options.cascade,
            token: u64::from_be_bytes(random_bytes(self.planner.random).map_err(Error::from)?),
            is_large: false,
            pending: Vec::new(),
            marked: Vec::new(),
            seen: HashSet::new(),
            tally: Tally::default(),
            incomplete: None,
            is_begun: false,
        };
        let outcome = self.delete_all(entity, old.clone(), version, side_writes, &mut items).await;
        if outcome.is_err() && !items.is_begun {
            self.take_back_marks(entity, old, items).await;
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
        let record = self.find_and_mark(entity, old, version, side_writes, items).await?;
        let named = side_writes.writes(&[None])?;
        if !items.is_large {
            // The item that the call names is found last, since the items that refer to it are pending before it.
            if let Some(last) = items.pending.last_mut() {
                last.side_writes.clone_from(&named);
            }
            if let Some(mut plan) = self.plan_together(&mut items.pending).await? {
                self.planner.shared_sets().settle(&mut plan).await?;
                return self.executor.execute(plan, ReturnValues::None).await.map(|_| ());
            }
            items.pending = Vec::new();
        }
        if let Some(key) = &items.incomplete {
            return Err(self.executor.conflict(key));
        }
        if let Some(marked) = items.marked.first() {
            self.begin_deletion(marked).await?;
        }
        items.is_begun = true;
        self.remove_all(entity, record, named, side_writes).await
    }

    /// The plan that deletes all items at once; `None` if no transaction holds it.
    async fn plan_together(&self, pending: &mut Vec<PendingDelete<'_>>) -> Result<Option<Plan>, Error> {
        order::sort(self.planner.design, pending);
        let mut plan = Plan::default();
        let stored = |item: &PendingDelete<'_>| self.planner.items.stored_key(&item.record.stored);
        let keys: Vec<Attributes> = pending.iter().map(stored).collect();
        for item in pending.iter() {
            let mut removal = self.plan_pending(item).await?;
            // The counters of items that the same transaction deletes do not matter.
            removal.actions.retain(|action| !matches!(action.effect, Effect::Update(_)) || !keys.contains(&action.key));
            plan.extend(removal)?;
            plan.side_writes.extend(item.side_writes.iter().cloned());
        }
        Ok(Some(plan).filter(|plan| plan.actions.len() + plan.side_writes.len() <= TRANSACTION_ACTIONS))
    }
}
