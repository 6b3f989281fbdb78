use keyfold_generated_rust::albums::Albums;
use keyfold_runtime::Caller;

use crate::world::World;

const TENANT: &str = "01K9ZV0000000000000000TENA";
const USER: &str = "01K9ZV00000000000000000ADA";
const MEMBERSHIP: &str = "01K9ZV0000000000000000MB01";
const PARENT: &str = "01K9ZV0000000000000000AB01";
const ALBUM: &str = "01K9ZV0000000000000000AB03";

#[tokio::test]
async fn every_pattern() {
    let world = World::of("designs/albums").await;
    let albums = Albums::new(&world.over_the_wire, Caller::superuser("tester"));
    let identity = ("https://id.example.com", "auth0|7");
    same!(world, albums, tenant_with_everything(TENANT), {"tenantId": TENANT});
    same!(world, albums, albums_of_a_tenant(TENANT), {"tenantId": TENANT});
    same!(world, albums, images_of_a_tenant(TENANT), {"tenantId": TENANT});
    same!(world, albums, membership_of_a_user_in_a_tenant(TENANT, USER), {"tenantId": TENANT, "userId": USER});
    same!(world, albums, membership_with_its_views(MEMBERSHIP), {"membershipId": MEMBERSHIP});
    same!(world, albums, root_albums(TENANT), {"tenantId": TENANT});
    same!(world, albums, albums_in_an_album(PARENT), {"parentId": PARENT});
    same!(world, albums, images_in_an_album(ALBUM), {"albumId": ALBUM});
    same!(world, albums, content_of_an_album(ALBUM), {"albumId": ALBUM});
    same!(world, albums, user_by_oidc_subject(identity.0, identity.1), {"issuer": identity.0, "subject": identity.1});
    same!(world, albums, user_by_email("ADA@example.com"), {"email": "ADA@example.com"});
    same!(world, albums, members_of_a_tenant(TENANT), {"tenantId": TENANT});
    same!(world, albums, tenants_of_a_user(USER), {"userId": USER});
    world.has_called_every_pattern(48);
}
