//! Clients that do not read their responses, over real sockets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http_body_util::Full;
use hyper::Response;
use hyper::body::Bytes;
use hyper::service::service_fn;
use keyfold_connections::{Limits, Listener, ResponseMemory};

/// More than the operating system buffers for a connection.
const RESPONSE: usize = 32 << 20;
/// Room for this many responses.
const RESPONSES: usize = 2;

fn ask(stream: &mut TcpStream) {
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
}

#[test]
fn responses_that_nobody_reads_do_not_add_up_and_give_way_to_others() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let listener = runtime.block_on(Listener::bind(([127, 0, 0, 1], 0).into())).unwrap();
    let address = listener.local_addr();
    let limits = Limits {
        header_bytes: 16 * 1024,
        header_count: 100,
        header_read: Duration::from_secs(60),
        handling: Duration::from_secs(60),
        write_stall: Duration::from_secs(60),
        idle: Duration::from_secs(60),
        connections: 100,
        drain: Duration::from_secs(1),
    };
    let budget = Arc::new(ResponseMemory::new(2 * RESPONSES * RESPONSE));
    let produced = Arc::new(AtomicUsize::new(0));
    let (memory, count) = (Arc::clone(&budget), Arc::clone(&produced));
    runtime.spawn(async move {
        let service = |_| {
            let (memory, count) = (Arc::clone(&memory), Arc::clone(&count));
            service_fn(move |_| {
                let (memory, count) = (Arc::clone(&memory), Arc::clone(&count));
                async move {
                    let reserved = memory.sending.reserve(RESPONSE).await;
                    count.fetch_add(1, Ordering::SeqCst);
                    let body = reserved.attach(Bytes::from(vec![b'x'; RESPONSE]));
                    Ok::<_, Infallible>(Response::new(Full::new(body)))
                }
            })
        };
        listener.serve(limits, &budget, || None, service, std::future::pending()).await;
    });

    let mut silent: Vec<TcpStream> = (0..RESPONSES).map(|_| TcpStream::connect(address).unwrap()).collect();
    silent.iter_mut().for_each(ask);
    while produced.load(Ordering::SeqCst) < RESPONSES {
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut reading = TcpStream::connect(address).unwrap();
    ask(&mut reading);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(produced.load(Ordering::SeqCst), RESPONSES, "produced without memory");

    reading.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut received = Vec::new();
    reading.read_to_end(&mut received).unwrap();
    assert!(received.len() > RESPONSE, "{}", received.len());
    // Once there is memory, nobody else has to give way.
    let cut_off = silent.into_iter().filter_map(|mut stream| {
        let mut received = Vec::new();
        let _ = stream.read_to_end(&mut received);
        (received.len() < RESPONSE).then_some(())
    });
    assert!(cut_off.count() >= 1, "a client that read nothing kept its connection");
}
