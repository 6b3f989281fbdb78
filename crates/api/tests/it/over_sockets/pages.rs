//! Pages of access patterns.

use keyfold_api::Limits;
use serde_json::{Value, json};

use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
const ADA: &str = "subject=ada;tenant=northwind";

fn ids(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|item| item["item"]["licenseId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_page_has_its_items_and_a_cursor() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let path = "/v1/platform/patterns/expiring-licenses?before=2026-01-31";
    let all = world.client.get(OLGA, path).await.expect(200);
    assert_eq!(ids(&all.json()), ["nw-6", "nw-1", "ct-1", "ct-4"]);
    assert_eq!(all.json()["next"], Value::Null);
    assert_eq!((&all.json()["count"], &all.json()["stopped"]), (&json!(4), &json!("end")));
    assert_eq!(all.headers.get("link"), None);
    let first = &all.json()["items"][0];
    assert_eq!(first["type"], "License");
    assert_eq!(first["href"], "/v1/platform/licenses/nw-6?tenant=northwind");
    assert_eq!(first["item"], world.client.get(OLGA, first["href"].as_str().unwrap()).await.expect(200).json());

    let mut found = Vec::new();
    let mut next = format!("{path}&take=3");
    loop {
        let page = world.client.get(OLGA, &next).await.expect(200);
        found.extend(ids(&page.json()).into_iter().map(str::to_owned));
        let Some(link) = page.headers.get("link") else { break };
        assert_eq!(page.json()["stopped"], "full");
        next = link.to_str().unwrap().strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
        assert!(next.ends_with(page.json()["next"].as_str().unwrap()), "{next}");
    }
    assert_eq!(found, ["nw-6", "nw-1", "ct-1", "ct-4"]);
    let reversed = world.client.get(OLGA, &format!("{path}&order=reverse&take=1")).await.expect(200).json();
    assert_eq!(ids(&reversed), ["ct-4"]);
}

#[tokio::test]
async fn members_get_pages_of_their_own_tenant() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let path = "/v1/platform/patterns/licenses-by-account";
    let own = world.client.get(ADA, path).await.expect(200).json();
    assert_eq!(ids(&own), ["nw-1", "nw-2", "nw-3", "nw-4", "nw-5", "nw-6"]);
    assert_eq!(own["items"][0]["href"], "/v1/platform/licenses/nw-1");
    let foreign = world.client.get(ADA, &format!("{path}?accountId=contoso")).await.expect(200).json();
    assert_eq!((ids(&foreign).len(), &foreign["next"]), (0, &Value::Null));
    world.client.get(OLGA, path).await.problem(400, "invalid");
    world.client.get(ADA, "/v1/platform/patterns/all-licenses").await.problem(403, "not-allowed");
    world.client.get("", "/v1/platform/patterns/all-licenses").await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_cursor_is_for_its_own_query_and_tenant() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let path = "/v1/platform/patterns/licenses-by-account?take=1";
    let cursor = world.client.get(ADA, path).await.expect(200).json()["next"].as_str().unwrap().to_owned();
    world.client.get(ADA, &format!("{path}&cursor={cursor}")).await.expect(200);
    let swapped: String = cursor.chars().rev().collect();
    let cut = &cursor[1..];
    for (who, path, cursor) in [
        ("subject=joan;tenant=contoso", path, cursor.as_str()),
        (ADA, "/v1/platform/patterns/workstreams-by-account?take=1", &cursor),
        (ADA, path, &swapped),
        (ADA, path, cut),
        (ADA, path, "%00"),
    ] {
        world.client.get(who, &format!("{path}&cursor={cursor}")).await.problem(400, "bad-cursor");
    }
}

#[tokio::test]
async fn invalid_parameters_are_rejected_by_name() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    for (query, field) in [
        ("before=2026-02-30", "before"),
        ("before=2026-01-31&before=2026-01-31", "before"),
        ("before=2026-01-31&take=0", "take"),
        ("before=2026-01-31&take=1001", "take"),
        ("before=2026-01-31&take=x", "take"),
        ("before=2026-01-31&limit=-1", "limit"),
        ("before=2026-01-31&budget=0", "budget"),
        ("before=2026-01-31&budget=NaN", "budget"),
        ("before=2026-01-31&order=down", "order"),
        ("before=2026-01-31&colour=red", "colour"),
    ] {
        let response = world.client.get(OLGA, &format!("/v1/platform/patterns/expiring-licenses?{query}")).await;
        assert_eq!(response.problem(400, "bad-parameter")["field"], field, "{query}");
    }
    world.client.get(OLGA, "/v1/platform/patterns/expiring-licenses").await.problem(400, "invalid");
    world.client.get(OLGA, "/v1/platform/patterns/nothing").await.problem(404, "not-found");
}
