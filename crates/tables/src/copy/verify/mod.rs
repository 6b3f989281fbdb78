//! Whether two tables hold the same items.
//!
//! One read of each side gives two digests. Only where these differ are items looked at one by one, and by then what was
//! on its way when the digests were made has arrived.

mod finding;
mod look;

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
use super::{CopyError, Event, Job, Progress, Source};

/// Compares both sides, and brings the target in line where that is asked for.
pub async fn verify(job: &Job<'_>, source: &Source) -> Result<Verdict, CopyError> {
    let mut verdict = round(job, source, job.options.repair).await?;
    if verdict.repaired > 0 {
        verdict = Verdict { repaired: verdict.repaired, ..round(job, source, false).await? };
    }
    let Verdict { items, expired, repaired, .. } = verdict;
    if verdict.is_equal() {
        (job.report)(Event::Verified { items, expired, repaired });
    }
    Ok(verdict)
}

async fn round(job: &Job<'_>, source: &Source, repair: bool) -> Result<Verdict, CopyError> {
    (job.report)(Event::Verifying);
    job.progress.restart();
    // A target with items of its own cannot have the source's digest.
    let (items, suspects) = if job.options.merge {
        (None, Suspects::all())
    } else {
        let (from, to) = digests(job, source).await?;
        (Some(from.items()), from.differing(&to))
    };
    if suspects.is_empty() {
        return Ok(Verdict { items: items.unwrap_or_default(), ..Verdict::default() });
    }
    (job.report)(Event::Comparing);
    job.progress.restart();
    let verdict = look::look(job, source, &Arc::new(suspects), repair).await?;
    Ok(Verdict { items: items.unwrap_or(verdict.items), ..verdict })
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
    let (mut from, mut to) = (Digest::new(), Digest::new());
    for (is_source, digest) in join_all(tasks, job.progress).await? {
        if is_source { from.merge(&digest) } else { to.merge(&digest) }
    }
    Ok((from, to))
}

async fn digest(pages: Pages, key_names: Vec<String>, progress: Arc<Progress>) -> Result<Digest, CopyError> {
    let mut digest = Digest::new();
    let mut walk = Walk::new(pages, progress);
    while let Some(items) = walk.next().await? {
        for item in items {
            digest.add(&key_of(&item, &key_names), &item);
        }
    }
    Ok(digest)
}

/// Goes through a segment page by page.
struct Walk {
    pages: Pages,
    position: Option<Attributes>,
    at_end: bool,
    progress: Arc<Progress>,
}

impl Walk {
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

/// DynamoDB does not expire items by times longer ago than this.
const FIVE_YEARS: u64 = 5 * 365 * 86_400;

/// Whether an item may be deleted by expiry at any moment, so that its absence on one side is no difference.
fn has_expired(item: &Attributes, expires_by: Option<&String>) -> bool {
    let now = SystemClock.now_ms() / 1000;
    match expires_by.and_then(|attribute| item.get(attribute)) {
        Some(AttributeValue::N(second)) => {
            *second <= Number::from(now) && *second >= Number::from(now.saturating_sub(FIVE_YEARS))
        }
        _ => false,
    }
}
