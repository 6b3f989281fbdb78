//! Whoever may write items can store bytes that look like a commit. They are data, wherever damage puts them.

use std::path::Path;

use keyfold_dynamo::table::KeyType;
use keyfold_engine::store::Durability;
use keyfold_engine::{DataFolder, Engine, Options};
use xxhash_rust::xxh3::xxh3_64;

use super::image::{Image, journal_bytes};
use super::repair::{Items, items_of};
use super::scene::JOURNAL;
use super::{RESTORE, SYNCED};
use crate::scene::requests::put;
use crate::scene::tables::table;
use crate::scene::{b, item, n, options, s};

/// The bytes of a commit before its entries, behind them, and of the entry with its mark.
const START: usize = 13;
const END: usize = 13;
const MARK: usize = 3 + 8 + 10 + 1 + 40;

/// Above those of all commits of the tests, and below those that no commit can have.
const SEQUENCE: u64 = 1 << 30;

fn open(folder: &Path, durability: Durability) -> Engine {
    Engine::open(folder, Options { durability, ..options() }).unwrap()
}

/// A commit with the right checksum.
fn commit(count: u32, entries: &[u8]) -> Vec<u8> {
    let start = [&[1], &count.to_le_bytes()[..], &SEQUENCE.to_le_bytes()].concat();
    [&start, entries, &[3], &xxh3_64(entries).to_le_bytes(), b"FJL\x03"].concat()
}

fn entries(commit: &[u8]) -> (u32, &[u8]) {
    (u32::from_le_bytes(commit[1..5].try_into().unwrap()), &commit[START..commit.len() - END])
}

/// The same changes without the number of a commit, as older versions wrote them.
fn without_mark(genuine: &[u8]) -> Vec<u8> {
    let (count, entries) = entries(genuine);
    commit(count - 1, &entries[MARK..])
}

/// The same changes as those of a commit of another folder.
fn with_guessed_mark(genuine: &[u8]) -> Vec<u8> {
    let (count, entries) = entries(genuine);
    let mut entries = entries.to_vec();
    let identity = MARK - 40;
    entries[identity..identity + 8].copy_from_slice(&7u64.to_le_bytes());
    commit(count, &entries)
}

/// A folder as a kill leaves it. The item `victim` has the value 2; the item `forger` holds a forged commit that gives
/// it the value 1 again.
struct Scene {
    image: Image,
    /// Where the commit of the forger begins and ends.
    start: usize,
    end: usize,
}

fn scene(durability: Durability, forge: fn(&[u8]) -> Vec<u8>, later: &[&str]) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), durability);
    table("t", ("pk", KeyType::S), None).create(&engine);
    let end = || journal_bytes(&folder.path().join(JOURNAL)).len();
    let victim = |value: i64| put(&engine, "t", item([("pk", s("victim")), ("v", n(value))])).unwrap();
    let before = end();
    victim(1);
    let genuine = journal_bytes(&folder.path().join(JOURNAL))[before..].to_vec();
    victim(2);
    let start = end();
    let forged = forge(&genuine);
    let padding = vec![7; 100];
    put(&engine, "t", item([("pk", s("forger")), ("v", b(&[&padding, &forged[..], &padding].concat()))])).unwrap();
    let scene_end = end();
    for name in later {
        put(&engine, "t", item([("pk", s(*name))])).unwrap();
    }
    let image = Image::of(folder.path());
    let is_stored = image.bytes(JOURNAL)[start..scene_end].windows(forged.len()).any(|bytes| bytes == forged);
    assert!(is_stored, "the value is not stored as it is");
    Scene { image, start, end: scene_end }
}

fn each_forgery(test: impl Fn(Durability, fn(&[u8]) -> Vec<u8>, &str)) {
    for durability in [Durability::Durable, Durability::Relaxed] {
        test(durability, without_mark, &format!("{durability:?}, without a mark"));
        test(durability, with_guessed_mark, &format!("{durability:?}, with a guessed mark"));
    }
}

fn assert_items(items: &Items, keys: &[&str], what: &str) {
    assert_eq!(items["victim"]["v"], n(2), "{what}");
    assert_eq!(items.keys().map(String::as_str).collect::<Vec<_>>(), keys, "{what}");
}

/// The items of a repaired copy.
fn repair(folder: &Path) -> Items {
    let parent = tempfile::tempdir().unwrap();
    let to = parent.path().join("new");
    DataFolder::open(folder).unwrap().repair(&to, &mut |_| Ok(()), &mut |_| {}).unwrap();
    items_of(&open(&to, Durability::Relaxed), "t")
}

#[test]
fn a_torn_last_commit_is_cut_off_whatever_its_values_look_like() {
    each_forgery(|durability, forge, what| {
        let Scene { image, end, .. } = scene(durability, forge, &[]);
        let image = image.remove(SYNCED);
        for torn in [image.clone().truncate(JOURNAL, end - 20), image.flip(JOURNAL, end - 8, 1)] {
            let folder = torn.write();
            assert_items(&repair(folder.path()), &["victim"], what);
            let engine = open(folder.path(), durability);
            assert_items(&items_of(&engine, "t"), &["victim"], what);
            let cuts = engine_cuts(folder.path());
            assert_eq!(cuts, [0], "{what}: commits behind the torn one");
        }
    });
}

fn engine_cuts(folder: &Path) -> Vec<u64> {
    Engine::unconfirmed_cuts(folder).unwrap().iter().map(|cut| cut.commits_behind).collect()
}

#[test]
fn a_repair_takes_the_commits_behind_a_damaged_one_and_not_those_in_its_values() {
    each_forgery(|durability, forge, what| {
        let Scene { image, start, end } = scene(durability, forge, &["x", "y"]);
        let folder = image.flip(JOURNAL, end - 8, 1).write();
        assert_items(&repair(folder.path()), &["victim", "x", "y"], what);
        if durability == Durability::Durable {
            let error = Engine::open(folder.path(), options()).err().unwrap();
            let text = keyfold_environment::error_chain(&error);
            let place = format!("`{}` is damaged at bytes {start} to {end}", folder.path().join(JOURNAL).display());
            assert!(text.starts_with(&place), "{what}: {text}");
            assert!(text.ends_with(&format!("2 whole commits follow it; {RESTORE}")), "{what}: {text}");
        } else {
            drop(open(folder.path(), durability));
            assert_eq!(engine_cuts(folder.path()), [2], "{what}: commits behind the torn one");
        }
    });
}
