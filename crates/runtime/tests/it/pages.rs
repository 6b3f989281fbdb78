//! Pages: full whatever is dropped, within budgets, in order over several partitions, under one sealed cursor.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::*;
use base64::Engine as _;
use keyfold_dynamo::operation::{BatchWriteItemInput, BatchWriteRequest};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::{FailingRandom, ManualClock};
use keyfold_runtime::{Caller, DesignRules, Error, Options, Page, QueryOptions, Record, Runtime, StopReason};
use serde_json::{Value, json};

const COUNT: usize = 60;

/// Sixty visits on fifteen days, a third of them paid.
async fn visits() -> World<Recorder> {
    let world = World::new(design(&design_text("tests/it/support/visits.yaml")), Recorder::default()).await;
    for number in 0..COUNT {
        let visit = json!({
            "visitId": format!("v{number:02}"),
            "month": "2026-01",
            "day": format!("2026-01-{:02}", 1 + number * 7 % 15),
            "place": (["Bonn", "Kiel", "Ulm"][number % 3]),
            "kind": (["visit", "call"][number % 2]),
            "paid": number % 3 == 0,
        });
        world.given("Visit", visit).await;
    }
    world
}

async fn ask(world: &World<Recorder>, pattern: &str, with: &Value, options: &QueryOptions) -> Result<Page, Error> {
    let arguments = arguments(&world.design, pattern, with.clone());
    world.runtime.query(&superuser(), pattern, arguments, options).await
}

fn text(record: &Record, name: &str) -> String {
    record.attributes[name].as_str().unwrap().to_owned()
}

fn ids(page: &Page) -> Vec<String> {
    page.records.iter().map(|record| text(record, "visitId")).collect()
}

/// All pages, one after the other.
async fn pages(world: &World<Recorder>, pattern: &str, with: &Value, options: &QueryOptions) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    let mut options = options.clone();
    loop {
        let page = ask(world, pattern, with, &options).await.unwrap();
        assert_eq!(page.cursor.is_none(), page.stop_reason == StopReason::End, "only a missing cursor means the end");
        assert_eq!(page.count, page.records.len());
        options.cursor.clone_from(&page.cursor);
        pages.push(page);
        assert!(pages.len() <= 4 * COUNT, "`{pattern}` gets nowhere");
        if options.cursor.is_none() {
            return pages;
        }
    }
}

fn all(pages: &[Page]) -> Vec<String> {
    pages.iter().flat_map(ids).collect()
}

/// What a pattern returns, computed from what was created.
fn expected(pattern: &str) -> Vec<String> {
    let mut visits: Vec<(String, usize)> =
        (0..COUNT).map(|number| (format!("2026-01-{:02}", 1 + number * 7 % 15), number)).collect();
    let id = |number: usize| format!("v{number:02}");
    match pattern {
        "visits of a month" | "number of visits of a month" => visits.sort(),
        "newest visits of a month" => {
            visits.sort();
            visits.reverse();
        }
        "paid visits of a month" => {
            visits.sort();
            visits.retain(|(_, number)| number % 3 == 0);
        }
        // Within a day calls come before visits.
        "visits between" | "first visits" => {
            visits.sort_by_key(|(day, number)| (day.clone(), number % 2 == 0, *number))
        }
        "paid visits between" => {
            visits.sort_by_key(|(day, number)| (day.clone(), number % 2 == 0, *number));
            visits.retain(|(_, number)| number % 3 == 0);
        }
        other => panic!("{other}"),
    }
    visits.into_iter().map(|(_, number)| id(number)).collect()
}

const MONTHLY: [&str; 3] = ["visits of a month", "newest visits of a month", "paid visits of a month"];
const DAILY: [&str; 3] = ["visits between", "paid visits between", "first visits"];

fn cases() -> Vec<(&'static str, Value)> {
    let monthly = MONTHLY.map(|pattern| (pattern, json!({"month": "2026-01"})));
    let daily = DAILY.map(|pattern| (pattern, json!({"from": "2026-01-01", "to": "2026-01-31"})));
    monthly.into_iter().chain(daily).collect()
}

