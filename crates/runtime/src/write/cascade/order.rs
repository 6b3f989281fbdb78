//! The order in which the items of a delete are deleted.

use std::collections::{BTreeSet, HashMap};

use keyfold_design::Design;
use keyfold_design::model::{Entity, EntityId};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;

use super::PendingDelete;
use crate::incoming_references::guarding_references;
use crate::write::planner::referenced_identity;

/// An item, by its entity and its encoded identity.
pub(super) type ItemId = (EntityId, Vec<u8>);

/// Sorts items so that referring items come before the items that they refer to, and notes for each counter how many of
/// the deleted items it counts.
pub(super) fn sort(design: &Design, pending: &mut Vec<PendingDelete<'_>>) {
    let positions: HashMap<ItemId, usize> = pending
        .iter()
        .enumerate()
        .map(|(position, item)| (item_id(item.entity, &item.record.attributes), position))
        .collect();
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); pending.len()];
    let mut referring = vec![0_usize; pending.len()];
    let mut counted: Vec<(usize, String)> = Vec::new();
    for (item, targets) in pending.iter().zip(&mut targets) {
        for reference in &item.entity.references {
            let Some(identity) = referenced_identity(reference, &item.record.attributes) else { continue };
            let target = item_id(&design[reference.target], &identity);
            let Some(position) = positions.get(&target) else { continue };
            targets.push(*position);
            if let Some(count) = referring.get_mut(*position) {
                *count += 1;
            }
            counted.extend(reference.counted_as.clone().map(|counter| (*position, counter)));
        }
    }
    note_counters(design, pending, counted);
    let ranks = ranks(&targets, referring);
    let mut ranked: Vec<(usize, PendingDelete<'_>)> = ranks.into_iter().zip(pending.drain(..)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    pending.extend(ranked.into_iter().map(|(_, item)| item));
}

/// Sets how many of the deleted items each counter of a pending item counts.
fn note_counters(design: &Design, pending: &mut [PendingDelete<'_>], counted: Vec<(usize, String)>) {
    for item in pending.iter_mut() {
        let counters: BTreeSet<String> = guarding_references(design, item.entity)
            .filter_map(|(_, reference)| reference.counted_as.clone())
            .collect();
        item.counted = counters.into_iter().map(|counter| (counter, 0)).collect();
    }
    for (position, counter) in counted {
        let counters = pending.get_mut(position).map(|item| &mut item.counted);
        if let Some((_, count)) = counters.and_then(|counters| counters.iter_mut().find(|(name, _)| *name == counter)) {
            *count += 1;
        }
    }
}

/// A topological order: the rank of each item, given the targets of each and how many items refer to it. Items of a
/// cycle come last.
fn ranks(targets: &[Vec<usize>], mut referring: Vec<usize>) -> Vec<usize> {
    let unreferenced = referring.iter().enumerate().filter(|(_, count)| **count == 0);
    let mut free: Vec<usize> = unreferenced.map(|(position, _)| position).collect();
    let mut ranks = vec![usize::MAX; targets.len()];
    let mut next = 0;
    while let Some(position) = free.pop() {
        if let Some(rank) = ranks.get_mut(position) {
            *rank = next;
        }
        next += 1;
        for target in targets.get(position).into_iter().flatten() {
            if let Some(count) = referring.get_mut(*target) {
                *count -= 1;
                if *count == 0 {
                    free.push(*target);
                }
            }
        }
    }
    ranks
}

pub(super) fn item_id(entity: &Entity, attributes: &Attributes) -> ItemId {
    let identity = entity.identity.iter().filter_map(|name| attributes.get_key_value(name));
    (entity.id, codec::encode(&identity.map(|(name, value)| (name.clone(), value.clone())).collect()))
}
