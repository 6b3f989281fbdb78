//! A connection's stream, which keeps the phase of the connection up to date.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::head_lines::{Ambiguity, HeadLines, Refusal};
use crate::phase::{Phase, PhaseCell};

const BARE_LINE_FEED: &str = "a line of the head ends with a bare LF";

pub(crate) struct WatchedIo<T> {
    stream: T,
    phase: Arc<PhaseCell>,
    heads: HeadLines,
}

impl<T> WatchedIo<T> {
    pub(crate) fn new(stream: T, phase: Arc<PhaseCell>) -> Self {
        Self { stream, phase, heads: HeadLines::new() }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for WatchedIo<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        let Some(arrived) = buffer.filled_mut().get_mut(before..).filter(|arrived| !arrived.is_empty()) else {
            return result;
        };
        if self.phase.get() == Phase::Idle {
            self.phase.set(Phase::ReadingHead);
        }
        match self.heads.take(arrived) {
            Ok(()) => result,
            Err(Refusal { ambiguity: Ambiguity::BareLineFeed, .. }) => {
                Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, BARE_LINE_FEED)))
            }
            // hyper takes a NUL in a head for a malformed request: it responds with 400, after the requests before, and
            // closes the connection.
            Err(Refusal { ambiguity: Ambiguity::SecondFraming, line_end }) => {
                if let Some(byte) = arrived.get_mut(line_end) {
                    *byte = b'\0';
                }
                result
            }
        }
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for WatchedIo<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called once everything has been written: the response is complete.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        if result.is_ready() && self.phase.get() == Phase::Writing {
            self.phase.set(Phase::Idle);
        }
        result
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
