//! May I, and which rule says so.

use keyfold_api::Limits;
use serde_json::json;

use crate::over_sockets::world::World;

const PATH: &str = "/v1/catalogue/authorize";

#[tokio::test]
async fn the_rule_that_decides_is_named() {
    let world = World::with(&["catalogue"], Limits::default(), false).await;
    let ask = |who: &'static str, body| world.client.post(who, PATH, body);
    let told = ask("", json!({"verb": "get", "entity": "Site"})).await.expect(200).json();
    assert_eq!(
        (&told["decision"], &told["rules"][0]["text"]),
        (&json!("allowed"), &json!("anyone: read Site, SiteTag, SiteComment"))
    );
    let told = ask("", json!({"verb": "create", "entity": "Site"})).await.expect(200).json();
    assert_eq!((&told["decision"], &told["because"]), (&json!("denied"), &json!("denied: no rule allows it")));
    let rating = |user: &str| json!({"verb": "update", "entity": "Rating", "item": {"user": user, "site": "x"}});
    assert_eq!(ask("subject=ada", json!({"verb": "update", "entity": "Rating"})).await.json()["decision"], "by item");
    assert_eq!(ask("subject=ada", rating("ada")).await.json()["decision"], "allowed");
    assert_eq!(ask("subject=ada", rating("bob")).await.json()["decision"], "denied");
    for (body, field) in [
        (json!({"verb": "read", "entity": "Site"}), "verb"),
        (json!({"verb": "get", "entity": "Nothing"}), "entity"),
        (json!({"verb": "get", "entity": "Site", "item": 1}), "item"),
        (json!({"verb": "get", "entity": "Site", "as": "root"}), "as"),
    ] {
        assert_eq!(ask("subject=ada", body).await.problem(400, "invalid")["field"], field);
    }
}

#[tokio::test]
async fn no_rule_reaches_into_another_tenant() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let body = json!({"verb": "get", "entity": "License", "item": {"accountId": "contoso", "licenseId": "ct-1"}});
    let told =
        world.client.post("subject=ada;tenant=northwind", "/v1/platform/authorize", body).await.expect(200).json();
    assert_eq!(told["because"], "denied: the item belongs to another tenant");
}
