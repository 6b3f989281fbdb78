//! A server whose disk fails once recovers by itself, or ends with the exit code that is documented for the fault. Nothing that
//! it acknowledged is lost.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::crash::server::{Launch, Server, check};
use keyfold_conformance::{Endpoint, Response};
use keyfold_power_loss::{Fault, Operation, Watch};
use serde_json::{Value, json};

const FAILED: &str = "the request failed in the store; the server's log has the cause";
const RECOVERING: &str = "the store has failed and is being recovered; retry the request";
/// The log line of a failure.
const LOGGED: &str = "the store failed; writes are refused";

/// A server on a disk that fails to order, and what it has acknowledged.
struct Scene {
    space: tempfile::TempDir,
    watch: Watch,
    server: Server,
    endpoint: Endpoint,
    /// By key, the last number that was acknowledged.
    acknowledged: BTreeMap<String, u64>,
    next: u64,
}

impl Scene {
    /// `None` where faults cannot be injected.
    fn start() -> Option<Self> {
        if !Watch::is_supported() {
            println!("skipped: faults are injected on Linux on x86-64 only");
            return None;
        }
        let space = tempfile::tempdir().unwrap();
        let (data, output) = (space.path().join("data"), space.path().join("output"));
        std::fs::create_dir(&data).unwrap();
        let watch = Watch::new(&data, &space.path().join("faults")).unwrap();
        let options = ["--write-buffer", "1"];
        let mut server = Launch { data: &data, output: &output, options: &options, watch: Some(&watch) }.start();
        server.wait_until_ready();
        let endpoint = server.endpoint();
        let table = json!({
            "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        });
        assert!(endpoint.call("CreateTable", &table).unwrap().is_success());
        let mut scene = Self { space, watch, server, endpoint, acknowledged: BTreeMap::new(), next: 0 };
        scene.write(20);
        Some(scene)
    }

    fn data(&self) -> PathBuf {
        self.space.path().join("data")
    }

    fn inject(&self, operation: Operation, file: &str, error: i32, times: u32) {
        self.watch.inject(&Fault { operation, file, error, times }).unwrap();
    }

    fn put(&mut self) -> Result<Response, keyfold_conformance::EndpointError> {
        self.next += 1;
        let key = (self.next % 50).to_string();
        let item = json!({"pk": {"S": key}, "n": {"N": self.next.to_string()}, "data": {"S": "x".repeat(40_000)}});
        let answer = self.endpoint.call("PutItem", &json!({"TableName": "items", "Item": item}))?;
        if answer.is_success() {
            self.acknowledged.insert(key, self.next);
        }
        Ok(answer)
    }

    /// Writes until so many more are acknowledged, as a client does that retries. Gives the texts of the errors.
    fn write(&mut self, count: usize) -> Vec<String> {
        let started = Instant::now();
        let (mut done, mut errors) = (0, Vec::new());
        while done < count {
            assert!(started.elapsed() < Duration::from_secs(60), "{errors:?}\n{}", self.server.last_output());
            let answer = self.put().unwrap();
            match answer.is_success() {
                true => done += 1,
                false => {
                    assert!(matches!(answer.status, 500 | 503), "{answer:?}");
                    errors.push(answer.body["message"].as_str().unwrap().to_owned());
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        }
        errors
    }

    /// What is stored has at least the number that was acknowledged: a write that failed may be there all the same.
    fn assert_nothing_lost(&self, endpoint: &Endpoint) {
        for (key, number) in &self.acknowledged {
            let request = json!({"TableName": "items", "Key": {"pk": {"S": key}}, "ConsistentRead": true});
            let answer = endpoint.call("GetItem", &request).unwrap();
            let found = answer.body["Item"]["n"]["N"].as_str().map_or(0, |digits| digits.parse().unwrap());
            assert!(found >= *number, "{key}: {number} was acknowledged, {found} found: {:?}", answer.status);
        }
    }

    fn restart_and_compare(self) {
        let (data, output) = (self.data(), self.space.path().join("output"));
        let mut server = Launch { data: &data, output: &output, options: &[], watch: None }.start();
        server.wait_until_ready();
        self.assert_nothing_lost(&server.endpoint());
        assert!(server.stop().success());
        check(&data);
    }
}

/// The disk fails once, the server recovers, and nothing is lost, not even after a restart.
fn recovers_from(operation: Operation, file: &str, error: i32, cause: &str) {
    let Some(mut scene) = Scene::start() else { return };
    scene.inject(operation, file, error, 1);
    // Enough for several flushes, and for merging their tables.
    let mut errors = scene.write(150);
    scene.assert_nothing_lost(&scene.endpoint);
    errors.dedup();
    for error in &errors {
        assert!([FAILED, RECOVERING].contains(&error.as_str()), "{error}");
    }
    let output = std::fs::read_to_string(scene.space.path().join("output")).unwrap();
    assert_eq!(output.matches(LOGGED).count(), 1, "{output}");
    assert!(output.contains(cause), "{output}");
    let Scene { space, watch, server, endpoint, acknowledged, next } = scene;
    assert!(server.stop().success());
    let data = space.path().join("data");
    check(&data);
    let server = Launch { data: &data, output: &space.path().join("output"), options: &[], watch: None }.start();
    Scene { space, watch, server, endpoint, acknowledged, next }.restart();
}

impl Scene {
    /// The server has just been started again.
    fn restart(mut self) {
        self.server.wait_until_ready();
        self.assert_nothing_lost(&self.server.endpoint());
    }
}

#[test]
fn a_disk_that_was_full_for_one_write_of_the_journal() {
    recovers_from(Operation::Write, ".jnl", libc::ENOSPC, "the disk is full");
}

#[test]
fn a_disk_that_was_full_while_a_table_was_written() {
    recovers_from(Operation::Write, "/tables/", libc::ENOSPC, "No space left on device");
}

#[test]
fn a_disk_that_failed_while_a_table_was_written() {
    recovers_from(Operation::Write, "/tables/", libc::EIO, "Input/output error");
}

#[test]
fn a_disk_that_failed_while_a_table_was_synced() {
    recovers_from(Operation::Sync, "/tables/", libc::EIO, "Input/output error");
}

#[test]
fn no_descriptor_for_a_new_table() {
    recovers_from(Operation::Create, "/tables/", libc::EMFILE, "Too many open files");
}

#[test]
fn short_writes_are_completed() {
    let Some(mut scene) = Scene::start() else { return };
    scene.inject(Operation::Write, "/data/", 0, u32::MAX);
    assert_eq!(scene.write(100), Vec::<String>::new());
    scene.assert_nothing_lost(&scene.endpoint);
}

/// The operating system may have dropped the pages, so that another sync would succeed and prove nothing.
fn ends_after_a_failed_sync(error: i32) {
    let Some(mut scene) = Scene::start() else { return };
    scene.inject(Operation::Sync, ".jnl", error, 1);
    let answer = scene.put().unwrap();
    assert_eq!((answer.status, answer.body["message"].as_str()), (500, Some(FAILED)));
    // Later writes are refused, or meet a server that has ended.
    if let Ok(answer) = scene.put() {
        assert!(!answer.is_success(), "{answer:?}");
    }
    assert_eq!(scene.server.wait_for_exit(), Some(74));
    scene.restart_and_compare();
}

#[test]
fn a_journal_that_was_not_synced_ends_the_server() {
    ends_after_a_failed_sync(libc::EIO);
}

#[test]
fn a_journal_that_was_not_synced_to_a_full_disk_ends_the_server() {
    ends_after_a_failed_sync(libc::ENOSPC);
}

#[test]
fn a_failed_sync_at_the_end_is_seen_in_the_exit_code() {
    let Some(scene) = Scene::start() else { return };
    scene.inject(Operation::Sync, ".jnl", libc::EIO, u32::MAX);
    assert_eq!(scene.server.stop().code(), Some(74));
}

#[test]
fn a_removed_data_folder_ends_the_server() {
    let Some(mut scene) = Scene::start() else { return };
    std::fs::remove_dir_all(scene.data()).unwrap();
    assert_eq!(scene.server.wait_for_exit(), Some(66));
}

/// What clients are told is neutral: neither paths nor texts of the operating system.
#[test]
fn clients_see_no_texts_of_the_store() {
    let Some(mut scene) = Scene::start() else { return };
    scene.inject(Operation::Write, ".jnl", libc::ENOSPC, 1);
    let answer = scene.put().unwrap();
    assert_eq!(answer.status, 500);
    let expected: Value = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#InternalServerError",
        "message": FAILED,
    });
    assert_eq!(answer.body, expected);
}