#[tokio::test]
async fn pages_of_any_size_are_full_and_in_order() {
    let world = visits().await;
    for (pattern, with) in cases() {
        for reverse in [false, true] {
            let mut wanted = expected(pattern);
            if reverse {
                wanted.reverse();
            }
            for take in [1, 2, 3, 5, 7, 19, 20, 59, 60, 61, 1000] {
                let options = QueryOptions { take: Some(take), reverse, ..QueryOptions::default() };
                let pages = pages(&world, pattern, &with, &options).await;
                assert_eq!(all(&pages), wanted, "`{pattern}` by {take}");
                let (last, full) = pages.split_last().unwrap();
                for page in full {
                    assert_eq!(page.records.len(), take, "`{pattern}` by {take}");
                    assert_eq!(page.stop_reason, StopReason::Full);
                }
                // At most one empty page, after one that ended exactly at the end.
                assert!(!last.records.is_empty() || wanted.len().is_multiple_of(take), "`{pattern}` by {take}");
            }
        }
    }
}

#[tokio::test]
async fn a_page_has_the_size_that_the_pattern_says() {
    let world = visits().await;
    let with = json!({"from": "2026-01-01", "to": "2026-01-31"});
    let page = ask(&world, "first visits", &with, &QueryOptions::default()).await.unwrap();
    assert_eq!(page.records.len(), 5);
    let page = ask(&world, "visits between", &with, &QueryOptions::default()).await.unwrap();
    assert_eq!((page.records.len(), page.cursor), (COUNT, None));
}

#[tokio::test]
async fn a_page_that_exceeds_its_budget_ends_with_a_cursor() {
    let world = visits().await;
    let budgets = [
        QueryOptions { limit: Some(1), ..QueryOptions::default() },
        QueryOptions { limit: Some(7), ..QueryOptions::default() },
        QueryOptions { read_budget: Some(0.5), ..QueryOptions::default() },
        QueryOptions { read_budget: Some(3.0), ..QueryOptions::default() },
        QueryOptions { take: Some(4), limit: Some(9), reverse: true, ..QueryOptions::default() },
    ];
    for (pattern, with) in cases() {
        for options in &budgets {
            let mut wanted = expected(pattern);
            if options.reverse {
                wanted.reverse();
            }
            let pages = pages(&world, pattern, &with, options).await;
            assert_eq!(all(&pages), wanted, "`{pattern}` {options:?}");
            if let Some(limit) = options.limit {
                let stopped = pages.iter().any(|page| page.stop_reason == StopReason::Limit);
                assert!(stopped || options.take.is_some() || pattern == "first visits", "`{pattern}` {options:?}");
                // Where a filter drops items of shards, each of the twelve may be looked at that far.
                let most = if pattern == "paid visits of a month" { 12 * limit } else { limit };
                assert!(pages.iter().all(|page| page.evaluated <= most), "`{pattern}` {options:?}");
            }
        }
    }
    // One partition, item by item.
    let options = QueryOptions { limit: Some(2), ..QueryOptions::default() };
    let page = ask(&world, "calls of a day", &json!({"day": "2026-01-01"}), &options).await.unwrap();
    assert_eq!((page.evaluated, page.stop_reason, page.cursor.is_some()), (2, StopReason::Limit, true));
}

