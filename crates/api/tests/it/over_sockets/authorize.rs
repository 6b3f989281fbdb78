//! May I, and which rule says so.

use keyfold_api::Limits;
use serde_json::json;

use crate::over_sockets::world::{Setting, World, operator};

const PATH: &str = "/v1/catalogue/authorize";

#[tokio::test]
async fn the_rule_that_decides_is_named() {
    let world = World::with(&["catalogue"], Limits::default(), false).await;
    let ask = |who: &'static str, body| world.client.post(who, PATH, body);
    let response = ask(operator("catalogue"), json!({"verb": "create", "entity": "Site"})).await.expect(200).json();
    assert_eq!(
        (&response["decision"], &response["rules"][0]["text"]),
        (&json!("allowed"), &json!("operators: everything"))
    );
    assert!(response["because"].as_str().unwrap().starts_with("allowed by `operators: everything`"), "{response}");
    let response = ask("", json!({"verb": "get", "entity": "Site"})).await.expect(200).json();
    assert_eq!((&response["decision"], &response["because"]), (&json!("allowed"), &json!("allowed by the rules")));
    let response = ask("", json!({"verb": "create", "entity": "Site"})).await.expect(200).json();
    assert_eq!((&response["decision"], &response["because"]), (&json!("denied"), &json!("denied by the rules")));
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

const FREEZE: &str = "@id(\"freeze\")\nforbid(principal, action == Action::\"update\", resource is License)\n\
                      when { resource.enterpriseId == \"acme-under-investigation\" };\n";

#[tokio::test]
async fn rule_texts_and_files_are_for_operators() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/platform/design.yaml")).unwrap();
    let license = json!({"accountId": "northwind", "licenseId": "nw-1", "enterpriseId": "acme-under-investigation"});
    let question = json!({"verb": "update", "entity": "License", "item": license});
    let world = |is_in_development| {
        let setting = Setting { is_in_development, ..Setting::default() };
        World::custom(&text, &[("policies/freeze.cedar", FREEZE)], setting)
    };
    let ask = async |world: &World, who: &str, question: &serde_json::Value| {
        world.client.post(who, "/v1/platform/authorize", question.clone()).await.expect(200).json()
    };
    let served = world(false).await;
    let account = json!({"accountId": "northwind", "name": "Northwind"});
    served.client.post(operator("platform"), "/v1/platform/accounts", account).await.expect(201);
    let user = json!({"userId": "ada", "accountId": "northwind", "email": "ada@northwind.example", "firstName": "A", "lastName": "L"});
    served.client.post(operator("platform"), "/v1/platform/users", user).await.expect(201);
    let ada = "subject=ada;tenant=northwind";
    for verb in ["get", "list", "create", "update", "delete"] {
        for item in [json!(null), license.clone()] {
            let response = ask(&served, ada, &json!({"verb": verb, "entity": "License", "item": item})).await;
            assert_eq!(response["rules"], json!([]), "{response}");
            let text = response.to_string();
            for secret in ["investigation", "freeze", "cedar", "line", "permission", "operators"] {
                assert!(!text.contains(secret), "{text}");
            }
        }
    }
    let response = ask(&served, operator("platform"), &question).await;
    let rule = &response["rules"][0];
    assert_eq!(
        (&response["decision"], &rule["file"], &rule["line"]),
        (&json!("denied"), &json!("policies/freeze.cedar"), &json!(1))
    );
    assert!(rule["text"].as_str().unwrap().contains("acme-under-investigation"), "{response}");
    // In development mode everyone may know.
    let developed = world(true).await;
    let response = ask(&developed, operator("platform"), &question).await;
    assert_eq!(response["rules"][0]["file"], "policies/freeze.cedar");
}

#[tokio::test]
async fn no_rule_reaches_into_another_tenant() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let body = json!({"verb": "get", "entity": "License", "item": {"accountId": "contoso", "licenseId": "ct-1"}});
    let response =
        world.client.post("subject=ada;tenant=northwind", "/v1/platform/authorize", body).await.expect(200).json();
    assert_eq!(response["because"], "denied: the item belongs to another tenant");
}

#[tokio::test]
async fn attributes_that_the_caller_may_not_set_are_named() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let ask = |who: &'static str, verb: &str, item| {
        let body = json!({"verb": verb, "entity": "User", "item": item});
        world.client.post(who, "/v1/platform/authorize", body)
    };
    let (olga, grace) = ("subject=olga;role=operator", "subject=grace;tenant=northwind");
    let user = json!({"userId": "max", "accountId": "northwind", "roleId": "administrator"});
    let response = ask(olga, "create", user.clone()).await.expect(200).json();
    assert_eq!((&response["decision"], &response["notSettable"]), (&json!("allowed"), &json!([])));
    // Grace plans workstreams: no rule lets her write users, and no line lets her assign roles.
    let response = ask(grace, "update", user.clone()).await.expect(200).json();
    assert_eq!((&response["decision"], &response["notSettable"]), (&json!("denied"), &json!(["roleId"])));
    assert_eq!(ask(grace, "get", user.clone()).await.expect(200).json()["notSettable"], json!([]));
    // Hedy writes users.
    let role = json!({"roleId": "nw-hr", "accountId": "northwind", "name": "Human resources"});
    world.client.post(olga, "/v1/platform/roles", role).await.expect(201);
    let permission = json!({"roleId": "nw-hr", "accountId": "northwind", "menuKey": "users", "actions": ["write"]});
    world.client.post(olga, "/v1/platform/permissions", permission).await.expect(201);
    let hedy = json!({"userId": "hedy", "accountId": "northwind", "roleId": "nw-hr", "email": "h@northwind.example", "firstName": "H", "lastName": "L"});
    world.client.post(olga, "/v1/platform/users", hedy).await.expect(201);
    let hedy = "subject=hedy;tenant=northwind";
    let response = ask(hedy, "create", user.clone()).await.expect(200).json();
    assert_eq!(
        (&response["decision"], &response["because"]),
        (&json!("denied"), &json!("denied: the caller may not set `roleId`"))
    );
    let response = ask(hedy, "create", json!({"userId": "max", "accountId": "northwind"})).await.expect(200).json();
    assert_eq!((&response["decision"], &response["notSettable"]), (&json!("allowed"), &json!(["roleId"])));
    // Whether an update changes the role is not known: it may send the role that is stored.
    assert_eq!(ask(hedy, "update", user).await.expect(200).json()["decision"], "allowed");
}
