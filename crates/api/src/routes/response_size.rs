//! How large the responses of a route can be, and the memory that they hold until they are sent.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::Response;
use hyper::body::{Frame, SizeHint};
use keyfold_connections::Reservation;
use keyfold_dynamo::limits;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseSize {
    /// Always small.
    Small,
    /// One item.
    Item,
    /// A page of items. It ends with the item that exceeds the limit.
    Page,
    /// The items of a transaction.
    Transaction,
}

impl ResponseSize {
    /// What to reserve. Binary values grow by a third in base64.
    pub(super) fn bytes(self) -> usize {
        let stored = match self {
            Self::Small => 0,
            Self::Item => limits::ITEM_BYTES,
            Self::Page => limits::PAGE_BYTES + limits::ITEM_BYTES,
            Self::Transaction => limits::TRANSACTION_BYTES,
        };
        stored + stored / 3
    }
}

/// A response that holds its memory until it is sent.
pub(super) fn with_memory(response: Response<Body>, memory: Reservation) -> Response<Body> {
    if memory.is_none() {
        return response;
    }
    response.map(|body| Body::new(CountedBody { body, memory }))
}

/// A body whose data holds memory of the budget.
struct CountedBody {
    body: Body,
    memory: Reservation,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    /// Responses are made in one piece, so that the first frame with data takes all of the memory with it.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame.map(|frame| Ok(frame?.map_data(|bytes| self.memory.take().attach(bytes)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
