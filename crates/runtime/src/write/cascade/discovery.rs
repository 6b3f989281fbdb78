//! Finds the items that refer to a deleted item, and those that refer to them.

use keyfold_design::model::{Entity, OnDelete, Reference, Verb};
use keyfold_design::with_article;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::{AttributeValue, Number};

use super::{Cascade, DeletedItems, PendingDelete};
use crate::authorize::{Access, forbidden_with};
use crate::deletion_mark::DeletionMark;
use crate::description::describe_identity;
use crate::error::Error;
use crate::incoming_references::{guarding_references, needs_deletion_mark};
use crate::record::Record;
use crate::write::executor::{Failure, MarkedItem};
use crate::write::plan::Guard;

impl<'r> Cascade<'r> {
    /// Collects an item and everything that is deleted with it. Each is marked before its referring items are looked for, and
    /// decided after that: a marked item does not change.
    pub(super) async fn find_and_mark(
        &self,
        entity: &'r Entity,
        mut record: Record,
        version: Option<Guard>,
        items: &mut DeletedItems<'r>,
    ) -> Result<(), Failure> {
        let stored_items = self.planner.items;
        let design = self.planner.design;
        let key = stored_items.stored_key(&record.stored);
        if !items.seen.insert(codec::encode(&key)) {
            return Ok(());
        }
        // The named item is the first that is found.
        let is_named = items.seen.len() == 1;
        let mut mark = None;
        if needs_deletion_mark(design, entity) {
            if record.is_being_deleted() {
                mark = Some(DeletionMark::Deleting);
            } else {
                let (marked, own) = self.mark(entity, &record, version, items.resumed).await?;
                items.marked.push(MarkedItem { key, mark: own });
                record = marked;
                mark = Some(own);
            }
        }
        let decided_by_item = if is_named { false } else { self.require_not_forbidden(entity, &record, items)? };
        let caller = items.caller;
        let name = |record: &Record| {
            // The identity of an item that the call does not name is a stored value.
            match is_named || self.planner.reader(caller).may_read(entity, &record.attributes) {
                true => format!("{} {}", entity.name, describe_identity(entity, &record.attributes)),
                false => with_article(&entity.name),
            }
        };
        for (child, reference) in guarding_references(design, entity) {
            let deletes_children = reference.on_delete == OnDelete::Cascade || items.cascade;
            if !deletes_children && self.is_counted(entity, reference, &record) {
                return Err(Failure::Final(still_referenced(&name(&record), child, reference)));
            }
            let limit = if deletes_children { None } else { Some(1) };
            let children = stored_items.referring(child, reference, &record.attributes, limit).await?;
            if !deletes_children && !children.is_empty() {
                return Err(Failure::Final(still_referenced(&name(&record), child, reference)));
            }
            for record in children {
                Box::pin(self.find_and_mark(child, record, None, items)).await?;
            }
        }
        let (side_writes, counted) = (Vec::new(), Vec::new());
        items.pending.push(PendingDelete { entity, record, mark, side_writes, decided_by_item, counted });
        Ok(())
    }

    /// Rejects the delete if a policy forbids it for an item that is deleted with the named one. Returns whether that depends
    /// on the item. Permission to delete the named item itself was required before.
    fn require_not_forbidden(
        &self,
        entity: &'r Entity,
        record: &Record,
        items: &DeletedItems<'r>,
    ) -> Result<bool, Error> {
        let access = Access { caller: items.caller, verb: Verb::Delete, entity, pattern: None };
        let authorizer = self.planner.authorizer;
        // What was begun was decided.
        if items.resumed || authorizer.forbids(&access, None) == Some(false) {
            return Ok(false);
        }
        match authorizer.forbids(&access, Some(&record.attributes)) {
            Some(false) => Ok(true),
            // With an item nothing is unknown.
            Some(true) | None => Err(forbidden_with(&access, items.named)),
        }
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

/// The error of a delete of an item that another refers to.
fn still_referenced(item: &str, child: &Entity, reference: &Reference) -> Error {
    let child_name = with_article(&child.name);
    let message = format!("{item} cannot be deleted: {child_name} refers to it with `{}`", reference.attribute);
    Error::constraint(format!("{}.{}", child.name, reference.attribute), Some(&reference.attribute), message)
}
