//! `keyfold table plan|apply`, as people and scripts use them.
//!
//! `KEYFOLD_DYNAMODB_LOCAL_URL` names a running DynamoDB Local for the test that is otherwise ignored.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A design whose table and indexes vary.
const DESIGN: &str = "
design: shop
TABLE
indexes:
  GSI1: {GSI1 purpose: orders of an owner}
MORE
entities:
  Order:
    scope: global
    PK: ORDER#<orderId>
    SK: METADATA
    GSI1PK: OWNER#<owner>
    GSI1SK: ORDER#<orderId>
    attributes:
      orderId: string
      owner: string
EXPIRY
patterns:
  orders of an owner: GSI1PK = OWNER#<owner>
callers:
  operators: role operator
allow:
  - operators: everything
";

struct Shell {
    folder: TempDir,
    endpoint: Option<String>,
}

impl Shell {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), endpoint: None }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes the design: its table, what GSI1 projects, and more indexes.
    fn design(&self, table: &str, gsi1: &str, more: &str) {
        let text = DESIGN.replace("TABLE", table).replace("GSI1 purpose", &format!("{gsi1}purpose"));
        let expiry = if table.contains("ttl") { "      expiresAt: expiry, optional\n" } else { "" };
        let text = text.replace("EXPIRY\n", expiry);
        let text = text.replace("MORE\n", &if more.is_empty() { String::new() } else { format!("  {more}\n") });
        std::fs::write(self.folder.path().join("design.yaml"), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
        let data = self.data();
        let (verb, options) = arguments.split_at(if arguments[0] == "table" { 2 } else { 1 });
        command.args(verb).arg(".").args(options).current_dir(self.folder.path());
        match &self.endpoint {
            Some(url) => command.arg("--endpoint").arg(url),
            None => command.arg("--data").arg(data),
        };
        command.output().unwrap()
    }

    /// What is printed, and the exit code.
    fn told(&self, arguments: &[&str]) -> (String, i32) {
        let output = self.run(arguments);
        let code = output.status.code().unwrap();
        assert_ne!(code, 1, "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), code)
    }

    fn add_an_order(&self) {
        let attributes = ["Order", "orderId=1", "owner=ada"];
        assert_eq!(self.run(&[&["create"], attributes.as_slice()].concat()).status.code(), Some(0));
    }
}

#[test]
fn a_plan_changes_nothing() {
    let shell = Shell::new();
    shell.design("table: orders", "", "");
    let expected = format!(
        "table `orders` on the engine in `{}`:\n  \
           1. create table `orders`: partition PK (S), sort SK (S), on demand\n       \
                with index `GSI1`: partition GSI1PK (S), sort GSI1SK (S), all attributes\n",
        shell.data().display()
    );
    assert_eq!(shell.told(&["table", "plan"]), (expected.clone(), 0));
    assert_eq!(shell.told(&["table", "plan", "--detailed-exitcode"]), (expected, 2));
    assert!(!shell.data().exists());
}

#[test]
fn a_table_is_made_and_changed() {
    let shell = Shell::new();
    shell.design("table: orders", "", "");
    let settled = "table `orders` matches the design `shop`\n".to_owned();
    let (created, code) = shell.told(&["table", "apply"]);
    assert_eq!(code, 0);
    assert_eq!(
        created,
        format!(
            "create table `orders`: partition PK (S), sort SK (S), on demand\n  \
               with index `GSI1`: partition GSI1PK (S), sort GSI1SK (S), all attributes\n{settled}"
        )
    );
    assert_eq!(shell.told(&["table", "apply"]), (settled.clone(), 0));
    assert_eq!(shell.told(&["table", "plan", "--detailed-exitcode"]), (settled.clone(), 0));
    shell.add_an_order();

    shell.design(
        "table: {name: orders, ttl: expiresAt, tags: {team: shop}}",
        "projection: keys, ",
        "byOwner: {partition: owner, sort: orderId, purpose: orders by owner}",
    );
    let (plan, code) = shell.told(&["table", "plan"]);
    assert_eq!(code, 0);
    assert_eq!(
        plan,
        format!(
            "table `orders` on the engine in `{}`:\n  \
               1. create index `byOwner`: partition owner (S), sort orderId (S), all attributes\n  \
               2. delete index `GSI1` to recreate it: it projects all attributes but should project keys only\n     \
                  data loss: reads through `GSI1` fail until it is filled again; confirm with --allow-loss index:GSI1\n  \
               3. create index `GSI1`: partition GSI1PK (S), sort GSI1SK (S), keys only\n  \
               4. expire items by `expiresAt`\n     \
                  data loss: items whose `expiresAt` has passed are deleted; confirm with --allow-loss ttl:expiresAt\n  \
               5. set tags team=shop\n",
            shell.data().display()
        )
    );
    let (refused, code) = shell.told(&["table", "apply", "--allow-loss", "ttl:expiresAt"]);
    assert_eq!(code, 3);
    assert_eq!(
        refused,
        "table `orders` was not changed, because data would be lost:\n  \
           reads through `GSI1` fail until it is filled again; confirm with --allow-loss index:GSI1\n"
    );
    assert_eq!(shell.told(&["table", "plan"]), (plan, 0));
    let (done, code) = shell.told(&["table", "apply", "--allow-loss", "ttl:expiresAt", "--allow-loss", "index:GSI1"]);
    assert_eq!(code, 0);
    assert_eq!(
        done,
        format!(
            "create index `byOwner`: partition owner (S), sort orderId (S), all attributes\n\
             delete index `GSI1` to recreate it: it projects all attributes but should project keys only\n\
             create index `GSI1`: partition GSI1PK (S), sort GSI1SK (S), keys only\n\
             expire items by `expiresAt`\n\
             set tags team=shop\n{settled}"
        )
    );
    assert_eq!(shell.told(&["table", "plan", "--detailed-exitcode"]), (settled, 0));
}

#[test]
fn scripts_read_plans_as_json() {
    let shell = Shell::new();
    shell.design("table: orders", "", "");
    shell.told(&["table", "apply"]);
    shell.add_an_order();
    shell.design("table: {name: orders, stream: new images}", "projection: keys, ", "");
    let (text, code) = shell.told(&["table", "plan", "--json", "--detailed-exitcode"]);
    assert_eq!(code, 2);
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({
            "table": "orders",
            "changes": [
                {
                    "kind": "delete-index",
                    "index": "GSI1",
                    "text": "delete index `GSI1` to recreate it: it projects all attributes but should project keys only",
                    "loss": {"name": "index:GSI1", "text": "reads through `GSI1` fail until it is filled again"},
                },
                {
                    "kind": "create-index",
                    "index": "GSI1",
                    "text": "create index `GSI1`: partition GSI1PK (S), sort GSI1SK (S), keys only",
                    "loss": null,
                },
            ],
            "obstacles": [],
            "inProgress": [],
            "notes": ["a stream of NEW_IMAGE is required; enable it through the infrastructure"],
        })
    );
}

