//! Moves a table from one backend to another: items as they are, in parallel segments, resumable, verified.
//!
//! The journal says how far each segment has come; it is written only after the target has acknowledged the items before
//! that point. A copy that was interrupted reads a few items twice and puts them again, which changes nothing.

mod digest;
mod error;
mod finish;
mod journal;
mod page;
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

use crate::live;
use crate::patience::Patience;
use journal::{Begun, Journal};

/// A table at one end of a copy.
#[derive(Clone)]
pub struct Side {
    pub backend: Arc<dyn Backend>,
    pub table: String,
    /// As people write it; the journal knows it by this.
    pub place: String,
}

#[derive(Debug, Clone)]
pub struct CopyOptions {
    pub segments: u32,
    pub journal: PathBuf,
    /// Copy into a table that has items already: those with the same keys are replaced, the others stay.
    pub merge: bool,
    pub verify: bool,
    /// Puts right what the verification finds: the target's items become the source's.
    pub repair: bool,
    /// At most so many items between two lines of the journal.
    pub page_items: i64,
    pub patience: Patience,
}

impl CopyOptions {
    pub fn new(journal: PathBuf) -> Self {
        Self {
            segments: 8,
            journal,
            merge: false,
            verify: true,
            repair: false,
            page_items: 1000,
            patience: Patience::default(),
        }
    }
}

/// How far a copy or a verification is; read while it runs.
#[derive(Debug, Default)]
pub struct Progress {
    pub items: AtomicU64,
    pub bytes: AtomicU64,
    pub segments_done: AtomicU64,
    /// Requests that a backend put off.
    pub throttled: AtomicU64,
    /// Set to make the segments stop after the page at hand.
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
pub enum Event {
    TargetCreated,
    /// The source does not tell its tags, so a new target gets none.
    TagsUnknown,
    /// An earlier run had copied so many items.
    Resumed {
        items: u64,
    },
    /// The source had about so many items when it was last counted.
    Copying {
        about: u64,
    },
    Copied {
        items: u64,
        bytes: u64,
    },
    Verifying,
    /// The two sides differ in some places, which are being looked at item by item.
    Comparing,
    /// The target has what the source has.
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
    /// `None` where it was not asked for.
    pub verdict: Option<Verdict>,
}

/// What a copy works with.
pub(crate) struct Job<'a> {
    pub from: &'a Side,
    pub to: &'a Side,
    pub options: &'a CopyOptions,
    pub progress: &'a Arc<Progress>,
    pub report: &'a (dyn Fn(Event) + Sync),
}

/// Copies a table; with a journal of an earlier run of the same copy, goes on where that one was.
pub async fn copy(
    from: &Side,
    to: &Side,
    options: &CopyOptions,
    progress: &Arc<Progress>,
    report: &(dyn Fn(Event) + Sync),
) -> Result<Outcome, CopyError> {
    let job = Job { from, to, options, progress, report };
    let source = job.source().await?;
    let (journal, begun) = Journal::open(&options.journal, &job.header(&source)?)?;
    let journal = Arc::new(journal);
    let target = target::prepare(&job, &source, &journal, &begun).await;
    if target.is_err() {
        journal.forget_unless_begun()?;
    }
    let target = target?;
    if begun.copied.is_none() {
        resume_or_begin(&job, &source, &begun);
    }
    let (items, bytes) = match begun.copied {
        Some(counts) => counts,
        None => segments::copy_all(&job, &source, &journal, begun).await?,
    };
    report(Event::Copied { items, bytes });
    let verdict = if options.verify { Some(verify::verify(&job, &source).await?) } else { None };
    if verdict.as_ref().is_none_or(Verdict::is_equal) {
        finish::finish(&job, &source, target).await?;
        journal.remove()?;
    }
    Ok(Outcome { items, bytes, verdict })
}

/// Compares two tables and copies nothing.
pub async fn compare(
    from: &Side,
    to: &Side,
    options: &CopyOptions,
    progress: &Arc<Progress>,
    report: &(dyn Fn(Event) + Sync),
) -> Result<Verdict, CopyError> {
    let job = Job { from, to, options, progress, report };
    let source = job.source().await?;
    target::check_keys(&job, &source).await?;
    verify::verify(&job, &source).await
}

fn resume_or_begin(job: &Job<'_>, source: &Source, begun: &Begun) {
    let (items, bytes) = begun.counts();
    if items > 0 {
        (job.report)(Event::Resumed { items });
    }
    job.progress.restart();
    job.progress.items.store(items, Ordering::Relaxed);
    job.progress.bytes.store(bytes, Ordering::Relaxed);
    let done = begun.segments.iter().filter(|segment| segment.done).count();
    job.progress.segments_done.store(done as u64, Ordering::Relaxed);
    (job.report)(Event::Copying { about: source.description.item_count });
}

/// What is copied.
pub(crate) struct Source {
    pub description: keyfold_dynamo::table::TableDescription,
    /// The attribute by which the source's items expire.
    pub expires_by: Option<String>,
}

impl Source {
    pub fn key_names(&self) -> Vec<String> {
        self.description.key_schema.iter().map(|element| element.name.clone()).collect()
    }
}

impl Job<'_> {
    async fn source(&self) -> Result<Source, CopyError> {
        let patience = &self.options.patience.brief();
        let description = live::describe(self.from.backend.as_ref(), &self.from.table, patience)
            .await
            .map_err(|error| CopyError::reading(self.from, error))?
            .ok_or_else(|| CopyError::NoSource { place: self.from.place.clone() })?;
        let expiry = patience
            .send(|| self.from.backend.describe_time_to_live(self.from.table.clone()))
            .await
            .map_err(|error| CopyError::reading(self.from, error))?;
        let expires = matches!(expiry.status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling);
        Ok(Source { description, expires_by: expiry.attribute_name.filter(|_| expires) })
    }

    fn header(&self, source: &Source) -> Result<journal::Header, CopyError> {
        if self.from.place == self.to.place {
            return Err(CopyError::SameTable { place: self.from.place.clone() });
        }
        Ok(journal::Header {
            from: self.from.place.clone(),
            source: identity(&source.description),
            to: self.to.place.clone(),
            segments: self.options.segments,
            merge: self.options.merge,
        })
    }
}

/// A table made anew under the same name is another one.
pub(crate) fn identity(description: &keyfold_dynamo::table::TableDescription) -> String {
    format!("{} {}", description.id, description.created_at)
}
