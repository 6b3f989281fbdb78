//! Deletion marks: set before the referring items are looked for, and turned into deletion once it cannot be stopped.

use std::collections::VecDeque;

use keyfold_design::model::Entity;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::ReturnValues;

use super::discovery::deletes_referring;
use super::path::{Level, Next, Path};
use super::{Cascade, DeletedItems, PendingDelete};
use crate::deletion_mark::{DELETION_MARK, DeletionMark};
use crate::description::describe_identity;
use crate::error::Error;
use crate::incoming_references::needs_deletion_mark;
use crate::record::Record;
use crate::write::executor::{Failure, MarkedItem, marked_action};
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};
use crate::write::planner::Compared;

impl<'r> Cascade<'r> {
    /// Marks an item that is still as it was read, and returns it as it is then: its counters cannot grow any more.
    pub(super) async fn mark(
        &self,
        entity: &Entity,
        record: &Record,
        version: Option<Guard>,
        token: u64,
    ) -> Result<(Record, DeletionMark), Failure> {
        let planner = &self.planner;
        let now_ms = planner.clock.now_ms();
        let mark = DeletionMark::Checking { since_ms: now_ms, token };
        let mut guards = self.exists(entity);
        guards.push(match DeletionMark::read(&record.stored) {
            Some(theirs) if theirs.is_stale(now_ms) => has_mark(theirs),
            _ => {
                let identity = describe_identity(entity, &record.attributes);
                has_no_mark(GuardFailure::BeingDeleted { entity: entity.name.clone(), identity })
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

    /// Makes the named item invisible: from now on it is being deleted, and another call of its delete resumes this
    /// one.
    pub(super) async fn begin_deletion(&self, named: &MarkedItem) -> Result<(), Failure> {
        let begin = marked_action(named.key.clone(), named.mark, set_mark(DeletionMark::Deleting));
        self.executor.execute(Plan::from_actions(vec![begin]), ReturnValues::None).await.map(|_| ())
    }

    /// Makes the items of a page invisible that others may refer to, as they were read, before anything is deleted that
    /// refers to them. Whatever mark they have, of this delete or another, gives way: the item that they refer to is
    /// being deleted.
    pub(super) async fn begin_page(&self, entity: &Entity, page: &mut VecDeque<Record>) -> Result<(), Failure> {
        if !needs_deletion_mark(self.planner.design, entity) {
            return Ok(());
        }
        let mut actions = Vec::new();
        for record in page.iter_mut().filter(|record| !record.is_being_deleted()) {
            let mut guards = self.exists(entity);
            match DeletionMark::read(&record.stored) {
                // Nobody changes a marked item.
                Some(mark) => guards.push(has_mark(mark)),
                None => {
                    guards.push(has_no_mark(GuardFailure::ChangedSinceRead));
                    guards.extend(self.planner.guards().unchanged(entity, record, Compared::PlanInputs));
                }
            }
            let key = self.planner.items.stored_key(&record.stored);
            actions.push(Action { key, effect: Effect::Update(set_mark(DeletionMark::Deleting)), guards });
            record.stored.insert(DELETION_MARK.to_owned(), DeletionMark::Deleting.encode());
        }
        self.execute_step(Plan::from_actions(actions)).await
    }

    /// Removes the marks of a delete that was rejected. Those that cannot be found or removed now are removed by others
    /// when they are stale.
    pub(super) async fn take_back_marks(&self, entity: &'r Entity, named: Record, items: DeletedItems<'r>) {
        self.executor.unmark(items.marked).await;
        if items.is_large {
            drop(self.take_back_below(entity, named, items.token, items.cascade).await);
        }
    }

    /// Removes the marks with a token from the items that refer to an item, and from those that refer to them.
    async fn take_back_below(&self, entity: &'r Entity, named: Record, token: u64, cascade: bool) -> Result<(), Error> {
        let (design, stored_items) = (self.planner.design, self.planner.items);
        let mut path = Path::default();
        path.push(Level::new(design, &stored_items, PendingDelete::new(entity, named, None)));
        while let Some(level) = path.last_mut() {
            match level.next(&stored_items).await? {
                Next::Reference(child, reference) => {
                    if needs_deletion_mark(design, child) && deletes_referring(reference, cascade) {
                        level.open(&stored_items, child, reference)?;
                    }
                }
                Next::Page => {}
                Next::Item(child, _, record) => {
                    let mark = DeletionMark::read(&record.stored);
                    let own = mark.filter(|mark| mark.has_token(token));
                    if let Some(mark) = own {
                        let key = stored_items.stored_key(&record.stored);
                        self.executor.unmark(vec![MarkedItem { key, mark }]).await;
                    }
                    // What refers to an item whose own delete was interrupted has been marked as well.
                    let is_visited = own.is_some() || mark == Some(DeletionMark::Deleting);
                    if is_visited && !path.contains(&stored_items.encoded_key(&record.stored)) {
                        path.push(Level::new(design, &stored_items, PendingDelete::new(child, record, mark)));
                    }
                }
                Next::End => drop(path.pop()),
            }
        }
        Ok(())
    }

    /// The item is still there.
    pub(super) fn exists(&self, entity: &Entity) -> Vec<Guard> {
        self.planner.guards().presence(entity, &GuardFailure::ChangedSinceRead)
    }
}

/// The item has the mark that was read.
pub(super) fn has_mark(mark: DeletionMark) -> Guard {
    Guard::new(Condition::equals(DELETION_MARK.to_owned(), mark.encode()), GuardFailure::ChangedSinceRead)
}

fn has_no_mark(failure: GuardFailure) -> Guard {
    Guard::new(Condition::attribute_not_exists(DELETION_MARK.to_owned()), failure)
}

fn set_mark(mark: DeletionMark) -> AttributeChanges {
    let mut changes = AttributeChanges::default();
    changes.set.insert(DELETION_MARK.to_owned(), mark.encode());
    changes
}
