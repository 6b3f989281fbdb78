//! The settings of `keyfold serve` for the store of the embedded engine.

use std::time::{Duration, Instant};

use crate::mounted_disk::{Disk, try_to_create_table};
use crate::serve::process::{Backend, designs, keyfold};
use keyfold_conformance::Endpoint;
use keyfold_power_loss::{Fault, HANG, Operation, Watch};

#[test]
fn the_disk_reserve_is_that_of_the_setting() {
    let Some(disk) = Disk::mount() else { return };
    // A tenth of the disk, which is the most that is reserved, is more than what is left.
    std::fs::write(disk.path().join("others"), vec![7; 59 << 20]).unwrap();
    let (platform, data) = (designs().join("platform"), disk.data());
    let arguments = |reserve| {
        let (platform, data) = (platform.to_str().unwrap(), data.to_str().unwrap());
        [platform, "--dev", "--data", data, "--dynamodb-port", "none", "--disk-reserve", reserve]
    };
    let folder = disk.path().parent().unwrap().to_owned();
    let log = Backend::start(&folder, &arguments("0")).stop();
    assert!(!log.contains("nearly full"), "{log}");
    // Its tables exist, so it needs no space to start.
    let log = Backend::start(&folder, &arguments("256MiB")).stop();
    assert!(log.contains("the disk is nearly full; writes other than deletes are refused"), "{log}");
    assert!(log.contains("reserved_bytes=6710886"), "{log}");
}

#[test]
fn a_store_that_does_not_respond_is_given_up_after_the_time_of_the_setting() {
    if !Watch::is_supported() {
        println!("skipped: faults are injected on Linux on x86-64 only");
        return;
    }
    let space = tempfile::tempdir().unwrap();
    let data = space.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let watch = Watch::new(&data, &space.path().join("faults")).unwrap();
    let mut command = keyfold(space.path());
    command.arg("serve").arg(designs().join("platform")).args(["--dev", "--data"]).arg(&data);
    command.args(["--port", "0", "--dynamodb-port", "0", "--store-timeout", "2s"]);
    watch.preload(&mut command).unwrap();
    let mut backend = Backend::spawn(command);
    watch.inject(&Fault { operation: Operation::Sync, file: ".jnl", error: HANG, times: 1 }).unwrap();
    let hanging = Instant::now();
    let endpoint = Endpoint::new(backend.dynamodb.as_ref().unwrap()).unwrap();
    // The server may end before it answers.
    if let Ok(answer) = try_to_create_table(&endpoint.with_response_timeout(Duration::from_secs(20))) {
        assert!(!answer.is_success(), "{answer:?}");
    }
    assert_eq!(backend.wait().code(), Some(75), "{}", backend.log());
    assert!(hanging.elapsed() >= Duration::from_secs(2), "{:?}", hanging.elapsed());
    assert!(hanging.elapsed() < Duration::from_secs(15), "{:?}", hanging.elapsed());
}
