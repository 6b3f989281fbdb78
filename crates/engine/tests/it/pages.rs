//! Pages: a megabyte or `Limit` items at a time, and only an absent last key means the end.

use crate::scene;

use std::collections::BTreeSet;

use crate::scene::requests::{aliases, condition, delete, partition, put, scan_page};
use crate::scene::tables::{all, keys_only, table};
use crate::scene::{item, n, s, wait};
use keyfold_dynamo::operation::{
    BatchGetItemInput, KeysAndAttributes, PageOptions, PageOutput, QueryInput, ScanInput, Select,
};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend, Item, ServiceError};
use keyfold_engine::Engine;

const MEGABYTE: usize = 1024 * 1024;

fn new_table() -> Engine {
    let engine = scene::memory();
    table("t", ("pk", KeyType::S), Some(("sk", KeyType::N)))
        .global("by_g", ("g", KeyType::S), Some(("h", KeyType::N)), all())
        .global("keys", ("g", KeyType::S), None, keys_only())
        .create(&engine);
    engine
}

fn key(number: usize) -> Attributes {
    item([("pk", s("p")), ("sk", n(number))])
}

fn numbered(number: usize) -> Attributes {
    item([("pk", s("p")), ("sk", n(number)), ("g", s("g")), ("h", n(number)), ("parity", n(number % 2))])
}

/// An item of exactly so many bytes, with a one-digit number.
fn sized(number: usize, bytes: usize) -> Attributes {
    // pk + p + sk + a number of one digit + d
    let rest = bytes - (2 + 1 + 2 + 2 + 1);
    item([("pk", s("p")), ("sk", n(number)), ("d", s("x".repeat(rest)))])
}

fn pages(engine: &Engine, mut query: QueryInput) -> Vec<PageOutput> {
    let mut pages = Vec::new();
    loop {
        let page = wait(engine.query(query.clone())).unwrap();
        let last = page.last_evaluated_key.clone();
        pages.push(page);
        match last {
            None => return pages,
            key => query.page.exclusive_start_key = key,
        }
    }
}

fn with_limit(mut query: QueryInput, limit: i64) -> QueryInput {
    query.page.limit = Some(limit);
    query
}

#[test]
fn a_page_ends_with_the_item_that_fills_a_megabyte() {
    let quarter = MEGABYTE / 4;
    for (bytes, expected) in [(quarter - 1, vec![5, 2]), (quarter, vec![4, 3]), (quarter + 1, vec![4, 3])] {
        let engine = new_table();
        for number in 1..=7 {
            let new = sized(number, bytes);
            assert_eq!(keyfold_dynamo::value::item_size(&new), bytes);
            put(&engine, "t", new).unwrap();
        }
        let counts: Vec<usize> =
            pages(&engine, partition("t", None, "pk", s("p"))).iter().map(|page| page.count).collect();
        assert_eq!(counts, expected, "items of {bytes} bytes");
        let first = scan_page(&engine, ScanInput { table_name: "t".to_owned(), ..ScanInput::default() });
        assert_eq!(first.count, expected[0]);
        assert_eq!(first.last_evaluated_key, Some(key(expected[0])));
    }
}

#[test]
fn a_page_is_measured_before_the_filter_and_the_projection() {
    let engine = new_table();
    for number in 1..=7 {
        put(&engine, "t", sized(number, MEGABYTE / 4)).unwrap();
    }
    let mut query = partition("t", None, "pk", s("p"));
    query.page.filter = Some(condition("attribute_exists(nothing)", []));
    let empty = pages(&engine, query);
    assert_eq!(empty.iter().map(|page| (page.count, page.scanned_count)).collect::<Vec<_>>(), [(0, 4), (0, 3)]);
    let mut query = partition("t", None, "pk", s("p"));
    query.page.projection = Some(aliases([]).projection("sk").unwrap());
    assert_eq!(pages(&engine, query).len(), 2);
    let mut query = partition("t", None, "pk", s("p"));
    query.page.select = Some(Select::Count);
    let counted = pages(&engine, query);
    assert_eq!(counted.iter().map(|page| page.count).collect::<Vec<_>>(), [4, 3]);
    assert!(counted.iter().all(|page| page.items.is_none()));
}

#[test]
fn an_index_page_is_measured_by_what_the_index_holds() {
    let engine = new_table();
    for number in 1..=9 {
        let mut new = sized(number, MEGABYTE / 4);
        new.extend(item([("g", s("g")), ("h", n(number))]));
        put(&engine, "t", new).unwrap();
    }
    let whole = pages(&engine, partition("t", Some("by_g"), "g", s("g")));
    assert_eq!(whole.iter().map(|page| page.count).collect::<Vec<_>>(), [4, 4, 1]);
    let keys = pages(&engine, partition("t", Some("keys"), "g", s("g")));
    assert_eq!(keys.iter().map(|page| page.count).collect::<Vec<_>>(), [9]);
}

