//! Scan: all items of a table or an index, or those of one segment.

use std::ops::{Bound, RangeBounds};

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{PageOutput, ScanInput};

use super::page::{Page, check_filter, count, refuse_paths_into_keys};
use super::select::{check_select, shape};
use super::source::Source;
use super::start_key::start_row;
use crate::rows::layout;
use crate::shared::Shared;

impl Shared {
    pub(crate) async fn scan(&self, input: &ScanInput) -> Result<PageOutput, ServiceError> {
        let limit = count(input.page.limit)?;
        let segment = input.parallel_segment()?;
        check_filter(&input.page)?;
        check_select(&input.page)?;

        let named = self.catalog.table(&input.table_name)?;
        let table = named.definition();
        let source = Source::new(&table, input.page.index_name.as_deref(), input.page.consistent_read)?;
        refuse_paths_into_keys(&table, &input.page)?;
        let (shape, whole) = shape(&source, &input.page)?;
        let mut range = match segment {
            None => layout::all_rows(source.id()),
            Some((segment, total)) => layout::segment_rows(source.id(), segment, total),
        };
        if let Some(start) = &input.page.exclusive_start_key {
            let row = start_row(&source, start)?;
            if let Some((segment, total)) = segment
                && !range.contains(&row)
            {
                return Err(ServiceError::validation(format!(
                    "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: {total} Segment: {segment}"
                )));
            }
            range.0 = Bound::Excluded(row);
        }
        let page = Page { source: &source, range, reverse: false, limit, shape, whole };
        let output = page.read(self.store.snapshot().as_ref(), &input.page).await?;
        source.check_still_exists(&named)?;
        Ok(output)
    }
}
