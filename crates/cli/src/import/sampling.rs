//! Samples items from the whole key space of a table.

use anyhow::Context;
use futures_util::future::join_all;
use keyfold_dynamo::operation::{PageOptions, ScanInput};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{Attributes, Backend};
use keyfold_import::Sample;

/// The number of parallel segments. The first page of a scan contains neighbours by hash; a page of each segment covers
/// the whole table.
const SEGMENTS: i64 = 16;

/// The memory limit of a sample.
const MOST_BYTES: usize = 128 * 1024 * 1024;

struct Segment {
    number: i64,
    next: Option<Attributes>,
    is_done: bool,
}

/// Reads up to `most` items, evenly from all segments; larger segments make up for smaller ones.
pub(super) async fn sample(backend: &dyn Backend, table: &str, most: usize) -> anyhow::Result<Sample> {
    let mut segments: Vec<Segment> =
        (0..SEGMENTS).map(|number| Segment { number, next: None, is_done: false }).collect();
    let mut items: Vec<Attributes> = Vec::new();
    let mut bytes = 0;
    loop {
        let open = segments.iter().filter(|segment| !segment.is_done).count();
        let wanted = most.saturating_sub(items.len());
        if open == 0 || wanted == 0 || bytes >= MOST_BYTES {
            break;
        }
        let share = i64::try_from(wanted.div_ceil(open))?;
        let reads = segments.iter().filter(|segment| !segment.is_done).map(|segment| {
            let page =
                PageOptions { limit: Some(share), exclusive_start_key: segment.next.clone(), ..PageOptions::default() };
            backend.scan(ScanInput {
                table_name: table.to_owned(),
                segment: Some(segment.number),
                total_segments: Some(SEGMENTS),
                page,
            })
        });
        let pages = join_all(reads).await;
        for (segment, page) in segments.iter_mut().filter(|segment| !segment.is_done).zip(pages) {
            let page = page?;
            for item in page.items.context("a scan returned no items")? {
                let item = item.into_attributes()?;
                bytes += item_size(&item);
                items.push(item);
            }
            segment.is_done = page.last_evaluated_key.is_none();
            segment.next = page.last_evaluated_key;
        }
    }
    let is_whole = segments.iter().all(|segment| segment.is_done) && items.len() <= most;
    items.truncate(most);
    Ok(Sample { items, is_whole })
}
