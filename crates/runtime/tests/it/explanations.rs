//! What `explain` says of a call, beside its expressions: the order of requests, and their cost.

use crate::support::*;
use keyfold_runtime::Explanation;
use serde_json::{Value, json};

const DESIGN: &str = "
design: posts
table: posts
indexes:
  byDay: {partition: day, sort: postId, purpose: the posts of a day, projection: keys}
entities:
  Post:
    PK: AUTHOR#<authorId>
    SK: POST#<postId>
    attributes:
      postId: string
      authorId: string
      day: date
patterns:
  posts between: day between <from> and <to>, at most 31 days
  newest posts between: day between <from> and <to>, at most 31 days, newest first
allow:
  - signed in: everything
accept:
  KF031 day: few posts
  KF064 posts between: few are read
  KF064 newest posts between: few are read
";

fn days(explained: &Explanation) -> Vec<&str> {
    explained.requests.iter().map(|request| request.values[":v0"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn partitions_and_queries_are_in_the_order_in_which_they_are_read() {
    let world = World::new(design(DESIGN), Nothing).await;
    let explain = |pattern: &str, to: &str| {
        let given: Value = json!({"from": "2026-01-01", "to": to});
        world.runtime.explain_query(&operator(), pattern, arguments(&world.design, pattern, given), 20).unwrap()
    };
    let oldest = explain("posts between", "2026-01-02");
    assert_eq!(days(&oldest), ["2026-01-01", "2026-01-02"]);
    assert!(oldest.requests.iter().all(|request| request.forward == Some(true)));
    let newest = explain("newest posts between", "2026-01-02");
    assert_eq!(days(&newest), ["2026-01-02", "2026-01-01"]);
    assert!(newest.requests.iter().all(|request| request.forward == Some(false)));
    assert_eq!(newest.assumed_item_bytes, Some(1024));
    let none = explain("posts between", "2025-12-31");
    assert_eq!((none.requests.len(), none.read_units, none.assumed_item_bytes), (0, 0.0, None));
}
