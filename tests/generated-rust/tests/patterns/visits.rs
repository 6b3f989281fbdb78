use keyfold_generated_rust::visits::Visits;
use keyfold_runtime::Caller;
use keyfold_typed::Date;
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn every_pattern() {
    let world = World::of("tests/generated/visits").await;
    let visits = Visits::new(&world.over_the_wire, Caller::superuser("tester"));
    let day: Date = "2026-01-01".parse().unwrap();
    same!(world, visits, person_with_visits("ada"), {"personId": "ada"});
    same!(world, visits, visits_of_a_day(day), {"day": "2026-01-01"});
    same!(world, visits, last_visits_of_a_day(day), {"day": "2026-01-01"});
    same!(world, visits, visits_of_a_sharded_day(day), {"shardedDay": "2026-01-01"});
    let count = visits.number_of_visits("ada").await.unwrap();
    assert_eq!(count, 6);
    world.compare_count("number_of_visits", json!({"personId": "ada"}), count).await;
    let count = visits.visits_in_a_day(day).await.unwrap();
    assert_eq!(count, 9);
    world.compare_count("visits_in_a_day", json!({"day": "2026-01-01"}), count).await;
    world.has_called_every_pattern(49);
}
