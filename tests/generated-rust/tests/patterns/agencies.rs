use keyfold_generated_rust::agencies::Agencies;
use keyfold_runtime::Caller;

use crate::world::World;

const AGENCY: &str = "01K9ZV0000000000000000AAAA";

#[tokio::test]
async fn every_pattern() {
    let world = World::of("designs/agencies").await;
    let agencies = Agencies::new(&world.over_the_wire, Caller::superuser("tester"));
    same!(world, agencies, agency_with_members(AGENCY), {"agencyId": AGENCY});
    same!(world, agencies, members_by_agency(AGENCY), {"agencyId": AGENCY});
    same!(world, agencies, all_agencies(), {});
    same!(world, agencies, all_members(), {});
    same!(world, agencies, members_by_idpid("ada"), {"idpid": "ada"});
    world.has_called_every_pattern(12);
}
