//! A server that is stopped for a while (`SIGSTOP`, a paused machine) goes on afterwards: while nothing ran, the store
//! could not work either.

use std::thread::sleep;
use std::time::{Duration, Instant};

use keyfold_power_loss::{HANG, Operation};
use serde_json::json;

use crate::disk_faults::Scene;

const TIMEOUT: &str = "3";
/// Longer than the timeout.
const STOPPED: Duration = Duration::from_secs(5);
/// Shorter, and longer than the time between two looks at the store.
const MOMENT: Duration = Duration::from_millis(700);

fn stop_for_a_while(scene: &Scene) {
    scene.server.send(libc::SIGSTOP);
    sleep(STOPPED);
    scene.server.send(libc::SIGCONT);
}

#[test]
fn a_server_that_is_stopped_during_a_commit_goes_on() {
    let Some(mut scene) = Scene::start_with(&["--store-timeout", TIMEOUT]) else { return };
    scene.inject(Operation::Sync, ".jnl", HANG, 1);
    let endpoint = scene.server.endpoint();
    let put = json!({"TableName": "items", "Item": {"pk": {"S": "in flight"}}});
    let writer = std::thread::spawn(move || endpoint.call("PutItem", &put));
    sleep(MOMENT);
    assert!(!writer.is_finished(), "the commit does not hang");
    stop_for_a_while(&scene);
    sleep(MOMENT);
    scene.inject(Operation::Sync, ".jnl", HANG, 0);
    let answer = writer.join().unwrap().unwrap();
    assert!(answer.is_success(), "{answer:?}\n{}", scene.log());
    assert_eq!(scene.write(20), Vec::<String>::new(), "{}", scene.log());
    scene.stop_and_compare();
}

#[test]
fn a_server_that_is_stopped_while_it_reopens_its_store_goes_on() {
    let Some(mut scene) = Scene::start_with(&["--store-timeout", TIMEOUT]) else { return };
    scene.inject(Operation::Create, "/data/", libc::EIO, u32::MAX);
    let started = Instant::now();
    while !scene.log().contains("the store could not be reopened") {
        assert!(started.elapsed() < Duration::from_secs(60), "{}", scene.log());
        scene.put().unwrap();
    }
    // Some attempts have failed.
    sleep(MOMENT);
    stop_for_a_while(&scene);
    // The next attempt fails as well.
    sleep(MOMENT);
    scene.inject(Operation::Create, "/data/", libc::EIO, 0);
    scene.write(20);
    scene.stop_and_compare();
}
