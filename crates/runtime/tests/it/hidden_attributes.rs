//! Patterns that test attributes with `visible to`: callers who do not see the values must not find items by them.

use crate::support::*;
use keyfold_runtime::{Caller, Error, Page, QueryOptions};
use serde_json::{Value, json};

const DESIGN: &str = "
design: staff
table: staff
indexes:
  GSI1: {purpose: by grade}
entities:
  Person:
    owner: personId
    PK: TEAM#<team>
    SK: PERSON#<personId>
    GSI1PK: GRADE#<grade>
    GSI1SK: <salary:width(9)>#<personId>
    attributes:
      team: string
      personId: string
      grade: string, visible to role boss
      salary: integer, visible to role boss
      note: string, visible to the owner
patterns:
  team: PK = TEAM#<team>
  earning: PK = TEAM#<team> where salary >= <salary>
  number earning: PK = TEAM#<team>, count where salary >= <salary>
  of grade: GSI1PK = GRADE#<grade>
  noted: PK = TEAM#<team> where note = <note>
callers: {operators: role operator}
allow:
  - signed in: read Person
";

async fn world() -> World<Nothing> {
    let world = World::new(design(DESIGN), Nothing).await;
    for (person, salary) in [("ann", 10), ("bob", 20)] {
        let person = json!({"team": "red", "personId": person, "grade": "a", "salary": salary, "note": "x"});
        world.given("Person", person).await;
    }
    world
}

async fn ask(world: &World<Nothing>, caller: &Caller, pattern: &str, with: Value) -> Result<Page, Error> {
    let arguments = arguments(&world.design, pattern, with);
    world.runtime.query(caller, pattern, arguments, &QueryOptions::default()).await
}

fn signed_in(subject: &str, role: &str) -> Caller {
    Caller { subject: Some(subject.to_owned()), roles: vec![role.to_owned()], ..Caller::default() }
}

#[tokio::test]
async fn conditions_on_what_the_caller_does_not_see_are_denied() {
    let world = world().await;
    let (boss, worker) = (signed_in("eve", "boss"), signed_in("ann", "worker"));
    let red = |salary: u32| json!({"team": "red", "salary": salary});
    for (pattern, with, attribute) in [
        ("earning", red(15), "salary"),
        ("number earning", red(15), "salary"),
        ("of grade", json!({"grade": "a"}), "grade"),
    ] {
        let denied = ask(&world, &worker, pattern, with.clone()).await.unwrap_err();
        let text = format!("`{pattern}` tests `{attribute}` of Person, which is not visible to `ann`");
        assert_eq!(denied, Error::NotAllowed(text.clone()));
        let explained = world.runtime.explain_query(&worker, pattern, arguments(&world.design, pattern, with), 20);
        assert_eq!(explained.unwrap_err(), Error::NotAllowed(text));
    }
    assert_eq!(ask(&world, &boss, "earning", red(15)).await.unwrap().count, 1);
    assert_eq!(ask(&world, &boss, "number earning", red(15)).await.unwrap().count, 1);
    assert_eq!(ask(&world, &boss, "of grade", json!({"grade": "a"})).await.unwrap().count, 2);
    assert_eq!(ask(&world, &worker, "team", json!({"team": "red"})).await.unwrap().count, 2);
}

#[tokio::test]
async fn where_visibility_depends_on_the_item_only_visible_ones_are_found() {
    let world = world().await;
    let page = ask(&world, &signed_in("ann", "worker"), "noted", json!({"team": "red", "note": "x"})).await.unwrap();
    let found: Vec<&str> = page.records.iter().map(|record| record.attributes["personId"].as_str().unwrap()).collect();
    assert_eq!(found, ["ann"]);
    assert_eq!(page.evaluated, 1);
}
