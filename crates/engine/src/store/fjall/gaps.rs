//! Gaps: stretches of keys that are known to hold no rows.
//!
//! A removed row leaves a tombstone in the store until tables are merged, and whoever reads walks over all tombstones
//! between two rows, without a way to stop: a million of them take half a second. So a read that had to walk for long
//! leaves a gap here, and the reads after it begin behind the gap.
//!
//! Gaps stay true because each commit passes here first: the keys that it sets are cut out of the gaps, and remembered
//! as long as there are snapshots, which may find a gap later. A snapshot may use the gaps that were found in its own
//! state or an earlier one; commits are numbered to tell.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;

use crate::store::key_after;

/// More gaps than this are not remembered.
const MOST_GAPS: usize = 1024;

/// How many bytes of keys that commits have set are remembered, for gaps that a read finds meanwhile.
const RECENT_BYTES: usize = 2 << 20;

/// The commits that a snapshot holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// It holds all commits up to this one,
    all_until: u64,
    /// and none after this one.
    none_after: u64,
}

/// Keys from the first, included, to the second, excluded.
pub(super) type Stretch = (Vec<u8>, Vec<u8>);

#[derive(Default)]
pub(super) struct Gaps {
    state: Mutex<State>,
    /// Whether there are gaps, without a lock.
    exist: AtomicBool,
    /// The number of snapshots that may add gaps.
    snapshots: AtomicUsize,
    /// The number of the commit that has begun last.
    begun: AtomicU64,
    /// The number of the commit that snapshots have seen last.
    visible: AtomicU64,
}

#[derive(Default)]
struct State {
    /// By their first keys. No two overlap or touch.
    gaps: BTreeMap<Vec<u8>, Gap>,
    recent: RecentKeys,
}

#[derive(Debug, Clone)]
struct Gap {
    /// The first key behind it.
    end: Vec<u8>,
    /// The last commit that the state in which it was found can hold.
    found_at: u64,
}

