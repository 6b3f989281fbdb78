//! Random damage in every kind of file. `KEYFOLD_SEED` repeats a run, `KEYFOLD_LONG=1` tries a thousand.
//!
//! A store is refused, or holds every acknowledged commit, and a check says the same: it calls nothing sound that is
//! not, and no sound folder damaged.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::SYNCED;
use super::image::Image;
use super::last_commits::with_synced;
use super::scene::{JOURNAL, Outcome, outcome, scene};
use crate::model::random::Random;
use keyfold_engine::{CheckReport, DataFolder};

const SECTOR: usize = 512;

#[test]
fn random_damage_is_found_or_does_no_harm() {
    let is_long = std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1");
    let seed = std::env::var("KEYFOLD_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(13);
    let mut random = Random::new(seed);
    for round in 0..if is_long { 1000 } else { 60 } {
        let before = folder(&mut random);
        let damage = damage(&mut random, &before);
        let what = format!("seed {seed}, round {round}: {}", damage.what);
        let found = outcome(&damage.image, &what);
        if found == Outcome::LastCut {
            assert!(damage.may_be_torn, "{what}: the last commit is lost");
        }
        if damage.is_harmless {
            assert_eq!(found, Outcome::Whole, "{what}");
        }
        let report = DataFolder::open(damage.image.write().path()).unwrap().check(&mut |_| {}).unwrap();
        assert_agreement(&report, &found, &damage, &what);
    }
}

/// Compares what a check says with what opening does.
fn assert_agreement(report: &CheckReport, found: &Outcome, damage: &Damage, what: &str) {
    let CheckReport { findings, notes, .. } = report;
    let is_cut = |note: &String| note.ends_with("opening cuts it off");
    match found {
        Outcome::Whole if damage.is_harmless => {
            assert!(findings.is_empty() && notes.is_empty(), "{what}: a sound folder has {findings:?}, {notes:?}");
        }
        Outcome::Whole => assert!(!notes.iter().any(is_cut), "{what}: nothing is cut off, but {notes:?}"),
        Outcome::LastCut => {
            assert!(findings.is_empty() && notes.len() == 1 && is_cut(&notes[0]), "{what}: {findings:?}, {notes:?}");
        }
        Outcome::Refused | Outcome::Unreadable => {
            assert!(!findings.is_empty(), "{what}: a check calls it sound, but it is {found:?}: {notes:?}");
            assert!(!notes.iter().any(is_cut), "{what}: nothing is cut off, but {notes:?}");
        }
    }
}

struct Damage {
    image: Image,
    what: String,
    /// Whether it can pass for a commit that a loss of power has torn.
    may_be_torn: bool,
    /// Whether nothing is wrong.
    is_harmless: bool,
}

/// The store of the scene after a kill, or after a loss of power, which leaves an older number of the last synced
/// commit, or none. Most journals end with their last commit, as they do once a store was opened again.
fn folder(random: &mut Random) -> Image {
    let last = scene().commits.len();
    let image = match random.below(4) {
        0 => scene().image.clone().remove(SYNCED),
        1 => with_synced(scene().image.clone(), (last - 1 - random.below(12)) as u64),
        _ => scene().image.clone(),
    };
    let length = image.bytes(JOURNAL).len();
    if random.chance(90) { image.truncate(JOURNAL, length) } else { image }
}

fn damage(random: &mut Random, before: &Image) -> Damage {
    let (image, what, damaged) = match random.below(10) {
        0..=3 => damage_file(random, before.clone()),
        4..=6 => damage_last_commits(random, before.clone()),
        7 => swap(random, before.clone()),
        8 => damage_journal(random, before.clone()),
        _ => {
            let (image, what) = change_harmlessly(random, before.clone());
            return Damage { image, what, may_be_torn: false, is_harmless: true };
        }
    };
    let last = scene().commits.last().unwrap();
    let is_last = damaged.is_some_and(|damaged| damaged.start >= last.start);
    let may_be_torn = is_last && image.find(SYNCED) != scene().image.find(SYNCED);
    let is_harmless = image == *before || image == after_kill(before.clone());
    Damage { image, what, may_be_torn, is_harmless }
}

/// What was damaged of the newest journal.
type Damaged = Option<Range<usize>>;

/// Any file in any way. Only a part of the journal that must be there: its end can be an earlier one.
fn damage_file(random: &mut Random, image: Image) -> (Image, String, Damaged) {
    let files: Vec<PathBuf> = image.paths().filter(|path| !path.ends_with("lock")).map(Path::to_owned).collect();
    let file = random.pick(&files);
    let (is_journal, length) = (file.ends_with(JOURNAL), image.bytes(&file).len());
    let at = random.below(length.max(1));
    let part = if is_journal { sure_sector(random) } else { sector(at, length) };
    let name = file.display();
    match random.below(10) {
        0..=3 if length > 0 => {
            let bit = random.below(8) as u8;
            let what = format!("bit {bit} of byte {at} of `{name}`");
            (image.flip(&file, at, bit), what, is_journal.then_some(at..at + 1))
        }
        4 | 5 => {
            let what = format!("zeros in bytes {part:?} of `{name}`");
            (image.change(&file, |bytes| bytes[part.clone()].fill(0)), what, is_journal.then_some(part))
        }
        6 | 7 => {
            let what = format!("random bytes in bytes {part:?} of `{name}`");
            (overwrite(random, image, &file, part.clone()), what, is_journal.then_some(part))
        }
        8 if !is_journal => (image.truncate(&file, at), format!("the end of `{name}` at byte {at}"), None),
        _ => {
            let what = format!("absence of `{name}`");
            (image.remove(&file), what, None)
        }
    }
}

/// A bit of each of several commits at the end of the journal.
fn damage_last_commits(random: &mut Random, mut image: Image) -> (Image, String, Damaged) {
    let commits = &scene().commits;
    let count = 1 + random.below(5);
    let damaged = &commits[commits.len() - count..];
    let mut what = "bits of the journal at".to_owned();
    for (number, commit) in damaged.iter().enumerate() {
        // A commit whose length cannot be read hides where the next begins, unless that one has its number.
        let first = if number == 0 { 0 } else { START_AND_MARK };
        let at = first + random.below(commit.len() - first);
        // Its sequence number does not decide whether a commit is whole.
        let at = commit.start + if SEQUENCE_NUMBER.contains(&at) { 0 } else { at };
        image = image.flip(JOURNAL, at, random.below(8) as u8);
        what = format!("{what} {at}");
    }
    (image, what, Some(damaged[0].start..damaged[count - 1].end))
}

const SEQUENCE_NUMBER: Range<usize> = 5..13;

/// The bytes of a commit up to the end of its mark.
const START_AND_MARK: usize = 13 + 22 + 40;

/// A part of the journal that reaches into the last commits, or to their end.
fn damage_journal(random: &mut Random, image: Image) -> (Image, String, Damaged) {
    let image = after_kill(image);
    let (commits, end) = (&scene().commits, image.bytes(JOURNAL).len());
    let first = &commits[commits.len() - 1 - random.below(6)];
    let start = if random.chance(50) { first.start } else { first.start + random.below(first.len()) };
    let part = if random.chance(50) { start..end } else { sector(start, end) };
    let (image, what) = match random.below(3) {
        0 => (image.change(JOURNAL, |bytes| bytes[part.clone()].fill(0)), "zeros"),
        1 => (overwrite(random, image, Path::new(JOURNAL), part.clone()), "random bytes"),
        _ => (image.truncate(JOURNAL, start), "the end"),
    };
    (image, format!("{what} in bytes {part:?} of the journal"), Some(part))
}

/// With the number of the last synced commit. Without it, a journal that ends earlier may be the right one.
fn after_kill(image: Image) -> Image {
    image.add(SYNCED, scene().image.bytes(SYNCED).clone())
}

fn swap(random: &mut Random, image: Image) -> (Image, String, Damaged) {
    let image = after_kill(image);
    let files: Vec<PathBuf> = image.paths().filter(|path| !path.ends_with(SYNCED)).map(Path::to_owned).collect();
    let (one, other) = (random.pick(&files), random.pick(&files));
    let what = format!("`{}` and `{}` swapped", one.display(), other.display());
    (image.swap(one, other), what, None)
}

/// What a sound folder may look like as well.
fn change_harmlessly(random: &mut Random, image: Image) -> (Image, String) {
    let end = image.bytes(JOURNAL).len();
    match random.below(7) {
        0 => (image, "nothing".to_owned()),
        1 => (image.truncate(JOURNAL, end + random.below(5000)), "zeros after the last commit".to_owned()),
        2 => (image.add(".gitignore", b"*".to_vec()), "a hidden file".to_owned()),
        3 => (image.add("keyspaces/1/tables/.DS_Store", vec![1]), "a file of the system".to_owned()),
        4 => (image.add(SYNCED, Vec::new()), "no number of the last synced commit".to_owned()),
        5 => (with_synced(image, random.below(71) as u64), "an older number of the last synced commit".to_owned()),
        _ => (image.add(".keyfold.manifest.new", b"{".to_vec()), "an unfinished manifest".to_owned()),
    }
}

fn overwrite(random: &mut Random, image: Image, file: &Path, part: Range<usize>) -> Image {
    image.change(file, |bytes| bytes[part].fill_with(|| random.next() as u8))
}

fn sector(at: usize, length: usize) -> Range<usize> {
    let start = at / SECTOR * SECTOR;
    start..(start + SECTOR).min(length)
}

/// A sector of the journal before the last synced commits.
fn sure_sector(random: &mut Random) -> Range<usize> {
    let commits = &scene().commits;
    sector(random.below(commits[commits.len() - 20].start), usize::MAX)
}
