//! `--endpoint` and `--alternator`, as people use them: the same commands on a table elsewhere.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use keyfold_engine::{Engine, Options};
use serde_json::Value;
use tempfile::TempDir;

/// A served engine, and a user with an empty home.
struct Elsewhere {
    url: String,
    home: TempDir,
    _executor: tokio::runtime::Runtime,
}

impl Elsewhere {
    fn new() -> Self {
        let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let url = executor.block_on(async {
            let engine = Engine::in_memory(Options::default()).unwrap();
            keyfold_test_server::serve(Arc::new(engine)).await.unwrap()
        });
        Self { url, home: tempfile::tempdir().unwrap(), _executor: executor }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let designs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
            command.env_remove(name);
        }
        command.env_remove("KEYFOLD_CURSOR_SECRET").env_remove("XDG_STATE_HOME").env("HOME", self.home.path());
        command.env("AWS_EC2_METADATA_DISABLED", "true");
        command.args(arguments).current_dir(designs).output().unwrap()
    }

    /// A command on the service.
    fn there(&self, arguments: &[&str]) -> Output {
        self.run(&[arguments, &["--endpoint", &self.url]].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.there(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Neither credentials nor a region are set: nobody asks for them there.
#[test]
fn a_design_lives_on_a_service() {
    let elsewhere = Elsewhere::new();
    let loaded = elsewhere.there(&["load", "agencies"]);
    assert_eq!(text(&loaded.stdout), "table `agencies` created\n5 items loaded\n", "{}", text(&loaded.stderr));
    let agencies = elsewhere.json(&["query", "agencies", "all agencies"]);
    let names: Vec<&Value> =
        agencies["items"].as_array().unwrap().iter().map(|item| &item["attributes"]["name"]).collect();
    assert_eq!(names, ["Northwind", "Contoso"]);
    let id = agencies["items"][0]["attributes"]["agencyId"].as_str().unwrap();
    let patched = elsewhere.json(&["patch", "agencies", "Agency", &format!("agencyId={id}"), "name=Northwind Ltd"]);
    assert_eq!(
        (&patched["attributes"]["name"], &patched["attributes"]["version"]),
        (&"Northwind Ltd".into(), &2.into())
    );
    let refused = elsewhere.there(&["delete", "agencies", "Agency", &format!("agencyId={id}")]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).starts_with("constraint: Agency "), "{}", text(&refused.stderr));
}

/// The secret of cursors is kept with the user, for the next command.
#[test]
fn pages_go_on_in_a_later_command() {
    let elsewhere = Elsewhere::new();
    elsewhere.there(&["load", "agencies"]);
    let first = elsewhere.json(&["query", "agencies", "all members", "--take", "2"]);
    let second = elsewhere.json(&["query", "agencies", "all members", "--cursor", first["cursor"].as_str().unwrap()]);
    assert_eq!((&first["count"], &second["count"], &second["cursor"]), (&2.into(), &1.into(), &Value::Null));
    assert!(elsewhere.home.path().join(".local/state/keyfold/cursor-secret").exists());
    // One cursor in 64 begins like an option.
    let forged = elsewhere.there(&["query", "agencies", "all members", "--cursor", "-5"]);
    assert!(text(&forged.stderr).starts_with("invalid: the cursor does not belong to"), "{}", text(&forged.stderr));
}

#[test]
fn alternator_rejects_settings_that_need_transactions() {
    let elsewhere = Elsewhere::new();
    let output = elsewhere.run(&["load", "agencies", "--alternator", "http://127.0.0.1:9"]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "error: the design `agencies` cannot run on Alternator at http://127.0.0.1:9\n\
                    Alternator at http://127.0.0.1:9 has no transactions, which these require:\n  \
                    the reference `Member.agencyId` (or write `delete ignored` without a counter)\n";
    assert_eq!(text(&output.stderr), expected);
}

const NOTES: &str = "
design: notes
table: notes
targets: embedded, dynamodb, alternator
indexes:
  GSI1: {purpose: notes by status}
entities:
  Note:
    scope: global
    PK: NOTE#<noteId>
    SK: METADATA
    GSI1PK: STATUS#<status>
    GSI1SK: <noteId>
    attributes:
      noteId: string
      status: open | done, default open
      version: version
patterns:
  a note: PK = NOTE#<noteId> -> Note
  notes by status: GSI1PK = STATUS#<status>
allow:
  - operators: everything
callers:
  operators: role operator
";

/// Nothing of it needs a transaction; the client would refuse to send one.
#[test]
fn a_design_without_transactions_runs_on_alternator() {
    let elsewhere = Elsewhere::new();
    let design = elsewhere.home.path().join("notes.yaml");
    std::fs::write(&design, NOTES).unwrap();
    let design = design.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let output = elsewhere.run(&[arguments, &["--json", "--alternator", &elsewhere.url]].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    run(&["load", design]);
    run(&["create", design, "Note", "noteId=a"]);
    run(&["put", design, "Note", "noteId=b"]);
    run(&["upsert", design, "Note", "noteId=b", "status=done"]);
    run(&["patch", design, "Note", "noteId=a", "status=done"]);
    run(&["delete", design, "Note", "noteId=b"]);
    let page: Value = serde_json::from_str(&run(&["query", design, "notes by status", "status=done"])).unwrap();
    let ids: Vec<&Value> = page["items"].as_array().unwrap().iter().map(|item| &item["attributes"]["noteId"]).collect();
    assert_eq!(ids, ["a"]);
}

#[test]
fn mistakes_are_told() {
    let elsewhere = Elsewhere::new();
    let refusal = |arguments: &[&str]| text(&elsewhere.run(arguments).stderr);
    let unreachable = refusal(&["load", "agencies", "--endpoint", "http://127.0.0.1:9"]);
    let place = "error: the table is not available: the service at http://127.0.0.1:9: ";
    assert!(unreachable.starts_with(place), "{unreachable}");
    assert!(unreachable.contains("Connection refused"), "{unreachable}");
    assert_eq!(unreachable.lines().count(), 1, "{unreachable}");
    let both = refusal(&["load", "agencies", "--aws", "--data", "x"]);
    assert!(both.starts_with("error: the argument '--aws' cannot be used with '--data <DIR>'"), "{both}");
    assert_eq!(
        refusal(&["load", "agencies", "--endpoint", "localhost:8000"]),
        "error: `localhost:8000` is not a valid service URL; example: http://127.0.0.1:8000\n"
    );
    // Amazon's own service is not asked with credentials that were made up.
    let without = refusal(&["load", "agencies", "--endpoint", "https://dynamodb.eu-west-1.amazonaws.com"]);
    assert!(without.contains("no AWS credentials were found"), "{without}");
    let missing = elsewhere.there(&["get", "agencies", "Agency", "agencyId=01K9ZV0000000000000000AAAA"]);
    assert!(text(&missing.stderr).contains("non-existent table") || text(&missing.stderr).contains("not found"));
}
