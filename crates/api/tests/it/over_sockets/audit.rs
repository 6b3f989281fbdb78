//! The audit log, as its readers see it.

use http::Method;
use keyfold_api::Limits;
use keyfold_api::change_records::ChangeRecordSettings;
use serde_json::{Value, json};

use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
/// A user of the sample data whose role lets her write licenses.
const ADA: &str = "subject=ada;tenant=northwind";
const AUDITOR: &str = "subject=grace;tenant=northwind;role=auditor";
const LOG: &str = "/v1/platform/audit";

/// What some people did, a second apart each.
async fn world() -> World {
    let world = World::with_change_records(&["platform", "catalogue"], ChangeRecordSettings::default()).await;
    let client = &world.client;
    let license = |id: &str| json!({"licenseId": id, "enterpriseId": "globex", "endDate": "2027-03-01", "seats": 5});
    let rows = [
        (ADA, Method::POST, "/v1/platform/licenses", license("l 1"), 201),
        (ADA, Method::PATCH, "/v1/platform/licenses/l%201", json!({"seats": 6}), 200),
        (OLGA, Method::POST, "/v1/platform/licenses?tenant=contoso", license("l 1"), 201),
        (OLGA, Method::DELETE, "/v1/platform/licenses/l%201?tenant=northwind", json!(null), 204),
        (OLGA, Method::POST, "/v1/platform/products", json!({"productId": "radar", "name": "Radar"}), 201),
        // Refusals: of something she may read, of a kind she may not, of a page, of one write among others.
        (ADA, Method::DELETE, "/v1/platform/products/portal", json!(null), 403),
        (ADA, Method::GET, "/v1/platform/patterns/all-licenses", json!(null), 403),
        (
            ADA,
            Method::POST,
            "/v1/platform/transactions",
            json!({"writes": [{"patch": {"License": {"licenseId": "nw-1", "seats": 6}}},
                {"patch": {"Product": {"productId": "portal", "name": "Mine"}}}]}),
            403,
        ),
        // What fails for another reason than a rule, and what nobody in particular tries, is not noted.
        (ADA, Method::PATCH, "/v1/platform/licenses/none", json!({"seats": 6}), 404),
        (ADA, Method::PATCH, "/v1/platform/licenses/nw-1", json!({"seats": 0}), 422),
        ("", Method::DELETE, "/v1/platform/products/portal", json!(null), 401),
    ];
    for (who, method, path, body, status) in rows {
        client.json(who, method, path, body).await.expect(status);
        world.clock.advance(1000);
    }
    world
}

fn lines(page: &Value) -> Vec<String> {
    let line = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap_or("-").to_owned();
        let second = text("at")[17..19].to_owned();
        let words = ["subject", "verb", "entity", "identity", "outcome"].map(text).join(" ");
        format!("{second} {words}")
    };
    page["items"].as_array().unwrap().iter().map(line).collect()
}

const NORTHWIND: [&str; 6] = [
    "07 ada patch Product portal denied",
    "06 ada list License  denied",
    "05 ada delete Product portal denied",
    "03 olga delete License l%201 allowed",
    "01 ada patch License l%201 allowed",
    "00 ada create License l%201 allowed",
];

#[tokio::test]
async fn a_tenant_sees_what_was_done_to_its_items() {
    let world = world().await;
    for (who, path) in [
        (AUDITOR, LOG.to_owned()),
        (AUDITOR, format!("{LOG}?tenant=northwind")),
        (OLGA, format!("{LOG}?tenant=northwind")),
    ] {
        let page = world.client.get(who, &path).await.expect(200);
        assert_eq!(page.header("cache-control"), "private, no-store");
        assert_eq!(lines(&page.json()), NORTHWIND, "{who} {path}");
        assert_eq!((&page.json()["count"], &page.json()["next"]), (&json!(6), &Value::Null));
    }
    let contoso = world.client.get("subject=edith;tenant=contoso;role=auditor", LOG).await.expect(200).json();
    assert_eq!(lines(&contoso), ["02 olga create License l%201 allowed"]);
    // What belongs to no tenant is for operators.
    assert_eq!(lines(&world.client.get(OLGA, LOG).await.expect(200).json()), ["04 olga create Product radar allowed"]);
    let first = &world.client.get(AUDITOR, &format!("{LOG}?order=forward&take=1")).await.expect(200).json()["items"][0];
    let id = first["requestId"].as_str().unwrap();
    assert!(id.starts_with("req_") && id.len() == 28, "{id}");
    let expected = json!({
        "at": "2026-01-01T00:00:00.000Z", "subject": "ada", "by": "token", "tenant": "northwind", "verb": "create",
        "entity": "License", "identity": "l%201", "outcome": "allowed", "requestId": id
    });
    assert_eq!(*first, expected);
}

