//! Counters of items that no key range finds. Which items they count is known only once everything that is deleted was
//! found: each item is noted with what it refers to.

use std::collections::HashMap;

use keyfold_design::Design;
use keyfold_design::model::Entity;
use keyfold_dynamo::AttributeValue;

use super::order::{ItemId, item_id};
use crate::incoming_references::unfindable_counters;
use crate::record::Record;
use crate::write::planner::referenced_identity;

/// For each such counter, how many of the items found it counts, less its value. It holds nothing for other counters,
/// so that it grows with the items that are referred to in this way, and not with those that refer to them.
#[derive(Default)]
pub(super) struct Tally {
    balances: HashMap<(ItemId, String), i64>,
}

impl Tally {
    /// Notes an item that is deleted: its counters, and those that count it.
    pub(super) fn note(&mut self, design: &Design, entity: &Entity, record: &Record) {
        for counter in unfindable_counters(design, entity) {
            let stored = record.stored.get(&counter).and_then(AttributeValue::as_number);
            if let Some(count) = stored.and_then(|count| count.to_i64()) {
                *self.balances.entry((item_id(entity, &record.attributes), counter)).or_default() -= count;
            }
        }
        for reference in &entity.references {
            let target = &design[reference.target];
            let Some(counter) = &reference.counted_as else { continue };
            if !unfindable_counters(design, target).contains(counter) {
                continue;
            }
            if let Some(identity) = referenced_identity(reference, &record.attributes) {
                *self.balances.entry((item_id(target, &identity), counter.clone())).or_default() += 1;
            }
        }
    }

    /// Whether a counter counts more items than were found: one that is not deleted refers to an item that is.
    pub(super) fn misses_items(&self) -> bool {
        self.balances.values().any(|balance| *balance < 0)
    }
}
