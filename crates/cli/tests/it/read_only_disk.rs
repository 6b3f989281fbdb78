//! A disk that is or becomes read-only: errors name the file, reads go on, and writing resumes by itself.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::crash::server::{Launch, Server, check};
use crate::mounted_disk::{Disk, create_table};
use keyfold_conformance::{Endpoint, Response};
use keyfold_power_loss::{Fault, Operation, Watch};
use serde_json::json;

const FAILED: &str = "the request failed in the store; the server's log has the cause";
const RECOVERING: &str = "the store has failed and is being recovered; retry the request";

fn put(endpoint: &Endpoint, key: &str) -> Response {
    endpoint.call("PutItem", &json!({"TableName": "items", "Item": {"pk": {"S": key}}})).unwrap()
}

fn assert_stored(endpoint: &Endpoint, key: &str) {
    let response = endpoint.call("GetItem", &json!({"TableName": "items", "Key": {"pk": {"S": key}}})).unwrap();
    assert_eq!(response.body, json!({"Item": {"pk": {"S": key}}}));
}

fn keyfold(disk: &Disk, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
    command.arg("engine").args(arguments).arg("--data").arg(disk.data()).output().unwrap()
}

#[test]
fn a_folder_on_a_read_only_disk_is_checked_but_not_served() {
    let Some(disk) = Disk::mount() else { return };
    let server = disk.start(&[]);
    create_table(&server.endpoint());
    assert_eq!(server.stop().code(), Some(0));
    disk.remount("ro");
    for command in ["check", "stat"] {
        let output = keyfold(&disk, &[command]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = keyfold(&disk, &["serve", "--port", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    let expected = format!(
        "error: cannot open the data in `{data}`: the file system is read-only: `{data}` cannot be opened: Read-only file \
         system (os error 30)\n",
        data = disk.data().display()
    );
    assert_eq!(text, expected);
    disk.remount("rw");
    assert_eq!(disk.start(&[]).stop().code(), Some(0));
}

/// Writes fail, and reads go on for longer than a store is waited for that cannot be reopened.
fn assert_only_reads_are_served(server: &mut Server, endpoint: &Endpoint) {
    let response = put(endpoint, "failed");
    assert_eq!((response.status, response.body["message"].as_str()), (500, Some(FAILED)));
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(3) {
        let response = put(endpoint, "refused");
        assert_eq!((response.status, response.body["message"].as_str()), (503, Some(RECOVERING)));
        assert_stored(endpoint, "before");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(server.is_running());
}

/// As an error of the disk makes it. It cannot be mounted for writing again, so that the server is told to end.
#[test]
fn a_disk_that_becomes_read_only_is_read() {
    let Some(disk) = Disk::mount_ext4() else { return };
    let mut server = disk.start(&["--store-timeout", "2"]);
    let endpoint = server.endpoint();
    create_table(&endpoint);
    assert!(put(&endpoint, "before").is_success());
    disk.remount("abort");
    assert_only_reads_are_served(&mut server, &endpoint);
    let named = format!("the file system is read-only: `{}` cannot be written", disk.data().display());
    assert!(disk.log().contains(&named), "{}", disk.log());
    assert_eq!(server.stop().code(), Some(74), "{}", disk.log());
}

/// As a disk does that an administrator mounts for writing again.
#[test]
fn a_disk_that_was_read_only_is_written_again() {
    if !Watch::is_supported() {
        println!("skipped: faults are injected on Linux on x86-64 only");
        return;
    }
    let space = tempfile::tempdir().unwrap();
    let (data, output) = (space.path().join("data"), space.path().join("output"));
    std::fs::create_dir(&data).unwrap();
    let watch = Watch::new(&data, &space.path().join("faults")).unwrap();
    let mut server =
        Launch { data: &data, output: &output, options: &["--store-timeout", "2"], watch: Some(&watch) }.start();
    server.wait_until_ready();
    let endpoint = server.endpoint();
    create_table(&endpoint);
    assert!(put(&endpoint, "before").is_success());
    let fault = Fault { operation: Operation::Write, file: "/data/", error: libc::EROFS, times: u32::MAX };
    watch.inject(&fault).unwrap();
    assert_only_reads_are_served(&mut server, &endpoint);
    watch.inject(&Fault { times: 0, ..fault }).unwrap();
    let started = Instant::now();
    while !put(&endpoint, "after").is_success() {
        assert!(started.elapsed() < Duration::from_secs(10), "{}", server.last_output());
        std::thread::sleep(Duration::from_millis(20));
    }
    for key in ["before", "after"] {
        assert_stored(&endpoint, key);
    }
    assert_eq!(server.stop().code(), Some(0));
    check(&data);
}
