//! What a client may do with a connection, over real sockets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use keyfold_connections::{Limits, Listener, ResponseMemory, within};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<tokio::task::JoinHandle<()>>,
    runtime: Runtime,
}

fn limits() -> Limits {
    Limits {
        header_bytes: 16 * 1024,
        header_count: 100,
        header_read: Duration::from_secs(20),
        handling: Duration::from_secs(20),
        write_stall: Duration::from_secs(20),
        idle: Duration::from_secs(20),
        connections: 100,
        drain: Duration::from_secs(20),
    }
}

/// `/never` is given up after 200 ms, `/large` is a megabyte, everything else is answered with its path.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let work = async {
        if path == "/never" {
            std::future::pending::<()>().await;
        }
        if path == "/soon" {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        if path == "/large" { "x".repeat(1 << 20) } else { path.clone() }
    };
    let limit = Duration::from_millis(if path == "/soon" { 10_000 } else { 200 });
    let text = within(limit, work).await.unwrap_or_else(|late| late.to_string());
    Ok(Response::new(Full::new(Bytes::from(text))))
}

fn start(limits: Limits) -> Running {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let listener = runtime.block_on(Listener::bind(([127, 0, 0, 1], 0).into())).unwrap();
    let address = listener.local_addr();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = runtime.spawn(async move {
        let shutdown = async move {
            let _ = stopped.await;
        };
        listener.serve(limits, &ResponseMemory::new(1 << 30), || None, |_| service_fn(answer), shutdown).await;
    });
    Running { address, stop: Some(stop), serving: Some(serving), runtime }
}

impl Running {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
        stream
    }
}

fn ask(stream: &mut TcpStream, path: &str) -> String {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut response = Vec::new();
    let mut part = [0; 1024];
    loop {
        let read = stream.read(&mut part).unwrap();
        response.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&response);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            if body.len() == length.parse::<usize>().unwrap() {
                return body.to_owned();
            }
        }
        assert!(read > 0, "the connection was closed: {text}");
    }
}

/// How long it takes until the server closes the connection.
fn closed_after(mut stream: TcpStream) -> Duration {
    let begun = Instant::now();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert_eq!(rest, b"");
    begun.elapsed()
}