impl Gaps {
    /// To be called before a commit sets keys. Commits come one after the other.
    pub(super) fn begin_commit<'a>(&self, keys: impl Iterator<Item = &'a [u8]>) {
        let number = self.begun.load(Ordering::SeqCst) + 1;
        let mut state = self.state.lock();
        // A snapshot that is counted later, but does not see this commit, adds no gap: it has not seen all commits
        // whose keys are forgotten. Copying every key takes a hundredth of the time of a commit.
        let is_remembered = self.snapshots.load(Ordering::SeqCst) > 0;
        if !is_remembered {
            state.recent.forget_until(number);
        }
        if is_remembered || !state.gaps.is_empty() {
            for key in keys {
                state.cut(key);
                if is_remembered {
                    state.recent.push(number, key);
                }
            }
        }
        self.begun.store(number, Ordering::SeqCst);
    }

    /// To be called once snapshots see what the commit has set.
    pub(super) fn end_commit(&self) {
        self.visible.store(self.begun.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    /// Takes a snapshot, and says which commits it holds. [`Self::end_snapshot`] must follow once it adds no more gaps.
    pub(super) fn snapshot<T>(&self, take: impl FnOnce() -> T) -> (T, Moment) {
        // Counted first: all commits that begin after those of `all_until` are to be remembered.
        self.snapshots.fetch_add(1, Ordering::SeqCst);
        let all_until = self.visible.load(Ordering::SeqCst);
        let snapshot = take();
        (snapshot, Moment { all_until, none_after: self.begun.load(Ordering::SeqCst) })
    }

    pub(super) fn end_snapshot(&self) {
        self.snapshots.fetch_sub(1, Ordering::SeqCst);
    }

    /// Remembers that a snapshot has no rows in a stretch.
    pub(super) fn add(&self, (start, end): Stretch, moment: Moment) {
        let mut state = self.state.lock();
        let Some(mut set_since) = state.recent.set_after(moment.all_until, &start, &end) else { return };
        set_since.sort_unstable();
        let mut from = start;
        for key in set_since {
            let next = key_after(&key);
            state.join((std::mem::replace(&mut from, next), key), moment.none_after);
        }
        state.join((from, end), moment.none_after);
        self.exist.store(true, Ordering::SeqCst);
    }

    /// The first gap in a stretch, or the last one in reverse, that a snapshot may use.
    pub(super) fn find(&self, from: &[u8], to: Option<&[u8]>, reverse: bool, moment: Moment) -> Option<Stretch> {
        // A gap that is added meanwhile was found in a later state.
        if !self.exist.load(Ordering::SeqCst) {
            return None;
        }
        let state = self.state.lock();
        let is_before_end = |start: &[u8]| to.is_none_or(|to| start < to);
        let is_usable = |gap: &Gap| gap.found_at <= moment.all_until;
        let stretch = |(start, gap): (&Vec<u8>, &Gap)| (start.clone(), gap.end.clone());
        if reverse {
            let below = state.gaps.range::<[u8], _>((Bound::Unbounded, to.map_or(Bound::Unbounded, Bound::Excluded)));
            let mut within = below.rev().take_while(|(_, gap)| gap.end.as_slice() > from);
            return within.find(|(_, gap)| is_usable(gap)).map(stretch);
        }
        let around = state
            .gaps
            .range::<[u8], _>((Bound::Unbounded, Bound::Included(from)))
            .next_back()
            .filter(|(_, gap)| gap.end.as_slice() > from);
        let behind = state.gaps.range::<[u8], _>((Bound::Excluded(from), Bound::Unbounded));
        let mut within = around.into_iter().chain(behind).take_while(|(start, _)| is_before_end(start));
        within.find(|(_, gap)| is_usable(gap)).map(stretch)
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> Vec<Stretch> {
        self.state.lock().gaps.iter().map(|(start, gap)| (start.clone(), gap.end.clone())).collect()
    }
}

impl State {
    /// Takes a key out of the gaps.
    fn cut(&mut self, key: &[u8]) {
        let Some((start, gap)) = self.gaps.range::<[u8], _>((Bound::Unbounded, Bound::Included(key))).next_back()
        else {
            return;
        };
        if gap.end.as_slice() <= key {
            return;
        }
        let (start, gap, behind) = (start.clone(), gap.clone(), key_after(key));
        if start.as_slice() == key {
            self.gaps.remove(key);
        } else {
            self.gaps.insert(start, Gap { end: key.to_vec(), ..gap });
        }
        if behind < gap.end && self.gaps.len() < MOST_GAPS {
            self.gaps.insert(behind, gap);
        }
    }

    /// Adds a gap, and joins it with those that it overlaps or touches.
    fn join(&mut self, (mut start, mut end): Stretch, mut found_at: u64) {
        if start >= end {
            return;
        }
        while let Some((first, gap)) =
            self.gaps.range::<[u8], _>((Bound::Unbounded, Bound::Included(end.as_slice()))).next_back()
        {
            if gap.end < start {
                break;
            }
            let first = first.clone();
            let Some(gap) = self.gaps.remove(&first) else { break };
            found_at = found_at.max(gap.found_at);
            start = start.min(first);
            end = end.max(gap.end);
        }
        if self.gaps.len() >= MOST_GAPS {
            let oldest = self.gaps.iter().min_by_key(|(_, gap)| gap.found_at).map(|(start, _)| start.clone());
            oldest.and_then(|start| self.gaps.remove(&start));
        }
        self.gaps.insert(start, Gap { end, found_at });
    }
}

/// The keys that the latest commits have set.
#[derive(Default)]
struct RecentKeys {
    /// With the numbers of their commits, oldest first.
    keys: VecDeque<(u64, Box<[u8]>)>,
    bytes: usize,
    /// Keys of commits up to this one are not remembered any more.
    forgotten_until: u64,
}

impl RecentKeys {
    fn push(&mut self, number: u64, key: &[u8]) {
        self.keys.push_back((number, key.into()));
        self.bytes += key.len();
        while self.bytes > RECENT_BYTES {
            let Some((number, key)) = self.keys.pop_front() else { break };
            self.bytes -= key.len();
            self.forgotten_until = number;
        }
    }

    /// Forgets the keys of all commits up to this one.
    fn forget_until(&mut self, number: u64) {
        if !self.keys.is_empty() {
            self.keys.clear();
            self.bytes = 0;
        }
        self.forgotten_until = number;
    }

    /// The keys of a stretch that commits after a number have set; `None` if it is not known.
    fn set_after(&self, number: u64, start: &[u8], end: &[u8]) -> Option<Vec<Vec<u8>>> {
        if number < self.forgotten_until {
            return None;
        }
        let later = self.keys.iter().rev().take_while(|(set_by, _)| *set_by > number);
        Some(later.filter(|(_, key)| start <= &**key && &**key < end).map(|(_, key)| key.to_vec()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(start: &str, end: &str) -> Stretch {
        (start.into(), end.into())
    }

    fn set(gaps: &Gaps, keys: &[&str]) {
        gaps.begin_commit(keys.iter().map(|key| key.as_bytes()));
        gaps.end_commit();
    }

    fn now(gaps: &Gaps) -> Moment {
        gaps.snapshot(|| ()).1
    }

    #[test]
    fn a_key_that_is_set_is_cut_out() {
        let gaps = Gaps::default();
        gaps.add(stretch("b", "h"), now(&gaps));
        set(&gaps, &["a", "b", "e", "h", "i"]);
        assert_eq!(gaps.all(), [stretch("b\0", "e"), stretch("e\0", "h")]);
    }

    #[test]
    fn keys_that_were_set_after_the_snapshot_are_cut_out_of_a_new_gap() {
        let gaps = Gaps::default();
        let before = now(&gaps);
        set(&gaps, &["d", "x", "c", "d"]);
        gaps.add(stretch("b", "h"), before);
        assert_eq!(gaps.all(), [stretch("b", "c"), stretch("c\0", "d"), stretch("d\0", "h")]);
    }

    #[test]
    fn a_commit_that_is_under_way_counts_for_new_gaps_and_for_no_snapshot() {
        let gaps = Gaps::default();
        // Another snapshot, because of which keys are remembered.
        now(&gaps);
        gaps.begin_commit([&b"d"[..]].into_iter());
        let moment = now(&gaps);
        gaps.add(stretch("b", "h"), moment);
        assert_eq!(gaps.all(), [stretch("b", "d"), stretch("d\0", "h")]);
        // The state in which the gap was found may hold the commit; that of the snapshot may not.
        assert_eq!(gaps.find(b"a", None, false, moment), None);
        gaps.end_commit();
        assert_eq!(gaps.find(b"a", None, false, now(&gaps)), Some(stretch("b", "d")));
    }

    #[test]
    fn an_earlier_snapshot_does_not_use_a_gap() {
        let gaps = Gaps::default();
        let before = now(&gaps);
        set(&gaps, &["z"]);
        gaps.add(stretch("b", "h"), now(&gaps));
        assert_eq!(gaps.find(b"a", None, false, before), None);
        assert_eq!(gaps.find(b"a", None, false, now(&gaps)), Some(stretch("b", "h")));
    }

    #[test]
    fn gaps_are_found_in_both_directions() {
        let gaps = Gaps::default();
        let moment = now(&gaps);
        gaps.add(stretch("b", "d"), moment);
        gaps.add(stretch("f", "h"), moment);
        let find = |from: &str, to: Option<&str>, reverse| {
            gaps.find(from.as_bytes(), to.map(str::as_bytes), reverse, moment).map(|(start, _)| start)
        };
        assert_eq!(find("a", None, false), Some(b"b".to_vec()));
        assert_eq!(find("c", None, false), Some(b"b".to_vec()));
        assert_eq!(find("d", None, false), Some(b"f".to_vec()));
        assert_eq!(find("d", Some("f"), false), None);
        assert_eq!(find("a", None, true), Some(b"f".to_vec()));
        assert_eq!(find("a", Some("f"), true), Some(b"b".to_vec()));
        assert_eq!(find("d", Some("f"), true), None);
        assert_eq!(find("h", None, true), None);
    }

    #[test]
    fn after_too_many_keys_a_gap_is_not_added() {
        let gaps = Gaps::default();
        let before = now(&gaps);
        let key = "k".repeat(RECENT_BYTES / 2);
        set(&gaps, &[&key]);
        set(&gaps, &[&key]);
        let later = now(&gaps);
        set(&gaps, &[&key]);
        gaps.add(stretch("b", "h"), before);
        assert_eq!(gaps.all(), []);
        gaps.add(stretch("b", "h"), later);
        assert_eq!(gaps.all(), [stretch("b", "h")]);
    }

    #[test]
    fn keys_are_remembered_while_there_are_snapshots() {
        let gaps = Gaps::default();
        let remembered = || gaps.state.lock().recent.keys.len();
        set(&gaps, &["c", "d"]);
        assert_eq!(remembered(), 0);
        let moment = now(&gaps);
        set(&gaps, &["d"]);
        assert_eq!(remembered(), 1);
        gaps.add(stretch("b", "h"), moment);
        assert_eq!(gaps.all(), [stretch("b", "d"), stretch("d\0", "h")]);
        gaps.end_snapshot();
        set(&gaps, &["f"]);
        assert_eq!(remembered(), 0);
        assert_eq!(gaps.all(), [stretch("b", "d"), stretch("d\0", "f"), stretch("f\0", "h")], "gaps stay true");
    }

    /// The snapshot may not hold the commit, whose keys are not remembered.
    #[test]
    fn a_snapshot_that_begins_during_a_commit_adds_no_gap_before_the_next_one_sees_it() {
        let gaps = Gaps::default();
        gaps.begin_commit([&b"d"[..]].into_iter());
        let during = now(&gaps);
        gaps.end_commit();
        gaps.add(stretch("b", "h"), during);
        assert_eq!(gaps.all(), []);
        gaps.add(stretch("b", "h"), now(&gaps));
        assert_eq!(gaps.all(), [stretch("b", "h")]);
    }

    #[test]
    fn the_number_of_gaps_is_bounded() {
        let gaps = Gaps::default();
        let key = |number: usize| format!("{number:08}");
        for number in 0..MOST_GAPS + 10 {
            gaps.add(stretch(&key(number), &format!("{}!", key(number))), now(&gaps));
            set(&gaps, &["a"]);
        }
        assert_eq!(gaps.all().len(), MOST_GAPS);
        assert_eq!(gaps.all()[0], stretch(&key(10), &format!("{}!", key(10))), "the oldest go first");
        set(&gaps, &[&format!("{}!!", key(10))]);
        gaps.add(stretch("x", "z"), now(&gaps));
        set(&gaps, &["y"]);
        assert_eq!(gaps.all().len(), MOST_GAPS);
        assert_eq!(gaps.all().last(), Some(&stretch("x", "y")));
    }
}
