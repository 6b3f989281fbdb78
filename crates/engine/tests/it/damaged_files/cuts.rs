//! What is cut off when a store is opened is kept in mind until somebody confirms it.

use super::image::{Image, journal_bytes};
use super::scene::{self, JOURNAL, Rows, after_power_loss, commit, read_all, refusal, scene};
use keyfold_engine::DataFolder;
use keyfold_engine::check::Finding;
use keyfold_engine::store::{Change, Cut, Durability, FjallStore, Store, StoreError, StoreSettings};

#[test]
fn a_torn_commit_is_reported_until_it_is_confirmed() {
    let last = scene().commits.last().unwrap();
    let folder = after_power_loss().truncate(JOURNAL, last.end - 5).write();
    let folder = folder.path();
    assert_eq!(FjallStore::unconfirmed_cuts(folder).unwrap(), []);
    let bytes = (last.end - 5 - last.start) as u64;
    let cuts = [Cut { journal: JOURNAL.to_owned(), position: last.start as u64, bytes, commits_behind: 0 }];
    for _ in 0..2 {
        let store = scene::open(folder).unwrap();
        assert_eq!(FjallStore::unconfirmed_cuts(folder).unwrap(), cuts);
        assert!(matches!(FjallStore::confirm_cuts(folder), Err(StoreError::Locked)));
        store.commit(vec![Change::Put(b"k".to_vec(), b"new".to_vec())], Durability::Durable).unwrap();
        drop(store);
        assert_eq!(FjallStore::unconfirmed_cuts(folder).unwrap(), cuts);
    }
    assert_eq!(FjallStore::confirm_cuts(folder).unwrap(), cuts);
    assert_eq!(FjallStore::unconfirmed_cuts(folder).unwrap(), []);
    let store = scene::open(folder).unwrap();
    assert_eq!(store.get(b"k").unwrap().as_deref(), Some(b"new".as_slice()));
    assert_eq!(FjallStore::unconfirmed_cuts(folder).unwrap(), []);
}

/// Twenty commits, as a loss of power leaves them; what the store held after each, and where each ends in the journal.
fn twenty_commits(durability: Durability) -> (Image, Vec<Rows>, Vec<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
    let (mut ends, mut states, mut rows) = (Vec::new(), Vec::new(), Rows::new());
    for number in 0..20 {
        let changes = commit(number, 30);
        scene::apply(&mut rows, &changes);
        store.commit(changes, durability).unwrap();
        ends.push(journal_bytes(&folder.path().join(JOURNAL)).len());
        states.push(rows.clone());
    }
    (Image::of(folder.path()), states, ends)
}

#[test]
fn relaxed_commits_end_at_the_first_hole() {
    let (image, states, ends) = twenty_commits(Durability::Relaxed);
    let holes = [ends[11] + 20..ends[11] + 60, ends[14] + 30..ends[14] + 50];
    let folder = image
        .change(JOURNAL, |bytes| {
            for hole in holes {
                bytes[hole].fill(0);
            }
        })
        .write();
    // What will be cut off is not a fault before it is, either.
    let before = Image::of(folder.path());
    let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
    let is_about_files = |finding: &&Finding| matches!(finding, Finding::DamagedFile { .. });
    assert_eq!(report.findings.iter().find(is_about_files), None);
    let note = format!("`{JOURNAL}` has a hole at byte {}: relaxed commits were not synced", ends[11]);
    assert!(report.notes[0].starts_with(&note) && report.notes[0].ends_with("6 whole commits"), "{:?}", report.notes);
    assert!(Image::of(folder.path()) == before, "a check changed the folder");
    let store = scene::open(folder.path()).unwrap();
    assert_eq!(read_all(&store, &states[11]).unwrap(), states[11]);
    let cuts = FjallStore::unconfirmed_cuts(folder.path()).unwrap();
    assert_eq!(cuts.len(), 1);
    // Of the eight commits after the twelfth, two are broken.
    assert_eq!((cuts[0].position, cuts[0].commits_behind), (ends[11] as u64, 6));
    store.commit(commit(12, 30), Durability::Durable).unwrap();
    drop(store);
    assert_eq!(read_all(&scene::open(folder.path()).unwrap(), &states[12]).unwrap(), states[12]);
}

#[test]
fn durable_commits_have_no_holes() {
    let (image, _, ends) = twenty_commits(Durability::Durable);
    let (text, _folder) = refusal(&image.change(JOURNAL, |bytes| bytes[ends[11] + 20..ends[11] + 60].fill(0)));
    assert!(text.contains("a commit is damaged, and 7 whole commits follow it"), "{text}");
}

#[test]
fn relaxed_commits_before_the_recorded_one_have_no_holes() {
    let (image, states, ends) = twenty_commits(Durability::Relaxed);
    let folder = image.write();
    let store = scene::open(folder.path()).unwrap();
    // Records that the commits before are on disk.
    store.commit(commit(20, 30), Durability::Relaxed).unwrap();
    let image = Image::of(folder.path());
    drop(store);
    assert_eq!(states.len(), 20);
    let (text, _folder) = refusal(&image.change(JOURNAL, |bytes| bytes[ends[11] + 20..ends[11] + 60].fill(0)));
    assert!(text.contains("the last commit is number 12, but `keyfold.manifest` has recorded number 20"), "{text}");
}
