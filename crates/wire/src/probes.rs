//! Health, readiness and metrics, beside the protocol: `GET /healthz`, `/readyz` and `/metrics`.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use http::{Method, StatusCode, Uri};
use keyfold_connections::{Readiness, ReadinessSource};

use crate::json::Writer;

/// The probes of an endpoint.
pub(crate) struct Probes {
    source: ReadinessSource,
    requests: RequestCounts,
}

/// To whom a response goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Sees whether requests are served, and nothing else.
    Anyone,
    /// Sees causes and metrics.
    Operator,
}

/// Completed requests, by the class of their status.
#[derive(Default)]
struct RequestCounts {
    succeeded: AtomicU64,
    rejected: AtomicU64,
    failed: AtomicU64,
}

impl Probes {
    pub(crate) fn new(source: ReadinessSource) -> Self {
        Self { source, requests: RequestCounts::default() }
    }

    /// Counts the response to an operation.
    pub(crate) fn count(&self, status: StatusCode) {
        let counter = match status.as_u16() {
            ..400 => &self.requests.succeeded,
            400..500 => &self.requests.rejected,
            _ => &self.requests.failed,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// `None` if the request is not a probe.
    pub(crate) fn respond(&self, method: &Method, uri: &Uri, audience: Audience) -> Option<(StatusCode, Bytes)> {
        if method != Method::GET {
            return None;
        }
        let readiness = (self.source)();
        match (uri.path(), audience) {
            ("/healthz", _) => Some(status(&readiness, readiness.is_alive, audience)),
            ("/readyz", _) => Some(status(&readiness, readiness.is_ready, audience)),
            ("/metrics", Audience::Operator) => Some((StatusCode::OK, self.metrics(&readiness).into())),
            _ => None,
        }
    }

    fn metrics(&self, readiness: &Readiness) -> String {
        let mut out = readiness.metrics();
        out.push_str("# HELP keyfold_requests_total Completed requests.\n# TYPE keyfold_requests_total counter\n");
        let counts =
            [("2xx", &self.requests.succeeded), ("4xx", &self.requests.rejected), ("5xx", &self.requests.failed)];
        for (class, count) in counts {
            // Writing to a string does not fail.
            let _ = writeln!(out, "keyfold_requests_total{{status=\"{class}\"}} {}", count.load(Ordering::Relaxed));
        }
        out
    }
}

fn status(readiness: &Readiness, is_good: bool, audience: Audience) -> (StatusCode, Bytes) {
    let code = if is_good { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let mut out = Writer::with_capacity(128);
    out.object(|out| {
        out.key("status").string(readiness.state);
        if audience == Audience::Operator {
            out.key("detail").string(&readiness.detail);
        }
    });
    (code, out.into_bytes().into())
}
