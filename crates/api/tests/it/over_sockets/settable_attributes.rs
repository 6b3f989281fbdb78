//! A user who may write users does not make themselves an administrator.

use http::Method;
use keyfold_api::Limits;
use serde_json::json;

use crate::over_sockets::world::{Setting, World};

const OLGA: &str = "subject=olga;role=operator";
const HEDY: &str = "subject=hedy;tenant=northwind";
const USERS: &str = "/v1/platform/users";

/// Hedy has the permission `users.write`, and no other.
async fn world() -> World {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let role = json!({"roleId": "nw-hr", "accountId": "northwind", "name": "Human resources"});
    world.client.post(OLGA, "/v1/platform/roles", role).await.expect(201);
    let permission =
        json!({"roleId": "nw-hr", "accountId": "northwind", "menuKey": "users", "actions": ["read", "write"]});
    world.client.post(OLGA, "/v1/platform/permissions", permission).await.expect(201);
    let hedy = json!({"userId": "hedy", "accountId": "northwind", "roleId": "nw-hr", "email": "hedy@northwind.example", "firstName": "Hedy", "lastName": "Lamarr"});
    world.client.post(OLGA, USERS, hedy).await.expect(201);
    world
}

#[tokio::test]
async fn nobody_with_users_write_assigns_a_role() {
    let world = world().await;
    let before = world.stored("platform").await;
    let own = format!("{USERS}/hedy");
    let whole =
        json!({"roleId": "administrator", "email": "h@northwind.example", "firstName": "Hedy", "lastName": "Lamarr"});
    let create = json!({"userId": "mole", "roleId": "administrator", "email": "m@northwind.example", "firstName": "M", "lastName": "M"});
    let patch = json!({"patch": {"User": {"userId": "hedy", "roleId": "administrator"}}});
    for (method, path, body) in [
        (Method::PATCH, own.as_str(), json!({"roleId": "administrator"})),
        (Method::PATCH, own.as_str(), json!({"roleId": "nw-planner", "firstName": "H"})),
        (Method::PUT, own.as_str(), whole.clone()),
        (Method::PUT, "/v1/platform/users/mole", whole),
        (Method::POST, USERS, create),
        (Method::POST, "/v1/platform/transactions", json!({"writes": [patch]})),
    ] {
        let problem = world.client.json(HEDY, method, path, body).await.problem(403, "not-settable");
        assert_eq!(problem["detail"], "`roleId` of User is not settable by `hedy`");
        assert_eq!((&problem["field"], &problem["rule"]), (&json!("roleId"), &json!("settable by")));
        assert_eq!(problem["title"], "The caller may not set an attribute");
    }
    assert_eq!(world.stored("platform").await, before);
}

#[tokio::test]
async fn the_unchanged_role_is_accepted_and_a_missing_one_is_kept() {
    let world = world().await;
    let own = format!("{USERS}/hedy");
    for body in [
        json!({"roleId": "nw-hr", "email": "h@northwind.example", "firstName": "Hedy", "lastName": "Lamarr"}),
        json!({"email": "h@northwind.example", "firstName": "Hedy", "lastName": "Kiesler"}),
    ] {
        let stored = world.client.put(HEDY, &own, body.clone()).await.expect(200).json();
        assert_eq!((&stored["roleId"], &stored["lastName"]), (&json!("nw-hr"), &body["lastName"]));
    }
    let body = json!({"email": "h@northwind.example", "firstName": "Hedy", "lastName": "L."}).to_string();
    let headers = [("content-type", "application/json"), ("if-match", "\"3\"")];
    let stored = world.client.send(HEDY, Method::PUT, &own, &headers, body).await.expect(200).json();
    assert_eq!(
        (&stored["roleId"], &stored["lastName"], &stored["version"]),
        (&json!("nw-hr"), &json!("L."), &json!(4))
    );
    // An administrator has `roles.write` too.
    let ada = "subject=ada;tenant=northwind";
    let promoted = world.client.patch(ada, &own, json!({"roleId": "administrator"})).await.expect(200).json();
    assert_eq!(promoted["roleId"], "administrator");
}

