//! `keyfold audit`, on a folder that a server has left.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use keyfold_api::change_records::{Act, ChangeRecordSettings, ChangeRecords, ItemRead, ShownItem};
use keyfold_api::{CredentialKind, Principal};
use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_engine::Engine;
use keyfold_environment::{Clock, ManualClock, SystemClock, SystemRandom};
use keyfold_runtime::{Caller, timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with an audit log, and the time of its first entry.
struct Log {
    data: TempDir,
    start: u64,
}

const STEP_MS: u64 = 60_000;

impl Log {
    /// One denial a minute, beginning three hours ago, of each tenant, subject and entity.
    async fn new(denials: &[(&str, &str, &str)]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let start = SystemClock.now_ms() - 3 * 60 * STEP_MS;
        let log = Self { data, start };
        let clock = Arc::new(ManualClock::at_ms(start));
        let backend: Arc<dyn Backend> = Arc::new(Engine::open(log.folder(), Default::default()).unwrap());
        let settings = ChangeRecordSettings::default();
        let records = ChangeRecords::open(backend, settings, Arc::clone(&clock) as _, Arc::new(SystemRandom));
        let records = records.await.unwrap();
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/platform/design.yaml");
        let design = Design::load("design.yaml", &std::fs::read_to_string(file).unwrap()).unwrap().0;
        for (position, (tenant, subject, entity)) in denials.iter().enumerate() {
            let principal = Principal {
                caller: Caller::member(*tenant, *subject).into(),
                kind: CredentialKind::Token,
                ..Principal::default()
            };
            let (identity, request_id) = (format!("i{position}"), format!("r-{position}"));
            let (design, principal, identity, request_id) = (&design, &principal, &identity, &request_id);
            let denial = Act { design, principal, tenant: None, verb: "delete", entity, identity, request_id };
            records.record_denial(denial).await;
            clock.advance(STEP_MS);
        }
        clock.advance(30 * STEP_MS);
        records.seal_if_due().await;
        log
    }

    fn folder(&self) -> std::path::PathBuf {
        self.data.path().join("data")
    }

    /// The time of the entry at a position.
    fn time(&self, position: u64) -> String {
        timestamp(self.start + position * STEP_MS).unwrap()
    }

    fn audit(&self, arguments: &[&str]) -> Output {
        audit(&self.folder(), arguments)
    }

    /// The identities of the exported entries.
    fn exported(&self, arguments: &[&str]) -> Vec<String> {
        let output = self.audit(&[&["export"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let lines = String::from_utf8(output.stdout).unwrap();
        lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["identity"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn audit(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
    command.arg("audit").args(arguments).arg("--data").arg(folder).output().unwrap()
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    texts
}

const DENIALS: [(&str, &str, &str); 5] = [
    ("northwind", "ada", "Product"),
    ("northwind", "bob", "Product"),
    ("contoso", "ada", "Product"),
    ("northwind", "ada", "Role"),
    ("northwind", "ada", "Product"),
];

#[tokio::test]
async fn entries_are_exported_as_json_lines() {
    let log = Log::new(&DENIALS).await;
    // Tenant by tenant, each in the order of time.
    let of_northwind = ["--design", "platform", "--tenant", "northwind"];
    assert_eq!(log.exported(&of_northwind), ["i0", "i1", "i3", "i4"]);
    assert_eq!(sorted(log.exported(&[])), ["i0", "i1", "i2", "i3", "i4"]);
    assert_eq!(sorted(log.exported(&["--design", "platform"])), ["i0", "i1", "i2", "i3", "i4"]);
    assert_eq!(log.exported(&["--design", "plat"]), Vec::<String>::new());
    assert_eq!(sorted(log.exported(&["--subject", "ada"])), ["i0", "i2", "i3", "i4"]);
    assert_eq!(log.exported(&["--subject", "ada", "--entity", "Role"]), ["i3"]);
    assert_eq!(sorted(log.exported(&["--from", &log.time(1), "--to", &log.time(3)])), ["i1", "i2"]);
    let range = ["--from", &log.time(1), "--to", &log.time(4)];
    assert_eq!(log.exported(&[&of_northwind[..], &range, &["--subject", "ada"]].concat()), ["i3"]);
    assert_eq!(log.exported(&["--from", &log.time(3), "--to", &log.time(1)]), Vec::<String>::new());

    let output = log.audit(&["export", "--subject", "bob"]);
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = json!({
        "design": "platform", "at": log.time(1), "subject": "bob", "by": "token", "tenant": "northwind",
        "verb": "delete", "entity": "Product", "identity": "i1", "outcome": "denied", "requestId": "r-1"
    });
    assert_eq!(line, expected);
}

#[tokio::test]
async fn reads_are_exported_and_verified() {
    let log = Log { data: tempfile::tempdir().unwrap(), start: SystemClock.now_ms() - 3 * 60 * STEP_MS };
    let clock = Arc::new(ManualClock::at_ms(log.start));
    let backend: Arc<dyn Backend> = Arc::new(Engine::open(log.folder(), Default::default()).unwrap());
    let settings = ChangeRecordSettings::default();
    let records = ChangeRecords::open(backend, settings, Arc::clone(&clock) as _, Arc::new(SystemRandom));
    let records = records.await.unwrap();
    let text = "design: clinic\ntable: clinic\nentities:\n  Patient: {PK: PATIENT#<id>, SK: PATIENT, audit reads: yes, attributes: {id: string}}\n";
    let design = Design::load("design.yaml", text).unwrap().0;
    let patients = ["p1", "p2"].map(|id| Attributes::from([("id".to_owned(), AttributeValue::S(id.to_owned()))]));
    let entity = design.entity_named("Patient").unwrap().id;
    let shown = patients.each_ref().map(|attributes| ShownItem { entity, attributes });
    let caller = Caller { subject: Some("ada".to_owned()), ..Caller::default() };
    let principal = Principal { caller: caller.into(), kind: CredentialKind::Token, ..Principal::default() };
    let read = |pattern| ItemRead { design: &design, principal: &principal, tenant: None, pattern, request_id: "r-1" };
    records.record_read(&read(Some("patients")), &shown).await.unwrap();
    // Of the reads of a minute, those beyond a hundred share an entry.
    for _ in 0..102 {
        records.record_read(&read(None), &shown[..1]).await.unwrap();
    }
    clock.advance(STEP_MS);
    records.write_due_counts().await;
    clock.advance(30 * STEP_MS);
    records.seal_if_due().await;
    drop(records);

    let output = log.audit(&["export", "--design", "clinic"]);
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 102);
    let list = lines.iter().find(|line| line["verb"] == "list").unwrap();
    assert_eq!((&list["pattern"], &list["items"], &list["identity"]), (&json!("patients"), &json!(2), &json!("p1,p2")));
    let counted = lines.iter().find(|line| line.get("count").is_some()).unwrap();
    assert_eq!(
        (&counted["verb"], &counted["count"], &counted["outcome"]),
        (&json!("get"), &json!(2), &json!("allowed"))
    );
    let output = log.audit(&["verify"]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.starts_with("no problems: 102 entries in 1 segment as they were sealed, 0 not sealed yet\n"),
        "{told}"
    );

    let engine = Engine::open(log.folder(), Default::default()).unwrap();
    AuditItem::first(&engine).await.remove(&engine).await;
    drop(engine);
    assert_eq!(log.audit(&["verify"]).status.code(), Some(2));
}

#[tokio::test]
async fn exports_that_cannot_be_made_say_why() {
    let log = Log::new(&DENIALS[..1]).await;
    let failure = |output: Output| {
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let told = failure(log.audit(&["export", "--from", "soon"]));
    assert!(told.ends_with("error: `from` is not a time such as 2026-11-15T13:00:00Z\n"), "{told}");
    let told = failure(log.audit(&["export", "--audit-table", "other"]));
    assert!(told.contains("error: table `other` not found on the engine in "), "{told}");
    let empty = tempfile::tempdir().unwrap();
    let told = failure(audit(empty.path(), &["export"]));
    assert!(told.ends_with("is not a Keyfold data folder: name the one of the server with --data\n"), "{told}");
}

#[tokio::test]
async fn a_removed_entry_shows_in_the_verification() {
    let log = Log::new(&DENIALS).await;
    let output = log.audit(&["verify"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    let mut lines = told.lines();
    assert_eq!(lines.next(), Some("no problems: 5 entries in 1 segment as they were sealed, 0 not sealed yet"));
    let head = lines.next().unwrap().strip_prefix("head ").unwrap();
    assert_eq!(log.audit(&["verify", "--head", head]).status.code(), Some(0));
    let output = log.audit(&["verify", "--head", "0:00", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = "the chain has no segment 0 with the hash 00: it was rewritten or cut off";
    assert_eq!((&found["findings"], &found["head"]), (&json!([expected]), &json!(head)));

    let engine = Engine::open(log.folder(), Default::default()).unwrap();
    let entry = AuditItem::first(&engine).await;
    entry.remove(&engine).await;
    drop(engine);
    let output = log.audit(&["verify"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains(" entries were sealed in segment 0, "), "{told}");
    assert!(told.contains("1 problem: "), "{told}");
}

/// An entry of the log, by its key.
struct AuditItem(keyfold_dynamo::Attributes);

impl AuditItem {
    async fn first(engine: &Engine) -> Self {
        let input =
            keyfold_dynamo::operation::ScanInput { table_name: "keyfold_audit".to_owned(), ..Default::default() };
        let items = engine.scan(input).await.unwrap().items.unwrap();
        let items = items.iter().map(|item| item.attributes().unwrap().clone());
        let entry = items.into_iter().find(|item| item["PK"].as_str().unwrap().starts_with("AUDIT#")).unwrap();
        Self(["PK", "SK"].map(|name| (name.to_owned(), entry[name].clone())).into())
    }

    async fn remove(self, engine: &Engine) {
        let table_name = "keyfold_audit".to_owned();
        let input = keyfold_dynamo::operation::DeleteItemInput { table_name, key: self.0, ..Default::default() };
        engine.delete_item(input).await.unwrap();
    }
}
