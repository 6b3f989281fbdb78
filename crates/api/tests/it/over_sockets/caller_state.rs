//! A token says who someone is. Whether they are still admitted is in the table, and takes effect within two seconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::Method;
use keyfold_api::Limits;
use keyfold_dynamo::operation::{DeleteItemInput, PutItemInput};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::{ManualClock, SystemClock};
use serde_json::{Value, json};

use crate::over_sockets::world::{Setting, World, operator};

const ADA: &str = "subject=ada;tenant=northwind";
const OLGA: &str = "subject=olga;role=operator";
const LICENSE: &str = "/v1/platform/licenses/nw-1";
const LOCK_OUT: Duration = Duration::from_secs(2);

/// A server on the system's clock that would cache callers for a minute.
async fn running(design: &str) -> World {
    let limits = Limits { membership: Duration::from_secs(60), ..Limits::default() };
    World::made(&[design], Setting { limits, clock: Some(Arc::new(SystemClock)), ..Setting::default() }).await
}

fn key(partition: &str, sort: &str) -> Attributes {
    let text = |value: &str| AttributeValue::S(value.to_owned());
    Attributes::from([("PK".to_owned(), text(partition)), ("SK".to_owned(), text(sort))])
}

/// Changes an item as another process would, which no cache notices.
async fn change_elsewhere(world: &World, design: &str, key: &Attributes, name: &str, value: &str) {
    let stored = world.stored(design).await;
    let mut item =
        stored.into_iter().find(|item| key.iter().all(|(name, value)| item.get(name) == Some(value))).unwrap();
    item.insert(name.to_owned(), AttributeValue::S(value.to_owned()));
    let (design, backend) = world.design(design);
    let input = PutItemInput { table_name: design.table.name.clone(), item, ..PutItemInput::default() };
    backend.put_item(input).await.unwrap();
}

async fn delete_elsewhere(world: &World, design: &str, key: Attributes) {
    let (design, backend) = world.design(design);
    let input = DeleteItemInput { table_name: design.table.name.clone(), key, ..DeleteItemInput::default() };
    backend.delete_item(input).await.unwrap();
}

