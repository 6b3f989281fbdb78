//! The rows of a range in one state of the store. Known gaps are jumped over, and a long walk to the next row leaves a
//! gap.

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ::fjall::{Guard, Iter, Keyspace, Readable};

use super::gaps::{Gaps, Moment, Stretch};
use super::tick::tick;
use super::verify::FolderLock;
use super::{note_damage, row};
use crate::store::{KeyRange, Row, StoreError, key_after};

/// The next row is usually found within a microsecond. If it takes this long, there are thousands of tombstones before
/// it.
const LONG: Duration = Duration::from_millis(1);

/// One state of the store.
pub(super) struct StoreState {
    pub(super) snapshot: ::fjall::Snapshot,
    pub(super) moment: Moment,
    pub(super) rows: Keyspace,
    pub(super) gaps: Arc<Gaps>,
    /// Set by reads that meet damage.
    pub(super) has_met_damage: Arc<AtomicBool>,
    /// Held as long as somebody reads.
    pub(super) _lock: Arc<FolderLock>,
}

impl Drop for StoreState {
    fn drop(&mut self) {
        self.gaps.end_snapshot();
    }
}

/// From a key, included, to a key, excluded.
type Part = (Vec<u8>, Option<Vec<u8>>);

impl StoreState {
    fn iterate(&self, (from, to): Part) -> Iter {
        let to = to.map_or(Bound::Unbounded, Bound::Excluded);
        self.snapshot.range(&self.rows, (Bound::Included(from), to))
    }
}

pub(super) struct RowWalk {
    state: Arc<StoreState>,
    reverse: bool,
    long: Duration,
    /// The part of the range that is behind the piece.
    ahead: Option<Part>,
    /// The rows before the next gap.
    piece: Option<Piece>,
    /// The gaps since the last row, and the keys from the first of them to the last.
    crossed: usize,
    crossed_keys: Option<Stretch>,
    /// The tick at which the last row was found.
    tick: u64,
}

struct Piece {
    part: Part,
    rows: Iter,
}

impl RowWalk {
    pub(super) fn new(state: Arc<StoreState>, (from, to): KeyRange, reverse: bool) -> Self {
        let from = match from {
            Bound::Included(key) => key,
            Bound::Excluded(key) => key_after(&key),
            Bound::Unbounded => Vec::new(),
        };
        let to = match to {
            Bound::Included(key) => Some(key_after(&key)),
            Bound::Excluded(key) => Some(key),
            Bound::Unbounded => None,
        };
        let ahead = Some((from, to));
        Self { state, reverse, long: LONG, ahead, piece: None, crossed: 0, crossed_keys: None, tick: tick() }
    }

    fn find_next(&mut self) -> Option<Result<(Row, Row), StoreError>> {
        loop {
            if let Some(Piece { rows, .. }) = &mut self.piece {
                let guard = if self.reverse { rows.next_back() } else { rows.next() };
                let found = guard.map(read);
                match &found {
                    Some(Err(_)) => {
                        return found.map(|row| row.map_err(|error| note_damage(&self.state.has_met_damage, error)));
                    }
                    Some(Ok((key, _))) => self.note_way(Some(key)),
                    None => self.note_way(None),
                }
                if found.is_some() {
                    return found;
                }
            }
            self.piece = Some(self.next_piece()?);
        }
    }

    /// The rows before the next gap.
    fn next_piece(&mut self) -> Option<Piece> {
        let (mut from, mut to) = self.ahead.take()?;
        while to.as_ref().is_none_or(|to| from < *to) {
            let gap = self.state.gaps.find(&from, to.as_deref(), self.reverse, self.state.moment);
            let part = match gap {
                None => (from, to),
                Some((start, end)) if self.reverse => {
                    if to.as_ref().is_some_and(|to| *to <= end) {
                        to = Some(start.clone());
                        self.cross((start, end));
                        continue;
                    }
                    self.ahead = Some((from, Some(end.clone())));
                    (end, to)
                }
                Some((start, end)) => {
                    if start <= from {
                        from.clone_from(&end);
                        self.cross((start, end));
                        continue;
                    }
                    self.ahead = Some((start.clone(), to));
                    (from, Some(start))
                }
            };
            return Some(Piece { rows: self.state.iterate(part.clone()), part });
        }
        None
    }

    fn cross(&mut self, (start, end): Stretch) {
        self.crossed += 1;
        self.crossed_keys = Some(match self.crossed_keys.take() {
            None => (start, end),
            Some((first, last)) => (first.min(start), last.max(end)),
        });
    }