#[tokio::test]
async fn a_filter_that_drops_nearly_everything_still_fills_pages() {
    let world = World::new(design(&design_text("tests/it/support/visits.yaml")), Recorder::default()).await;
    for number in 0..400 {
        let visit = json!({
            "visitId": format!("v{number:03}"), "month": "2026-01", "day": "2026-01-01", "place": "Ulm", "kind": "visit",
            "paid": number % 100 == 99,
            // Large, so that a request ends before it has found anything.
            "note": "x".repeat(3000),
        });
        world.given("Visit", visit).await;
    }
    world.hook().take();
    let paid = ["v099", "v199", "v299", "v399"];
    let with = json!({"from": "2026-01-01", "to": "2026-01-01"});
    let two = QueryOptions { take: Some(2), ..QueryOptions::default() };
    let found = pages(&world, "paid visits between", &with, &two).await;
    assert_eq!(ids(&found[0]), paid[..2]);
    assert_eq!(ids(&found[1]), paid[2..]);
    let monthly = pages(&world, "paid visits of a month", &json!({"month": "2026-01"}), &two).await;
    assert_eq!(all(&monthly), paid);
    assert_eq!(ids(&monthly[0]), paid[..2]);
    // Within a budget a page may be empty, and says that it is not the end.
    let bounded = QueryOptions { limit: Some(10), ..two };
    let page = ask(&world, "paid visits between", &with, &bounded).await.unwrap();
    assert_eq!((page.records.len(), page.evaluated, page.stop_reason), (0, 10, StopReason::Limit));
    assert_eq!(all(&pages(&world, "paid visits between", &with, &bounded).await), paid);
    assert_eq!(all(&pages(&world, "paid visits of a month", &json!({"month": "2026-01"}), &bounded).await), paid);
}

#[tokio::test]
async fn a_page_of_exactly_all_results_loses_and_repeats_none() {
    let world = visits().await;
    let with = json!({"day": "2026-01-01"});
    let calls = pages(&world, "calls of a day", &with, &QueryOptions::default()).await;
    assert_eq!(calls.len(), 1);
    let count = calls[0].records.len();
    assert!(count > 1);
    let exact = QueryOptions { take: Some(count), ..QueryOptions::default() };
    let found = pages(&world, "calls of a day", &with, &exact).await;
    assert_eq!(found[0].records.len(), count);
    assert_eq!(all(&found), ids(&calls[0]));
    assert!(found.len() <= 2);
    let more = QueryOptions { take: Some(count + 1), ..QueryOptions::default() };
    assert_eq!(pages(&world, "calls of a day", &with, &more).await.len(), 1);
    let nothing = pages(&world, "calls of a day", &json!({"day": "2020-01-01"}), &exact).await;
    assert_eq!((nothing.len(), nothing[0].records.len()), (1, 0));
}

fn refused(outcome: Result<Page, Error>) {
    let wanted =
        "the cursor does not belong to this pattern, these arguments and this tenant; request the first page again";
    let error = outcome.unwrap_err();
    assert!(matches!(error, Error::Cursor(_)), "{error:?}");
    assert_eq!(error.to_string(), wanted);
}