#[test]
fn a_page_that_ends_exactly_at_the_limit_says_where_to_go_on() {
    let engine = new_table();
    for number in 0..6 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    for index in [None, Some("by_g")] {
        let query = match index {
            None => partition("t", None, "pk", s("p")),
            Some(_) => partition("t", index, "g", s("g")),
        };
        let last_key = |number: usize| {
            let mut last = key(number);
            if index.is_some() {
                last.extend(item([("g", s("g")), ("h", n(number))]));
            }
            Some(last)
        };
        let read = |limit| {
            let read = pages(&engine, with_limit(query.clone(), limit));
            read.into_iter().map(|page| (page.count, page.last_evaluated_key)).collect::<Vec<_>>()
        };
        assert_eq!(read(2), [(2, last_key(1)), (2, last_key(3)), (2, last_key(5)), (0, None)]);
        assert_eq!(read(6), [(6, last_key(5)), (0, None)]);
        assert_eq!(read(4), [(4, last_key(3)), (2, None)]);
        assert_eq!(read(7), [(6, None)]);
    }
    let scan = |limit| {
        let page = PageOptions { limit: Some(limit), ..PageOptions::default() };
        scan_page(&engine, ScanInput { table_name: "t".to_owned(), page, ..ScanInput::default() })
    };
    assert_eq!(scan(6).last_evaluated_key, Some(key(5)));
    assert_eq!(scan(7).last_evaluated_key, None);
}

#[test]
fn a_limit_counts_what_is_read_and_not_what_passes_the_filter() {
    let engine = new_table();
    for number in 0..9 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    let mut query = with_limit(partition("t", None, "pk", s("p")), 3);
    query.page.filter = Some(condition("parity = :odd", [(":odd", n(1))]));
    let read = pages(&engine, query);
    let counts: Vec<_> = read.iter().map(|page| (page.count, page.scanned_count)).collect();
    assert_eq!(counts, [(1, 3), (2, 3), (1, 3), (0, 0)]);
    let items: Vec<Item> = read.into_iter().flat_map(|page| page.items.unwrap()).collect();
    assert_eq!(items, [1, 3, 5, 7].map(numbered));
}

#[test]
fn a_page_goes_on_after_a_key_whose_item_is_gone() {
    let engine = new_table();
    for number in 0..10 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    for forward in [true, false] {
        let mut query = with_limit(partition("t", None, "pk", s("p")), 4);
        query.forward = forward;
        let first = wait(engine.query(query.clone())).unwrap();
        let last = first.last_evaluated_key.unwrap();
        delete(&engine, "t", last.clone()).unwrap();
        query.page.exclusive_start_key = Some(last.clone());
        query.page.limit = None;
        let rest = wait(engine.query(query)).unwrap();
        assert_eq!(rest.count, 6);
        let number: usize = last["sk"].as_number().unwrap().to_string().parse().unwrap();
        put(&engine, "t", numbered(number)).unwrap();
    }
}

#[test]
fn a_batch_get_leaves_what_goes_beyond_16_megabytes() {
    let engine = new_table();
    for number in 0..50 {
        let mut large = key(number);
        large.insert("d".to_owned(), s("x".repeat(400 * 1000)));
        put(&engine, "t", large).unwrap();
    }
    let mut keys: Vec<Attributes> = (0..50).map(key).collect();
    let mut counts = Vec::new();
    while !keys.is_empty() {
        let request = KeysAndAttributes { keys: keys.clone(), ..KeysAndAttributes::default() };
        let input = BatchGetItemInput { requests: vec![("t".to_owned(), request)], ..BatchGetItemInput::default() };
        let output = wait(engine.batch_get_item(input)).unwrap();
        let found = &output.responses["t"];
        assert_eq!(found.iter().map(|item| item.attributes().unwrap()["sk"].clone()).collect::<Vec<_>>(), {
            keys.iter().take(found.len()).map(|key| key["sk"].clone()).collect::<Vec<_>>()
        });
        counts.push(found.len());
        keys = output.unprocessed.into_iter().flat_map(|(_, request)| request.keys).collect();
    }
    // 41 times 400,010 bytes are less than 16 MB, 42 times more.
    assert_eq!(counts, [41, 9]);
}