#[tokio::test]
async fn a_delete_by_an_operator_is_in_the_log_of_the_items_tenant() {
    let world = world().await;
    // The id of a user does not tell the tenant.
    world.client.delete(OLGA, "/v1/platform/users/ken").await.expect(204);
    let writes = json!({"writes": [{"delete": {"License": {"accountId": "contoso", "licenseId": "ct-3"}}}]});
    world.client.post(OLGA, "/v1/platform/transactions", writes).await.expect(200);
    for (tenant, expected) in
        [("northwind", "11 olga delete User ken allowed"), ("contoso", "11 olga delete License ct-3 allowed")]
    {
        let page = world.client.get(OLGA, &format!("{LOG}?tenant={tenant}&take=1")).await.expect(200).json();
        assert_eq!(lines(&page), [expected]);
    }
}

#[tokio::test]
async fn the_audit_log_is_filtered_by_item_subject_time_and_verb() {
    let world = world().await;
    for (query, expected) in [
        ("entity=License&id=l%25201", &[3, 4, 5][..]),
        ("entity=License&id=l+1", &[3, 4, 5]),
        ("entity=License&id=l%25201&subject=ada", &[4, 5]),
        ("entity=License", &[1, 3, 4, 5]),
        ("subject=olga", &[3]),
        ("subject=nobody", &[]),
        ("outcome=denied", &[0, 1, 2]),
        ("outcome=denied&verb=delete", &[2]),
        ("subject=ada&outcome=allowed", &[4, 5]),
        ("from=2026-01-01T00:00:05Z", &[0, 1, 2]),
        ("from=2026-01-01T01:00:03%2B01:00&to=2026-01-01T00:00:06Z", &[2, 3]),
        ("from=2026-01-02T00:00:00Z", &[]),
        ("order=forward&subject=ada&entity=License", &[5, 4, 1]),
    ] {
        let expected: Vec<&str> = expected.iter().map(|place: &usize| NORTHWIND[*place]).collect();
        let page = world.client.get(AUDITOR, &format!("{LOG}?{query}")).await.expect(200).json();
        assert_eq!(lines(&page), expected, "{query}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_by_their_links() {
    let world = world().await;
    for (take, query) in [(1, ""), (2, "outcome=denied"), (1, "subject=ada"), (3, "order=forward")] {
        let whole = world.client.get(AUDITOR, &format!("{LOG}?{query}")).await.expect(200).json();
        let mut gathered = Vec::new();
        let mut next = format!("{LOG}?take={take}&{query}");
        loop {
            let page = world.client.get(AUDITOR, &next).await.expect(200);
            gathered.extend(lines(&page.json()));
            let Some(link) = page.headers.get("link") else { break };
            let link = link.to_str().unwrap();
            next = link.strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
            assert!(next.ends_with(page.json()["next"].as_str().unwrap()), "{next}");
        }
        assert_eq!(gathered, lines(&whole), "{query}");
    }
}

#[tokio::test]
async fn a_cursor_is_for_its_own_query_and_tenant() {
    let world = world().await;
    let cursor = world.client.get(AUDITOR, &format!("{LOG}?take=1")).await.expect(200).json()["next"].clone();
    let cursor = cursor.as_str().unwrap();
    world.client.get(AUDITOR, &format!("{LOG}?take=1&cursor={cursor}")).await.expect(200);
    let mut tampered = cursor.to_owned().into_bytes();
    tampered[30] = if tampered[30] == b'A' { b'B' } else { b'A' };
    let tampered = String::from_utf8(tampered).unwrap();
    for (who, query) in [
        ("subject=edith;tenant=contoso;role=auditor", format!("cursor={cursor}")),
        (AUDITOR, format!("cursor={tampered}")),
        (AUDITOR, format!("cursor={}", &cursor[1..])),
        (AUDITOR, format!("subject=ada&cursor={cursor}")),
        (AUDITOR, format!("from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z&cursor={cursor}")),
        (AUDITOR, "cursor=%00".to_owned()),
        (AUDITOR, "cursor=".to_owned()),
    ] {
        let response = world.client.get(who, &format!("{LOG}?{query}")).await.problem(400, "bad-cursor");
        assert_eq!(response["field"], "cursor");
    }
}

#[tokio::test]
async fn a_denied_read_of_the_audit_log_is_recorded() {
    let world = world().await;
    world.client.get("", LOG).await.problem(401, "unauthenticated");
    world.client.get("subject=aud;role=auditor", LOG).await.problem(403, "not-allowed");
    let response = world.client.get(ADA, LOG).await.problem(403, "not-allowed");
    assert_eq!(response["detail"], "the audit log is for operators and auditors");
    let noted = world.client.get(AUDITOR, &format!("{LOG}?entity=audit")).await.expect(200).json();
    assert_eq!(lines(&noted), ["11 ada list audit  denied"]);
    world.client.get(AUDITOR, &format!("{LOG}?tenant=contoso")).await.problem(400, "bad-parameter");
    world.client.post(OLGA, LOG, json!({})).await.problem(405, "method-not-allowed");
}

#[tokio::test]
async fn a_design_without_tenants_has_one_audit_log() {
    let world = world().await;
    // What a token says of a tenant means nothing there.
    let rating = json!({"siteId": "x"});
    world.client.post("subject=u;tenant=t", "/v1/catalogue/sites", rating).await.problem(403, "not-allowed");
    // The squash section is not there for them, and that they tried is noted all the same.
    world.clock.advance(1000);
    world.client.get("subject=u;tenant=t", "/v1/catalogue/players/x").await.problem(404, "not-found");
    world.clock.advance(1000);
    world.client.get("subject=u;tenant=t", "/v1/catalogue/patterns/all-players").await.problem(404, "not-found");
    let super_admin = "subject=olga;role=SuperAdmin";
    for who in [super_admin, "subject=aud;tenant=t;role=auditor", "subject=aud;role=auditor"] {
        let page = world.client.get(who, "/v1/catalogue/audit").await.expect(200).json();
        let expected = ["13 u list Player  denied", "12 u get Player x denied", "11 u create Site  denied"];
        assert_eq!(lines(&page), expected, "{who}");
    }
    world.client.get(super_admin, "/v1/catalogue/audit?tenant=t").await.problem(400, "bad-parameter");
}

#[tokio::test]
async fn invalid_parameters_are_rejected_by_name() {
    let world = world().await;
    for (query, field) in [
        ("colour=red", Some("colour")),
        ("take=0", Some("take")),
        ("take=101", Some("take")),
        ("take=1&take=2", Some("take")),
        ("order=down", Some("order")),
        ("id=x", Some("id")),
        ("verb=steal", Some("verb")),
        ("outcome=perhaps", Some("outcome")),
        ("from=soon", None),
        ("to=2026-13-01T00:00:00Z", None),
    ] {
        let response = world.client.get(AUDITOR, &format!("{LOG}?{query}")).await.problem(400, "bad-parameter");
        assert_eq!(response.get("field").and_then(Value::as_str), field, "{query}");
    }
}

#[tokio::test]
async fn each_part_can_be_switched_off() {
    let radar = || json!({"productId": "radar", "name": "Radar"}).to_string();
    let headers = [("content-type", "application/json"), ("idempotency-key", "k")];
    let world = World::with(&["platform"], Limits::default(), false).await;
    world.client.get(OLGA, LOG).await.problem(404, "not-found");
    let document = world.client.get("", "/v1/platform/openapi.json").await.expect(200).json();
    let parameters = &document["components"]["parameters"];
    assert_eq!((&document["paths"]["/audit"], &parameters["IdempotencyKey"]), (&Value::Null, &Value::Null));

    let settings = ChangeRecordSettings { audit: false, ..ChangeRecordSettings::default() };
    let world = World::with_change_records(&["platform"], settings).await;
    world.client.get(OLGA, LOG).await.problem(404, "not-found");
    world.client.send(OLGA, Method::POST, "/v1/platform/products", &headers, radar()).await.expect(201);
    world.client.delete(ADA, "/v1/platform/products/radar").await.expect(403);
    assert_eq!(world.change_records().await.len(), 1);

    let settings = ChangeRecordSettings { idempotency: false, ..ChangeRecordSettings::default() };
    let world = World::with_change_records(&["platform"], settings).await;
    let refused = world.client.send(OLGA, Method::POST, "/v1/platform/products", &headers, radar()).await;
    refused.problem(400, "idempotency-key");
    world.client.post(OLGA, "/v1/platform/products", serde_json::from_str(&radar()).unwrap()).await.expect(201);
    assert_eq!(world.client.get(OLGA, LOG).await.expect(200).json()["count"], 1);
    let document = world.client.get("", "/v1/platform/openapi.json").await.expect(200).json();
    assert_eq!(document["paths"]["/audit"]["get"]["operationId"], "audit");
    assert_eq!(document["components"]["parameters"]["IdempotencyKey"], Value::Null);
}

#[tokio::test]
async fn refused_requests_do_not_fill_the_audit_log() {
    let world = World::with_change_records(&["platform"], ChangeRecordSettings::default()).await;
    for number in 0..200 {
        // Each names another item.
        let path = format!("/v1/platform/products/{number}-{}", "x".repeat(4000));
        world.client.delete(ADA, &path).await.problem(403, "not-allowed");
        world.clock.advance(10);
    }
    let noted = world.client.get(AUDITOR, LOG).await.expect(200).json();
    assert_eq!(noted["count"], 1);
    let first = &noted["items"][0];
    assert_eq!((&first["identity"], &first["truncated"]), (&json!(format!("0-{}", "x".repeat(1022))), &json!(true)));
    assert_eq!((&first["count"], &first["since"]), (&Value::Null, &Value::Null));
    // What was counted is written at the latest when the server ends.
    let backend = std::sync::Arc::clone(&world.designs[0].1);
    world.stop().await;
    let input = keyfold_dynamo::operation::ScanInput { table_name: "keyfold_audit".to_owned(), ..Default::default() };
    let items = backend.scan(input).await.unwrap().items.unwrap();
    let mut items: Vec<_> = items.iter().map(|item| item.attributes().unwrap().clone()).collect();
    items.retain(|item| item["PK"].as_str().unwrap().starts_with("AUDIT#"));
    items.sort_by_key(|item| item["SK"].as_str().unwrap().to_owned());
    assert_eq!(items.len(), 2);
    let text = |name: &str| items[1][name].as_str().unwrap().to_owned();
    assert_eq!(items[1]["count"].as_number().unwrap().to_i64(), Some(199));
    assert_eq!(text("since"), "2026-01-01T00:00:00.010Z");
    assert_eq!(["subject", "verb", "entity", "identity"].map(text), ["ada", "delete", "Product", ""]);
}

#[tokio::test]
async fn a_refused_write_that_is_larger_than_an_entry_is_recorded() {
    let world = World::with_change_records(&["platform"], ChangeRecordSettings::default()).await;
    // An entry with this identity could not be stored at all.
    let identity = "x".repeat(500_000);
    let writes = json!({"writes": [{"delete": {"Product": {"productId": identity}}}]});
    world.client.post(ADA, "/v1/platform/transactions", writes).await.problem(403, "not-allowed");
    let noted = world.client.get(AUDITOR, LOG).await.expect(200).json();
    assert_eq!(lines(&noted), [format!("00 ada delete Product {} denied", "x".repeat(1024))]);
    assert_eq!(noted["items"][0]["truncated"], true);
}
