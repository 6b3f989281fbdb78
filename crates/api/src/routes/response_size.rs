//! How large the responses of a route can be, and the memory that they hold until they are sent.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::Response;
use hyper::body::{Frame, SizeHint};
use keyfold_connections::Reservation;
use keyfold_dynamo::json_size;

use super::HandlerResult;
use crate::api::Api;
use crate::response::problem::Problem;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseSize {
    /// Always small.
    Small,
    /// One item.
    Item,
    /// A page of items.
    Page,
    /// The items of a transaction.
    Transaction,
}

impl ResponseSize {
    /// What to reserve.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Small => 0,
            Self::Item => json_size::ITEM,
            Self::Page => json_size::PAGE,
            Self::Transaction => json_size::TRANSACTION,
        }
    }
}

/// A response that holds memory until it is sent. If there is none, a read is given up, since it can be repeated; the
/// response to a change waits.
pub(super) async fn within_memory(api: &Api, is_read: bool, response: Response<Body>) -> HandlerResult {
    let bytes = response.body().size_hint().exact().map_or(0, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    let sending = &api.response_memory.sending;
    let memory = match sending.try_reserve(bytes) {
        Some(memory) => memory,
        None if is_read => {
            return Err(Problem::unavailable("too many large responses are waiting for their clients; try again"));
        }
        None => sending.reserve(bytes).await,
    };
    if memory.is_none() {
        return Ok(response);
    }
    Ok(response.map(|body| Body::new(CountedBody { body, memory })))
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
