//! Finds the items that refer to a deleted item, and those that refer to them.

use keyfold_design::model::{Entity, OnDelete, Reference, Verb};
use keyfold_design::with_article;
use keyfold_dynamo::{AttributeValue, Number};

use super::path::{Level, Next, Path};
use super::{Cascade, DeletedItems, PendingDelete};
use crate::authorize::{Access, forbidden_with};
use crate::deletion_mark::DeletionMark;
use crate::description::describe_identity;
use crate::error::Error;
use crate::incoming_references::{guarding_references, needs_deletion_mark};
use crate::record::Record;
use crate::write::executor::{Failure, MarkedItem};
use crate::write::plan::Guard;
use crate::write::side_writes::SideWrites;

impl<'r> Cascade<'r> {
    /// Finds and decides everything that is deleted with an item, and returns the item as it is then. Each is marked
    /// before its referring items are looked for, and decided after that: a marked item does not change.
    pub(super) async fn find_and_mark(
        &self,
        entity: &'r Entity,
        record: Record,
        version: Option<Guard>,
        side_writes: &dyn SideWrites,
        items: &mut DeletedItems<'r>,
    ) -> Result<Record, Failure> {
        let (design, stored_items) = (self.planner.design, self.planner.items);
        items.seen.insert(stored_items.encoded_key(&record.stored));
        let (named, mark) = self.mark(entity, &record, version, items.token).await?;
        items.marked.push(MarkedItem { key: stored_items.stored_key(&named.stored), mark });
        items.tally.note(design, entity, &named);
        let mut path = Path::default();
        path.push(Level::new(design, &stored_items, PendingDelete::new(entity, named.clone(), Some(mark))));
        while let Some(level) = path.last_mut() {
            match level.next(&stored_items).await? {
                Next::Reference(child, reference) if deletes_referring(reference, items.cascade) => {
                    level.open(&stored_items, child, reference)?;
                }
                Next::Reference(child, reference) => {
                    self.require_unreferenced(&level.item, child, reference, items).await?;
                }
                Next::Page => {}
                Next::Item(child, reference, record) => {
                    level.count(reference);
                    if let Some(item) = self.find_item(child, record, side_writes, items, &path).await? {
                        match needs_deletion_mark(design, child) {
                            true => path.push(Level::new(design, &stored_items, item)),
                            false => items.keep(item),
                        }
                    }
                }
                Next::End => {
                    let Some(level) = path.pop() else { break };
                    if self.is_incomplete(&level).await? {
                        items.incomplete = Some(stored_items.stored_key(&level.item.record.stored));
                    }
                    items.keep(level.item);
                }
            }
        }
        if items.tally.misses_items() {
            items.incomplete = Some(stored_items.stored_key(&named.stored));
        }
        Ok(named)
    }