#[tokio::test]
async fn a_replacement_under_a_version_keeps_what_its_caller_may_not_see_or_set() {
    let design = "
design: staff
table: staff
entities:
  Person:
    owner: personId
    PK: PERSON#<personId>
    SK: METADATA
    attributes:
      personId: string
      name: string, optional
      salary: integer, optional, visible to role boss
      motto: string, optional, settable by the owner
      version: version
callers: {operators: role operator}
allow:
  - signed in: everything
";
    let world = World::custom(design, &[], Setting::default()).await;
    let person = json!({"personId": "ann", "name": "Ann", "salary": 10, "motto": "m"});
    world.client.post("subject=ann;role=boss", "/v1/staff/persons", person).await.expect(201);
    let headers = [("content-type", "application/json"), ("if-match", "*")];
    let put = |who: &'static str| world.client.send(who, Method::PUT, "/v1/staff/persons/ann", &headers, "{}");
    put("subject=bob").await.expect(200);
    let stored = world.client.get("subject=eve;role=boss", "/v1/staff/persons/ann").await.expect(200).json();
    assert_eq!(stored, json!({"personId": "ann", "salary": 10, "motto": "m", "version": 2}));
    put("subject=ann").await.expect(200);
    let stored = world.client.get("subject=eve;role=boss", "/v1/staff/persons/ann").await.expect(200).json();
    assert_eq!(stored, json!({"personId": "ann", "salary": 10, "version": 3}));
}

#[tokio::test]
async fn whoever_writes_users_creates_them_without_a_role() {
    let world = world().await;
    let user = json!({"userId": "max", "email": "m@northwind.example", "firstName": "Max", "lastName": "Newman"});
    let created = world.client.post(HEDY, USERS, user).await.expect(201).json();
    assert_eq!((&created["userId"], created.get("roleId")), (&json!("max"), None));
    // They read what members read, and write nothing.
    let max = "subject=max;tenant=northwind";
    world.client.get(max, "/v1/platform/licenses/nw-1").await.expect(200);
    world.client.patch(max, "/v1/platform/licenses/nw-1", json!({"seats": 6})).await.problem(403, "not-allowed");
    // Neither Hedy nor Max gives Max a role; an administrator does, and Hedy cannot take it away.
    let path = format!("{USERS}/max");
    world.client.patch(HEDY, &path, json!({"roleId": "administrator"})).await.problem(403, "not-settable");
    let ada = "subject=ada;tenant=northwind";
    world.client.patch(ada, &path, json!({"roleId": "administrator"})).await.expect(200);
    world.client.patch(HEDY, &path, json!({"roleId": null})).await.problem(403, "not-settable");
    world.client.patch(max, "/v1/platform/licenses/nw-1", json!({"seats": 6})).await.expect(200);
}

#[tokio::test]
async fn the_problem_names_the_write_of_a_transaction() {
    let world = world().await;
    let patch = |user: serde_json::Value| json!({"patch": {"User": user}});
    let writes = json!({"writes": [
        patch(json!({"userId": "grace", "firstName": "G"})),
        patch(json!({"userId": "hedy", "roleId": "administrator"})),
    ]});
    let problem = world.client.post(HEDY, "/v1/platform/transactions", writes).await.problem(403, "not-settable");
    assert_eq!(problem["field"], "writes[1].roleId");
}

#[tokio::test]
async fn null_in_a_replacement_is_the_same_as_nothing() {
    let world = world().await;
    let own = format!("{USERS}/hedy");
    let body = json!({"roleId": null, "status": null, "endDate": null, "email": "h@northwind.example", "firstName": "Hedy", "lastName": "Lamarr"});
    let mut stored = Vec::new();
    for precondition in [None, Some(("if-match", "*"))] {
        world.client.patch(OLGA, &own, json!({"endDate": "2036-01-01", "status": "active"})).await.expect(200);
        let headers: Vec<(&str, &str)> =
            [("content-type", "application/json")].into_iter().chain(precondition).collect();
        let put = world.client.send(HEDY, Method::PUT, &own, &headers, body.to_string()).await.expect(200).json();
        stored.push((put["roleId"].clone(), put["status"].clone(), put.get("endDate").cloned()));
    }
    assert_eq!(stored, vec![(json!("nw-hr"), json!("active"), None); 2]);
}
