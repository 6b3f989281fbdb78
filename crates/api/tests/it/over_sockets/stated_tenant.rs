//! `?tenant=` on every method of every entity.

use http::Method;
use keyfold_api::Limits;
use serde_json::{Value, json};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
const ADA: &str = "subject=ada;tenant=northwind";

async fn send(world: &World, who: &str, method: Method, path: &str, body: Value) -> Answered {
    let headers = [("content-type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    world.client.send(who, method, path, &headers, body).await
}

#[tokio::test]
async fn an_item_whose_key_lacks_the_tenant_is_found_in_its_tenant_only() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let (own, other) = ("/v1/platform/users/ada?tenant=northwind", "/v1/platform/users/ada?tenant=contoso");
    let before = world.stored("platform").await;
    for who in [OLGA, ADA] {
        send(&world, who, Method::GET, other, Value::Null).await.problem(404, "not-found");
        send(&world, who, Method::PATCH, other, json!({"firstName": "Augusta"})).await.problem(404, "not-found");
        send(&world, who, Method::DELETE, other, Value::Null).await.problem(404, "not-found");
        let user = json!({"email": "a@b.example", "firstName": "A", "lastName": "B"});
        assert!(send(&world, who, Method::PUT, other, user).await.status.is_client_error());
        assert_eq!(world.stored("platform").await, before, "{who}");
        assert_eq!(send(&world, who, Method::GET, own, Value::Null).await.expect(200).json()["firstName"], "Ada");
    }
    let patched = send(&world, OLGA, Method::PATCH, own, json!({"firstName": "Augusta"})).await.expect(200).json();
    assert_eq!((&patched["firstName"], &patched["accountId"]), (&json!("Augusta"), &json!("northwind")));
    let user = json!({"email": "zoe@contoso.example", "firstName": "Zoe", "lastName": "Ba"});
    let zoe = "/v1/platform/users/zoe?tenant=contoso";
    let put = send(&world, OLGA, Method::PUT, zoe, user).await.expect(201).json();
    assert_eq!(put["accountId"], "contoso");
    send(&world, OLGA, Method::DELETE, zoe, Value::Null).await.expect(204);
}

#[tokio::test]
async fn an_item_without_a_tenant_is_the_same_in_every_tenant() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    for tenant in ["northwind", "contoso", "nobody"] {
        let item = format!("/v1/platform/products/radar?tenant={tenant}");
        send(&world, OLGA, Method::PUT, &item, json!({"name": "Radar"})).await.expect(201);
        assert_eq!(send(&world, OLGA, Method::GET, &item, Value::Null).await.expect(200).json()["name"], "Radar");
        send(&world, OLGA, Method::PATCH, &item, json!({"name": "R"})).await.expect(200);
        send(&world, OLGA, Method::DELETE, &item, Value::Null).await.expect(204);
        let collection = format!("/v1/platform/products?tenant={tenant}");
        send(&world, OLGA, Method::POST, &collection, json!({"name": "Sonar"})).await.expect(201);
        send(&world, ADA, Method::GET, &format!("/v1/platform/products/portal?tenant={tenant}"), Value::Null)
            .await
            .expect(200);
    }
}

#[tokio::test]
async fn the_tenant_itself_is_in_its_own_tenant() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    for (tenant, status) in [("northwind", 200), ("contoso", 404)] {
        let path = format!("/v1/platform/accounts/northwind?tenant={tenant}");
        for who in [OLGA, ADA] {
            assert_eq!(
                send(&world, who, Method::GET, &path, Value::Null).await.status.as_u16(),
                status,
                "{who} {path}"
            );
        }
    }
}

#[tokio::test]
async fn an_empty_tenant_and_one_of_a_design_without_tenants_are_refused() {
    let world = World::with(&["platform", "archive"], Limits::default(), false).await;
    for (method, path, body) in [
        (Method::GET, "/v1/platform/products/portal?tenant=", Value::Null),
        (Method::POST, "/v1/platform/products?tenant=", json!({"name": "x"})),
        (Method::PUT, "/v1/platform/products/x?tenant=", json!({"name": "x"})),
        (Method::PATCH, "/v1/platform/products/portal?tenant=", json!({"name": "x"})),
        (Method::DELETE, "/v1/platform/products/portal?tenant=", Value::Null),
    ] {
        send(&world, OLGA, method, path, body).await.problem(400, "bad-parameter");
    }
    let admin = "subject=olga;role=admin";
    send(&world, admin, Method::GET, "/v1/archive/places/1?tenant=x", Value::Null).await.problem(400, "bad-parameter");
}