#[tokio::test]
async fn cursors_of_other_queries_are_rejected() {
    let world = visits().await;
    let first = QueryOptions { take: Some(3), ..QueryOptions::default() };
    let month = json!({"month": "2026-01"});
    let page = ask(&world, "visits of a month", &month, &first).await.unwrap();
    let cursor = page.cursor.unwrap();
    let with = |cursor: &str| QueryOptions { cursor: Some(cursor.to_owned()), ..first.clone() };
    // Every character counts.
    for place in 0..cursor.len() {
        let mut other = cursor.clone().into_bytes();
        other[place] = if other[place] == b'A' { b'B' } else { b'A' };
        refused(ask(&world, "visits of a month", &month, &with(&String::from_utf8(other).unwrap())).await);
    }
    for other in ["", "A", &cursor[1..], &cursor[..cursor.len() - 1], &format!("{cursor}A"), &format!("{cursor}=")] {
        refused(ask(&world, "visits of a month", &month, &with(other)).await);
    }
    refused(ask(&world, "visits of a month", &json!({"month": "2026-02"}), &with(&cursor)).await);
    refused(ask(&world, "paid visits of a month", &month, &with(&cursor)).await);
    refused(ask(&world, "newest visits of a month", &month, &with(&cursor)).await);
    refused(ask(&world, "visits of a month", &month, &QueryOptions { reverse: true, ..with(&cursor) }).await);
    // A different page size is still the same call.
    let rest = ask(&world, "visits of a month", &month, &QueryOptions { take: Some(1000), ..with(&cursor) }).await;
    assert_eq!(rest.unwrap().records.len(), COUNT - 3);
    assert!(cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'), "{cursor}");
    // Nothing of the key at which the page ended can be read.
    let sealed = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(&cursor).unwrap();
    assert!(!sealed.windows(6).any(|part| part == b"VISIT#"));
}

#[tokio::test]
async fn items_added_and_deleted_between_pages_break_no_cursor() {
    let world = visits().await;
    let month = json!({"month": "2026-01"});
    let first = QueryOptions { take: Some(10), ..QueryOptions::default() };
    let page = ask(&world, "visits of a month", &month, &first).await.unwrap();
    let before = ids(&page);
    // The item at which the page ended goes away: the cursor is a place, not an item.
    let last = world.attributes("Visit", json!({"visitId": before[9]}));
    world.plain.delete(&superuser(), "Visit", last, keyfold_runtime::DeleteOptions::default()).await.unwrap();
    let rest = QueryOptions { cursor: page.cursor, ..QueryOptions::default() };
    let rest = ask(&world, "visits of a month", &month, &rest).await.unwrap();
    let together: Vec<String> = before.into_iter().chain(ids(&rest)).collect();
    assert_eq!(together, expected("visits of a month"));
}

#[tokio::test]
async fn counting_patterns_count_all_results() {
    let world = visits().await;
    let page = ask(&world, "number of visits of a month", &json!({"month": "2026-01"}), &QueryOptions::default())
        .await
        .unwrap();
    assert_eq!((page.count, page.records.len(), page.cursor, page.stop_reason), (COUNT, 0, None, StopReason::End));
    let none = ask(&world, "number of visits of a month", &json!({"month": "2025-01"}), &QueryOptions::default())
        .await
        .unwrap();
    assert_eq!((none.count, none.cursor), (0, None));
}

#[tokio::test]
async fn a_keys_only_index_returns_whole_items() {
    let world = visits().await;
    world.hook().take();
    let page = ask(&world, "visits at a place", &json!({"place": "Ulm"}), &QueryOptions::default()).await.unwrap();
    assert_eq!(page.records.len(), COUNT / 3);
    let wanted: BTreeSet<&str> = ["visitId", "month", "day", "place", "kind", "paid"].into();
    for record in &page.records {
        assert_eq!(record.attributes.keys().map(String::as_str).collect::<BTreeSet<_>>(), wanted);
        assert_eq!(text(record, "place"), "Ulm");
    }
    for take in [1, 3, 20] {
        let options = QueryOptions { take: Some(take), reverse: true, ..QueryOptions::default() };
        let mut backwards = all(&pages(&world, "visits at a place", &json!({"place": "Ulm"}), &options).await);
        backwards.reverse();
        assert_eq!(backwards, ids(&page));
    }
}

#[tokio::test]
async fn a_list_of_values_is_read_once_each() {
    let world = visits().await;
    let plain = QueryOptions::default();
    let two = ask(&world, "visits at places", &json!({"places": ["Ulm", "Bonn"]}), &plain).await.unwrap();
    assert_eq!(two.records.len(), 2 * COUNT / 3);
    assert!(two.records[..COUNT / 3].iter().all(|record| text(record, "place") == "Ulm"));
    let again =
        ask(&world, "visits at places", &json!({"places": ["Ulm", "Bonn", "Ulm", "Ulm"]}), &plain).await.unwrap();
    assert_eq!(ids(&again), ids(&two));
    for take in [1, 7, 20] {
        let options = QueryOptions { take: Some(take), ..plain.clone() };
        assert_eq!(
            all(&pages(&world, "visits at places", &json!({"places": ["Ulm", "Bonn"]}), &options).await),
            ids(&two)
        );
    }
    let none = ask(&world, "visits at places", &json!({"places": []}), &plain).await.unwrap();
    assert_eq!((none.records.len(), none.cursor), (0, None));
    let many = ask(&world, "visits at places", &json!({"places": ["a", "b", "c", "d"]}), &plain).await;
    assert_eq!(violated(many), "range");
}

#[tokio::test]
async fn ranges_of_days_are_bounded() {
    let world = visits().await;
    let plain = QueryOptions::default();
    let range = |from: &str, to: &str| json!({"from": from, "to": to});
    assert_eq!(violated(ask(&world, "visits between", &range("2026-01-01", "2026-02-01"), &plain).await), "range");
    assert_eq!(violated(ask(&world, "visits between", &range("0001-01-01", "9999-12-31"), &plain).await), "range");
    let backwards = ask(&world, "visits between", &range("2026-01-31", "2026-01-01"), &plain).await.unwrap();
    assert_eq!((backwards.records.len(), backwards.cursor), (0, None));
    let one = ask(&world, "visits between", &range("2026-01-03", "2026-01-03"), &plain).await.unwrap();
    assert!(one.records.iter().all(|record| text(record, "day") == "2026-01-03"));
    assert_eq!(one.records.len(), 4);
    // A month that is at least as long as the bound.
    let month = ask(&world, "visits between", &range("2026-01-01", "2026-01-31"), &plain).await.unwrap();
    assert_eq!(month.records.len(), COUNT);
}

#[tokio::test]
async fn invalid_arguments_are_rejected() {
    let world = visits().await;
    let plain = QueryOptions::default();
    let odd: [(&str, Attributes); 3] = [
        ("visits of a month", Attributes::new()),
        (
            "visits of a month",
            arguments(&world.design, "visits of a month", json!({"month": "2026-01", "year": "2026"})),
        ),
        ("visits between", arguments(&world.design, "visits between", json!({"from": "2026-01-01"}))),
    ];
    for (pattern, arguments) in odd {
        let outcome = world.runtime.query(&superuser(), pattern, arguments, &plain).await;
        assert!(matches!(outcome, Err(Error::Invalid(_) | Error::InvalidArgument { .. })), "{outcome:?}");
    }
    assert_eq!(
        violated(ask(&world, "visits between", &json!({"from": "2026-01-01", "to": "tomorrow"}), &plain).await),
        "to"
    );
    let unknown = world.runtime.query(&superuser(), "no such pattern", Attributes::new(), &plain).await;
    assert!(matches!(unknown, Err(Error::Invalid(_))));
}

#[tokio::test]
async fn the_items_examined_for_a_member_are_bounded() {
    const OTHERS: usize = 50_100;
    let world = World::new(design(&design_text("../../designs/platform/design.yaml")), Recorder::default()).await;
    let license = |tenant: &str, number: usize| {
        let fixed = [("accountId", tenant), ("enterpriseId", "e"), ("status", "active"), ("GSI2PK", "ENTERPRISE#e")];
        let mut item: Attributes =
            fixed.into_iter().map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned()))).collect();
        let id = format!("{number:06}");
        for (name, value) in [
            ("PK", format!("ACCOUNT#{tenant}")),
            ("SK", format!("LICENSE#{id}")),
            ("GSI2SK", format!("LICENSE#{id}")),
            ("licenseId", id),
        ] {
            item.insert(name.to_owned(), AttributeValue::S(value));
        }
        BatchWriteRequest::Put { item }
    };
    let mut requests: Vec<BatchWriteRequest> = (0..OTHERS).map(|number| license("theirs", number)).collect();
    requests.extend((OTHERS..OTHERS + 3).map(|number| license("mine", number)));
    for part in requests.chunks(25) {
        let requests = vec![("app_data".to_owned(), part.to_vec())];
        world.engine.batch_write_item(BatchWriteItemInput { requests, ..Default::default() }).await.unwrap();
    }
    let member = Caller { subject: Some("ada".to_owned()), tenant: Some("mine".to_owned()), ..Caller::default() };
    let mut options = QueryOptions::default();
    let read = async |options: &QueryOptions| {
        let with = arguments(&world.design, "licenses by enterprise", json!({"enterpriseId": "e"}));
        world.runtime.query(&member, "licenses by enterprise", with, options).await.unwrap()
    };
    let first = read(&options).await;
    assert_eq!((first.count, first.stop_reason, first.evaluated), (0, StopReason::Examined, 0));
    options.cursor = first.cursor;
    let second = read(&options).await;
    assert_eq!((second.count, second.stop_reason), (3, StopReason::End));
}

