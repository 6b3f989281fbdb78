//! The load generator: one thread, many connections, one request under way on each.
//!
//! It shares the machine with the server it measures, so requests are prepared beforehand and a response costs one
//! read, one write and a share of one wait.

use super::connection::Connection;
use crate::{
    Outcome,
    statistics::{Latencies, rate},
};
use mio::{Events, Interest, Poll, Token};
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

/// What a server did under load.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Throughput {
    pub(crate) per_second: f64,
    /// Milliseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// Microseconds of the server's processor time for one request, where its process is known.
    pub(crate) cpu: f64,
}

/// Chooses the requests a connection sends.
pub(crate) trait RequestSource {
    /// The next request of this connection, or `None` when there is nothing left to send.
    fn next(&mut self, connection: usize, connections: usize) -> Option<&[u8]>;

    /// Whether a successful response says what it should.
    fn accepts(&self, body: &[u8]) -> bool;
}

/// Drives `address` with `connections` connections: `warm_up` without measuring, then `length` (or, when the source
/// runs dry, until every response is there).
pub(crate) fn drive(
    address: SocketAddr,
    connections: usize,
    warm_up: Duration,
    length: Duration,
    source: &mut dyn RequestSource,
) -> Outcome<Throughput> {
    let mut poll = Poll::new()?;
    let mut open = Vec::with_capacity(connections);
    for number in 0..connections {
        let mut connection = Connection::open(address)?;
        poll.registry().register(&mut connection.stream, Token(number), Interest::READABLE)?;
        open.push(connection);
    }
    let mut under_way = 0;
    for (number, connection) in open.iter_mut().enumerate() {
        if let Some(request) = source.next(number, connections) {
            connection.send(request)?;
            under_way += 1;
        }
    }

    let mut events = Events::with_capacity(connections.max(16));
    let mut latencies = Latencies::with_capacity(1 << 18);
    let begin = Instant::now();
    let (measure_from, stop_at) = (begin + warm_up, begin + warm_up + length);
    let mut now = begin;
    while under_way > 0 && now < stop_at {
        poll.poll(&mut events, Some(Duration::from_secs(20)))?;
        if events.is_empty() {
            return Err("the server did not answer for 20 seconds".into());
        }
        for event in &events {
            let number = event.token().0;
            let connection = open.get_mut(number).ok_or("an event for no connection")?;
            let sent_at = connection.sent_at;
            let Some(response) = connection.receive()? else {
                continue;
            };
            now = Instant::now();
            if !response.ok || !source.accepts(response.body) {
                let start = String::from_utf8_lossy(response.body).chars().take(300).collect::<String>();
                return Err(format!("unexpected response: {start}").into());
            }
            if now >= measure_from {
                latencies.record(now - sent_at);
            }
            match source.next(number, connections) {
                Some(request) => connection.send(request)?,
                None => under_way -= 1,
            }
        }
    }
    let elapsed = now.saturating_duration_since(measure_from);
    let count = latencies.len() as u64;
    let [p50, p99] = latencies.milliseconds([0.5, 0.99]);
    Ok(Throughput { per_second: rate(count, elapsed), p50, p99, cpu: 0.0 })
}
