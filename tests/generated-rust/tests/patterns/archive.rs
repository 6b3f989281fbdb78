use keyfold_generated_rust::archive::Archive;
use keyfold_runtime::Caller;

use crate::world::World;

#[tokio::test]
async fn every_pattern() {
    let world = World::of("designs/archive").await;
    let archive = Archive::new(&world.over_the_wire, Caller::superuser("tester"));
    let identity = ("https://accounts.example.com", "hans");
    same!(world, archive, categories(), {});
    same!(world, archive, collections(), {});
    same!(world, archive, collection_with_categories("1"), {"collectionId": "1"});
    same!(world, archive, categories_of_a_collection("1"), {"collectionId": "1"});
    same!(world, archive, collections_of_a_category("1"), {"categoryId": "1"});
    same!(world, archive, places_by_name("Ær"), {"name": "Ær"});
    same!(world, archive, places_with_a_word("Bornholm"), {"word": "Bornholm"});
    same!(world, archive, posts(), {});
    same!(world, archive, posts_of_a_collection("1"), {"collectionId": "1"});
    same!(world, archive, post_with_households("1"), {"postId": "1"});
    same!(world, archive, records_of_a_post("1"), {"postId": "1"});
    same!(world, archive, households_of_a_post("1"), {"postId": "1"});
    same!(world, archive, records_of_a_household("1", "1"), {"household": "1", "postId": "1"});
    same!(world, archive, settings(), {});
    same!(world, archive, settings_by_name("Archive of the islands"), {"name": "Archive of the islands"});
    same!(world, archive, users(), {});
    same!(world, archive, user_by_identity(identity.0, identity.1), {"issuer": identity.0, "subject": identity.1});
    world.has_called_every_pattern(41);
}
