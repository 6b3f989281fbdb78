//! A store in a program that does not forward its messages, as an embedder has it: its failures are told apart all the
//! same.
//!
//! The test starts itself again as that program, on a disk that fails to order.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use keyfold_engine::store::{Change, Durability, FjallStore, Store as _, StoreSettings};
use keyfold_power_loss::{Fault, Operation, Watch};

/// Names the data folder to the program.
const FOLDER: &str = "KEYFOLD_TEST_FOLDER";
const READY: &str = "ready";
const KIND: &str = "kind: ";

/// Commits once, says so, and commits again when it is told to. Does nothing in an ordinary run of the tests.
#[test]
fn program() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let store = FjallStore::open(&folder, StoreSettings::default()).unwrap();
    let commit = |key: u8| store.commit(vec![Change::Put(vec![key], vec![key; 20_000])], Durability::Durable);
    commit(1).unwrap();
    println!("\n{READY}");
    std::io::stdin().read_line(&mut String::new()).unwrap();
    let error = commit(2).unwrap_err();
    println!("\n{KIND}{} {}", error.kind(), error.is_final());
}

/// Commits until a flush in the background has failed. Does nothing in an ordinary run of the tests.
#[test]
fn program_with_flushes() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let settings = StoreSettings { write_buffer_bytes: 128 << 10, ..StoreSettings::default() };
    let store = FjallStore::open(&folder, settings).unwrap();
    let commit = |key: u64| {
        let change = Change::Put(key.to_be_bytes().to_vec(), vec![0; 20_000]);
        store.commit(vec![change], Durability::Relaxed)
    };
    commit(0).unwrap();
    println!("\n{READY}");
    std::io::stdin().read_line(&mut String::new()).unwrap();
    let error = (1..10_000).find_map(|key| commit(key).err()).unwrap();
    println!("\n{KIND}{} {}", error.kind(), error.is_final());
    // Closing would free memory, which makes the C library read a file, and the preload library needs memory then.
    std::process::exit(0);
}

/// The kind of the error of a commit during which the disk fails, and whether it is final.
fn kind_of(operation: Operation, error: i32) -> Option<String> {
    kind_in("embedded_store::program", operation, error)
}

fn kind_in(test: &str, operation: Operation, error: i32) -> Option<String> {
    if !Watch::is_supported() {
        println!("skipped: faults are injected on Linux on x86-64 only");
        return None;
    }
    let space = tempfile::tempdir().unwrap();
    let data = space.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let watch = Watch::new(&data, &space.path().join("faults")).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(FOLDER, &data);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    watch.preload(&mut command).unwrap();
    let mut program = command.spawn().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == READY));
    watch.inject(&Fault { operation, file: ".jnl", error, times: 1 }).unwrap();
    program.stdin.take().unwrap().write_all(b"\n").unwrap();
    let kind = lines.find_map(|line| line.strip_prefix(KIND).map(str::to_owned)).unwrap();
    lines.for_each(drop);
    assert!(program.wait().unwrap().success());
    Some(kind)
}

/// The operating system may have dropped what was written, whatever the error.
#[test]
fn a_journal_that_was_not_synced_is_never_synced_again() {
    for error in [libc::EIO, libc::ENOSPC, libc::EDQUOT] {
        let Some(kind) = kind_of(Operation::Sync, error) else { return };
        assert_eq!(kind, "sync failed true", "{error}");
    }
}

#[test]
fn a_commit_that_was_not_written_to_a_full_disk_can_be_recovered_from() {
    let Some(kind) = kind_of(Operation::Write, libc::ENOSPC) else { return };
    assert_eq!(kind, "full false");
}

/// Relaxed commits are synced before their flush, by a thread of the store that tells nobody. The operating system may
/// have dropped them.
#[test]
fn a_journal_that_only_a_thread_of_the_store_failed_to_sync_is_not_recovered_from() {
    let Some(kind) = kind_in("embedded_store::program_with_flushes", Operation::Sync, libc::EIO) else { return };
    assert_eq!(kind, "stopped true");
}
