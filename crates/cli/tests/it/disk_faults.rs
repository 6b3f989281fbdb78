//! A server whose disk fails once recovers by itself, or ends with the exit code that is documented for the fault.
//! Nothing that it acknowledged is lost.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::crash::server::{Launch, Server, check};
use keyfold_conformance::{Endpoint, Response};
use keyfold_power_loss::{Fault, HANG, Operation, Watch};
use serde_json::{Value, json};

const FAILED: &str = "the request failed in the store; the server's log has the cause";
const RECOVERING: &str = "the store has failed and is being recovered; retry the request";
/// The log line of a failure.
const LOGGED: &str = "the store failed; writes are refused";

/// A server on a disk that fails to order, and what it has acknowledged.
pub(super) struct Scene {
    space: tempfile::TempDir,
    watch: Arc<Watch>,
    pub server: Server,
    endpoint: Endpoint,
    /// By key, the last number that was acknowledged.
    acknowledged: BTreeMap<String, u64>,
    next: u64,
    /// The size of the items to write.
    item_bytes: usize,
}

impl Scene {
    /// `None` where faults cannot be injected.
    fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    pub(super) fn start_with(options: &[&str]) -> Option<Self> {
        if !Watch::is_supported() {
            println!("skipped: faults are injected on Linux on x86-64 only");
            return None;
        }
        let space = tempfile::tempdir().unwrap();
        let (data, output) = (space.path().join("data"), space.path().join("output"));
        std::fs::create_dir(&data).unwrap();
        let watch = Arc::new(Watch::new(&data, &space.path().join("faults")).unwrap());
        let options = &[&["--write-buffer", "1"], options].concat();
        let mut server = Launch { data: &data, output: &output, options, watch: Some(&watch) }.start();
        server.wait_until_ready();
        let endpoint = server.endpoint();
        let table = json!({
            "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        });
        assert!(endpoint.call("CreateTable", &table).unwrap().is_success());
        let (acknowledged, item_bytes) = (BTreeMap::new(), 40_000);
        let mut scene = Self { space, watch, server, endpoint, acknowledged, next: 0, item_bytes };
        scene.write(20);
        Some(scene)
    }

    fn data(&self) -> PathBuf {
        self.space.path().join("data")
    }

    pub(super) fn inject(&self, operation: Operation, file: &str, error: i32, times: u32) {
        self.watch.inject(&Fault { operation, file, error, times }).unwrap();
    }

    pub(super) fn put(&mut self) -> Result<Response, keyfold_conformance::EndpointError> {
        self.next += 1;
        let key = (self.next % 50).to_string();
        let item =
            json!({"pk": {"S": key}, "n": {"N": self.next.to_string()}, "data": {"S": "x".repeat(self.item_bytes)}});
        let answer = self.endpoint.call("PutItem", &json!({"TableName": "items", "Item": item}))?;
        if answer.is_success() {
            self.acknowledged.insert(key, self.next);
        }
        Ok(answer)
    }

    /// Writes until so many more are acknowledged, as a client does that retries. Gives the texts of the errors.
    pub(super) fn write(&mut self, count: usize) -> Vec<String> {
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

    pub(super) fn log(&self) -> String {
        std::fs::read_to_string(self.space.path().join("output")).unwrap()
    }

    /// A server that is told to stop has everything on disk.
    pub(super) fn stop_and_compare(mut self) {
        self.server.terminate();
        assert_eq!(self.server.wait_for_exit(), Some(0), "{}", self.log());
        check(&self.data());
        self.restart_and_compare();
    }

    /// After the server has ended.
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
    scene.stop_and_compare();
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

/// A merge reads whole tables.
#[test]
fn a_disk_that_failed_while_tables_were_merged() {
    recovers_from(Operation::ReadOn, "/tables/", libc::EIO, "Input/output error");
}

#[test]
fn no_descriptor_for_a_new_table() {
    recovers_from(Operation::Create, "/tables/", libc::EMFILE, "Too many open files");
}

/// The store makes writers wait while its flushes are behind. When a flush fails then, nothing would ever end that
/// wait.
#[test]
fn a_disk_that_was_full_while_writers_waited_for_a_flush() {
    let Some(mut scene) = Scene::start() else { return };
    scene.inject(Operation::Write, "/tables/", HANG, u32::MAX);
    let (written, watch) = (AtomicU64::new(0), Arc::clone(&scene.watch));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut before = 0;
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let now = written.load(Ordering::SeqCst);
                if now == before {
                    break;
                }
                before = now;
            }
            let fault = Fault { operation: Operation::Write, file: "/tables/", error: libc::ENOSPC, times: u32::MAX };
            watch.inject(&fault).unwrap();
        });
        while scene.put().unwrap().is_success() {
            written.fetch_add(1, Ordering::SeqCst);
        }
    });
    assert!(scene.log().contains("No space left on device"), "{}", scene.log());
    scene.inject(Operation::Write, "/tables/", libc::ENOSPC, 0);
    scene.write(20);
    scene.assert_nothing_lost(&scene.endpoint);
    scene.stop_and_compare();
}

