//! Commits are numbered, and the manifest says how far they must reach: what is missing at an end is found as well.

use super::image::{Image, journal_bytes};
use super::scene::{self, JOURNAL, Outcome, commit, outcome, refusal, scene};
use super::{MANIFEST, RESTORE};
use keyfold_engine::store::{Durability, Store};

/// The manifest with a part of it replaced, and its checksum made right.
pub(super) fn edit_manifest(image: Image, from: &str, to: &str) -> Image {
    let text = String::from_utf8(image.bytes(MANIFEST).clone()).unwrap();
    let json = text.lines().next().unwrap().replace(from, to);
    assert!(!text.starts_with(&json), "`{from}` is not in {text}");
    let checksum = xxhash_rust::xxh3::xxh3_64(json.as_bytes());
    image.add(MANIFEST, format!("{json}\n{checksum:016x}\n").into_bytes())
}

/// The journal from a commit on, as if older journals had been deleted.
pub(super) fn without_commits_before(image: &Image, number: usize) -> Image {
    let rest = image.bytes(JOURNAL)[scene().commits[number].start..].to_vec();
    image.clone().remove(JOURNAL).add("1.jnl", rest)
}

#[test]
fn a_flipped_bit_in_any_field_of_a_commit_is_refused() {
    let commit = scene().commits[60].clone();
    // The start, the number of the commit, the first row, and the end.
    let fields = (commit.start..commit.start + 13 + 21 + 41 + 30).chain(commit.end - 13..commit.end);
    for (at, bit) in fields.map(|at| (at, (at % 8) as u8)) {
        let what = format!("bit {bit} of byte {} of a commit", at - commit.start);
        assert_eq!(outcome(&scene().image.clone().flip(JOURNAL, at, bit), &what), Outcome::Refused, "{what}");
    }
}

#[test]
fn a_flipped_bit_in_the_last_sequence_number_loses_nothing() {
    let commit = scene().commits.last().unwrap();
    for (byte, bit) in (5..13).flat_map(|byte| [(byte, 0), (byte, 4), (byte, 7)]) {
        let what = format!("bit {bit} of byte {byte} of the last commit");
        let found = outcome(&scene().image.clone().flip(JOURNAL, commit.start + byte, bit), &what);
        assert!(matches!(found, Outcome::Refused | Outcome::Whole), "{what}: {found:?}");
    }
}

#[test]
fn a_sequence_number_outside_its_bounds_is_refused() {
    let last = scene().commits.last().unwrap();
    let (text, _folder) = refusal(&scene().image.clone().flip(JOURNAL, last.start + 5 + 6, 0));
    assert!(text.starts_with(&format!("`0.jnl` is damaged at bytes {} to {}: ", last.start, last.end)), "{text}");
    assert!(text.contains(" was assigned; "), "{text}");
    // A higher number would make the commit before the last win over the last.
    let before = scene().commits[68].start + 5;
    let number = u64::from_le_bytes(scene().image.bytes(JOURNAL)[before..before + 8].try_into().unwrap()) + 100;
    let image =
        scene().image.clone().change(JOURNAL, |bytes| bytes[before..before + 8].copy_from_slice(&number.to_le_bytes()));
    let (text, _folder) = refusal(&image);
    assert!(text.starts_with(&format!("`0.jnl` is damaged at bytes {} to ", last.start)), "{text}");
}

#[test]
fn a_commit_that_is_missing_in_the_middle_is_refused() {
    let gap = scene().commits[61].clone();
    let image = scene().image.clone().change(JOURNAL, |bytes| drop(bytes.drain(gap.clone())));
    let (text, _folder) = refusal(&image);
    assert!(text.starts_with(&format!("`0.jnl` does not match the other files at bytes {} to ", gap.start)), "{text}");
    assert!(text.ends_with(&format!("commit 61 is followed by commit 63; {RESTORE}")), "{text}");
}

#[test]
fn an_older_journal_may_be_missing_only_if_tables_hold_its_commits() {
    assert_eq!(outcome(&without_commits_before(&scene().image, 1), "tables hold the first commit"), Outcome::Whole);
    let (text, _folder) = refusal(&without_commits_before(&scene().image, 60));
    assert_eq!(
        text,
        format!(
            "`0.jnl` is missing: the tables hold commits up to 55, but the oldest journal begins with number 61; {RESTORE}"
        )
    );
}

#[test]
fn a_missing_newest_journal_is_refused() {
    let image = edit_manifest(scene().image.clone(), "\"journal\":0", "\"journal\":1");
    let (text, _folder) = refusal(&image);
    assert_eq!(text, format!("`1.jnl` is missing: `keyfold.manifest` names it; {RESTORE}"));
}

#[test]
fn a_journal_of_another_folder_is_refused() {
    let other = tempfile::tempdir().unwrap();
    let store = scene::open(other.path()).unwrap();
    store.commit(commit(0, 10), Durability::Durable).unwrap();
    let journal = journal_bytes(&other.path().join(JOURNAL));
    let (text, _folder) = refusal(&scene().image.clone().add(JOURNAL, journal));
    assert!(text.contains("it holds commits of another data folder"), "{text}");
    let manifest = Image::of(other.path()).bytes(MANIFEST).clone();
    let (text, _folder) = refusal(&scene().image.clone().add(MANIFEST, manifest));
    assert!(text.contains("it holds commits of another data folder"), "{text}");
}

#[test]
fn a_missing_or_damaged_manifest_is_refused() {
    for image in [&scene().image, &closed().change(JOURNAL, Vec::clear)] {
        let (text, _folder) = refusal(&image.clone().remove(MANIFEST));
        assert_eq!(text, format!("`{MANIFEST}` is missing: it is part of every data folder; {RESTORE}"));
    }
    for at in (0..scene().image.bytes(MANIFEST).len()).step_by(9) {
        assert_eq!(outcome(&scene().image.clone().flip(MANIFEST, at, 1), "the manifest"), Outcome::Refused);
    }
    let (text, _folder) = refusal(&scene().image.clone().truncate(MANIFEST, 20));
    assert_eq!(text, format!("`{MANIFEST}` is damaged: its checksum is wrong; {RESTORE}"));
    let (text, _folder) = refusal(&edit_manifest(scene().image.clone(), "\"format\":1", "\"format\":2"));
    assert!(text.contains("it is in format 2, which this version does not read"), "{text}");
}

/// The store of the scene after it was closed.
pub(super) fn closed() -> Image {
    let folder = scene().image.write();
    drop(scene::open(folder.path()).unwrap());
    Image::of(folder.path())
}
