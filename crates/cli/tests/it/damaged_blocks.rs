//! Damaged blocks of table files, and files that cannot be read, as an operator sees them: the file and the remedy, and
//! not a line of the log for each request.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use keyfold_conformance::Endpoint;
use serde_json::json;

use crate::crash::server::{Launch, Server};

const ITEMS: usize = 200;

struct Scene {
    space: tempfile::TempDir,
}

impl Scene {
    /// Items in tables, and no server.
    fn new() -> Self {
        let scene = Self { space: tempfile::tempdir().unwrap() };
        let mut server = scene.start();
        server.wait_until_ready();
        let endpoint = server.endpoint();
        let table = json!({
            "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        });
        assert!(endpoint.call("CreateTable", &table).unwrap().is_success());
        for number in 0..ITEMS {
            assert_eq!(put(&endpoint, number), 200);
        }
        assert!(server.stop().success());
        std::fs::remove_file(scene.output()).unwrap();
        scene
    }

    fn data(&self) -> PathBuf {
        self.space.path().join("data")
    }

    fn output(&self) -> PathBuf {
        self.space.path().join("output")
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.output()).unwrap()
    }

    fn start(&self) -> Server {
        Launch { data: &self.data(), output: &self.output(), options: &[], watch: None }.start()
    }

    /// The largest table.
    fn table(&self) -> PathBuf {
        let tables = std::fs::read_dir(self.data().join("keyspaces/1/tables")).unwrap();
        tables.map(|entry| entry.unwrap().path()).max_by_key(|file| file.metadata().unwrap().len()).unwrap()
    }

    /// The last line of a server that does not start.
    fn refusal(&self) -> String {
        let mut server = self.start();
        assert_eq!(server.wait_for_exit(), Some(1), "{}", self.log());
        let log = self.log();
        let line = log.lines().rfind(|line| line.starts_with("error: ")).unwrap_or_else(|| panic!("{log}"));
        let data = self.data();
        let context = format!("error: cannot open the data in `{}`: ", data.display());
        let text = line.strip_prefix(&context).unwrap_or_else(|| panic!("{line}"));
        text.replace(&format!("{}/", data.display()), "")
    }
}

fn flip(file: &Path, at: usize) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[at] ^= 4;
    std::fs::write(file, bytes).unwrap();
}

fn put(endpoint: &Endpoint, number: usize) -> u16 {
    let item = json!({"pk": {"S": number.to_string()}, "data": {"S": "x".repeat(500)}});
    endpoint.call("PutItem", &json!({"TableName": "items", "Item": item})).unwrap().status
}

fn get(endpoint: &Endpoint, number: usize) -> u16 {
    let request = json!({"TableName": "items", "Key": {"pk": {"S": number.to_string()}}});
    endpoint.call("GetItem", &request).unwrap().status
}

const REMEDY: &str = "; list all damage with `keyfold engine check`; restore the folder from a backup, or salvage it with \
                      `keyfold engine repair`";

/// The first block has the engine's own records, which are read at the start.
#[test]
fn a_damaged_block_that_keeps_the_server_from_starting_is_named() {
    let scene = Scene::new();
    let table = scene.table();
    flip(&table, 60);
    let text = scene.refusal();
    let name = table.strip_prefix(scene.data()).unwrap().display().to_string();
    assert!(text.starts_with(&format!("`{name}` is damaged at bytes 0 to ")), "{text}");
    assert!(text.ends_with(&format!(": a block is not what was written: its checksum is wrong{REMEDY}")), "{text}");
}

#[test]
fn a_link_in_place_of_a_journal_is_named_once() {
    let scene = Scene::new();
    let journal = scene.data().join("0.jnl");
    std::fs::remove_file(&journal).unwrap();
    std::os::unix::fs::symlink("nothing", &journal).unwrap();
    let expected = "`0.jnl` is not a file of the store: the folder must hold the files of the store alone, and no links, \
                    pipes or folders in their place; move it away, or use another folder";
    assert_eq!(scene.refusal(), expected);
}

#[test]
fn a_damaged_block_is_named_at_once_and_does_not_fill_the_log() {
    let scene = Scene::new();
    let table = scene.table();
    flip(&table, table.metadata().unwrap().len() as usize / 2);
    let mut server = scene.start();
    server.wait_until_ready();
    let endpoint = server.endpoint();
    let damaged: Vec<usize> = (0..ITEMS).filter(|number| get(&endpoint, *number) == 500).collect();
    assert!(!damaged.is_empty() && damaged.len() < ITEMS / 2, "{damaged:?}");
    for _ in 0..20 {
        for number in &damaged {
            assert_eq!((get(&endpoint, *number), put(&endpoint, *number)), (500, 500));
        }
    }
    let name = table.display().to_string();
    let started = Instant::now();
    while !scene.log().contains(&format!("`{name}` is damaged at bytes ")) {
        assert!(started.elapsed() < Duration::from_secs(20), "{}", scene.log());
        std::thread::sleep(Duration::from_millis(20));
    }
    let log = scene.log();
    assert_eq!(log.matches("Checksum mismatch for block").count(), 1, "{log}");
    assert_eq!(log.matches("an operation failed in the store").count(), 1, "{log}");
    let sentence = "the stored data is damaged: a block is not what was written: its checksum is wrong";
    assert!(log.contains(sentence) && !log.contains("ChecksumMismatch"), "{log}");
}