    /// Marks and decides an item that is deleted with the named one; `None` if it was found before.
    async fn find_item(
        &self,
        entity: &'r Entity,
        mut record: Record,
        side_writes: &dyn SideWrites,
        items: &mut DeletedItems<'r>,
        path: &Path<'r>,
    ) -> Result<Option<PendingDelete<'r>>, Failure> {
        let key = self.planner.items.encoded_key(&record.stored);
        // Of many items, those that can be on the path are known by their marks; all others may be decided twice.
        let is_known = if items.is_large { path.contains(&key) } else { !items.seen.insert(key) };
        if is_known {
            return Ok(None);
        }
        let mut mark = None;
        if needs_deletion_mark(self.planner.design, entity) {
            if record.is_being_deleted() {
                mark = Some(DeletionMark::Deleting);
            } else {
                let Some((marked, own)) = self.mark_once(entity, &record, items.token).await? else { return Ok(None) };
                if !items.is_large {
                    let key = self.planner.items.stored_key(&marked.stored);
                    items.marked.push(MarkedItem { key, mark: own });
                }
                (record, mark) = (marked, Some(own));
            }
        }
        let decided_by_item = self.require_not_forbidden(entity, &record, items)?;
        items.tally.note(self.planner.design, entity, &record);
        // An error of the side writes rejects the delete as long as nothing is deleted.
        let side_writes = side_writes.removal(&record)?;
        Ok(Some(PendingDelete { side_writes, decided_by_item, ..PendingDelete::new(entity, record, mark) }))
    }

    /// Marks an item, unless this delete has marked it before.
    async fn mark_once(
        &self,
        entity: &Entity,
        record: &Record,
        token: u64,
    ) -> Result<Option<(Record, DeletionMark)>, Failure> {
        if DeletionMark::read(&record.stored).is_some_and(|mark| mark.has_token(token)) {
            return Ok(None);
        }
        match self.mark(entity, record, None, token).await {
            // It was read before it was marked.
            Err(Failure::Marked(_, found)) if found.mark.has_token(token) => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    /// Whether more items refer to an item than were found: an index lags behind the table.
    async fn is_incomplete(&self, level: &Level<'r>) -> Result<bool, Error> {
        let stored = &level.item.record.stored;
        if !level.misses_items(stored) {
            return Ok(false);
        }
        // Referring items may have been deleted before they could be found.
        let now = self.planner.items.attributes_at_key(self.planner.items.stored_key(stored)).await?;
        Ok(now.is_some_and(|now| level.misses_items(&now)))
    }

    /// Rejects the delete if a policy forbids it for an item that is deleted with the named one. Returns whether that
    /// depends on the item. Permission to delete the named item itself was required before.
    fn require_not_forbidden(
        &self,
        entity: &'r Entity,
        record: &Record,
        items: &DeletedItems<'r>,
    ) -> Result<bool, Error> {
        let access = Access { caller: items.caller, verb: Verb::Delete, entity, pattern: None };
        let authorizer = self.planner.authorizer;
        if authorizer.forbids(&access, None) == Some(false) {
            return Ok(false);
        }
        match authorizer.forbids(&access, Some(&record.attributes)) {
            Some(false) => Ok(true),
            // With an item nothing is unknown.
            Some(true) | None => Err(forbidden_with(&access, items.named)),
        }
    }

    /// Rejects the delete if an item refers to a deleted one by a reference that prevents its delete.
    async fn require_unreferenced(
        &self,
        item: &PendingDelete<'r>,
        child: &Entity,
        reference: &Reference,
        items: &DeletedItems<'r>,
    ) -> Result<(), Error> {
        let PendingDelete { entity, record, .. } = item;
        let is_referred_to = self.is_counted(entity, reference, record)
            || self.planner.items.is_referred_to(child, reference, &record.attributes).await?;
        if !is_referred_to {
            return Ok(());
        }
        let stored_key = |record: &Record| self.planner.items.stored_key(&record.stored);
        let is_named = items.marked.first().is_some_and(|named| named.key == stored_key(record));
        // The identity of an item that the call does not name is a stored value.
        let name = match is_named || self.planner.reader(items.caller).may_read(entity, &record.attributes) {
            true => format!("{} {}", entity.name, describe_identity(entity, &record.attributes)),
            false => with_article(&entity.name),
        };
        Err(still_referenced(&name, child, reference))
    }

    /// Whether the item's counter alone proves that an item refers to it, so that no index has to be read.
    fn is_counted(&self, entity: &Entity, reference: &Reference, record: &Record) -> bool {
        let Some(counter) = &reference.counted_as else { return false };
        let sharing = guarding_references(self.planner.design, entity)
            .filter(|(_, other)| other.counted_as.as_ref() == Some(counter));
        let counted = record.stored.get(counter).and_then(AttributeValue::as_number);
        sharing.count() == 1 && counted.is_some_and(|count| *count > Number::ZERO)
    }
}

/// Whether the items that refer by a reference are deleted with the item that they refer to.
pub(super) fn deletes_referring(reference: &Reference, cascade: bool) -> bool {
    cascade || reference.on_delete == OnDelete::Cascade
}

/// The error of a delete of an item that another refers to.
fn still_referenced(item: &str, child: &Entity, reference: &Reference) -> Error {
    let child_name = with_article(&child.name);
    let message = format!("{item} cannot be deleted: {child_name} refers to it with `{}`", reference.attribute);
    Error::constraint(format!("{}.{}", child.name, reference.attribute), Some(&reference.attribute), message)
}
