//! `keyfold load|create|patch|get|delete|query|explain|test`, as people and scripts use them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

struct Shell {
    data: TempDir,
}

impl Shell {
    fn new() -> Self {
        Self { data: tempfile::tempdir().unwrap() }
    }

    fn loaded() -> Self {
        let shell = Self::new();
        let output = shell.run(&["load", "platform"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        shell
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let designs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
        command.args(arguments).current_dir(designs);
        if arguments.first() != Some(&"test") {
            command.arg("--data").arg(self.data.path().join("data"));
        }
        command.output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const MEMBER: &str = "tenant=northwind,subject=ada,permission=licenses.write";

#[test]
fn sample_data_is_loaded_once() {
    let shell = Shell::new();
    let output = shell.run(&["load", "agencies"]);
    assert_eq!(text(&output.stdout), "table `agencies` created\n5 items loaded\n");
    let again = shell.run(&["load", "agencies"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("sample data is loaded only into a new table"));
}

#[test]
fn scripts_get_errors_as_json() {
    let shell = Shell::new();
    let loaded = shell.json(&["load", "agencies"]);
    assert_eq!(loaded, json!({"table": "agencies", "created": true, "loaded": 5}));
    assert_eq!(
        shell.json(&["get", "agencies", "Agency", "agencyId=none"]),
        json!({"error": "not found", "message": "Agency not found"})
    );
    for arguments in [
        ["load", "agencies"].as_slice(),
        &["get", "agencies", "Agence", "agencyId=none"],
        &["query", "agencies", "no pattern"],
        &["explain", "agencies", "read", "Agency"],
    ] {
        let error = shell.json(arguments);
        assert_eq!(error["error"], "invalid", "{arguments:?}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{arguments:?}");
    }
}

#[test]
fn data_with_numbers_that_would_be_rounded_is_rejected_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("design.yaml"),
        "design: meters\ntable: meters\nentities:\n  Meter:\n    PK: METER#<meterId>\n    SK: METER\n    attributes: \
         {meterId: string, total: number}\nallow:\n  - operators: everything\n",
    )
    .unwrap();
    let design = folder.path().to_str().unwrap();
    let data = folder.path().join("data.yaml");
    let shell = Shell::new();
    std::fs::write(&data, "items:\n  - Meter: {meterId: a, total: 12345678901234567890.5}\n").unwrap();
    let refused = shell.run(&["load", design]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(
        text(&refused.stderr),
        format!(
            "error: `{}`, line 2: `12345678901234567890.5` has more digits than a YAML reader keeps; write \
             '12345678901234567890.5'\n",
            data.display()
        )
    );
    std::fs::write(
        &data,
        "items:\n  - Meter: {meterId: a, total: '12345678901234567890.5'}\n  - Meter: {meterId: b, total: 7.52e31}\n",
    )
    .unwrap();
    shell.json(&["load", design]);
    let total =
        |id: &str| shell.json(&["get", design, "Meter", &format!("meterId={id}")])["attributes"]["total"].clone();
    assert_eq!(total("a"), json!("12345678901234567890.5"));
    assert_eq!(total("b"), json!(7.52e31));
    shell.json(&["put", design, "Meter", r#"{"meterId":"c","total":9135.141165457897}"#]);
    assert_eq!(total("c").to_string(), "9135.141165457897");
}

#[test]
fn a_license_lives() {
    let shell = Shell::loaded();
    let license = ["licenseId=nw-9", "enterpriseId=globex", "seats=5", "endDate=2026-07-01"];
    let created = shell.json(&[&["create", "platform", "License"], license.as_slice(), &["--as", MEMBER]].concat());
    assert_eq!(created["entity"], "License");
    assert_eq!(created["attributes"]["accountId"], "northwind");
    assert_eq!(created["attributes"]["seats"], 5);
    assert_eq!(created["attributes"]["version"], 1);

    let patch = ["patch", "platform", "License", "licenseId=nw-9", "status=expired", "note=late"];
    let patched = shell.json(&[patch.as_slice(), &["--as", MEMBER]].concat());
    assert_eq!((&patched["attributes"]["status"], &patched["attributes"]["version"]), (&json!("expired"), &json!(2)));

    let stale =
        ["patch", "platform", "License", "licenseId=nw-9", "seats=6", "--expected-version", "1", "--as", MEMBER];
    let refused = shell.run(&stale);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(
        text(&refused.stderr),
        "conflict: License accountId=northwind, licenseId=nw-9 was changed by someone else\n"
    );

    let expired = shell.json(&["query", "platform", "expired licenses", "--take", "50"]);
    let ids: Vec<&str> = expired["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|item| item["attributes"]["licenseId"].as_str())
        .collect();
    assert_eq!(ids.last(), Some(&"nw-9"));

    let delete = shell.run(&["delete", "platform", "License", "licenseId=nw-9", "--as", MEMBER]);
    assert_eq!((delete.status.code(), text(&delete.stdout).as_str()), (Some(0), "deleted\n"));
    let gone = shell.run(&["get", "platform", "License", "licenseId=nw-9", "--as", MEMBER]);
    assert_eq!((gone.status.code(), text(&gone.stderr).as_str()), (Some(1), "License not found\n"));
}

#[test]
fn pages_go_on_where_they_ended_in_a_later_command() {
    let shell = Shell::loaded();
    let all = shell.json(&["query", "platform", "licenses by account", "accountId=northwind"]);
    let first = shell.json(&["query", "platform", "licenses-by-account", "accountId=northwind", "--take", "4"]);
    let cursor = first["cursor"].as_str().unwrap();
    let second = shell.json(&["query", "platform", "licenses by account", "accountId=northwind", "--cursor", cursor]);
    assert_eq!(second["cursor"], Value::Null);
    let both: Vec<&Value> =
        first["items"].as_array().unwrap().iter().chain(second["items"].as_array().unwrap()).collect();
    assert_eq!(both, all["items"].as_array().unwrap().iter().collect::<Vec<_>>());
    let elsewhere = shell.run(&["query", "platform", "licenses by account", "accountId=contoso", "--cursor", cursor]);
    assert_eq!(elsewhere.status.code(), Some(1));
    assert!(
        text(&elsewhere.stderr).starts_with("invalid: the cursor does not belong to this pattern, these arguments")
    );
}

#[test]
fn a_member_sees_the_own_tenant() {
    let shell = Shell::loaded();
    let seen = shell.json(&["query", "platform", "licenses by enterprise", "enterpriseId=globex", "--as", MEMBER]);
    let accounts: Vec<&Value> =
        seen["items"].as_array().unwrap().iter().map(|item| &item["attributes"]["accountId"]).collect();
    assert!(!accounts.is_empty() && accounts.iter().all(|account| *account == "northwind"), "{accounts:?}");
    let across = shell.run(&["query", "platform", "all accounts", "--as", MEMBER]);
    assert_eq!(text(&across.stderr), "not allowed: `all accounts` reads across tenants and is for operators\n");
}

#[test]
fn a_call_is_explained_and_nothing_is_written() {
    let shell = Shell::loaded();
    let patch = ["explain", "platform", "patch", "License", "accountId=northwind", "licenseId=nw-1", "status=expired"];
    let output = text(&shell.run(&patch).stdout);
    assert!(output.starts_with("1. UpdateItem\n     PK = ACCOUNT#northwind, SK = LICENSE#nw-1\n"), "{output}");
    assert!(output.contains("GSI3PK = \"LICENSE#STATUS#expired\""), "{output}");
    let query = shell.json(&["explain", "platform", "query", "expiring licenses", "before=2026-12-31"]);
    assert_eq!(query["requests"][0]["index"], "GSI3");
    assert_eq!(query["requests"][0]["on"], "#n0 = :v0 AND #n1 < :v1");
    assert_eq!(query["requests"][0]["values"], json!({":v0": "LICENSE#STATUS#active", ":v1": "2026-12-31$"}));
    let license = shell.json(&["get", "platform", "License", "accountId=northwind", "licenseId=nw-1"]);
    assert_eq!(license["attributes"]["status"], "active");
}

#[test]
fn mistakes_are_told() {
    let shell = Shell::loaded();
    let refusal = |arguments: &[&str]| text(&shell.run(arguments).stderr);
    assert!(
        refusal(&["get", "platform", "Licence", "id=1"])
            .starts_with("error: unknown entity `Licence`; the design has Account,")
    );
    assert!(
        refusal(&["query", "platform", "licenses"])
            .starts_with("error: unknown access pattern `licenses`; the design has all accounts,")
    );
    assert_eq!(
        refusal(&[
            "create",
            "platform",
            "License",
            "accountId=northwind",
            "enterpriseId=globex",
            "endDate=2026-01-01",
            "seats=0"
        ]),
        "constraint: `seats` must be at least 1 but is `0`\n"
    );
    assert_eq!(
        refusal(&["delete", "platform", "Product", "productId=portal", "--cascade"]),
        "invalid: `cascade` does not apply to Product: the design does not say `delete: cascade when asked`\n"
    );
    let json = shell.json(&[
        "create",
        "platform",
        "License",
        "accountId=northwind",
        "enterpriseId=nobody",
        "endDate=2026-01-01",
        "seats=1",
    ]);
    assert_eq!(
        json,
        json!({
            "error": "constraint", "constraint": "enterpriseId", "attribute": "enterpriseId",
            "message": "`enterpriseId` refers to a Enterprise that does not exist"
        })
    );
    assert!(refusal(&["get", "nowhere", "X"]).starts_with("error: cannot read `nowhere`"));
}

#[test]
fn the_shipped_designs_hold_what_they_say() {
    let output = Shell::new().run(&["test", "agencies", "platform"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).ends_with(" passed, 0 failed\n"));
}
