//! Scan: all items of a table or an index, or those of one segment.

use std::ops::{Bound, RangeBounds};

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::Context;
use keyfold_dynamo::operation::{PageOutput, ScanInput};

use super::page::{Page, PageExpressions, limit, refuse_paths_into_keys};
use super::select::{check_select, shape};
use super::source::Source;
use super::start_key::start_row;
use crate::engine::Shared;
use crate::rows::layout;

impl Shared {
    pub async fn scan(&self, input: &ScanInput) -> Result<PageOutput, ServiceError> {
        let limit = limit(&input.page)?;
        let segment = segment(input)?;
        let aliases = &input.page.aliases;
        let given = [("FilterExpression", input.page.filter_expression.is_some())];
        let projected = input.page.projection_expression.is_some();
        let mut context = Context::for_request(aliases.names.as_ref(), aliases.values.as_ref(), projected, &given)?;
        let PageExpressions { filter, projection } = PageExpressions::parse(&input.page, &mut context)?;
        context.finish()?;
        check_select(&input.page)?;

        let named = self.catalog.table(&input.table_name)?;
        let table = named.definition();
        let source = Source::new(&table, input.page.index_name.as_deref(), input.page.consistent_read)?;
        refuse_paths_into_keys(&table, filter.as_ref(), projection.as_ref())?;
        let (shape, whole) = shape(&source, &input.page, projection)?;
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
        let page = Page { source: &source, range, reverse: false, limit, filter: filter.as_ref(), shape, whole };
        let output = page.read(self.store.snapshot().as_ref(), &input.page).await?;
        source.confirm(&named)?;
        Ok(output)
    }
}

/// Segment and number of segments, where the scan is parallel.
fn segment(input: &ScanInput) -> Result<Option<(u64, u64)>, ServiceError> {
    let whole = |value: i64| u64::try_from(value).unwrap_or(0);
    match (input.segment, input.total_segments) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(ServiceError::validation(
            "The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
        )),
        (None, Some(_)) => Err(ServiceError::validation(
            "The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
        )),
        (Some(segment), Some(total)) if segment >= total => Err(ServiceError::validation(format!(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: {segment} is not less than TotalSegments: {total}"
        ))),
        (Some(segment), Some(total)) => Ok(Some((whole(segment), whole(total)))),
    }
}
