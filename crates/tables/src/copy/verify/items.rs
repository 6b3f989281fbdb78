//! Compares items one by one with the items of the same keys on the other side.

use std::collections::HashMap;
use std::sync::Arc;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::limits::BATCH_GET_KEYS;
use keyfold_dynamo::operation::{BatchGetItemInput, BatchWriteRequest, KeysAndAttributes};
use keyfold_environment::Backoff;
use tokio::task::JoinSet;

use super::finding::{Difference, Finding, MAX_FINDINGS, Verdict};
use super::{SegmentReader, has_expired};
use crate::copy::digest::{Suspects, key_of};
use crate::copy::segments::{join_all, pages, writer};
use crate::copy::write::BatchWriter;
use crate::copy::{CopyError, Job, Side, Source};
use crate::key_text::key_text;
use crate::retry::{pause, send};

pub(super) async fn compare(
    job: &Job<'_>,
    source: &Source,
    suspects: &Arc<Suspects>,
    repair: bool,
) -> Result<Verdict, CopyError> {
    let mut tasks = JoinSet::new();
    for segment in 0..job.options.segments {
        let comparison = |from_source: bool| {
            let (here, there) = if from_source { (job.from, job.to) } else { (job.to, job.from) };
            ItemComparison {
                from_source,
                reader: SegmentReader::new(pages(job, here, segment), Arc::clone(job.progress)),
                other_side: there.clone(),
                key_names: source.key_names(),
                expires_by: source.expires_by.clone(),
                suspects: Arc::clone(suspects),
                repair: repair.then(|| writer(job, source)),
                backoff: job.options.backoff,
                verdict: Verdict::default(),
            }
        };
        tasks.spawn(comparison(true).run());
        // A target that had items before may have additional ones.
        if !job.options.merge {
            tasks.spawn(comparison(false).run());
        }
    }
    let mut all = Verdict::default();
    for part in join_all(tasks, job.progress).await? {
        all.items += part.items;
        all.differences += part.differences;
        all.expired += part.expired;
        all.repaired += part.repaired;
        all.findings.extend(part.findings);
    }
    all.findings.sort();
    all.findings.truncate(MAX_FINDINGS);
    Ok(all)
}

/// The comparison of one segment of one side: the source's finds missing and differing items, the target's finds
/// surplus ones.
struct ItemComparison {
    from_source: bool,
    reader: SegmentReader,
    other_side: Side,
    key_names: Vec<String>,
    expires_by: Option<String>,
    suspects: Arc<Suspects>,
    repair: Option<BatchWriter>,
    backoff: Backoff,
    verdict: Verdict,
}

impl ItemComparison {
    async fn run(mut self) -> Result<Verdict, CopyError> {
        while let Some(items) = self.reader.next().await? {
            self.compare(items).await?;
        }
        Ok(self.verdict)
    }

    async fn compare(&mut self, items: Vec<Attributes>) -> Result<(), CopyError> {
        self.verdict.items += if self.from_source { items.len() as u64 } else { 0 };
        let mut suspected = Vec::new();
        for item in items {
            let key = key_of(&item, &self.key_names, &self.reader.pages.side)?;
            if self.suspects.contains(&key) {
                suspected.push((key, item));
            }
        }
        let mut repairs = Vec::new();
        for some in suspected.chunks(BATCH_GET_KEYS) {
            let mut others = self.fetch_counterparts(some).await?;
            for (key, item) in some {
                let name = key_text(key);
                let other = others.remove(&name);
                if let Some(difference) = self.difference(item, other.as_ref()) {
                    repairs.push(self.repair_request(key, item));
                    self.record(Finding { key: name, difference });
                }
            }
        }
        if let Some(writer) = &mut self.repair {
            self.verdict.repaired += repairs.len() as u64;
            writer.write(repairs).await?;
        }
        Ok(())
    }

    fn difference(&mut self, item: &Attributes, other: Option<&Attributes>) -> Option<Difference> {
        match (other, self.from_source) {
            (None, _) if has_expired(item, self.expires_by.as_ref()) => {
                self.verdict.expired += 1;
                None
            }
            (None, true) => Some(Difference::Missing),
            (None, false) => Some(Difference::Surplus),
            (Some(other), true) => Difference::between(item, other),
            (Some(_), false) => None,
        }
    }

    fn repair_request(&self, key: &Attributes, item: &Attributes) -> BatchWriteRequest {
        if self.from_source {
            BatchWriteRequest::Put { item: item.clone() }
        } else {
            BatchWriteRequest::Delete { key: key.clone() }
        }
    }

    fn record(&mut self, finding: Finding) {
        self.verdict.differences += 1;
        if self.verdict.findings.len() < MAX_FINDINGS {
            self.verdict.findings.push(finding);
        }
    }

    /// The items of the same keys on the other side, by the texts of their keys.
    async fn fetch_counterparts(
        &self,
        some: &[(Attributes, Attributes)],
    ) -> Result<HashMap<String, Attributes>, CopyError> {
        let mut others = HashMap::new();
        let mut wanted: Vec<Attributes> = some.iter().map(|(key, _)| key.clone()).collect();
        let mut attempt = 0;
        while !wanted.is_empty() {
            let requested = wanted.len();
            let keys = KeysAndAttributes { keys: wanted, consistent_read: true, ..KeysAndAttributes::default() };
            let requests = vec![(self.other_side.table.clone(), keys)];
            let input = BatchGetItemInput { requests, ..BatchGetItemInput::default() };
            let output = send(self.backoff, || self.other_side.backend.batch_get_item(input.clone())).await;
            let output = output.map_err(|error| CopyError::reading(&self.other_side, error))?;
            for item in output.responses.into_values().flatten() {
                let item = item.into_attributes().map_err(|_| CopyError::undecodable(&self.other_side))?;
                let key = key_of(&item, &self.key_names, &self.other_side)?;
                others.insert(key_text(&key), item);
            }
            wanted = output.unprocessed.into_iter().flat_map(|(_, keys)| keys.keys).collect();
            if wanted.is_empty() {
                break;
            }
            attempt = if wanted.len() < requested { 0 } else { attempt + 1 };
            if attempt >= self.backoff.attempts {
                return Err(CopyError::ReadsThrottled {
                    location: self.other_side.location.clone(),
                    attempts: attempt,
                });
            }
            pause(self.backoff, attempt).await;
        }
        Ok(others)
    }
}