#[test]
fn short_writes_are_completed() {
    let Some(mut scene) = Scene::start() else { return };
    scene.inject(Operation::Write, "/data/", 0, u32::MAX);
    assert_eq!(scene.write(100), Vec::<String>::new());
    scene.assert_nothing_lost(&scene.endpoint);
}

/// Blocks of more than 64 KiB are written without a buffer. The store records a wrong checksum of the table when the
/// disk takes only a part of one, though every byte is there.
#[test]
fn short_writes_of_large_items_leave_a_sound_store() {
    let Some(mut scene) = Scene::start() else { return };
    scene.item_bytes = 200_000;
    scene.inject(Operation::Write, "/tables/", 0, u32::MAX);
    assert_eq!(scene.write(60), Vec::<String>::new());
    scene.server.terminate();
    assert_eq!(scene.server.wait_for_exit(), Some(0), "{}", scene.log());
    let (data, repaired) = (scene.data(), scene.space.path().join("repaired"));
    let (code, text) = inspect(&["check", "--data", data.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("note: `keyspaces/1/tables/") && text.contains("(a short write)"), "{text}");
    let to = ["repair", "--data", data.to_str().unwrap(), "--to", repaired.to_str().unwrap()];
    let (code, text) = inspect(&to);
    assert_eq!((code, text.matches('\n').count()), (Some(0), 2), "{text}");
    scene.restart_and_compare();
}

/// The exit code of `keyfold engine`, and what it says.
fn inspect(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_keyfold"));
    let output = command.arg("engine").args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
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

fn ends_without(name: &str) {
    let Some(mut scene) = Scene::start() else { return };
    scene.write(40);
    let file = scene.data().join(name);
    // At once: the server could see a folder of which only a part is removed.
    std::fs::rename(&file, scene.space.path().join("removed")).unwrap();
    let removed = Instant::now();
    assert_eq!(scene.server.wait_for_exit(), Some(66), "{}", scene.log());
    assert!(removed.elapsed() < Duration::from_secs(10));
    let named = format!("`{}` was removed, replaced or shortened while it was in use", file.display());
    assert!(scene.log().contains(&named), "{}", scene.log());
}

#[test]
fn a_removed_journal_ends_the_server() {
    ends_without("0.jnl");
}

#[test]
fn removed_keyspaces_end_the_server() {
    ends_without("keyspaces");
}

#[test]
fn a_removed_manifest_ends_the_server() {
    ends_without("keyfold.manifest");
}

#[test]
fn a_removed_lock_ends_the_server() {
    ends_without("lock");
}

#[test]
fn removed_tables_end_the_server() {
    ends_without("keyspaces/1/tables");
}

/// Too soon for the server to have noticed it while it served.
#[test]
fn a_journal_that_was_removed_before_the_end_is_seen_in_the_exit_code() {
    let Some(scene) = Scene::start() else { return };
    std::fs::remove_file(scene.data().join("0.jnl")).unwrap();
    assert_eq!(scene.server.stop().code(), Some(66));
}

/// The journals hold what could not be brought to tables, so that the next start needs nobody.
#[test]
fn a_last_flush_that_failed_leaves_everything_in_the_journals() {
    let Some(scene) = Scene::start() else { return };
    scene.inject(Operation::Write, "/tables/", libc::EIO, u32::MAX);
    scene.stop_and_compare();
}

#[test]
fn a_full_disk_at_the_end_is_seen_in_the_exit_code() {
    let Some(mut scene) = Scene::start() else { return };
    scene.inject(Operation::Write, "/tables/", libc::ENOSPC, u32::MAX);
    scene.server.terminate();
    assert_eq!(scene.server.wait_for_exit(), Some(70), "{}", scene.log());
    assert!(scene.log().contains("keyfold: the data folder could not be closed: the disk is full"), "{}", scene.log());
    scene.restart_and_compare();
}

#[test]
fn a_sync_that_hangs_ends_the_server() {
    let Some(mut scene) = Scene::start_with(&["--store-timeout", "2"]) else { return };
    scene.inject(Operation::Sync, ".jnl", HANG, 1);
    if let Ok(answer) = scene.put() {
        assert!(!answer.is_success(), "{answer:?}");
    }
    assert_eq!(scene.server.wait_for_exit(), Some(75), "{}", scene.log());
    scene.restart_and_compare();
}

/// Writers wait only when a second buffer is full.
#[test]
fn a_flush_that_hangs_ends_the_server_although_nobody_waits_for_it() {
    let Some(mut scene) = Scene::start_with(&["--store-timeout", "3"]) else { return };
    scene.inject(Operation::Write, "/tables/", HANG, u32::MAX);
    scene.write(15);
    let started = Instant::now();
    assert_eq!(scene.server.wait_for_exit(), Some(75), "{}", scene.log());
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(scene.log().contains("the store has not responded for "), "{}", scene.log());
    scene.restart_and_compare();
}

#[test]
fn a_flush_that_goes_on_slowly_does_not_end_the_server() {
    let Some(mut scene) = Scene::start_with(&["--store-timeout", "3"]) else { return };
    for _ in 0..8 {
        // Lets the write through that waited for the order before.
        scene.inject(Operation::Write, "/tables/", HANG, u32::MAX);
        scene.write(3);
        std::thread::sleep(Duration::from_secs(1));
    }
    assert!(scene.server.is_running(), "{}", scene.log());
    scene.inject(Operation::Write, "/tables/", HANG, 0);
    scene.write(20);
    scene.stop_and_compare();
}

/// Flushing is given up after ten seconds, and closing after the time of the option.
#[test]
fn a_table_that_is_never_written_ends_the_server_in_time() {
    let Some(mut scene) = Scene::start_with(&["--store-timeout", "13"]) else { return };
    scene.inject(Operation::Write, "/tables/", HANG, u32::MAX);
    scene.server.terminate();
    assert_eq!(scene.server.wait_for_exit(), Some(75), "{}", scene.log());
    assert!(scene.log().contains("the last commits were not brought to tables in time"), "{}", scene.log());
    scene.restart_and_compare();
}

/// Neither tables nor the manifest can be created: the store fails, and cannot be opened again.
#[test]
fn a_store_that_cannot_be_reopened_ends_the_server() {
    let Some(mut scene) = Scene::start_with(&["--store-timeout", "2"]) else { return };
    scene.inject(Operation::Create, "/data/", libc::EIO, u32::MAX);
    while let Ok(answer) = scene.put() {
        assert!(matches!(answer.status, 200 | 500 | 503), "{answer:?}");
    }
    assert_eq!(scene.server.wait_for_exit(), Some(70), "{}", scene.log());
    scene.restart_and_compare();
}

/// The commit is on disk, and the manifest is written with the next one.
#[test]
fn a_manifest_that_could_not_be_written_for_a_new_journal_is_written_later() {
    let Some(mut scene) = Scene::start() else { return };
    scene.item_bytes = 390_000;
    scene.inject(Operation::Write, "keyfold.manifest", libc::ENOSPC, 2);
    // More than a journal holds.
    assert_eq!(scene.write(190), Vec::<String>::new(), "{}", scene.log());
    let warning = "the manifest of the data folder could not be written";
    assert_eq!(scene.log().matches(warning).count(), 1, "{}", scene.log());
    scene.assert_nothing_lost(&scene.endpoint);
    scene.stop_and_compare();
}

#[test]
fn a_block_that_cannot_be_read_once_fails_one_request() {
    let Some(mut scene) = Scene::start_with(&["--cache", "1"]) else { return };
    scene.write(100);
    scene.inject(Operation::Read, "/tables/", libc::EIO, 1);
    let read_all = || {
        let get = |key| json!({"TableName": "items", "Key": {"pk": {"S": key}}});
        let status = |key| scene.endpoint.call("GetItem", &get(key)).unwrap().status;
        scene.acknowledged.keys().map(status).filter(|status| *status != 200).collect::<Vec<_>>()
    };
    // On a busy machine, the items are in memory until their flush is done.
    let (started, mut failed) = (Instant::now(), Vec::new());
    while failed.is_empty() && started.elapsed() < Duration::from_secs(60) {
        failed = read_all();
    }
    assert_eq!(failed, [500], "{}", scene.log());
    assert_eq!((0..20).flat_map(|_| read_all()).collect::<Vec<_>>(), [0; 0], "{}", scene.log());
    assert_eq!(scene.write(60), Vec::<String>::new());
    scene.stop_and_compare();
}
