//! The last commits of a journal: a loss of power can tear one that was not acknowledged, and damage to any other is
//! found.

use super::image::{Image, journal_bytes};
use super::scene::{self, JOURNAL, Outcome, after_power_loss, outcome, refusal, scene};
use super::{MANIFEST, RESTORE, SYNCED};
use keyfold_engine::DataFolder;
use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreSettings};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const COUNT: u64 = 40;

/// Small commits, as a kill leaves them, and where each ends in the journal.
fn small_commits() -> (Image, Vec<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
    let mut ends = Vec::new();
    for number in 1..=COUNT {
        store.commit(vec![Change::Put(vec![b'k'], number.to_le_bytes().to_vec())], Durability::Durable).unwrap();
        ends.push(journal_bytes(&folder.path().join(JOURNAL)).len());
    }
    (Image::of(folder.path()), ends)
}

/// The number of the last commit of a folder, and its row.
fn open_and_read(image: &Image) -> u64 {
    let folder = image.write();
    let store = scene::open(folder.path()).unwrap();
    u64::from_le_bytes(store.get(b"k").unwrap().unwrap()[..].try_into().unwrap())
}

/// The files with another number of the last synced commit.
pub(super) fn with_synced(image: Image, number: u64) -> Image {
    let manifest = std::str::from_utf8(image.bytes(MANIFEST)).unwrap().lines().next().unwrap();
    let manifest: serde_json::Value = serde_json::from_str(manifest).unwrap();
    let identity = manifest["identity"].as_u64().unwrap();
    let checksum = xxh3_64(&[identity.to_le_bytes(), number.to_le_bytes()].concat());
    image.add(SYNCED, [number.to_le_bytes(), checksum.to_le_bytes()].concat())
}

/// Fails unless the folder is refused, and a check finds the same fault.
fn assert_refused(image: &Image, cause: &str, what: &str) {
    let (text, folder) = refusal(image);
    assert!(text.starts_with(&format!("`{JOURNAL}` ")) && text.contains(cause), "{what}: {text}");
    assert!(text.ends_with(RESTORE), "{what}: {text}");
    let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.len() == 1 && findings[0].contains(cause), "{what}: {findings:?}");
    assert!(!report.notes.iter().any(|note| note.contains("cuts")), "{what}: {:?}", report.notes);
}

#[test]
fn a_flipped_bit_in_each_of_the_last_commits_is_refused() {
    let commits = &scene().commits;
    for count in 2..=5 {
        let last = &commits[commits.len() - count..];
        // The start, the number of entries, the mark, a row, the checksum, and the end.
        for at in [0, 3, 16, 25, 40, 44, 100, last[0].len() - 10, last[0].len() - 1] {
            let flipped =
                |image: Image| last.iter().fold(image, |image, commit| image.flip(JOURNAL, commit.start + at, 2));
            let what = format!("byte {at} of the last {count} commits");
            assert_refused(&flipped(scene().image.clone()), "is damaged", &what);
            assert_refused(&flipped(after_power_loss()), "more than one commit is damaged", &what);
        }
    }
}

#[test]
fn a_damaged_last_commit_is_refused_if_it_was_synced() {
    let (last, number) = (scene().commits.last().unwrap(), scene().commits.len());
    let cause = format!("the last commit is number {}, but `{SYNCED}` has recorded number {number}", number - 1);
    for at in [0, 40, 100, last.len() - 1] {
        let image = scene().image.clone().flip(JOURNAL, last.start + at, 2);
        assert_refused(&image, &format!("at bytes {} to {}: {cause}", last.start, last.end), "a flipped bit");
        assert_eq!(outcome(&after_power_loss().flip(JOURNAL, last.start + at, 2), "not synced"), Outcome::LastCut);
    }
    let image = scene().image.clone().change(JOURNAL, |bytes| bytes.truncate(last.start));
    assert_refused(&image, &cause, "zeros");
}

