//! One line for each request, and nothing personal in it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::serve::process::{Backend, designs};

#[test]
fn lines_are_json_and_tell_nothing_of_callers_or_items() {
    let folder = tempfile::tempdir().unwrap();
    let platform = designs().join("platform");
    let flags = ["--log", "info", "--log-format", "json", "--dynamodb-port", "none"];
    let backend = Backend::start(folder.path(), &[&["--dev", platform.to_str().unwrap()][..], &flags].concat());
    let ada = backend.token("platform: a member of northwind, administrator");
    let user = json!({"userId": "u-zora", "email": "zora@example.com", "firstName": "Zora", "lastName": "Hurston",
        "roleId": "reader", "status": "active"});
    let (status, _) = backend.ask(&ada, "POST", "/v1/platform/users", Some(&user));
    assert_eq!(status, 201);
    assert_eq!(backend.ask(&ada, "GET", "/v1/platform/users/ada?secret=hunter2", None).0, 400);
    assert_eq!(backend.ask(&ada, "GET", "/v1/platform/users/ada", None).0, 200);
    assert_eq!(backend.ask("forged.token.here", "GET", "/v1/platform/users/ada", None).0, 401);
    assert_eq!(backend.ask(&ada, "GET", "/zora/hurston?q=hunter2", None).0, 404);
    let log = backend.stop();
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let access: Vec<&Value> = lines.iter().filter(|line| line["target"] == "keyfold_api::access").collect();
    let told = |line: &Value| {
        let text = |name: &str| line[name].as_str().unwrap_or("-").to_owned();
        (text("method"), text("route"), line["status"].as_u64().unwrap(), text("design"), text("problem"))
    };
    let of = |method: &str, route: &str, status: u64, design: &str, problem: &str| {
        (method.to_owned(), route.to_owned(), status, design.to_owned(), problem.to_owned())
    };
    let item = "/v1/platform/users/{userId}";
    assert_eq!(
        access.iter().skip(1).map(|line| told(line)).collect::<Vec<_>>(),
        [
            of("GET", item, 400, "platform", "bad-parameter"),
            of("GET", item, 200, "platform", "-"),
            of("GET", item, 401, "platform", "unauthenticated"),
            of("GET", "(none)", 404, "-", "not-found"),
        ]
    );
    let names: BTreeSet<&str> =
        access.iter().flat_map(|line| line.as_object().unwrap().keys()).map(String::as_str).collect();
    let known = BTreeSet::from([
        "timestamp",
        "level",
        "target",
        "message",
        "request",
        "method",
        "route",
        "design",
        "status",
        "problem",
        "microseconds",
    ]);
    assert_eq!(names, known);
    for line in &access {
        assert!(line["request"].as_str().unwrap().starts_with("req_") && line["microseconds"].is_u64(), "{line}");
    }
    // Ids of requests are random: they can spell anything.
    let mut told = log.clone();
    for line in &access {
        told = told.replace(line["request"].as_str().unwrap(), "");
    }
    for personal in
        ["zora", "Zora", "Hurston", "hurston", "hunter2", "ada", "northwind", "forged", "Bearer", &ada[..20]]
    {
        assert!(!told.contains(personal), "`{personal}` is in the log:\n{log}");
    }
}