#[test]
fn work_that_takes_too_long_is_given_up_and_the_connection_goes_on() {
    let server = start(Limits { handling: Duration::from_millis(200), ..limits() });
    let mut stream = server.connect();
    let begun = Instant::now();
    assert_eq!(ask(&mut stream, "/never"), "the deadline was exceeded");
    assert!((200..5_000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    assert_eq!(ask(&mut stream, "/other"), "/other");
}

#[test]
fn the_first_request_after_a_long_pause_is_watched_as_well() {
    let server = start(Limits { handling: Duration::from_millis(200), idle: Duration::from_secs(3600), ..limits() });
    let mut stream = server.connect();
    assert_eq!(ask(&mut stream, "/first"), "/first");
    // The watchdog has looked since, and would look again in an hour.
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(ask(&mut stream, "/never"), "the deadline was exceeded");
    assert_eq!(ask(&mut stream, "/soon"), "/soon");
}

#[test]
fn idle_connections_are_closed_and_busy_ones_are_not() {
    let server = start(Limits { idle: Duration::from_millis(400), ..limits() });
    let mut busy = server.connect();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(1_500) {
        assert_eq!(ask(&mut busy, "/soon"), "/soon");
    }
    let closed = closed_after(busy);
    assert!((350..5_000).contains(&closed.as_millis()), "{closed:?}");
}

#[test]
fn heads_that_do_not_end_are_not_waited_for() {
    let server = start(Limits { header_read: Duration::from_millis(300), ..limits() });
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
    let closed = closed_after(stream);
    assert!((250..5_000).contains(&closed.as_millis()), "{closed:?}");
}

/// How long it takes until the server lets a client go who sends requests and takes no answer.
fn let_go_after(server: &Running, request: &str) -> Duration {
    let mut stream = server.connect();
    stream.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
    let begun = Instant::now();
    loop {
        match stream.write_all(request.as_bytes()) {
            Ok(()) => std::thread::sleep(Duration::from_millis(5)),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return begun.elapsed(),
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "the server keeps a client who takes nothing");
    }
}

#[test]
fn whoever_takes_no_answer_is_let_go_whatever_else_they_send() {
    let server = start(Limits { write_stall: Duration::from_millis(400), ..limits() });
    for request in [
        "GET /large HTTP/1.1\r\nHost: x\r\n\r\n",
        // Read to their end only after they were answered, so that the next begins while an answer waits.
        "GET /large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        "POST /large HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
        "HEAD /large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
    ] {
        let let_go = let_go_after(&server, &request.repeat(200));
        assert!(let_go >= Duration::from_millis(350), "{let_go:?}: {request}");
    }
    assert_eq!(ask(&mut server.connect(), "/other"), "/other");
}

#[test]
fn whoever_takes_an_answer_slowly_gets_all_of_it() {
    let server = start(Limits { write_stall: Duration::from_millis(400), ..limits() });
    let mut stream = server.connect();
    stream.write_all(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut taken = 0;
    let mut part = vec![0; 64 * 1024];
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let read = stream.read(&mut part).unwrap();
        if read == 0 {
            break;
        }
        taken += read;
    }
    assert!(taken > 1 << 20, "{taken}");
}

#[test]
fn no_head_of_a_connection_has_bare_line_feeds() {
    let server = start(limits());
    let first = "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\na\nb\nc\n";
    let second = "GET /second HTTP/1.1\nHost: x\nConnection: close\n\n";
    for pause in [0, 300] {
        let mut stream = server.connect();
        stream.write_all(first.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        stream.write_all(second.as_bytes()).unwrap();
        let mut received = Vec::new();
        let _ = stream.read_to_end(&mut received);
        let received = String::from_utf8(received).unwrap();
        assert!(!received.contains("/second"), "{received}");
        assert!(pause == 0 || received.ends_with("/first"), "{received}");
    }
    // Several requests at once, with bodies of lines.
    let mut stream = server.connect();
    let last = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(format!("{first}{first}{last}").as_bytes()).unwrap();
    let mut received = Vec::new();
    stream.read_to_end(&mut received).unwrap();
    let received = String::from_utf8(received).unwrap();
    assert_eq!(received.matches("200 OK").count(), 3, "{received}");
}

#[test]
fn a_body_whose_length_is_stated_twice_is_refused() {
    let server = start(limits());
    let first = "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab";
    for framing in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nX: y\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\ncontent-length: 5\r\n",
        "content-length: 5\r\nContent-Length: 0\r\n",
    ] {
        let second = format!("POST /second HTTP/1.1\r\nHost: x\r\n{framing}\r\n0\r\n\r\n");
        let after = "GET /third HTTP/1.1\r\nHost: x\r\n\r\n";
        let whole = format!("{first}{second}{after}");
        // At once, and in two parts that end anywhere.
        for end in (0..whole.len()).step_by(7) {
            let mut stream = server.connect();
            let (one, other) = whole.as_bytes().split_at(end);
            stream.write_all(one).unwrap();
            if end > 0 {
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = stream.write_all(other);
            let mut received = Vec::new();
            let _ = stream.read_to_end(&mut received);
            let received = String::from_utf8(received).unwrap();
            assert!(!received.contains("/second") && !received.contains("/third"), "{framing} {end}: {received}");
            // What follows a refused request may reset the connection before the response is read.
            let is_refused = received.matches("400 Bad Request").count() == 1 && received.contains("/first");
            assert!(is_refused || end > 0, "{framing} {end}: {received}");
        }
    }
}

#[test]
fn idle_connections_make_room() {
    let server = start(Limits { connections: 2, ..limits() });
    let mut idle = [server.connect(), server.connect()];
    for stream in &mut idle {
        assert_eq!(ask(stream, "/first"), "/first");
    }
    let begun = Instant::now();
    assert_eq!(ask(&mut server.connect(), "/next"), "/next");
    assert!((500..10_000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
}

#[test]
fn a_server_that_stops_answers_what_it_was_asked() {
    let mut server = start(limits());
    let mut stream = server.connect();
    assert_eq!(ask(&mut stream, "/first"), "/first");
    let mut idle = server.connect();
    assert_eq!(ask(&mut idle, "/first"), "/first");
    let silent = server.connect();
    let asking = std::thread::spawn(move || ask(&mut stream, "/soon"));
    std::thread::sleep(Duration::from_millis(100));
    server.stop.take().unwrap().send(()).unwrap();
    let serving = server.serving.take().unwrap();
    server.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(5), serving).await.unwrap().unwrap() });
    assert_eq!(asking.join().unwrap(), "/soon");
    assert!(TcpStream::connect(server.address).is_err());
    closed_after(idle);
    closed_after(silent);
}
