//! That a key or a unique value is taken is reported last: a write that is wrong in any other way tells its caller
//! nothing about the items of other tenants.

use crate::support::*;
use keyfold_runtime::{Caller, Error, Write};
use serde_json::{Value, json};

/// Ada of one account, who may write users and assign roles; Bob is a user of another account.
async fn platform() -> (World<Recorder>, Caller) {
    let text = design_text("../../designs/platform/design.yaml");
    let world = World::new(design(&text), Recorder::default()).await;
    for account in ["northwind", "contoso"] {
        world.given("Account", json!({"accountId": account, "name": account})).await;
    }
    world.given("Role", json!({"roleId": "reader", "name": "Reader"})).await;
    world.given("User", user("bob", "contoso", "reader")).await;
    let permissions = ["users.write", "roles.write"].map(str::to_owned).to_vec();
    (world, Caller { permissions, ..Caller::member("northwind", "ada") })
}

fn user(id: &str, account: &str, role: &str) -> Value {
    json!({"userId": id, "accountId": account, "roleId": role, "email": "x@example.com", "firstName": "X", "lastName": "Y"})
}

/// The outcome of each verb that creates items, with the requests that it sent.
async fn outcomes(world: &World<Recorder>, caller: &Caller, value: Value) -> Vec<(Option<Error>, Vec<&'static str>)> {
    let attributes = world.attributes("User", value);
    let entity = || "User".to_owned();
    let mut outcomes = Vec::new();
    for write in [
        Write::Create { entity: entity(), attributes: attributes.clone() },
        Write::Put { entity: entity(), attributes: attributes.clone() },
        Write::Upsert { entity: entity(), attributes: attributes.clone() },
    ] {
        world.hook().take();
        let outcome = world.runtime.transact(caller, vec![write]).await;
        outcomes.push((outcome.err(), world.hook().names()));
    }
    outcomes
}

#[tokio::test]
async fn a_taken_key_is_reported_last() {
    let (world, ada) = platform().await;
    let before = world.table().await;
    let taken = outcomes(&world, &ada, user("bob", "northwind", "none")).await;
    let free = outcomes(&world, &ada, user("eve", "northwind", "none")).await;
    assert_eq!(taken, free);
    for (error, _) in taken {
        let Some(Error::Constraint(violation)) = error else { panic!("{error:?}") };
        assert_eq!(violation.message, "`roleId` refers to a Role that does not exist");
    }
    for (error, _) in outcomes(&world, &ada, user("bob", "northwind", "reader")).await {
        assert_eq!(error, Some(Error::Exists { entity: "User".to_owned(), identity: "userId=bob".to_owned() }));
    }
    assert_eq!(world.table().await, before);
}

#[tokio::test]
async fn a_taken_id_at_another_key_is_reported_last() {
    let world = World::new(design(&design_text("../../designs/archive/design.yaml")), Recorder::default()).await;
    world.given("Collection", json!({"id": "1", "name": "Parishes"})).await;
    world.given("Post", json!({"id": "1", "collectionId": "1", "name": "1801"})).await;
    world.given("Post", json!({"id": "2", "collectionId": "1", "name": "1802"})).await;
    world.given("Record", json!({"id": "9", "postId": "1"})).await;
    let create = |post: u64| world.attributes("Record", json!({"id": "9", "postId": post.to_string()}));
    let missing = world.runtime.create(&superuser(), "Record", create(3)).await.unwrap_err();
    assert_eq!(missing.kind(), "constraint");
    let exists = world.runtime.create(&superuser(), "Record", create(2)).await.unwrap_err();
    assert_eq!(exists, Error::Exists { entity: "Record".to_owned(), identity: "id=9".to_owned() });
}
