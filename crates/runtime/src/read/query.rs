//! Pages of access patterns: full, whatever a filter drops, within a budget that the page reports.

use keyfold_dynamo::Attributes;
use keyfold_environment::random_bytes;

use super::page::{Page, QueryOptions, StopReason};
use super::pages::PatternReader;
use crate::caller::Caller;
use crate::cursor::{CursorError, Position};
use crate::error::Error;
use crate::runtime::Runtime;

impl Runtime {
    /// One page of an access pattern.
    pub async fn query(
        &self,
        caller: &Caller,
        pattern: &str,
        arguments: Attributes,
        options: &QueryOptions,
    ) -> Result<Page, Error> {
        let query = self.prepare_query(caller, pattern, arguments, options.tenant.as_deref())?;
        let context = query.cursor_context(&self.design, &self.table, options.reverse);
        let positions = match &options.cursor {
            Some(cursor) => self.cursors.decrypt(cursor, &context)?,
            None => vec![Position::Start; query.partitions.len()],
        };
        if positions.len() != query.partitions.len() {
            return Err(CursorError::OtherPattern.into());
        }
        let (mut page, positions) = PatternReader::new(self, &query, options, positions).read().await?;
        if positions.iter().any(|position| *position != Position::End) {
            let nonce = random_bytes(self.random.as_ref())?;
            page.cursor = Some(self.cursors.encrypt(&positions, &context, nonce)?);
        } else {
            page.stop_reason = StopReason::End;
        }
        Ok(page)
    }
}
