//! A store in a program that does not forward its messages, as an embedder has it: its failures are told apart all the
//! same. The program is the example `embedded_store`, on a disk that fails on request.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use keyfold_power_loss::{Fault, Operation, Watch};

/// Cargo builds examples with the tests, in a folder beside theirs.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples/embedded_store");
    assert!(program.exists(), "build it first: cargo build --workspace --examples");
    program
}

/// The kind of the error of a commit during which the disk fails, and whether it is final.
fn kind_of(operation: Operation, error: i32) -> Option<String> {
    kind_with(None, operation, error)
}

fn kind_with(mode: Option<&str>, operation: Operation, error: i32) -> Option<String> {
    if !Watch::is_supported() {
        println!("skipped: faults are injected on Linux on x86-64 only");
        return None;
    }
    let space = tempfile::tempdir().unwrap();
    let data = space.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let watch = Watch::new(&data, &space.path().join("faults")).unwrap();
    let mut command = Command::new(program());
    command.arg(&data).args(mode).stdin(Stdio::piped()).stdout(Stdio::piped());
    watch.preload(&mut command).unwrap();
    let mut program = command.spawn().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "ready"));
    watch.inject(&Fault { operation, file: ".jnl", error, times: 1 }).unwrap();
    program.stdin.take().unwrap().write_all(b"\n").unwrap();
    let kind = lines.find_map(|line| line.strip_prefix("kind: ").map(str::to_owned)).unwrap();
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
    let Some(kind) = kind_with(Some("flushes"), Operation::Sync, libc::EIO) else { return };
    assert_eq!(kind, "stopped true");
}
