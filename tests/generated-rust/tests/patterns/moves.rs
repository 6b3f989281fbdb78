use keyfold_generated_rust::moves::Moves;
use keyfold_runtime::Caller;

use crate::world::World;

#[tokio::test]
async fn every_pattern() {
    let world = World::of("tests/generated/moves").await;
    let moves = Moves::new(&world.over_the_wire, Caller::superuser("tester"));
    same!(world, moves, people_of_a_team("red"), {"team": "red"});
    same!(world, moves, person_by_email("ADA@acme.example"), {"email": "ADA@acme.example"});
    same!(world, moves, everything_in_a_city("Oslo"), {"city": "Oslo"});
    same!(world, moves, rooms_in_a_city("Oslo"), {"city": "Oslo"});
    same!(world, moves, places_of_an_org("acme"), {"org": "acme"});
    same!(world, moves, lockers("acme"), {"org": "acme"});
    same!(world, moves, free_places("acme"), {"org": "acme"});
    same!(world, moves, free_places_in_a_row("acme", "#"), {"org": "acme", "row": "#"});
    world.has_called_every_pattern(24);
}
