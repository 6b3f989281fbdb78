//! Copies a table from one backend to another, unchanged, in parallel segments; resumable and verified.
//!
//! The progress file records the progress of each segment, after the target has acknowledged the items. A resumed copy
//! may read and put a few items twice, which changes nothing.

mod digest;
mod error;
mod finish;
mod page;
mod progress_file;
mod segments;
mod target;
mod verify;
mod write;

pub use error::CopyError;
pub use verify::{Difference, Finding, Verdict};

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use keyfold_dynamo::Backend;
use keyfold_dynamo::table::TimeToLiveStatus;
use keyfold_environment::Backoff;

use crate::live;
use crate::retry::{PATIENT, brief, send};
use progress_file::{EarlierProgress, ProgressFile};

/// A table at one end of a copy.
#[derive(Clone)]
pub struct Side {
    pub backend: Arc<dyn Backend>,
    pub table: String,
    /// The location as the user wrote it; the progress file stores it.
    pub location: String,
}

#[derive(Debug, Clone)]
pub struct CopyOptions {
    /// The number of parallel segments; 8 by default. A resumed copy needs the same number.
    pub segments: u32,
    /// The file that records the progress; deleted once the copy is complete.
    pub progress_file: PathBuf,
    /// Copies into a table that has items: those with the same keys are replaced, the others stay. Off by default: such
    /// a target is refused.
    pub merge: bool,
    /// Compares source and target after the copy; on by default.
    pub verify: bool,
    /// Repairs differences that the verification finds, by making the target's items equal to the source's. Off by
    /// default: differences are reported.
    pub repair: bool,
    /// The maximum number of items between two lines of the progress file; 1000 by default.
    pub page_items: i64,
    /// The retries of transient failures, counted from the last progress; [`PATIENT`] by default.
    pub backoff: Backoff,
}

impl CopyOptions {
    pub fn new(progress_file: PathBuf) -> Self {
        Self {
            segments: 8,
            progress_file,
            merge: false,
            verify: true,
            repair: false,
            page_items: 1000,
            backoff: PATIENT,
        }
    }
}

/// The progress of a copy or a verification, readable while it runs.
#[derive(Debug, Default)]
pub struct Progress {
    pub items: AtomicU64,
    pub bytes: AtomicU64,
    pub segments_done: AtomicU64,
    /// Requests that a backend throttled.
    pub throttled: AtomicU64,
    /// Set to stop the segments after their current page.
    pub stop: AtomicBool,
}

