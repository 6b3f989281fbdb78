//! A disk call that never returns holds up whoever waits for it: the threads of the store, and in the end every thread
//! that serves requests. The server says so, and ends in time.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use keyfold_conformance::Endpoint;
use keyfold_power_loss::{Fault, HANG, Operation, Watch};
use serde_json::json;

use crate::crash::server::Launch;
use crate::disk_faults::Scene;

/// More requests than there are threads that serve them.
const READERS: usize = 80;
/// The timeout, the last responses and what a busy machine adds.
const IN_TIME: Duration = Duration::from_secs(20);

fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

/// The status of a probe, or `None` without an answer.
fn probe(port: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    text.split(' ').nth(1).map(str::to_owned)
}

/// Sends requests whose answers nobody waits for.
fn read_without_end(endpoint: Endpoint, number: usize) {
    std::thread::spawn(move || {
        let key = json!({"TableName": "items", "Key": {"pk": {"S": (number % 50).to_string()}}});
        // The server ends meanwhile.
        let _ = endpoint.call("GetItem", &key);
    });
}

/// A server all of whose threads for requests wait for a disk, and the port of its probes.
fn hanging(timeout: &str) -> Option<(Scene, String)> {
    let port = free_port();
    let options = ["--cache", "0", "--store-timeout", timeout, "--metrics-port", &port];
    let mut scene = Scene::start_with(&options)?;
    // Several buffers, so that most items are in tables.
    scene.write(150);
    assert_eq!(probe(&port, "/readyz").as_deref(), Some("200"));
    scene.inject(Operation::Read, "/tables/", HANG, u32::MAX);
    for number in 0..READERS {
        read_without_end(scene.server.endpoint(), number);
    }
    let began = Instant::now();
    while endpoint_answers(&scene) {
        assert!(began.elapsed() < Duration::from_secs(10), "the requests do not hang");
    }
    Some((scene, port))
}

/// Whether the port of the requests still answers.
fn endpoint_answers(scene: &Scene) -> bool {
    let port = scene.server.address().rsplit(':').next().unwrap();
    probe(port, "/healthz").is_some()
}

#[test]
fn reads_that_hang_end_the_server_and_operators_are_answered_meanwhile() {
    let Some((mut scene, port)) = hanging("8") else { return };
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert!(probe(&port, path).is_some(), "{path} does not answer\n{}", scene.log());
    }
    let began = Instant::now();
    assert_eq!(scene.server.wait_for_exit(), Some(75), "{}", scene.log());
    assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
    assert!(scene.log().contains("the store has not responded for "), "{}", scene.log());
}

#[test]
fn a_server_whose_reads_hang_can_be_stopped() {
    let Some((mut scene, _)) = hanging("8") else { return };
    scene.server.terminate();
    let began = Instant::now();
    assert_eq!(scene.server.wait_for_exit(), Some(75), "{}", scene.log());
    assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
    assert!(scene.log().contains("keyfold: shutting down"), "{}", scene.log());
}

/// The store holds the lock of its list of tables meanwhile, for which commits, reads and its watching thread wait.
#[test]
fn a_list_of_tables_whose_sync_hangs_ends_the_server() {
    let port = free_port();
    let Some(mut scene) = Scene::start_with(&["--store-timeout", "8", "--metrics-port", &port]) else { return };
    scene.inject(Operation::Sync, "/v", HANG, 30);
    for number in 0..4 {
        let endpoint = scene.server.endpoint();
        std::thread::spawn(move || {
            for round in 0.. {
                let item = json!({"pk": {"S": format!("{number} {round}")}, "data": {"S": "x".repeat(40_000)}});
                if endpoint.call("PutItem", &json!({"TableName": "items", "Item": item})).is_err() {
                    break;
                }
            }
        });
    }
    let began = Instant::now();
    while scene.server.is_running() && began.elapsed() < Duration::from_secs(4) {
        assert!(probe(&port, "/healthz").is_some(), "{}", scene.log());
        sleep(Duration::from_millis(200));
    }
    assert_eq!(scene.server.wait_for_exit(), Some(75), "{}", scene.log());
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
}

/// The opening hangs, as it would be slow after a crash. Before the server served, these signals ended it.
#[test]
fn signals_are_heeded_while_the_data_is_opened() {
    if !Watch::is_supported() {
        println!("skipped: faults are injected on Linux on x86-64 only");
        return;
    }
    let space = tempfile::tempdir().unwrap();
    let (data, output) = (space.path().join("data"), space.path().join("output"));
    std::fs::create_dir(&data).unwrap();
    let watch = Watch::new(&data, &space.path().join("faults")).unwrap();
    watch.inject(&Fault { operation: Operation::Sync, file: "/data", error: HANG, times: u32::MAX }).unwrap();
    let mut server = Launch { data: &data, output: &output, options: &[], watch: Some(&watch) }.start();
    let began = Instant::now();
    while !server.last_output().contains("opening the data takes longer than") {
        assert!(began.elapsed() < Duration::from_secs(60), "{}", server.last_output());
        sleep(Duration::from_millis(50));
    }
    server.send(libc::SIGHUP);
    server.send(libc::SIGUSR1);
    sleep(Duration::from_millis(500));
    assert!(server.is_running(), "{}", server.last_output());
    server.terminate();
    assert_eq!(server.wait_for_exit(), Some(0), "{}", server.last_output());
    assert!(server.last_output().contains("keyfold: stopped before it served requests"), "{}", server.last_output());
}