    /// Leaves a gap where the way to a row, or to the end of the piece, was long. Rows are counted in millions a
    /// second, so clocks are too slow for each of them: only where a tick has passed, the way is walked back with a
    /// clock.
    fn note_way(&mut self, found: Option<&Row>) {
        let now = tick();
        let has_ticked = std::mem::replace(&mut self.tick, now) != now;
        if !has_ticked && !self.long.is_zero() {
            return;
        }
        let Some(Piece { part: (from, to), .. }) = &self.piece else { return };
        let (from, to) = match found {
            Some(row) if self.reverse => (key_after(row), to.clone()),
            Some(row) => (from.clone(), Some(row.to_vec())),
            None => (from.clone(), to.clone()),
        };
        if to.as_ref().is_some_and(|to| *to <= from) {
            return;
        }
        let begun = Instant::now();
        let mut way = self.state.iterate((from.clone(), to.clone()));
        let before = if self.reverse { way.next() } else { way.next_back() };
        let Ok(before) = before.map(read).transpose() else { return };
        if begun.elapsed() < self.long {
            return;
        }
        let before = before.map(|(key, _)| key);
        let (start, end) = if self.reverse {
            (from, before.map(|row| row.to_vec()).or(to))
        } else {
            (before.map_or(from, |row| key_after(&row)), to)
        };
        if let Some(end) = end.filter(|end| start < *end) {
            self.state.gaps.add((start, end), self.state.moment);
        }
    }
}

impl Iterator for RowWalk {
    type Item = Result<(Row, Row), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find_next();
        // Gaps that no row separates any more become one.
        if std::mem::take(&mut self.crossed) > 1
            && let Some(keys) = self.crossed_keys.take()
            && !matches!(found, Some(Err(_)))
        {
            self.state.gaps.add(keys, self.state.moment);
        }
        self.crossed_keys = None;
        found
    }
}