/// Asks until the caller is refused, and fails if that takes too long.
async fn locked_out(world: &World, who: &str, path: &str, detail: &str) {
    let start = Instant::now();
    loop {
        let answered = world.client.get(who, path).await;
        if answered.status.as_u16() == 403 {
            assert_eq!(answered.problem(403, "not-allowed")["detail"], detail);
            return;
        }
        assert!(start.elapsed() < LOCK_OUT, "{who} is still admitted: {answered:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_deactivated_user_is_locked_out_within_two_seconds() {
    let world = running("platform").await;
    world.client.get(ADA, LICENSE).await.expect(200);
    change_elsewhere(&world, "platform", &key("USER#ada", "METADATA"), "status", "inactive").await;
    let detail = "`ada` is locked out: a valid User or TechUser is required";
    locked_out(&world, ADA, LICENSE, detail).await;
    // Nor are they let in without a tenant.
    locked_out(&world, "subject=ada", "/v1/platform/me", detail).await;
    // A technical user of the same id does not stand in for a person.
    let namesake = json!({"userId": "ada", "name": "Ada", "email": "ada@northwind.example"});
    world.client.post(OLGA, "/v1/platform/tech-users?tenant=northwind", namesake).await.expect(201);
    world.client.get(ADA, LICENSE).await.problem(403, "not-allowed");
    // Whatever they call.
    for (method, path, body) in [
        (Method::PATCH, LICENSE, json!({"seats": 1})),
        (Method::PATCH, "/v1/platform/users/ada", json!({"status": "active"})),
        (Method::POST, "/v1/platform/authorize", json!({})),
        (Method::POST, "/v1/platform/transactions", json!({"writes": []})),
        (Method::GET, "/v1/platform/patterns/licenses-by-account", Value::Null),
    ] {
        let problem = world.client.json(ADA, method, path, body).await.problem(403, "not-allowed");
        assert_eq!(problem["detail"], detail, "{path}");
    }
    // An operator puts that right, and the write clears the cache.
    world.client.patch(OLGA, "/v1/platform/users/ada", json!({"status": "active"})).await.expect(200);
    world.client.get(ADA, LICENSE).await.expect(200);
    world.client.patch(OLGA, "/v1/platform/users/ada", json!({"status": "inactive"})).await.expect(200);
    world.client.get(ADA, LICENSE).await.problem(403, "not-allowed");
}

#[tokio::test]
async fn a_deleted_user_a_passed_end_date_and_a_closed_account_lock_out_too() {
    let world = running("platform").await;
    for who in [ADA, "subject=grace;tenant=northwind", "subject=joan;tenant=contoso", "subject=edith;tenant=contoso"] {
        world.client.get(who, "/v1/platform/patterns/all-products").await.expect(200);
    }
    delete_elsewhere(&world, "platform", key("USER#ada", "METADATA")).await;
    change_elsewhere(&world, "platform", &key("USER#grace", "METADATA"), "endDate", "2020-01-01").await;
    change_elsewhere(&world, "platform", &key("ACCOUNT#contoso", "METADATA"), "status", "closed").await;
    let path = "/v1/platform/patterns/all-products";
    locked_out(&world, ADA, path, "`ada` is not a member of `northwind`").await;
    let detail = "`grace` is locked out: a valid User or TechUser is required";
    locked_out(&world, "subject=grace;tenant=northwind", path, detail).await;
    for who in ["joan", "edith"] {
        let detail = format!("`{who}` is locked out: a valid Account is required");
        locked_out(&world, &format!("subject={who};tenant=contoso"), path, &detail).await;
    }
    // A machine key needs a technical user of its account.
    let builder = json!({"userId": "machine:builder", "name": "Builder", "email": "build@northwind.example"});
    world.client.get("subject=machine:builder;tenant=northwind", path).await.problem(403, "not-allowed");
    world.client.post(OLGA, "/v1/platform/tech-users?tenant=northwind", builder).await.expect(201);
    world.client.get("subject=machine:builder;tenant=northwind", path).await.expect(200);
    world.client.get("subject=build-robot;tenant=northwind", path).await.problem(403, "not-allowed");
    world.client.get("subject=machine:builder;tenant=fabrikam", path).await.problem(403, "not-allowed");
    world.client.get("subject=frank;tenant=fabrikam", path).await.problem(403, "not-allowed");
}

#[tokio::test]
async fn whoever_has_left_a_tenant_is_locked_out_of_it() {
    let world = running("albums").await;
    let (ada, tenant) = ("subject=01K9ZV00000000000000000ADA", "01K9ZV0000000000000000TENA");
    let (member, path) = (format!("{ada};tenant={tenant}"), "/v1/albums/patterns/root-albums");
    world.client.get(&member, path).await.expect(200);
    let items = world.items("albums").await;
    let design = &world.design("albums").0;
    let membership = items.iter().find_map(|(id, item)| {
        let text = |name: &str| item.get(name).and_then(AttributeValue::as_str);
        let is_own = text("userId") == Some("01K9ZV00000000000000000ADA") && text("tenantId") == Some(tenant);
        (design[*id].name == "Membership" && is_own).then(|| text("membershipId").unwrap().to_owned())
    });
    let path_of = format!("/v1/albums/memberships/{}", membership.unwrap());
    world.client.delete(operator("albums"), &path_of).await.expect(204);
    let detail = "`01K9ZV00000000000000000ADA` is not a member of `01K9ZV0000000000000000TENA`";
    locked_out(&world, &member, path, detail).await;
    // Their other tenants are still theirs to list; someone who does not exist lists nothing.
    let own = "/v1/albums/patterns/tenants-of-a-user?userId=01K9ZV00000000000000000ADA";
    world.client.get(ada, own).await.expect(200);
    world.client.get("subject=01K9ZV00000000000000000EVE", own).await.problem(403, "not-allowed");
}

#[tokio::test]
async fn nobody_is_admitted_while_the_table_cannot_be_read() {
    let clock = Arc::new(ManualClock::default());
    let setting = Setting { clock: Some(Arc::clone(&clock) as _), ..Setting::default() };
    let world = World::made(&["platform"], setting).await;
    world.client.get(ADA, LICENSE).await.expect(200);
    let (design, backend) = world.design("platform");
    backend.delete_table(design.table.name.clone()).await.unwrap();
    world.client.get("subject=grace;tenant=northwind", LICENSE).await.problem(503, "unavailable");
    clock.advance(1_000);
    let refused = world.client.get(ADA, "/v1/platform/patterns/all-products").await.problem(503, "unavailable");
    assert_eq!(refused["detail"], "the table is not available; try again");
}

#[tokio::test]
async fn a_subject_that_no_key_can_hold_is_locked_out() {
    for (design, path, tenant) in [
        ("platform", "/v1/platform/patterns/all-products", "northwind"),
        ("albums", "/v1/albums/patterns/root-albums", "01K9ZV0000000000000000TENA"),
    ] {
        let world = World::with(&[design], Limits::default(), false).await;
        for length in [1000, 1024] {
            let who = format!("subject={};tenant={tenant}", "x".repeat(length));
            world.client.get(&who, path).await.problem(403, "not-allowed");
            world
                .client
                .get(&format!("subject=x;tenant={}", "t".repeat(length)), path)
                .await
                .problem(403, "not-allowed");
        }
    }
}

#[tokio::test]
async fn the_audit_log_records_who_was_locked_out_and_of_what() {
    let setting = Setting { change_records: Some(Default::default()), ..Setting::default() };
    let world = World::made(&["platform"], setting).await;
    let linus = "subject=linus;tenant=northwind";
    for (method, path, body) in [
        (Method::GET, "/v1/platform/licenses/nw%201", Value::Null),
        (Method::PATCH, LICENSE, json!({"seats": 1})),
        (Method::POST, "/v1/platform/licenses", json!({})),
        (Method::GET, "/v1/platform/patterns/account-with-everything", Value::Null),
        (Method::POST, "/v1/platform/transactions", json!({"writes": []})),
        (Method::POST, "/v1/platform/authorize", json!({})),
        (Method::GET, "/v1/platform/audit", Value::Null),
    ] {
        world.client.json(linus, method, path, body).await.problem(403, "not-allowed");
        world.clock.advance(1000);
    }
    let log = world.client.get(OLGA, "/v1/platform/audit?tenant=northwind&order=forward").await.expect(200).json();
    let line = |entry: &Value| {
        let words = ["subject", "verb", "entity", "identity", "outcome"].map(|name| entry[name].as_str().unwrap());
        words.join("|")
    };
    let lines: Vec<String> = log["items"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "linus|get|License|nw%201|denied",
            "linus|patch|License|nw-1|denied",
            "linus|create|License||denied",
            "linus|list|Account, Address, TechUser, License, Workstream||denied",
            "linus|transact|transactions||denied",
            "linus|get|authorize||denied",
            "linus|list|audit||denied",
        ]
    );
    let transactions = "/v1/platform/audit?tenant=northwind&verb=transact";
    assert_eq!(world.client.get(OLGA, transactions).await.expect(200).json()["count"], 1);
}

#[tokio::test]
async fn development_mode_tells_how_to_get_in() {
    let world = World::made(&["platform"], Setting { is_in_development: true, ..Setting::default() }).await;
    let problem = world.client.get("subject=me;tenant=northwind", LICENSE).await.problem(403, "not-allowed");
    assert_eq!(
        problem["detail"],
        "`me` is not a member of `northwind`; in development mode use the printed token of `operator`, `ada` in `northwind`, \
         `grace` in `northwind`, `joan` in `contoso`, or let the operator create Account and User for this subject"
    );
}

#[tokio::test]
async fn a_machine_key_acts_with_the_role_of_its_membership() {
    let world = World::with(&["albums"], Limits::default(), false).await;
    let (tenant, olga) = ("01K9ZV0000000000000000TENA", operator("albums"));
    let importer = format!("subject=machine:importer;tenant={tenant}");
    let albums = "/v1/albums/albums";
    world.client.post(&importer, albums, json!({"title": "Scans"})).await.problem(403, "not-allowed");
    let user = json!({"userId": "machine:importer", "issuer": "https://keys.example.com", "subject": "importer", "name": "Importer"});
    world.client.post(olga, "/v1/albums/users", user).await.expect(201);
    let membership = json!({"userId": "machine:importer", "tenantId": tenant, "role": "editor"});
    world.client.post(olga, "/v1/albums/memberships", membership).await.expect(201);
    world.client.post(&importer, albums, json!({"title": "Scans"})).await.expect(201);
    world.client.patch(&importer, &format!("/v1/albums/tenants/{tenant}"), json!({"name": "Mine"})).await.expect(403);
    let elsewhere = "subject=machine:importer;tenant=01K9ZV0000000000000000TENB";
    world.client.get(elsewhere, "/v1/albums/patterns/root-albums").await.problem(403, "not-allowed");
    for id in ["a#b", "", "machine:#"] {
        let user = json!({"userId": id, "issuer": "https://a.example.com", "subject": id, "name": "X"});
        world.client.post(olga, "/v1/albums/users", user).await.problem(422, "constraint");
    }
}

#[tokio::test]
async fn a_machine_key_is_a_member_like_everyone() {
    let world = World::with(&["agencies"], Limits::default(), false).await;
    let (tenant, olga) = ("01K9ZV0000000000000000AAAA", operator("agencies"));
    let (importer, path) =
        (format!("subject=machine:importer;tenant={tenant}"), format!("/v1/agencies/agencies/{tenant}"));
    let problem = world.client.get(&importer, &path).await.problem(403, "not-allowed");
    assert_eq!(problem["detail"], format!("`machine:importer` is not a member of `{tenant}`"));
    let member = json!({"idpid": "machine:importer", "role": "admin"});
    world.client.post(olga, &format!("/v1/agencies/members?tenant={tenant}"), member).await.expect(201);
    world.client.patch(&importer, &path, json!({"name": "Renamed"})).await.expect(200);
    let elsewhere = "subject=machine:importer;tenant=01K9ZV0000000000000000BBBB";
    world.client.get(elsewhere, "/v1/agencies/me").await.problem(403, "not-allowed");
}

/// Operators by a group of the table, and no memberships.
const DESKS: &str = "
design: desks
table: desks
tenant: {attribute: firmId, entity: Firm}
entities:
  Firm:
    scope: tenant
    PK: FIRM#<firmId>
    SK: METADATA
    attributes: {firmId: string}
  Badge:
    scope: global
    PK: PERSON#<personId>
    SK: BADGE#<team>
    attributes: {personId: string, team: string}
callers:
  operators: group staff
  groups: {from: Badge, of: personId, group: team}
  requires:
    - Firm: exists
allow:
  - operators: everything
  - members: read Firm
";

#[tokio::test]
async fn operators_by_a_group_choose_any_tenant() {
    let world = World::custom(DESKS, &[], Setting::default()).await;
    let (design, backend) = world.design("desks");
    let options = keyfold_runtime::Options::standard(design).unwrap();
    let runtime = keyfold_runtime::Runtime::new(Arc::clone(design), Arc::clone(backend), options);
    let text = |value: &str| AttributeValue::S(value.to_owned());
    let badge = |person: &str, team: &str| {
        Attributes::from([("personId".to_owned(), text(person)), ("team".to_owned(), text(team))])
    };
    let root = keyfold_runtime::Caller::superuser("root");
    for badge in [badge("olga", "staff"), badge("eve", "guests")] {
        runtime.create(&root, "Badge", badge).await.unwrap();
    }
    runtime.create(&root, "Firm", Attributes::from([("firmId".to_owned(), text("acme"))])).await.unwrap();
    for tenant in ["acme", "none"] {
        let headers = [("keyfold-tenant", tenant)];
        let me = async |who: &str| world.client.send(who, Method::GET, "/v1/desks/me", &headers, "").await;
        let own = me("subject=olga").await.expect(200).json();
        assert_eq!((&own["tenant"], &own["operator"]), (&json!(tenant), &json!(true)));
        let refused = me("subject=eve").await.problem(403, "not-allowed");
        assert_eq!(
            refused["detail"],
            "the design does not say who is a member of a tenant: the tenant has to be in the token"
        );
    }
}