#[test]
fn segments_have_every_item_once() {
    let engine = new_table();
    for number in 0..300 {
        let mut new = numbered(number);
        new.insert("pk".to_owned(), s(format!("p{number}")));
        new.insert("g".to_owned(), s(format!("g{}", number % 90)));
        put(&engine, "t", new).unwrap();
    }
    for total in [1, 2, 3, 7, 64, 1000, 1_000_000] {
        for index in [None, Some("by_g"), Some("keys")] {
            let mut seen = BTreeSet::new();
            let mut busy = 0;
            // Of a million segments, those at both ends and around items would do; the ends are looked at.
            let segments: Vec<i64> = if total <= 1000 { (0..total).collect() } else { vec![0, total - 1] };
            for segment in segments {
                let before = seen.len();
                let mut input = ScanInput {
                    table_name: "t".to_owned(),
                    segment: Some(segment),
                    total_segments: Some(total),
                    page: PageOptions {
                        index_name: index.map(str::to_owned),
                        limit: Some(7),
                        ..PageOptions::default()
                    },
                };
                loop {
                    let page = scan_page(&engine, input.clone());
                    for found in page.items.unwrap() {
                        assert!(
                            seen.insert(found.attributes().unwrap()["pk"].as_str().unwrap().to_owned()),
                            "an item came twice"
                        );
                    }
                    match page.last_evaluated_key {
                        None => break,
                        key => input.page.exclusive_start_key = key,
                    }
                }
                busy += usize::from(seen.len() > before);
            }
            if total <= 1000 {
                assert_eq!(seen.len(), 300, "{total} segments of {index:?}");
                assert!(busy as i64 >= total.min(40), "{busy} of {total} segments have items");
            }
        }
    }
}

fn assert_refused(answer: Result<PageOutput, ServiceError>) {
    match answer {
        Err(ServiceError::Validation(_)) => {}
        other => panic!("a foreign start key gave {other:?}"),
    }
}

#[test]
fn a_start_key_of_elsewhere_is_refused() {
    let engine = new_table();
    for number in 0..5 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    let of_index = item([("pk", s("p")), ("sk", n(1)), ("g", s("g")), ("h", n(1))]);
    let table_keys = [
        item([("pk", s("other")), ("sk", n(1))]),
        item([("pk", s("p"))]),
        item([("sk", n(1))]),
        item([("pk", s("p")), ("sk", s("1"))]),
        item([("pk", s("p")), ("sk", n(1)), ("extra", n(1))]),
        item([("pk", s("p")), ("other", n(1))]),
        item([("pk", s("")), ("sk", n(1))]),
        of_index.clone(),
        Attributes::new(),
    ];
    for start in table_keys {
        let mut query = partition("t", None, "pk", s("p"));
        query.page.exclusive_start_key = Some(start);
        assert_refused(wait(engine.query(query)));
    }
    let index_keys = [
        key(1),
        item([("g", s("g")), ("h", n(1))]),
        item([("pk", s("p")), ("sk", n(1)), ("g", s("other")), ("h", n(1))]),
        item([("pk", s("p")), ("sk", n(1)), ("g", s("g")), ("h", s("1"))]),
        item([("pk", s("p")), ("sk", n(1)), ("g", s("g")), ("extra", n(1))]),
    ];
    for start in index_keys {
        let mut query = partition("t", Some("by_g"), "g", s("g"));
        query.page.exclusive_start_key = Some(start);
        assert_refused(wait(engine.query(query)));
    }
    // One of the same partition, outside what the query asks for.
    for (sort_condition, number) in [("sk > :n", 2), ("sk < :n", 3), ("sk = :n", 3)] {
        let mut query = partition("t", None, "pk", s("p"));
        query.key_condition = query.key_condition.and(condition(sort_condition, [(":n", n(2))]));
        query.page.exclusive_start_key = Some(key(number));
        assert_refused(wait(engine.query(query)));
    }
    // A scan of one segment does not start in another.
    let scans = (0..4).map(|segment| {
        wait(engine.scan(ScanInput {
            table_name: "t".to_owned(),
            segment: Some(segment),
            total_segments: Some(4),
            page: PageOptions { exclusive_start_key: Some(key(1)), ..PageOptions::default() },
        }))
    });
    let (accepted, refused): (Vec<_>, Vec<_>) = scans.partition(Result::is_ok);
    assert_eq!((accepted.len(), refused.len()), (1, 3));
    assert_eq!(accepted[0].as_ref().unwrap().count, 3);
    refused.into_iter().for_each(assert_refused);
    let start = Some(item([("pk", s("p"))]));
    let page = PageOptions { exclusive_start_key: start, ..PageOptions::default() };
    assert_refused(wait(engine.scan(ScanInput { table_name: "t".to_owned(), page, ..ScanInput::default() })));
}
