//! Writes items in batches, at the rate that the target accepts.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use keyfold_dynamo::operation::{BatchWriteItemInput, BatchWriteRequest};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{Attributes, ServiceError, limits};
use keyfold_environment::Backoff;

use super::{CopyError, Progress, Side};
use crate::key_text::key_text;
use crate::retry::{is_transient, pause};

/// Below the limit of a request, because texts grow when encoded as JSON.
const BATCH_BYTES: usize = 4 << 20;

pub(super) struct BatchWriter {
    side: Side,
    key_names: Vec<String>,
    /// The size of the next batch: halved when the target throttles, then growing by one.
    batch: usize,
    backoff: Backoff,
    progress: Arc<Progress>,
}

impl BatchWriter {
    pub(super) fn new(side: Side, key_names: Vec<String>, backoff: Backoff, progress: Arc<Progress>) -> Self {
        Self { side, key_names, batch: limits::BATCH_WRITE_REQUESTS, backoff, progress }
    }

    /// Returns once the target has acknowledged every request.
    pub(super) async fn write(&mut self, requests: Vec<BatchWriteRequest>) -> Result<(), CopyError> {
        let mut queue = VecDeque::from(requests);
        let mut attempt = 0;
        while !queue.is_empty() {
            let batch = self.next_batch(&mut queue);
            let sent = batch.len();
            let left = self.send(batch).await?;
            if left.is_empty() {
                attempt = 0;
                self.batch = (self.batch + 1).min(limits::BATCH_WRITE_REQUESTS);
                continue;
            }
            // An attempt that wrote part of a batch is progress, and resets the count.
            attempt = if left.len() < sent { 0 } else { attempt + 1 };
            if attempt >= self.backoff.attempts {
                return Err(CopyError::WritesThrottled { location: self.side.location.clone(), attempts: attempt });
            }
            self.progress.throttled.fetch_add(1, Ordering::Relaxed);
            self.batch = (self.batch / 2).max(1);
            left.into_iter().rev().for_each(|request| queue.push_front(request));
            pause(self.backoff, attempt).await;
        }
        Ok(())
    }

    fn next_batch(&self, queue: &mut VecDeque<BatchWriteRequest>) -> Vec<BatchWriteRequest> {
        let mut batch = Vec::with_capacity(self.batch);
        let mut bytes = 0;
        while batch.len() < self.batch {
            let Some(request) = queue.front() else { break };
            bytes += item_size(content(request));
            if bytes > BATCH_BYTES && !batch.is_empty() {
                break;
            }
            batch.extend(queue.pop_front());
        }
        batch
    }

    /// Sends one batch; returns the requests that the target left unprocessed.
    async fn send(&mut self, batch: Vec<BatchWriteRequest>) -> Result<Vec<BatchWriteRequest>, CopyError> {
        let input =
            BatchWriteItemInput { requests: vec![(self.side.table.clone(), batch.clone())], ..Default::default() };
        match self.side.backend.batch_write_item(input).await {
            Ok(output) => Ok(output.unprocessed.into_iter().flat_map(|(_, requests)| requests).collect()),
            Err(error) if error.is_throttling() => Ok(batch),
            Err(error) if is_transient(&error) => self.resend(batch, error).await,
            Err(ServiceError::Validation(_)) if batch.len() > 1 => self.one_by_one(batch).await,
            Err(error) => Err(self.rejection(&batch, error)),
        }
    }

    /// Retries a batch at the same size: the failure was not throttling.
    async fn resend(
        &self,
        batch: Vec<BatchWriteRequest>,
        mut error: ServiceError,
    ) -> Result<Vec<BatchWriteRequest>, CopyError> {
        for attempt in 0..self.backoff.attempts {
            pause(self.backoff, attempt).await;
            let requests = vec![(self.side.table.clone(), batch.clone())];
            match self.side.backend.batch_write_item(BatchWriteItemInput { requests, ..Default::default() }).await {
                Ok(output) => return Ok(output.unprocessed.into_iter().flat_map(|(_, requests)| requests).collect()),
                Err(throttled) if throttled.is_throttling() => return Ok(batch),
                Err(passing) if is_transient(&passing) => error = passing,
                Err(other) => return Err(self.rejection(&batch, other)),
            }
        }
        Err(CopyError::writing(&self.side, error))
    }

    /// One invalid item makes the target reject its whole batch; sends each by itself to find it.
    async fn one_by_one(&self, batch: Vec<BatchWriteRequest>) -> Result<Vec<BatchWriteRequest>, CopyError> {
        let mut left = Vec::new();
        for request in batch {
            let requests = vec![(self.side.table.clone(), vec![request.clone()])];
            match self.side.backend.batch_write_item(BatchWriteItemInput { requests, ..Default::default() }).await {
                Ok(output) => left.extend(output.unprocessed.into_iter().flat_map(|(_, requests)| requests)),
                Err(error) if is_transient(&error) => left.push(request),
                Err(error) => return Err(self.rejection(std::slice::from_ref(&request), error)),
            }
        }
        Ok(left)
    }

    fn rejection(&self, batch: &[BatchWriteRequest], error: ServiceError) -> CopyError {
        match (batch, &error) {
            ([request], ServiceError::Validation(_)) => {
                let mut key = content(request).clone();
                key.retain(|name, _| self.key_names.contains(name));
                CopyError::ItemRejected { location: self.side.location.clone(), key: key_text(&key), source: error }
            }
            _ => CopyError::writing(&self.side, error),
        }
    }
}

fn content(request: &BatchWriteRequest) -> &Attributes {
    match request {
        BatchWriteRequest::Put { item } => item,
        BatchWriteRequest::Delete { key } => key,
    }
}
