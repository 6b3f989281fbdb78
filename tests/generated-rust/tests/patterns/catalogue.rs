use keyfold_generated_rust::catalogue::Catalogue;
use keyfold_runtime::Caller;
use keyfold_typed::Date;

use crate::world::World;

const SITE: &str = "01KDVS00000000000000000A01";
const USER: &str = "ada00000-0000-4000-8000-000000000001";
const PLAYER: &str = "019a5c00-0000-7000-8000-000000000ada";

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

#[tokio::test]
async fn every_pattern() {
    let world = World::of("designs/catalogue").await;
    let catalogue = Catalogue::new(&world.over_the_wire, Caller::superuser("tester"));
    let range = (day("2026-01-01"), day("2026-03-01"));
    same!(world, catalogue, all_sites(), {});
    same!(world, catalogue, sites_by_tag("c#"), {"tag": "c#"});
    same!(world, catalogue, sites_with_a_tag("c#"), {"tag": "c#"});
    same!(world, catalogue, tags_of_a_site(SITE), {"site": SITE});
    same!(world, catalogue, comments_of_a_site(SITE), {"site": SITE});
    same!(world, catalogue, site_with_everything(SITE), {"site": SITE});
    same!(world, catalogue, my_ratings(USER), {"user": USER});
    same!(world, catalogue, my_comments(USER), {"user": USER});
    same!(world, catalogue, my_comments_on_a_site(USER, SITE), {"user": USER, "site": SITE});
    same!(world, catalogue, ratings_by_stars(4), {"stars": 4});
    same!(world, catalogue, five_star_ratings(), {});
    same!(world, catalogue, ratings_of_a_site(&[3, 4, 5], SITE), {"stars": [3, 4, 5], "site": SITE});
    same!(world, catalogue, all_groups(), {});
    same!(world, catalogue, groups_of_a_user(USER), {"userId": USER});
    same!(world, catalogue, members_of_a_group("Squash"), {"groupName": "Squash"});
    same!(world, catalogue, profile(USER), {"userId": USER});
    same!(world, catalogue, all_players(), {});
    same!(world, catalogue, all_matches(), {});
    same!(world, catalogue, matches_on_a_day(day("2026-01-03")), {"date": "2026-01-03"});
    same!(world, catalogue, matches_in_a_range(range.0, range.1), {"from": "2026-01-01", "to": "2026-03-01"});
    same!(world, catalogue, matches_between(range.0, range.1), {"from": "2026-01-01", "to": "2026-03-01"});
    same!(world, catalogue, matches_of_a_player(PLAYER.parse().unwrap()), {"playerId": PLAYER});
    world.has_called_every_pattern(84);
}
