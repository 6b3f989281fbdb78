//! Finds the items that refer to a deleted item, and those that refer to them.

use keyfold_design::model::{Entity, OnDelete, Reference};
use keyfold_design::with_article;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::{AttributeValue, Number};

use super::{Cascade, DeletedItems, PendingDelete};
use crate::deletion_mark::DeletionMark;
use crate::description::describe_identity;
use crate::error::Error;
use crate::incoming_references::{guarding_references, needs_deletion_mark};
use crate::record::Record;
use crate::write::executor::{Failure, MarkedItem};
use crate::write::plan::Guard;

impl<'r> Cascade<'r> {
    /// Collects an item and everything that is deleted with it. Each is marked before its referring items are looked for.
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
        for (child, reference) in guarding_references(design, entity) {
            let deletes_children = reference.on_delete == OnDelete::Cascade || items.cascade;
            if !deletes_children && self.is_counted(entity, reference, &record) {
                return Err(Failure::Final(still_referenced(entity, &record, child, reference)));
            }
            let limit = if deletes_children { None } else { Some(1) };
            let children = stored_items.referring(child, reference, &record.attributes, limit).await?;
            if !deletes_children && !children.is_empty() {
                return Err(Failure::Final(still_referenced(entity, &record, child, reference)));
            }
            for record in children {
                Box::pin(self.find_and_mark(child, record, None, items)).await?;
            }
        }
        items.pending.push(PendingDelete { entity, record, mark, counted: Vec::new() });
        Ok(())
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

fn still_referenced(entity: &Entity, record: &Record, child: &Entity, reference: &Reference) -> Error {
    let message = format!(
        "{} {} cannot be deleted: {} refers to it with `{}`",
        entity.name,
        describe_identity(entity, &record.attributes),
        with_article(&child.name),
        reference.attribute
    );
    Error::constraint(format!("{}.{}", child.name, reference.attribute), Some(&reference.attribute), message)
}
