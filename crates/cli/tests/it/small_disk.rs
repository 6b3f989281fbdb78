//! A server that fills its disk: writes are refused in time, deletes make room, and nothing has to be restarted.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use crate::crash::server::{Server, check};
use crate::mounted_disk::{Disk, create_table, try_to_create_table};
use keyfold_conformance::{Endpoint, Response};
use serde_json::json;

const NEARLY_FULL: &str = "the disk of the server is nearly full; only reads and deletes are accepted";
/// The log line of a failure.
const LOGGED: &str = "the store failed; writes are refused";

/// Text that does not compress.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let letter = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'A' + (state % 26) as u8)
    };
    (0..1_000_000).map(letter).collect()
});

/// 100 kB, told apart by the number.
fn put(endpoint: &Endpoint, key: &str, number: u64) -> Response {
    put_bytes(endpoint, key, number, 100_000)
}

fn put_bytes(endpoint: &Endpoint, key: &str, number: u64, bytes: usize) -> Response {
    let start = usize::try_from(number * 7919 % 900_000).unwrap();
    let data = &TEXT[start..start + bytes];
    let item = json!({"pk": {"S": key}, "n": {"N": number.to_string()}, "data": {"S": data}});
    endpoint.call("PutItem", &json!({"TableName": "items", "Item": item})).unwrap()
}

/// The numbers that were acknowledged, by key.
type Acknowledged = BTreeMap<String, u64>;

/// Four clients write new items until all of them were refused for five seconds, because the disk is nearly full.
fn fill(server: &Server, acknowledged: &mut Acknowledged, prefix: &str) {
    let next = Mutex::new(0);
    let written = Mutex::new(Acknowledged::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let endpoint = server.endpoint();
                let mut refused_since = None;
                loop {
                    let number = {
                        let mut next = next.lock().unwrap();
                        *next += 1;
                        *next
                    };
                    let key = format!("{prefix}-{number}");
                    let response = put(&endpoint, &key, number);
                    if response.is_success() {
                        refused_since = None;
                        written.lock().unwrap().insert(key, number);
                        continue;
                    }
                    assert!(matches!(response.status, 500 | 503), "{response:?}");
                    // Or else the server is about to return the space of journals.
                    if response.body["message"] != NEARLY_FULL {
                        refused_since = None;
                    } else if refused_since.get_or_insert_with(Instant::now).elapsed() > Duration::from_secs(5) {
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
        }
    });
    acknowledged.append(&mut written.into_inner().unwrap());
}

/// Calls until it succeeds, as a client does that retries. A write during which the store fails may be on disk or not.
fn until_accepted(disk: &Disk, mut call: impl FnMut() -> Response) {
    let started = Instant::now();
    loop {
        let response = call();
        if response.is_success() {
            return;
        }
        assert!(matches!(response.status, 500 | 503), "{response:?}");
        assert!(started.elapsed() < Duration::from_secs(30), "{response:?}\n{}", disk.log());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn assert_stored(endpoint: &Endpoint, acknowledged: &Acknowledged) {
    for (key, number) in acknowledged {
        let request = json!({"TableName": "items", "Key": {"pk": {"S": key}}, "ProjectionExpression": "n"});
        let response = endpoint.call("GetItem", &request).unwrap();
        assert_eq!(response.body["Item"]["n"]["N"], number.to_string(), "{key}: {response:?}");
    }
}

fn restart_and_compare(disk: &Disk, server: Server, acknowledged: &Acknowledged) {
    assert_eq!(server.stop().code(), Some(0), "{}", disk.log());
    check(&disk.data());
    let server = disk.start(&[]);
    assert_stored(&server.endpoint(), acknowledged);
    assert_eq!(server.stop().code(), Some(0));
}

#[test]
fn a_disk_that_the_server_fills_is_used_again_after_deletes() {
    let Some(disk) = Disk::mount() else { return };
    let server = disk.start(&[]);
    let endpoint = server.endpoint();
    create_table(&endpoint);
    let mut acknowledged = Acknowledged::new();
    for round in 0..3 {
        let before = acknowledged.len();
        fill(&server, &mut acknowledged, &round.to_string());
        let written = acknowledged.len() - before;
        assert!(written > 20, "{written} in round {round}:\n{}", disk.log());
        assert_stored(&endpoint, &acknowledged);
        // A server begins with it, and must be able to start on a full disk.
        let again = try_to_create_table(&endpoint).unwrap();
        assert!(again.body.to_string().contains("ResourceInUseException"), "{}", again.body);
        let deleted: Vec<String> =
            acknowledged.keys().step_by(4).chain(acknowledged.keys().skip(1).step_by(2)).cloned().collect();
        for key in deleted {
            let request = json!({"TableName": "items", "Key": {"pk": {"S": key}}});
            until_accepted(&disk, || endpoint.call("DeleteItem", &request).unwrap());
            acknowledged.remove(&key);
        }
        let key = format!("after {round}");
        until_accepted(&disk, || put(&endpoint, &key, 1));
        acknowledged.insert(key, 1);
    }
    restart_and_compare(&disk, server, &acknowledged);
}

/// Twice the size of the disk: journals whose commits are in tables must not fill it.
#[test]
fn a_small_disk_takes_any_number_of_overwrites() {
    let Some(disk) = Disk::mount() else { return };
    let server = disk.start(&[]);
    let endpoint = server.endpoint();
    create_table(&endpoint);
    let mut acknowledged = Acknowledged::new();
    for number in 0..1300 {
        let key = (number % 40).to_string();
        until_accepted(&disk, || put(&endpoint, &key, number));
        acknowledged.insert(key, number);
    }
    restart_and_compare(&disk, server, &acknowledged);
}

/// Without a reserve the store fails on a full disk. It removes what it could not finish, and goes on once there is
/// space. The items are smaller than 64 KiB, because of a known limit of larger ones: see "Disk space" in
/// docs/engine.md.
#[test]
fn a_store_that_failed_on_a_full_disk_goes_on_once_there_is_space() {
    let Some(disk) = Disk::mount() else { return };
    let others = disk.path().join("others");
    std::fs::write(&others, vec![7; 40 << 20]).unwrap();
    let mut server = disk.start(&["--disk-reserve", "0", "--write-buffer", "1"]);
    let endpoint = server.endpoint();
    create_table(&endpoint);
    let mut acknowledged = Acknowledged::new();
    let mut number = 0;
    while !disk.log().contains(LOGGED) {
        number += 1;
        assert!(number < 1000, "the disk is not full");
        let key = number.to_string();
        let response = put_bytes(&endpoint, &key, number, 50_000);
        if response.is_success() {
            acknowledged.insert(key, number);
        }
    }
    std::fs::remove_file(others).unwrap();
    until_accepted(&disk, || put_bytes(&endpoint, "after", 1, 50_000));
    acknowledged.insert("after".to_owned(), 1);
    assert_stored(&endpoint, &acknowledged);
    assert!(server.is_running());
    restart_and_compare(&disk, server, &acknowledged);
}

#[test]
fn a_disk_that_is_small_for_the_write_buffer_is_reported_at_the_start() {
    let Some(disk) = Disk::mount() else { return };
    let server = disk.start(&[]);
    assert!(disk.log().contains("the disk is small for the write buffer"), "{}", disk.log());
    assert_eq!(server.stop().code(), Some(0));
}
