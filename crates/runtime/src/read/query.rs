//! Access patterns: pages that are full, whatever a filter drops, within a budget that the answer reports.

use keyfold_dynamo::Attributes;
use keyfold_environment::random_bytes;

use super::pages::PatternReader;
use crate::caller::Caller;
use crate::cursor::{CursorError, Position};
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;

/// How much of a pattern's results is wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryOptions {
    /// The most results of the page; the pattern's own page size, or 100, if absent.
    pub take: Option<usize>,
    /// The most items examined, whether they are results or not; no limit if absent.
    pub limit: Option<usize>,
    /// The most read units spent; no limit if absent.
    pub read_budget: Option<f64>,
    /// Where an earlier page ended; the first page if absent.
    pub cursor: Option<String>,
    /// The other order than the pattern's own.
    pub reverse: bool,
}

/// Results of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// In the order of the key, each with its entity.
    pub records: Vec<Record>,
    /// How many results there are; for a pattern that only counts there are no records.
    pub count: usize,
    /// For the next page. Only a missing cursor means the end.
    pub cursor: Option<String>,
    /// The items examined. Where the range may hold items that the caller must not learn of, other tenants' or such that
    /// no rule lets them list, only results count: neither this number, nor the read units, nor where a page ends
    /// depends on anything else.
    pub evaluated: usize,
    pub read_units: f64,
    pub stopped: Stopped,
}

/// Why a page ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// All results have been read.
    End,
    /// As many as were asked for.
    Full,
    /// As many items were examined, or as much was read, as was allowed.
    Budget,
}

impl Runtime {
    /// One page of an access pattern.
    pub async fn query(
        &self,
        caller: &Caller,
        pattern: &str,
        arguments: Attributes,
        options: &QueryOptions,
    ) -> Result<Page, Error> {
        let query = self.prepare_query(caller, pattern, arguments)?;
        let context = self.cursor_context(&query, options.reverse);
        let positions = match &options.cursor {
            Some(cursor) => self.cursors.open(cursor, &context)?,
            None => vec![Position::Start; query.partitions.len()],
        };
        if positions.len() != query.partitions.len() {
            return Err(CursorError::OtherPattern.into());
        }
        let (mut page, positions) = PatternReader::new(self, &query, options, positions).read().await?;
        if positions.iter().any(|position| *position != Position::End) {
            let nonce = random_bytes(self.random.as_ref())?;
            page.cursor = Some(self.cursors.seal(&positions, &context, nonce)?);
        } else {
            page.stopped = Stopped::End;
        }
        Ok(page)
    }
}
