//! Request bodies whose clients wait for `100 Continue`, and may or may not send them.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::header::EXPECT;
use http::request::Parts;
use hyper::body::{Frame, SizeHint};

/// Whether what follows a request on its connection is known to be the next request.
pub(super) struct AwaitedBody {
    /// `None` where the client does not wait: then it sends the body.
    is_read: Option<Arc<AtomicBool>>,
}

impl AwaitedBody {
    /// Watches whether a body is read to its end.
    pub(super) fn watch(parts: &Parts, body: Body) -> (Self, Body) {
        if !parts.headers.contains_key(EXPECT) {
            return (Self { is_read: None }, body);
        }
        let is_read = Arc::new(AtomicBool::new(body.is_end_stream()));
        (Self { is_read: Some(Arc::clone(&is_read)) }, Body::new(WatchedBody { body, is_read }))
    }

    /// Whether the client may or may not have sent the body.
    pub(super) fn may_follow(&self) -> bool {
        self.is_read.as_ref().is_some_and(|is_read| !is_read.load(Ordering::SeqCst))
    }
}

struct WatchedBody {
    body: Body,
    is_read: Arc<AtomicBool>,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.is_read.store(true, Ordering::SeqCst);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