#[tokio::test]
async fn without_random_bytes_no_cursor_is_made() {
    let world = visits().await;
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(&world.design))),
        clock: Arc::new(ManualClock::default()),
        random: Arc::new(FailingRandom),
        cursor_secret: vec![7; 32],
        table_name: None,
    };
    let runtime = Runtime::new(Arc::clone(&world.design), Arc::clone(&world.engine), options);
    let arguments = arguments(&world.design, "visits of a month", json!({"month": "2026-01"}));
    let part = QueryOptions { take: Some(2), ..QueryOptions::default() };
    let outcome = runtime.query(&superuser(), "visits of a month", arguments.clone(), &part).await;
    assert!(matches!(outcome, Err(Error::NoRandomness(_))), "{outcome:?}");
    let whole = runtime.query(&superuser(), "visits of a month", arguments, &QueryOptions::default()).await.unwrap();
    assert_eq!(whole.cursor, None, "the whole answer needs no cursor");
}

/// Partitions whose key is more than a day or a number.
#[tokio::test]
async fn ranges_over_composed_partitions_include_both_ends() {
    let design = design(
        "design: log\ntable: log\nentities:\n  Entry:\n    PK: DAY#<day>\n    SK: ENTRY#<id>\n    attributes: {day: date, id: string}\n  \
         Box:\n    PK: SHELF#<shelf>\n    SK: BOX#<id>\n    attributes: {shelf: integer, id: string}\npatterns:\n  \
         entries between: PK between DAY#<from> and DAY#<to>, at most 7 days -> Entry\n  \
         boxes on shelves: PK between SHELF#<first> and SHELF#<last>, at most 3 values -> Box\n\
         allow:\n  - signed in: everything\n",
    );
    let world = World::new(design, Recorder::default()).await;
    for day in ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"] {
        world.given("Entry", json!({"day": day, "id": day})).await;
    }
    for shelf in 8..12 {
        world.given("Box", json!({"shelf": shelf, "id": format!("b{shelf}")})).await;
    }
    let found = async |pattern: &str, with: Value| {
        let page = ask(&world, pattern, &with, &QueryOptions::default()).await.unwrap();
        page.records.iter().map(|record| text(record, "id")).collect::<Vec<_>>()
    };
    let days = found("entries between", json!({"from": "2026-02-28", "to": "2026-03-02"})).await;
    assert_eq!(days, ["2026-02-28", "2026-03-01", "2026-03-02"]);
    assert_eq!(found("boxes on shelves", json!({"first": 9, "last": 11})).await, ["b9", "b10", "b11"]);
    assert_eq!(found("boxes on shelves", json!({"first": 9, "last": 8})).await, [""; 0]);
    let many = ask(&world, "boxes on shelves", &json!({"first": 8, "last": 11}), &QueryOptions::default()).await;
    assert_eq!(violated(many), "range");
}

