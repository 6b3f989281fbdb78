//! How far background work has got in each list of things to do.
//!
//! A removed row leaves a tombstone that a walk over its list has to pass until the store has compacted it away. So
//! each walk continues where the one before ended, and begins earlier only where a commit has added a row behind it
//! since. Positions are not stored: after a restart, the first walk begins at the beginning.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::rows::layout::{self, WorkList};
use crate::store::Change;

/// The positions of all lists.
#[derive(Default)]
pub(crate) struct WorkLists {
    positions: Mutex<BTreeMap<WorkList, Position>>,
}

#[derive(Default)]
struct Position {
    /// Every row before this key has been handled; empty at first.
    next: Vec<u8>,
    /// The first row added since the current walk began.
    added: Option<Vec<u8>>,
}

/// The first row that a commit adds to each list.
pub(crate) type AddedWork = BTreeMap<WorkList, Vec<u8>>;

impl WorkLists {
    /// Begins a walk and returns the key to begin at. Take the snapshot for the walk afterwards: a row that is added
    /// in between is then found by this walk, or makes the next one begin earlier.
    pub(crate) fn begin(&self, list: WorkList) -> Vec<u8> {
        let mut positions = self.positions.lock();
        let position = positions.entry(list).or_default();
        if let Some(added) = position.added.take()
            && added < position.next
        {
            position.next = added;
        }
        position.next.clone()
    }

    /// Records that everything before `next` has been handled. If this is not called, the next walk begins where this
    /// one did.
    pub(crate) fn advance(&self, list: WorkList, next: Vec<u8>) {
        self.positions.lock().entry(list).or_default().next = next;
    }

    /// Forgets a list that no longer exists.
    pub(crate) fn forget(&self, list: WorkList) {
        self.positions.lock().remove(&list);
    }

    /// Called once the rows are visible: if it were called earlier, a walk could pass them without seeing them.
    pub(crate) fn add(&self, added: AddedWork) {
        if added.is_empty() {
            return;
        }
        let mut positions = self.positions.lock();
        for (list, row) in added {
            // A list without a position has not been walked: the first walk finds the row.
            if let Some(position) = positions.get_mut(&list) {
                let first = position.added.take().map_or(row.clone(), |earlier| earlier.min(row));
                position.added = Some(first);
            }
        }
    }
}

/// The rows that changes add to the lists.
pub(crate) fn added_work(changes: &[Change]) -> AddedWork {
    let mut added = AddedWork::new();
    for change in changes {
        let Change::Put(key, _) = change else { continue };
        let Some(list) = layout::work_list(key) else { continue };
        match added.get_mut(&list) {
            Some(first) if *first <= *key => {}
            Some(first) => first.clone_from(key),
            None => {
                added.insert(list, key.clone());
            }
        }
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: WorkList = WorkList::Tokens;

    fn add(lists: &WorkLists, row: &[u8]) {
        lists.add(AddedWork::from([(LIST, row.to_vec())]));
    }

    #[test]
    fn a_walk_continues_where_the_one_before_ended() {
        let lists = WorkLists::default();
        assert_eq!(lists.begin(LIST), b"");
        lists.advance(LIST, b"m".to_vec());
        assert_eq!(lists.begin(LIST), b"m");
        assert_eq!(lists.begin(LIST), b"m");
    }

    #[test]
    fn a_walk_begins_earlier_where_a_row_was_added() {
        let lists = WorkLists::default();
        lists.begin(LIST);
        lists.advance(LIST, b"m".to_vec());
        add(&lists, b"z");
        add(&lists, b"c");
        add(&lists, b"f");
        assert_eq!(lists.begin(LIST), b"c");
    }

    #[test]
    fn a_row_added_during_a_walk_makes_the_next_one_begin_earlier() {
        let lists = WorkLists::default();
        lists.begin(LIST);
        add(&lists, b"c");
        lists.advance(LIST, b"m".to_vec());
        assert_eq!(lists.begin(LIST), b"c");
    }

    #[test]
    fn a_walk_that_failed_begins_where_it_began() {
        let lists = WorkLists::default();
        lists.begin(LIST);
        lists.advance(LIST, b"m".to_vec());
        add(&lists, b"c");
        assert_eq!(lists.begin(LIST), b"c");
        add(&lists, b"e");
        assert_eq!(lists.begin(LIST), b"c");
    }

    #[test]
    fn only_the_rows_of_lists_count_as_work() {
        let expiry = |second| Change::Put(layout::expiry_row(7, second, &[0; 12]).unwrap(), Vec::new());
        let other = Change::Put(layout::counters(1), Vec::new());
        let removed = Change::Remove(layout::purge_ticket(1));
        let changes = [expiry(30), expiry(20), other, removed, Change::Put(layout::purge_ticket(4), Vec::new())];
        let Change::Put(first, _) = expiry(20) else { unreachable!() };
        let expected = AddedWork::from([(WorkList::Expiries(7), first), (WorkList::Purges, layout::purge_ticket(4))]);
        assert_eq!(added_work(&changes), expected);
    }
}
