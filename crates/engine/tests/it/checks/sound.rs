//! Sound folders in any state of background work are sound, and a check leaves every file as it is.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use keyfold_dynamo::Backend;
use keyfold_dynamo::operation::{IndexUpdate, TransactWriteKind};
use keyfold_engine::{DataFolder, Engine};

use super::{G, NOW, change_index, check, clock, create_table, expire, open};
use crate::folder_files::{copy, listing};
use crate::model::random::Random;
use crate::scene::requests::{action, delete, put, transact};
use crate::scene::tables::{all, index};
use crate::scene::{item, n, s, wait};

/// A copy of the files, as a kill would leave them: taken again if background work changed them meanwhile.
fn killed_copy(folder: &Path) -> tempfile::TempDir {
    loop {
        let copied = tempfile::tempdir().unwrap();
        let before = names(folder);
        if copy(folder, copied.path()) && names(folder) == before {
            return copied;
        }
    }
}

fn names(folder: &Path) -> Vec<(PathBuf, Option<SystemTime>)> {
    let mut names = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            names.extend(self::names(&path));
        }
        names.push((path.clone(), path.metadata().and_then(|metadata| metadata.modified()).ok()));
    }
    names.sort();
    names
}

struct Work {
    random: Random,
    tables: Vec<String>,
    made: usize,
}

impl Work {
    /// One random operation.
    fn step(&mut self, engine: &Engine) {
        let name = self.random.pick(&self.tables);
        let key = |random: &mut Random| item([("pk", s(format!("p{}", random.below(30)))), ("sk", n(random.below(3)))]);
        match self.random.below(40) {
            0 => {
                self.made += 1;
                self.tables.push(format!("t{}", self.made));
                create_table(engine, &format!("t{}", self.made));
            }
            1 if self.tables.len() > 1 => {
                self.tables.retain(|table| *table != name);
                wait(engine.delete_table(name)).unwrap();
            }
            // Changes of definitions fail while another one is under way, or if there is nothing to change.
            2 => {
                let create = IndexUpdate::Create(index("extra", G, None, all()));
                let delete = IndexUpdate::Delete { name: "extra".to_owned() };
                let change = self.random.pick(&[create, delete]);
                let _ = change_index(engine, &name, change);
            }
            3 => {
                let enabled = self.random.chance(50);
                let _ = expire(engine, &name, enabled);
            }
            4..=10 => {
                let key = key(&mut self.random);
                delete(engine, &name, key).unwrap();
            }
            11..=13 => {
                let new = self.item(key);
                let token = format!("token {}", self.random.below(5));
                // The token may have been used for another item.
                let _ = transact(engine, vec![action(&name, TransactWriteKind::Put { item: new })], Some(&token));
            }
            14 => engine.run_maintenance().unwrap(),
            _ => {
                let new = self.item(key);
                put(engine, &name, new).unwrap();
            }
        }
    }

    fn item(&mut self, key: impl Fn(&mut Random) -> keyfold_dynamo::Attributes) -> keyfold_dynamo::Attributes {
        let mut new = key(&mut self.random);
        new.insert("text".to_owned(), s("x".repeat(self.random.below(3000))));
        if self.random.chance(70) {
            new.insert("g".to_owned(), s(format!("g{}", self.random.below(4))));
        }
        if self.random.chance(50) {
            new.insert("expires".to_owned(), n(NOW + self.random.below(200) as u64));
        }
        new
    }
}

#[test]
fn a_sound_folder_is_sound_in_every_state_of_background_work() {
    let is_long = std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1");
    let seed = std::env::var("KEYFOLD_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(29);
    for round in 0..if is_long { 60 } else { 4 } {
        let folder = tempfile::tempdir().unwrap();
        let clock = clock();
        let mut work = Work { random: Random::new(seed + round), tables: vec!["t".to_owned()], made: 0 };
        let engine = open(folder.path(), &clock);
        create_table(&engine, "t");
        for step in 0..300 {
            work.step(&engine);
            if work.random.chance(3) {
                clock.advance(20_000);
            }
            if step % 20 == 0 {
                assert_eq!(engine.check().unwrap(), [], "seed {seed}, round {round}, step {step}");
            }
            if step % 150 == 149 {
                let killed = killed_copy(folder.path());
                assert_eq!(check(killed.path()).findings, [], "seed {seed}, round {round}, step {step}, killed");
            }
        }
        drop(engine);
        assert_eq!(check(folder.path()).findings, [], "seed {seed}, round {round}, closed");
    }
}

#[test]
fn items_that_are_due_are_no_fault_and_are_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let engine = open(folder.path(), &clock);
    create_table(&engine, "t");
    engine.run_maintenance().unwrap();
    for number in 0..50 {
        // Due by the clock of the machine, but not by that of the engine, which would remove them while it is open.
        let expired = item([("pk", s("p")), ("sk", n(number)), ("g", s("g")), ("expires", n(NOW + 10))]);
        put(&engine, "t", expired).unwrap();
    }
    drop(engine);
    let before = listing(folder.path());
    for _ in 0..3 {
        let report = check(folder.path());
        assert_eq!((report.findings, report.notes, report.tables), (vec![], vec![], 1));
        let stat = DataFolder::open(folder.path()).unwrap().stat().unwrap();
        assert_eq!((stat.tables[0].table.items, stat.tables[0].indexes[0].items), (50, 50));
    }
    assert!(listing(folder.path()) == before, "a check changed the folder");
}

#[test]
fn a_folder_in_use_is_not_checked() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), &clock());
    let error = DataFolder::open(folder.path()).err().expect("the folder is locked");
    assert_eq!(error.kind(), "locked");
    drop(engine);
    assert_eq!(check(folder.path()).findings, []);
}

#[test]
fn a_commit_that_was_torn_is_a_note_and_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), &clock());
    create_table(&engine, "t");
    let folder = killed_copy(folder.path());
    let journal = folder.path().join("0.jnl");
    let mut bytes = std::fs::read(&journal).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    bytes.truncate(end);
    bytes.extend([1, 2, 0, 0, 0, 9]);
    std::fs::write(&journal, bytes).unwrap();
    let before = listing(folder.path());
    let report = check(folder.path());
    assert_eq!(report.findings, []);
    assert!(
        report.notes[0].contains("a power failure or a full disk may have torn the last commit"),
        "{:?}",
        report.notes
    );
    assert!(listing(folder.path()) == before, "a check changed the folder");
}
