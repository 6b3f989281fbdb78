//! Copies all segments of a table in parallel.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use keyfold_dynamo::operation::BatchWriteRequest;
use keyfold_dynamo::value::item_size;
use tokio::task::JoinSet;

use super::page::Pages;
use super::progress_file::{EarlierProgress, ProgressFile, SegmentState};
use super::write::BatchWriter;
use super::{CopyError, Job, Progress, Side, Source};

/// Copies the remaining segments; returns items and bytes of the whole table.
pub(super) async fn copy_all(
    job: &Job<'_>,
    source: &Source,
    progress_file: &Arc<ProgressFile>,
    begun: EarlierProgress,
) -> Result<(u64, u64), CopyError> {
    let mut tasks = JoinSet::new();
    let finished = begun.segments.iter().filter(|segment| segment.done);
    let mut counts = finished.fold((0, 0), |(items, bytes), segment| (items + segment.items, bytes + segment.bytes));
    for (number, state) in (0..).zip(begun.segments).filter(|(_, state)| !state.done) {
        let segment = Segment {
            number,
            state,
            pages: pages(job, job.from, number),
            writer: writer(job, source),
            progress_file: Arc::clone(progress_file),
            progress: Arc::clone(job.progress),
        };
        tasks.spawn(segment.copy());
    }
    let done = join_all(tasks, job.progress).await?;
    counts = done.into_iter().fold(counts, |(items, bytes), state| (items + state.items, bytes + state.bytes));
    progress_file.copied(counts.0, counts.1)?;
    Ok(counts)
}

/// The pages of one segment of a side.
pub(super) fn pages(job: &Job<'_>, side: &Side, segment: u32) -> Pages {
    Pages {
        side: side.clone(),
        segment,
        segments: job.options.segments,
        most: job.options.page_items,
        backoff: job.options.backoff,
        progress: Arc::clone(job.progress),
    }
}

/// A writer to the target.
pub(super) fn writer(job: &Job<'_>, source: &Source) -> BatchWriter {
    BatchWriter::new(job.to.clone(), source.key_names(), job.options.backoff, Arc::clone(job.progress))
}

/// Waits for all tasks. When one fails, the others stop after their current page, so that their progress is kept.
pub(super) async fn join_all<T: Send + 'static>(
    mut tasks: JoinSet<Result<T, CopyError>>,
    progress: &Progress,
) -> Result<Vec<T>, CopyError> {
    let mut done = Vec::new();
    let mut failure: Option<CopyError> = None;
    while let Some(joined) = tasks.join_next().await {
        match joined.unwrap_or(Err(CopyError::SegmentLost)) {
            Ok(result) => done.push(result),
            Err(error) => {
                progress.stop.store(true, Ordering::Relaxed);
                // A stopped task is a consequence, not the cause.
                if failure.as_ref().is_none_or(|first| matches!(first, CopyError::Stopped)) {
                    failure = Some(error);
                }
            }
        }
    }
    failure.map_or(Ok(done), Err)
}

struct Segment {
    number: u32,
    state: SegmentState,
    pages: Pages,
    writer: BatchWriter,
    progress_file: Arc<ProgressFile>,
    progress: Arc<Progress>,
}

impl Segment {
    async fn copy(mut self) -> Result<SegmentState, CopyError> {
        while !self.state.done {
            if self.progress.stop.load(Ordering::Relaxed) {
                return Err(CopyError::Stopped);
            }
            let page = self.pages.after(self.state.position.as_ref()).await?;
            let items = page.items.len() as u64;
            let bytes: u64 = page.items.iter().map(|item| item_size(item) as u64).sum();
            let puts = page.items.into_iter().map(|item| BatchWriteRequest::Put { item }).collect();
            self.writer.write(puts).await?;
            self.state.items += items;
            self.state.bytes += bytes;
            self.state.done = page.next.is_none();
            self.state.position = page.next;
            self.progress_file.segment(self.number, &self.state)?;
            self.progress.items.fetch_add(items, Ordering::Relaxed);
            self.progress.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
        self.progress.segments_done.fetch_add(1, Ordering::Relaxed);
        Ok(self.state)
    }
}