#[tokio::test]
async fn a_page_ends_with_the_result_that_makes_it_larger_than_a_page_of_dynamodb() {
    let world = World::new(design(&design_text("tests/it/support/visits.yaml")), Recorder::default()).await;
    for number in 0..100 {
        let visit = json!({
            "visitId": format!("v{number:02}"), "month": "2026-01", "day": "2026-01-01", "place": "Bonn", "kind": "visit",
            "paid": true, "note": "𝄞".repeat(3000),
        });
        world.given("Visit", visit).await;
    }
    let options = QueryOptions { take: Some(1000), ..QueryOptions::default() };
    for (pattern, with) in [
        ("visits between", json!({"from": "2026-01-01", "to": "2026-01-02"})),
        ("visits of a month", json!({"month": "2026-01"})),
    ] {
        let pages = pages(&world, pattern, &with, &options).await;
        let sizes = |page: &Page| page.records.iter().map(|record| item_size(&record.attributes)).collect::<Vec<_>>();
        let first = sizes(&pages[0]);
        let size: usize = first.iter().sum();
        assert!(size >= 1 << 20 && size - first.last().unwrap() < 1 << 20, "{pattern}: {size}");
        assert_eq!((pages.len(), pages[0].stop_reason), (2, StopReason::Full), "{pattern}");
        assert_eq!(all(&pages).len(), 100, "{pattern}");
    }
}