#[test]
fn synced_commits_that_were_overwritten_are_missed() {
    let (image, ends) = small_commits();
    for count in 1..=5 {
        let first = ends[ends.len() - 1 - count];
        let end = *ends.last().unwrap();
        let cause =
            format!("the last commit is number {}, but `{SYNCED}` has recorded number {COUNT}", COUNT - count as u64);
        let zeroed = image.clone().change(JOURNAL, |bytes| bytes[first..].fill(0));
        assert_refused(&zeroed, &cause, &format!("the last {count} commits are zeros"));
        let random = (0..).flat_map(|at| xxh3_64_with_seed(b"random", at).to_le_bytes());
        let random: Vec<u8> = random.take(end - first).collect();
        let overwritten = image.clone().change(JOURNAL, |bytes| bytes[first..].copy_from_slice(&random));
        assert_refused(&overwritten, &cause, &format!("the last {count} commits are random"));
    }
}

#[test]
fn a_zeroed_sector_over_several_commits_is_refused() {
    let (image, ends) = small_commits();
    let sectors = ends.last().unwrap() / 512 * 512;
    for start in (512..=sectors).step_by(512) {
        let zero = |image: Image| {
            image.change(JOURNAL, |bytes| {
                let end = bytes.len().min(start + 512);
                bytes[start..end].fill(0);
            })
        };
        let (text, _folder) = refusal(&zero(image.clone()));
        assert!(text.ends_with(RESTORE), "sector at {start}: {text}");
        // The number is that of some seconds before.
        let lagging = zero(with_synced(image.clone(), COUNT - 10));
        if start + 512 < ends[ends.len() - 2] {
            let (text, _folder) = refusal(&lagging);
            assert!(text.ends_with(RESTORE), "sector at {start}: {text}");
        }
    }
}

#[test]
fn the_number_of_the_last_synced_commit_is_a_lower_bound() {
    let (image, ends) = small_commits();
    let last = ends[ends.len() - 2];
    let torn = image.clone().change(JOURNAL, |bytes| bytes.truncate(last + 40));
    for number in [0, 1, COUNT - 5, COUNT - 1] {
        assert_eq!(open_and_read(&with_synced(image.clone(), number)), COUNT, "number {number}");
        assert_eq!(open_and_read(&with_synced(torn.clone(), number)), COUNT - 1, "number {number}");
    }
    assert_refused(&with_synced(torn.clone(), COUNT), SYNCED, "a torn commit that was synced");
    // It may be missing or empty, or hold nothing yet.
    for bytes in [Vec::new(), vec![0; 16]] {
        assert_eq!(open_and_read(&torn.clone().add(SYNCED, bytes.clone())), COUNT - 1);
        assert_eq!(open_and_read(&image.clone().add(SYNCED, bytes)), COUNT);
    }
    assert_eq!(open_and_read(&image.remove(SYNCED)), COUNT);
}

#[test]
fn relaxed_commits_are_not_recorded_as_synced() {
    let folder = tempfile::tempdir().unwrap();
    let store = scene::open(folder.path()).unwrap();
    let put = |number: u8, durability| store.commit(vec![Change::Put(vec![b'k'], vec![number])], durability).unwrap();
    put(1, Durability::Durable);
    let synced = std::fs::read(folder.path().join(SYNCED)).unwrap();
    assert_eq!(synced[0], 1);
    put(2, Durability::Relaxed);
    put(3, Durability::Relaxed);
    assert_eq!(std::fs::read(folder.path().join(SYNCED)).unwrap(), synced);
    let end = journal_bytes(&folder.path().join(JOURNAL)).len();
    // A loss of power takes any of them.
    let image = Image::of(folder.path());
    for length in [end - 10, end - 100, end - 150, end - 200] {
        let folder = image.clone().truncate(JOURNAL, length).write();
        drop(scene::open(folder.path()).unwrap());
    }
}
