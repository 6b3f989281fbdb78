//! Checks whether two tables hold the same items.
//!
//! One read of each side gives two digests. Items are compared one by one only where the digests differ; by then,
//! writes that were in flight during the first read have completed.

mod finding;
mod items;

pub use finding::{Difference, Finding, Verdict};

use std::sync::Arc;
use std::sync::atomic::Ordering;

use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_environment::{Clock, SystemClock};
use tokio::task::JoinSet;

use super::digest::{Digest, Suspects, key_of};
use super::page::Pages;
use super::segments::{join_all, pages};
use super::{CopyError, CopyEvent, Job, Progress, Source};

/// Compares both sides, and repairs the target if the options say so.
pub(super) async fn verify(job: &Job<'_>, source: &Source) -> Result<Verdict, CopyError> {
    let mut verdict = round(job, source, job.options.repair).await?;
    if verdict.repaired > 0 {
        verdict = Verdict { repaired: verdict.repaired, ..round(job, source, false).await? };
    }
    let Verdict { items, expired, repaired, .. } = verdict;
    if verdict.is_equal() {
        (job.report)(CopyEvent::Verified { items, expired, repaired });
    }
    Ok(verdict)
}

async fn round(job: &Job<'_>, source: &Source, repair: bool) -> Result<Verdict, CopyError> {
    (job.report)(CopyEvent::Verifying);
    job.progress.restart();
    // A target with additional items cannot have the source's digest.
    if job.options.merge {
        return compare_items(job, source, Suspects::All, repair).await;
    }
    let (from, to) = digests(job, source).await?;
    let items = from.items();
    match from.differing(&to) {
        None => Ok(Verdict { items, ..Verdict::default() }),
        Some(suspects) => Ok(Verdict { items, ..compare_items(job, source, suspects, repair).await? }),
    }
}

async fn compare_items(job: &Job<'_>, source: &Source, suspects: Suspects, repair: bool) -> Result<Verdict, CopyError> {
    (job.report)(CopyEvent::Comparing);
    job.progress.restart();
    items::compare(job, source, &Arc::new(suspects), repair).await
}

/// The digests of the source and of the target.
async fn digests(job: &Job<'_>, source: &Source) -> Result<(Digest, Digest), CopyError> {
    let mut tasks = JoinSet::new();
    for side in [job.from, job.to] {
        let is_source = std::ptr::eq(side, job.from);
        for segment in 0..job.options.segments {
            let digest = digest(pages(job, side, segment), source.key_names(), Arc::clone(job.progress));
            tasks.spawn(async move { digest.await.map(|digest| (is_source, digest)) });
        }
    }
    let (mut from, mut to) = (Digest::default(), Digest::default());
    for (is_source, digest) in join_all(tasks, job.progress).await? {
        if is_source { from.merge(&digest) } else { to.merge(&digest) }
    }
    Ok((from, to))
}

async fn digest(pages: Pages, key_names: Vec<String>, progress: Arc<Progress>) -> Result<Digest, CopyError> {
    let mut digest = Digest::default();
    let mut reader = SegmentReader::new(pages, progress);
    while let Some(items) = reader.next().await? {
        for item in items {
            digest.add(&key_of(&item, &key_names, &reader.pages.side)?, &item);
        }
    }
    Ok(digest)
}

/// Reads a segment page by page.
struct SegmentReader {
    pages: Pages,
    position: Option<Attributes>,
    at_end: bool,
    progress: Arc<Progress>,
}

impl SegmentReader {
    fn new(pages: Pages, progress: Arc<Progress>) -> Self {
        Self { pages, position: None, at_end: false, progress }
    }

    async fn next(&mut self) -> Result<Option<Vec<Attributes>>, CopyError> {
        if self.at_end {
            self.progress.segments_done.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        if self.progress.stop.load(Ordering::Relaxed) {
            return Err(CopyError::Stopped);
        }
        let page = self.pages.after(self.position.as_ref()).await?;
        self.progress.items.fetch_add(page.items.len() as u64, Ordering::Relaxed);
        self.progress.bytes.fetch_add(page.items.iter().map(|item| item_size(item) as u64).sum(), Ordering::Relaxed);
        self.at_end = page.next.is_none();
        self.position = page.next;
        Ok(Some(page.items))
    }
}

/// DynamoDB does not expire items whose time is longer ago than this.
const FIVE_YEARS: u64 = 5 * 365 * 86_400;

/// Whether an item may be deleted by expiry at any moment, so that its absence on one side does not count as a
/// difference.
fn has_expired(item: &Attributes, expires_by: Option<&String>) -> bool {
    let now = SystemClock.now_ms() / 1000;
    match expires_by.and_then(|attribute| item.get(attribute)) {
        Some(AttributeValue::N(second)) => {
            *second <= Number::from(now) && *second >= Number::from(now.saturating_sub(FIVE_YEARS))
        }
        _ => false,
    }
}