#[test]
fn other_keys_need_a_table_of_another_name() {
    let shell = Shell::new();
    shell.design("table: orders", "", "");
    shell.told(&["table", "apply"]);
    let text = std::fs::read_to_string(shell.folder.path().join("design.yaml")).unwrap();
    let text =
        text.replace("table: orders", "table: {name: orders, sort: range}").replace("SK: METADATA", "range: METADATA");
    std::fs::write(shell.folder.path().join("design.yaml"), text).unwrap();
    let expected = "table `orders` cannot be changed to match the design:\n  \
           the keys of a table cannot change: the table has partition PK (S), sort SK (S) but should have partition PK (S), sort range (S)\n\
         create a new table under another name with --table; `keyfold copy` copies items to a table with the same keys\n"
        .to_owned();
    assert_eq!(shell.told(&["table", "plan"]), (expected.clone(), 3));
    assert_eq!(shell.told(&["table", "apply"]), (expected, 3));
    let (made, code) = shell.told(&["table", "apply", "--table", "orders2"]);
    assert_eq!(code, 0);
    assert!(made.starts_with("create table `orders2`: partition PK (S), sort range (S), on demand\n"), "{made}");
}

#[test]
#[ignore = "needs DynamoDB Local at KEYFOLD_DYNAMODB_LOCAL_URL"]
fn a_table_of_dynamodb_local_is_made_and_changed() {
    let url = std::env::var("KEYFOLD_DYNAMODB_LOCAL_URL").expect("KEYFOLD_DYNAMODB_LOCAL_URL");
    let shell = Shell { endpoint: Some(url), ..Shell::new() };
    let table = format!("keyfold-plan-{}", std::process::id());
    let run = |arguments: &[&str]| shell.told(&[arguments, &["--table", &table]].concat());
    let settled = format!("table `{table}` matches the design `shop`\n");
    shell.design("table: {name: orders, tags: {team: shop}}", "", "");
    let note = "note: tags are required but cannot be read; they are left unchanged\n";
    let (made, code) = run(&["table", "apply"]);
    assert_eq!(code, 0);
    assert!(
        made.starts_with(&format!("create table `{table}`: ")) && made.ends_with(&format!("{note}{settled}")),
        "{made}"
    );
    assert_eq!(run(&["table", "plan", "--detailed-exitcode"]), (format!("{note}{settled}"), 0));
    shell.design(
        "table: {name: orders, ttl: expiresAt}",
        "projection: keys, ",
        "byOwner: {partition: owner, sort: orderId, purpose: by owner}",
    );
    let (done, code) = run(&["table", "apply"]);
    assert_eq!(code, 0);
    assert_eq!(
        done,
        format!(
            "create index `byOwner`: partition owner (S), sort orderId (S), all attributes\n\
             delete index `GSI1` to recreate it: it projects all attributes but should project keys only\n\
             create index `GSI1`: partition GSI1PK (S), sort GSI1SK (S), keys only\n\
             expire items by `expiresAt`\n{settled}"
        )
    );
    shell.design("table: {name: orders, billing: provisioned 5/6}", "projection: keys, ", "");
    let (done, code) = run(&["table", "apply"]);
    assert_eq!(code, 0);
    assert_eq!(
        done,
        format!(
            "change billing from on demand to 5 read and 6 write units\n\
             delete index `byOwner`: partition owner (S), sort orderId (S), all attributes\n\
             stop expiring items by `expiresAt`\n{settled}"
        )
    );
    assert_eq!(run(&["table", "plan", "--detailed-exitcode"]), (settled, 0));
}

#[test]
fn a_table_without_an_index_of_the_design_is_not_served() {
    let shell = Shell::new();
    shell.design("table: {name: orders}", "", "");
    assert_eq!(shell.told(&["table", "apply"]).1, 0);
    shell.add_an_order();
    shell.design("table: {name: orders}", "", "byOwner: {partition: owner, sort: orderId, purpose: orders by owner}");
    let refused = shell.run(&["serve", "--dev", "--port", "0"]);
    assert_eq!(refused.status.code(), Some(1));
    let text = String::from_utf8(refused.stderr).unwrap();
    let expected = "error: the table `orders` does not match the design `shop`: index `byOwner` is missing; see \
                    `keyfold table plan`, then run `keyfold table apply`\n";
    assert!(text.ends_with(expected), "{text}");
}
