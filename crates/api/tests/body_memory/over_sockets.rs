//! Bodies over sockets, with the client and the server of the other tests.

#[path = "../it/over_sockets/client.rs"]
#[expect(dead_code, reason = "shared with other tests")]
mod client;
#[path = "../it/over_sockets/world.rs"]
#[expect(dead_code, reason = "shared with other tests")]
mod world;

use bytes::Bytes;
use http::Method;

use self::world::{Setting, World};
use crate::counting_allocator::Measurement;

const NOTES: &str = "
design: notes
table: notes
entities:
  Note:
    open: yes
    PK: NOTE#<noteId>
    SK: METADATA
    attributes: {noteId: string, tags: 'string set, optional'}
allow:
  - signed in: everything
";

const MIB: usize = 1024 * 1024;

/// One test at a time: the allocator counts for all of them.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A body of about this size: what it begins with, what it repeats, and how it ends.
fn body(bytes: usize, begin: &str, repeated: &str, end: &str) -> Bytes {
    let mut text = String::with_capacity(bytes + 1000);
    text.push_str(begin);
    while text.len() + repeated.len() < bytes {
        text.push_str(repeated);
    }
    text.push_str(end);
    text.into()
}

#[tokio::test(flavor = "multi_thread")]
async fn parsing_takes_at_most_ten_times_the_bytes() {
    let _turn = TURN.lock().await;
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let headers = [("content-type", "application/json")];
    let bodies = [
        ("zeros", r#"{"noteId":"a","v":["#, "0,", "0]}"),
        ("nulls", r#"{"noteId":"a","v":["#, "null,", "null]}"),
        ("empty lists", r#"{"noteId":"a","v":["#, "[],", "[]]}"),
        ("lists of lists", r#"{"noteId":"a","v":["#, "[[[[[0]]]]],", "0]}"),
        ("empty objects", r#"{"noteId":"a","v":["#, "{},", "{}]}"),
        ("objects", r#"{"noteId":"a","v":["#, r#"{"a":0},"#, "0]}"),
        ("objects within objects", r#"{"noteId":"a","v":["#, r#"{"a":{"a":{"a":0}}},"#, "0]}"),
        ("texts", r#"{"noteId":"a","v":["#, r#""a","#, r#""a"]}"#),
        ("escapes", r#"{"noteId":"a","v":""#, r"\u0061", "\"}"),
        ("a set", r#"{"noteId":"a","tags":["#, r#""a","#, r#""b"]}"#),
        ("one text", r#"{"noteId":"a","v":""#, "xxxxxxxxxxxxxxxx", "\"}"),
        ("not JSON", r#"{"noteId":"a","v":["#, "0,,", ""),
    ];
    for path in ["/v1/notes/notes", "/v1/notes/transactions", "/v1/notes/authorize"] {
        for (what, begin, repeated, end) in bodies {
            let sent = body(6 * MIB - 100, begin, repeated, end);
            let sent = match path {
                "/v1/notes/notes" => sent,
                "/v1/notes/transactions" => {
                    let item = std::str::from_utf8(&sent).unwrap();
                    format!(r#"{{"writes":[{{"create":{{"Note":{item}}}}}]}}"#).into()
                }
                _ => {
                    let item = std::str::from_utf8(&sent).unwrap();
                    format!(r#"{{"verb":"create","entity":"Note","item":{item}}}"#).into()
                }
            };
            let length = sent.len();
            let measurement = Measurement::begin();
            let response = world.client.send("subject=a", Method::POST, path, &headers, sent).await;
            let taken = measurement.peak();
            println!(
                "{path}, {what}: {} for {length} bytes, {:.1} times",
                response.status,
                taken as f64 / length as f64
            );
            assert!(response.status.as_u16() < 500, "{path}, {what}: {response:?}");
            assert!(taken <= 10 * length, "{path}, {what}: {taken} for {length}");
        }
    }
    world.stop().await;
}

/// An item may have as many values as fit into 400 KB, however much they take as values.
#[tokio::test(flavor = "multi_thread")]
async fn an_item_takes_no_more_than_its_values() {
    let _turn = TURN.lock().await;
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let headers = [("content-type", "application/json")];
    for (what, repeated, last, bytes) in [
        ("zeros", "0,", "0", 400_000),
        ("empty texts", r#""","#, r#""""#, 1_200_000),
        ("maps", r#"{"a":0},"#, "0", 460_000),
    ] {
        let sent =
            body(bytes, &format!(r#"{{"noteId":"{}","v":["#, what.replace(' ', "-")), repeated, &format!("{last}]}}"));
        let measurement = Measurement::begin();
        world.client.send("subject=a", Method::POST, "/v1/notes/notes", &headers, sent).await.expect(201);
        let taken = measurement.peak();
        println!("{what}: {taken} for {bytes} bytes, {:.1} times", taken as f64 / bytes as f64);
        // The item exists several times while it is written and returned.
        assert!(taken <= 256 * MIB, "{what}: {taken}");
    }
    world.stop().await;
}
