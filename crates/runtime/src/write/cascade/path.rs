//! The way from the item that a delete names down to one of the items that are deleted with it.
//!
//! Items are visited depth first. What is held meanwhile does not depend on their number: a page of referring items for
//! each item of the path.

use std::collections::{HashSet, VecDeque};

use keyfold_design::Design;
use keyfold_design::model::{Entity, EntityId, Reference};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::PendingDelete;
use crate::error::Error;
use crate::incoming_references::{findable_counters, guarding_references, unfindable_counters};
use crate::items::{Items, ReferringPages};
use crate::record::Record;

/// The items between the named item and the one that is visited, both included.
#[derive(Default)]
pub(super) struct Path<'r> {
    levels: Vec<Level<'r>>,
    keys: HashSet<Vec<u8>>,
}

/// An item whose referring items are visited.
pub(super) struct Level<'r> {
    /// Its counters count what [`Level::count`] was called for.
    pub item: PendingDelete<'r>,
    key: Vec<u8>,
    references: VecDeque<(&'r Entity, &'r Reference)>,
    pages: Option<ReferringPages<'r>>,
    /// What was read of the referring items and not visited yet.
    page: VecDeque<Record>,
}

/// The next thing to do at a level.
pub(super) enum Next<'r> {
    /// Items may refer by this reference. [`Level::open`] visits them.
    Reference(&'r Entity, &'r Reference),
    /// A page of referring items was read.
    Page,
    /// An item of the page.
    Item(&'r Entity, &'r Reference, Record),
    /// All were visited.
    End,
}

impl<'r> Path<'r> {
    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Whether the item with this key is on the path: references may form a cycle.
    pub(super) fn contains(&self, key: &[u8]) -> bool {
        self.keys.contains(key)
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Level<'r>> {
        self.levels.last_mut()
    }

    pub(super) fn push(&mut self, level: Level<'r>) {
        self.keys.insert(level.key.clone());
        self.levels.push(level);
    }

    pub(super) fn pop(&mut self) -> Option<Level<'r>> {
        let level = self.levels.pop()?;
        self.keys.remove(&level.key);
        Some(level)
    }

    /// Leaves out an item that was found at the last level and that a level above may have read as well.
    pub(super) fn leave_out(&mut self, items: &Items<'_>, entity: EntityId, key: &[u8]) {
        let Some((_, above)) = self.levels.split_last_mut() else { return };
        let holds = |level: &&mut Level<'r>| level.pages.as_ref().is_some_and(|pages| pages.child.id == entity);
        for level in above.iter_mut().filter(holds) {
            level.page.retain(|record| items.encoded_key(&record.stored) != key);
        }
    }
}

impl<'r> Level<'r> {
    pub(super) fn new(design: &'r Design, items: &Items<'_>, mut item: PendingDelete<'r>) -> Self {
        let key = items.encoded_key(&item.record.stored);
        item.counted = findable_counters(design, item.entity).into_iter().map(|counter| (counter, 0)).collect();
        let references = guarding_references(design, item.entity).collect();
        Self { item, key, references, pages: None, page: VecDeque::new() }
    }

    pub(super) async fn next(&mut self, items: &Items<'_>) -> Result<Next<'r>, Error> {
        if let Some(pages) = &mut self.pages {
            if let Some(record) = self.page.pop_front() {
                return Ok(Next::Item(pages.child, pages.reference, record));
            }
            if let Some(records) = items.next_referring(pages, &self.item.record.attributes).await? {
                // Several derived items of one source can be in the range.
                let mut known = HashSet::with_capacity(records.len());
                self.page = records.into();
                self.page.retain(|record| known.insert(items.encoded_key(&record.stored)));
                return Ok(Next::Page);
            }
            self.pages = None;
        }
        Ok(self.references.pop_front().map_or(Next::End, |(child, reference)| Next::Reference(child, reference)))
    }

    /// Visits the items that refer by a reference.
    pub(super) fn open(&mut self, items: &Items<'_>, child: &'r Entity, reference: &'r Reference) -> Result<(), Error> {
        self.pages = Some(items.referring_pages(child, reference, &self.item.record.attributes)?);
        Ok(())
    }

    /// Visits items last that others refer to which no key range finds: those others may be deleted by then.
    pub(super) fn defer_unfindable(&mut self, design: &Design) {
        let is_deferred = |child: &Entity| !unfindable_counters(design, child).is_empty();
        self.references.make_contiguous().sort_by_key(|(child, _)| is_deferred(child));
    }

    /// The entity of the page's items, and what was read of them and not visited yet.
    pub(super) fn page_mut(&mut self) -> Option<(&'r Entity, &mut VecDeque<Record>)> {
        self.pages.as_ref().map(|pages| (pages.child, &mut self.page))
    }

    /// Notes an item that refers to this one.
    pub(super) fn count(&mut self, reference: &Reference) {
        let counted = self.item.counted.iter_mut().find(|(name, _)| reference.counted_as.as_ref() == Some(name));
        if let Some((_, count)) = counted {
            *count += 1;
        }
    }

    /// Whether a counter of the stored item says that more items refer to it than were noted.
    pub(super) fn misses_items(&self, stored: &Attributes) -> bool {
        self.item.counted.iter().any(|(counter, found)| {
            let count = stored.get(counter).and_then(AttributeValue::as_number);
            count.is_some_and(|count| *count > Number::from(*found))
        })
    }
}
