//! More connections than the process may have open files: idle ones are closed, and others are accepted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::convert::Infallible;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use http_body_util::Full;
use hyper::Response;
use hyper::body::Bytes;
use hyper::service::service_fn;
use keyfold_connections::{Limits, Listener, ResponseMemory};

/// Set in the process that serves.
const IS_SERVER: &str = "KEYFOLD_TEST_SERVES";
const DESCRIPTORS: usize = 64;
const ADDRESS: &str = "listening at ";

/// Allows more connections than there are descriptors.
fn serve() {
    let limits = Limits {
        header_bytes: 16 * 1024,
        header_count: 100,
        header_read: Duration::from_secs(60),
        handling: Duration::from_secs(60),
        write_stall: Duration::from_secs(60),
        idle: Duration::from_secs(60),
        connections: 10 * DESCRIPTORS,
        drain: Duration::from_secs(1),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = Listener::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
        println!("{ADDRESS}{}", listener.local_addr());
        let service = |_| service_fn(|_| async { Ok::<_, Infallible>(Response::new(Full::new(Bytes::from("here")))) });
        listener.serve(limits, &ResponseMemory::new(1 << 20), || None, service, std::future::pending()).await;
    });
}

/// This test in a process of its own, with few descriptors. Dropping it kills it.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new("sh")
            .args(["-c", &format!("ulimit -n {DESCRIPTORS} && exec \"$@\""), "sh"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "idle_connections_are_closed_when_no_file_can_be_opened", "--nocapture"])
            .env(IS_SERVER, "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
        let address = lines.filter_map(|line| line.split_once(ADDRESS)?.1.parse().ok()).next();
        Self { process, address: address.expect("the server does not listen") }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An idle connection, once it has had a response.
fn ask(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    assert!(stream.read(&mut [0; 1024]).unwrap() > 0);
    stream
}

#[test]
fn idle_connections_are_closed_when_no_file_can_be_opened() {
    if std::env::var_os(IS_SERVER).is_some() {
        return serve();
    }
    let server = Server::start();
    // The first ones take all descriptors; the others are accepted all the same.
    let idle: Vec<TcpStream> = (0..2 * DESCRIPTORS).map(|_| ask(server.address)).collect();
    let is_closed = |mut stream: &TcpStream| {
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        matches!(stream.read(&mut [0; 16]), Ok(0))
    };
    let closed = idle.iter().filter(|stream| is_closed(stream)).count();
    assert!(closed > DESCRIPTORS, "{closed}");
    assert!(is_closed(&idle[0]) && !is_closed(&idle[idle.len() - 1]));
}