impl Progress {
    fn restart(&self) {
        for counter in [&self.items, &self.bytes, &self.segments_done] {
            counter.store(0, Ordering::Relaxed);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyEvent {
    TargetCreated,
    /// The tags of the source cannot be read, so a new target gets none.
    TagsUnknown,
    /// An earlier run copied some items.
    Resumed {
        items: u64,
    },
    /// The item count is the source's last reported one.
    Copying {
        about: u64,
    },
    Copied {
        items: u64,
        bytes: u64,
    },
    Verifying,
    /// The digests differ, so items are compared one by one.
    Comparing,
    /// The target has all items of the source.
    Verified {
        items: u64,
        expired: u64,
        repaired: u64,
    },
    ExpiryEnabled,
    ProtectionEnabled,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub items: u64,
    pub bytes: u64,
    /// `None` if the options disable verification.
    pub verdict: Option<Verdict>,
}

/// The two sides and the options of a copy.
pub(crate) struct Job<'a> {
    pub from: &'a Side,
    pub to: &'a Side,
    pub options: &'a CopyOptions,
    pub progress: &'a Arc<Progress>,
    pub report: &'a (dyn Fn(CopyEvent) + Sync),
}

/// Copies a table, or resumes the copy of an existing progress file.
pub async fn copy(
    from: &Side,
    to: &Side,
    options: &CopyOptions,
    progress: &Arc<Progress>,
    report: &(dyn Fn(CopyEvent) + Sync),
) -> Result<Outcome, CopyError> {
    let job = Job { from, to, options, progress, report };
    let source = job.source().await?;
    let (progress_file, begun) = ProgressFile::open(&options.progress_file, &job.header(&source)?)?;
    let progress_file = Arc::new(progress_file);
    let target = target::prepare(&job, &source, &progress_file, &begun).await;
    if target.is_err() {
        progress_file.remove_unless_begun()?;
    }
    let target = target?;
    if begun.copied.is_none() {
        resume_or_begin(&job, &source, &begun);
    }
    let (items, bytes) = match begun.copied {
        Some(counts) => counts,
        None => segments::copy_all(&job, &source, &progress_file, begun).await?,
    };
    report(CopyEvent::Copied { items, bytes });
    let verdict = if options.verify { Some(verify::verify(&job, &source).await?) } else { None };
    if verdict.as_ref().is_none_or(Verdict::is_equal) {
        finish::finish(&job, &source, target).await?;
        progress_file.remove()?;
    }
    Ok(Outcome { items, bytes, verdict })
}

/// Compares two tables without copying.
pub async fn compare(
    from: &Side,
    to: &Side,
    options: &CopyOptions,
    progress: &Arc<Progress>,
    report: &(dyn Fn(CopyEvent) + Sync),
) -> Result<Verdict, CopyError> {
    let job = Job { from, to, options, progress, report };
    let source = job.source().await?;
    target::check_keys(&job, &source).await?;
    verify::verify(&job, &source).await
}

fn resume_or_begin(job: &Job<'_>, source: &Source, begun: &EarlierProgress) {
    let (items, bytes) = begun.counts();
    if items > 0 {
        (job.report)(CopyEvent::Resumed { items });
    }
    job.progress.restart();
    job.progress.items.store(items, Ordering::Relaxed);
    job.progress.bytes.store(bytes, Ordering::Relaxed);
    let done = begun.segments.iter().filter(|segment| segment.done).count();
    job.progress.segments_done.store(done as u64, Ordering::Relaxed);
    (job.report)(CopyEvent::Copying { about: source.description.item_count });
}

/// The source table.
pub(crate) struct Source {
    pub description: keyfold_dynamo::table::TableDescription,
    /// The attribute by which the source's items expire.
    pub expires_by: Option<String>,
}

impl Source {
    pub(crate) fn key_names(&self) -> Vec<String> {
        self.description.key_schema.iter().map(|element| element.name.clone()).collect()
    }
}

impl Job<'_> {
    async fn source(&self) -> Result<Source, CopyError> {
        let backoff = brief(self.options.backoff);
        let description = live::describe(self.from.backend.as_ref(), &self.from.table, backoff)
            .await
            .map_err(|error| CopyError::reading(self.from, error))?
            .ok_or_else(|| CopyError::NoSource { location: self.from.location.clone() })?;
        let expiry = send(backoff, || self.from.backend.describe_time_to_live(self.from.table.clone()))
            .await
            .map_err(|error| CopyError::reading(self.from, error))?;
        let expires = matches!(expiry.status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling);
        Ok(Source { description, expires_by: expiry.attribute_name.filter(|_| expires) })
    }

    fn header(&self, source: &Source) -> Result<progress_file::Header, CopyError> {
        if self.from.location == self.to.location {
            return Err(CopyError::SameTable { location: self.from.location.clone() });
        }
        Ok(progress_file::Header {
            from: self.from.location.clone(),
            source: identity(&source.description),
            to: self.to.location.clone(),
            segments: self.options.segments,
            merge: self.options.merge,
        })
    }
}

/// Tells a recreated table from the earlier one of the same name, by what the service reports.
pub(crate) fn identity(description: &keyfold_dynamo::table::TableDescription) -> String {
    let created_at = description.created_at.map(|second| second.to_string());
    description.id.clone().into_iter().chain(created_at).collect::<Vec<_>>().join(" ")
}
