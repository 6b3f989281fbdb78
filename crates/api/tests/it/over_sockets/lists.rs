//! `GET` of a collection: the one access pattern that lists all items of the entity, of the tenant.

use keyfold_api::Limits;
use serde_json::Value;

use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
const ADA: &str = "subject=ada;tenant=northwind";
const EVERYTHING: &str = "/v1/platform/patterns";

fn ids(page: &Value, name: &str) -> Vec<String> {
    let items = page["items"].as_array().unwrap();
    items.iter().map(|found| found["item"][name].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_list_is_the_page_of_the_pattern() {
    let world = World::with(&["platform", "catalogue", "archive"], Limits::default(), false).await;
    for (who, list, pattern) in [
        (ADA, "/v1/platform/licenses", "/v1/platform/patterns/licenses-by-account?accountId=northwind".to_owned()),
        (OLGA, "/v1/platform/licenses?tenant=contoso", format!("{EVERYTHING}/licenses-by-account?accountId=contoso")),
        (ADA, "/v1/platform/products", format!("{EVERYTHING}/all-products")),
        (ADA, "/v1/platform/products?tenant=northwind", format!("{EVERYTHING}/all-products")),
        (OLGA, "/v1/platform/accounts", format!("{EVERYTHING}/all-accounts")),
        ("", "/v1/catalogue/sites", "/v1/catalogue/patterns/all-sites".to_owned()),
        ("subject=ada", "/v1/archive/categories", "/v1/archive/patterns/categories".to_owned()),
    ] {
        let listed = world.client.get(who, list).await.expect(200).json();
        let found = world.client.get(who, &pattern).await.expect(200).json();
        assert_eq!(listed, found, "{list}");
        assert_ne!(listed["count"], 0, "{list}");
    }
}

#[tokio::test]
async fn pages_follow_each_other() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let all = ids(&world.client.get(ADA, "/v1/platform/licenses").await.expect(200).json(), "licenseId");
    let mut seen = Vec::new();
    let mut next = "/v1/platform/licenses?take=2&order=reverse".to_owned();
    loop {
        let answered = world.client.get(ADA, &next).await.expect(200);
        let page = answered.json();
        seen.extend(ids(&page, "licenseId"));
        let Some(cursor) = page["next"].as_str() else { break };
        assert!(answered.header("link").starts_with("</v1/platform/licenses?take=2&order=reverse&cursor="));
        next = format!("/v1/platform/licenses?take=2&order=reverse&cursor={cursor}");
    }
    seen.reverse();
    assert_eq!(seen, all);
    // The cursor of one tenant is not another's.
    let page = world.client.get(OLGA, "/v1/platform/licenses?tenant=northwind&take=1").await.expect(200).json();
    let foreign = format!("/v1/platform/licenses?tenant=contoso&cursor={}", page["next"].as_str().unwrap());
    assert!(world.client.get(OLGA, &foreign).await.status.is_client_error());
}

#[tokio::test]
async fn members_list_the_items_of_their_tenant_and_operators_those_of_the_one_they_state() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let own = world.client.get(ADA, "/v1/platform/licenses?tenant=northwind").await.expect(200).json();
    assert!(ids(&own, "accountId").iter().all(|account| account == "northwind"));
    let others = world.client.get(ADA, "/v1/platform/licenses?tenant=contoso").await.expect(200).json();
    assert_eq!((others["count"].as_u64(), others["readUnits"].as_f64()), (Some(0), Some(0.0)));
    world.client.get(OLGA, "/v1/platform/licenses").await.problem(400, "bad-parameter");
    world.client.get(ADA, "/v1/platform/accounts").await.problem(403, "not-allowed");
    // Roles are listed by an index that all of them are in: those of a tenant, and those of all.
    let roles = world.client.get(OLGA, "/v1/platform/roles?tenant=contoso").await.expect(200).json();
    assert!(ids(&roles, "roleId").contains(&"ct-editor".to_owned()));
    assert!(!ids(&roles, "roleId").contains(&"nw-planner".to_owned()));
    let all = world.client.get(OLGA, "/v1/platform/roles").await.expect(200).json();
    assert!(ids(&all, "roleId").contains(&"nw-planner".to_owned()));
    for unknown in ["accountId=northwind", "tenant=", "tenant=a&tenant=b", "take=0"] {
        let path = format!("/v1/platform/licenses?{unknown}");
        assert_eq!(world.client.get(ADA, &path).await.status.as_u16(), 400, "{unknown}");
    }
}

#[tokio::test]
async fn callers_without_permission_learn_nothing_and_entities_without_such_a_pattern_have_no_list() {
    let world = World::with(&["platform", "catalogue", "archive"], Limits::default(), false).await;
    world.client.get("", "/v1/platform/licenses").await.problem(401, "unauthenticated");
    world.client.get("subject=fae", "/v1/catalogue/players").await.problem(404, "not-found");
    world.client.get("subject=fae", "/v1/catalogue/players?nonsense=1").await.problem(404, "not-found");
    // Only by their place, or one post: no pattern lists them all.
    for path in ["/v1/archive/records", "/v1/catalogue/ratings", "/v1/platform/permissions"] {
        world.client.get("subject=olga;role=admin", path).await.problem(405, "method-not-allowed");
    }
}
