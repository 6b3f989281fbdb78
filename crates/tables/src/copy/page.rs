//! Reads a segment of a table page by page, consistently.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use keyfold_dynamo::operation::{PageOutput, ScanInput};
use keyfold_dynamo::{Attributes, ServiceError};
use keyfold_environment::Backoff;

use super::{CopyError, Progress, Side};
use crate::retry::{is_transient, pause};

pub(super) struct Pages {
    pub side: Side,
    pub segment: u32,
    pub segments: u32,
    /// The most items of a page; fewer while the source is throttled.
    pub most: i64,
    pub backoff: Backoff,
    pub progress: Arc<Progress>,
}

/// Items, and the position after them; the last page has none.
pub(super) struct Page {
    pub items: Vec<Attributes>,
    pub next: Option<Attributes>,
}

impl Pages {
    pub(super) async fn after(&self, position: Option<&Attributes>) -> Result<Page, CopyError> {
        let mut scan = ScanInput {
            table_name: self.side.table.clone(),
            segment: Some(i64::from(self.segment)),
            total_segments: Some(i64::from(self.segments)),
            ..ScanInput::default()
        };
        scan.page.exclusive_start_key = position.cloned();
        scan.page.consistent_read = true;
        scan.page.limit = Some(self.most);
        let page = self.read(scan).await?;
        let mut items = Vec::with_capacity(page.count);
        let no_items = || ServiceError::Internal("a scan returned no items".to_owned());
        let found = page.items.ok_or_else(no_items).map_err(|error| CopyError::reading(&self.side, error))?;
        for item in found {
            items.push(item.into_attributes().map_err(|_| CopyError::undecodable(&self.side))?);
        }
        Ok(Page { items, next: page.last_evaluated_key })
    }

    async fn read(&self, mut scan: ScanInput) -> Result<PageOutput, CopyError> {
        let mut attempt = 0;
        loop {
            match self.side.backend.scan(scan.clone()).await {
                Ok(page) => return Ok(page),
                Err(error) if is_transient(&error) && attempt + 1 < self.backoff.attempts => {
                    self.slow_down(&error, &mut scan);
                    pause(self.backoff, attempt).await;
                    attempt += 1;
                }
                Err(error) if error.is_throttling() => {
                    let attempts = self.backoff.attempts;
                    return Err(CopyError::ReadsThrottled { location: self.side.location.clone(), attempts });
                }
                Err(error) => return Err(CopyError::reading(&self.side, error)),
            }
        }
    }

    fn slow_down(&self, error: &ServiceError, scan: &mut ScanInput) {
        if error.is_throttling() {
            self.progress.throttled.fetch_add(1, Ordering::Relaxed);
            scan.page.limit = scan.page.limit.map(|limit| (limit / 2).max(1));
        }
    }
}