fn read(guard: Guard) -> Result<(Row, Row), StoreError> {
    let (key, value) = guard.into_inner()?;
    Ok((row(key), row(value)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;
    use crate::store::{Change, Durability, FjallStore, Store, StoreSettings};

    /// Few keys, so that random ranges and changes meet.
    const KEYS: u8 = 24;

    fn open(folder: &Path) -> FjallStore {
        FjallStore::open(folder, StoreSettings::default()).unwrap()
    }

    fn state(store: &FjallStore) -> Arc<StoreState> {
        let (snapshot, moment) = store.gaps.snapshot(|| store.database.snapshot());
        let (rows, gaps, lock) = (store.rows.clone(), Arc::clone(&store.gaps), Arc::clone(&store.lock));
        Arc::new(StoreState { snapshot, moment, rows, gaps, has_met_damage: Arc::default(), _lock: lock })
    }

    /// Every walk from row to row counts as long.
    fn walk(state: &Arc<StoreState>, range: KeyRange, reverse: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut walk = RowWalk::new(Arc::clone(state), range, reverse);
        walk.long = Duration::ZERO;
        walk.map(|row| row.unwrap()).map(|(key, value)| (key.to_vec(), value.to_vec())).collect()
    }

    /// The same from the store itself.
    fn rows(state: &StoreState, range: KeyRange, reverse: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
        let rows = state.snapshot.range(&state.rows, range).map(|guard| read(guard).unwrap());
        let mut rows: Vec<_> = rows.map(|(key, value)| (key.to_vec(), value.to_vec())).collect();
        if reverse {
            rows.reverse();
        }
        rows
    }

    fn everything() -> KeyRange {
        (Bound::Included(vec![0]), Bound::Excluded(vec![KEYS]))
    }

    fn commit(store: &FjallStore, changes: Vec<Change>) {
        store.commit(changes, Durability::Relaxed).unwrap();
    }

    #[derive(Debug, Clone)]
    enum Step {
        Change(Vec<(u8, Option<u8>)>),
        /// A state that is read now and later.
        Keep,
        Read {
            range: KeyRange,
            reverse: bool,
            state: usize,
        },
    }

    fn bound(key: u8, kind: u8) -> Bound<Vec<u8>> {
        match kind {
            0 => Bound::Included(vec![key]),
            1 => Bound::Excluded(vec![key]),
            _ => Bound::Unbounded,
        }
    }

    fn step() -> impl Strategy<Value = Step> {
        let change = (0..KEYS, prop_oneof![3 => Just(None), 1 => any::<u8>().prop_map(Some)]);
        let read = (0..KEYS, 0..KEYS, 0..3u8, 0..3u8, any::<bool>(), 0..8usize);
        prop_oneof![
            3 => proptest::collection::vec(change, 1..6).prop_map(Step::Change),
            1 => Just(Step::Keep),
            4 => read.prop_map(|(from, to, from_kind, to_kind, reverse, state)| {
                let range = (bound(from.min(to), from_kind), bound(from.max(to).saturating_add(1), to_kind));
                Step::Read { range, reverse, state }
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

        /// With gaps of all kinds, states new and old return what the store itself does.
        #[test]
        fn gaps_change_no_result(steps in proptest::collection::vec(step(), 1..60)) {
            let folder = tempfile::tempdir().unwrap();
            let store = open(folder.path());
            let mut kept = Vec::new();
            for step in steps {
                match step {
                    Step::Change(changes) => commit(&store, changes.into_iter().map(|(key, value)| match value {
                        Some(value) => Change::Put(vec![key], vec![value]),
                        None => Change::Remove(vec![key]),
                    }).collect()),
                    Step::Keep => kept.push(state(&store)),
                    Step::Read { range, reverse, state: number } => {
                        let state = kept.get(number).cloned().unwrap_or_else(|| state(&store));
                        prop_assert_eq!(walk(&state, range.clone(), reverse), rows(&state, range, reverse));
                    }
                }
            }
        }
    }

    /// Readers leave gaps while a writer sets keys in them.
    #[test]
    fn gaps_stay_true_under_concurrent_writes() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let (is_over, jumps) = (AtomicBool::new(false), AtomicUsize::new(0));
        let reader = |reverse: bool| {
            while !is_over.load(Ordering::SeqCst) {
                let state = state(&store);
                let gap = store.gaps.find(&[0], Some(&[KEYS]), reverse, state.moment);
                jumps.fetch_add(usize::from(gap.is_some()), Ordering::SeqCst);
                assert_eq!(walk(&state, everything(), reverse), rows(&state, everything(), reverse));
            }
        };
        std::thread::scope(|scope| {
            for reverse in [false, true] {
                let reader = &reader;
                scope.spawn(move || reader(reverse));
            }
            let mut number = 1u64;
            // On a busy machine the readers may seldom get a turn.
            for write in 0..1_000_000 {
                if write >= 2_000 && jumps.load(Ordering::SeqCst) > 20 {
                    break;
                }
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let key = vec![(number >> 33) as u8 % KEYS];
                let is_set = (number >> 43).is_multiple_of(4);
                commit(&store, vec![if is_set { Change::Put(key, vec![1]) } else { Change::Remove(key) }]);
                std::thread::yield_now();
            }
            is_over.store(true, Ordering::SeqCst);
        });
        assert!(jumps.into_inner() > 20, "few states could use a gap");
    }

    #[test]
    fn a_long_walk_leaves_one_gap_that_the_next_read_jumps_over() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        commit(&store, (1..20).map(|key| Change::Put(vec![key], vec![key])).collect());
        commit(&store, (3..15).map(|key| Change::Remove(vec![key])).collect());
        let state = state(&store);
        let mut first = RowWalk::new(Arc::clone(&state), (Bound::Included(vec![2]), Bound::Unbounded), false);
        first.long = Duration::ZERO;
        assert!(first.by_ref().take(2).all(|row| row.is_ok()));
        assert!(store.gaps.all().contains(&(key_after(&[2]), vec![15])), "{:?}", store.gaps.all());
        let mut second = RowWalk::new(state, (Bound::Included(vec![5]), Bound::Unbounded), false);
        assert_eq!(second.next().unwrap().unwrap().0.to_vec(), vec![15]);
        assert_eq!(second.crossed, 0);
        assert_eq!(second.ahead, None);
    }

    #[test]
    fn gaps_between_which_rows_were_removed_become_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        commit(&store, (1..20).map(|key| Change::Put(vec![key], vec![key])).collect());
        commit(&store, (1..20).filter(|key| *key != 9).map(|key| Change::Remove(vec![key])).collect());
        assert_eq!(walk(&state(&store), everything(), false).len(), 1);
        assert_eq!(store.gaps.all(), [(vec![0], vec![9]), (key_after(&[9]), vec![KEYS])]);
        commit(&store, vec![Change::Remove(vec![9])]);
        // Without a walk that is long by itself.
        assert_eq!(RowWalk::new(state(&store), everything(), false).count(), 0);
        assert_eq!(store.gaps.all(), [(vec![0], vec![KEYS])]);
        commit(&store, vec![Change::Put(vec![4], vec![4])]);
        assert_eq!(store.gaps.all(), [(vec![0], vec![4]), (key_after(&[4]), vec![KEYS])]);
    }
}
