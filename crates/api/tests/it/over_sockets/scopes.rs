//! The scope of a credential narrows what its roles allow, on every path, and widens nothing.

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use serde_json::{Value, json};

use crate::over_sockets::world::{Setting, World};

const DESIGN: &str = "
design: desk
table: desk
callers: {operators: role operator}
entities:
  Team:
    PK: TEAM#<teamId>
    SK: TEAM
    delete: cascade when asked
    attributes: {teamId: string, name: string, version: version}
  Note:
    PK: TEAM#<teamId>
    SK: NOTE#<noteId>
    attributes: {teamId: 'string, refers to Team, deleted with it', noteId: string, text: string}
patterns:
  everything of a team: PK = TEAM#<teamId> -> Team, Note
  notes of a team: PK = TEAM#<teamId> and begins_with(SK, NOTE#)
allow:
  - role editor: everything
  - role reader: read
";
const EDITOR: &str = "subject=machine:m;role=editor";

async fn serve() -> World {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::custom(DESIGN, &[], setting).await;
    world.client.post(EDITOR, "/v1/desk/teams", json!({"teamId": "t", "name": "One"})).await.expect(201);
    let note = json!({"teamId": "t", "noteId": "n", "text": "a"});
    world.client.post(EDITOR, "/v1/desk/notes", note).await.expect(201);
    world
}

fn scoped(scopes: &str) -> String {
    format!("{EDITOR};scope={scopes}")
}

/// Denied requests in the audit log: verb and entity.
async fn denials(world: &World) -> Vec<String> {
    let log = world.client.get("subject=o;role=operator", "/v1/desk/audit?outcome=denied&order=forward").await;
    let items = log.expect(200).json()["items"].as_array().unwrap().clone();
    let line = |entry: &Value| format!("{} {}", entry["verb"].as_str().unwrap(), entry["entity"].as_str().unwrap());
    let mut lines: Vec<String> = items.iter().map(line).collect();
    lines.sort();
    lines
}

#[tokio::test]
async fn a_scope_narrows_items_and_patterns() {
    let world = serve().await;
    let reader = scoped("Note:read");
    world.client.get(&reader, "/v1/desk/notes/t/n").await.expect(200);
    world.client.get(&reader, "/v1/desk/patterns/notes-of-a-team?teamId=t").await.expect(200);
    // A page has the entities that the scope includes.
    let page = world.client.get(&reader, "/v1/desk/patterns/everything-of-a-team?teamId=t").await.expect(200).json();
    assert_eq!((&page["count"], &page["items"][0]["type"]), (&json!(1), &json!("Note")), "{page}");
    let patch = json!({"text": "b"});
    let problem = world.client.patch(&reader, "/v1/desk/notes/t/n", patch).await.problem(403, "not-allowed");
    assert_eq!(problem["detail"], "no rule lets the caller update Note");
    // What the scope does not include is as unknown as what no rule allows.
    world.client.get(&reader, "/v1/desk/teams/t").await.problem(404, "not-found");
    world.client.delete(&reader, "/v1/desk/teams/t?cascade=true").await.problem(404, "not-found");
    let by_pattern = scoped("pattern:notes-of-a-team");
    world.client.get(&by_pattern, "/v1/desk/patterns/notes-of-a-team?teamId=t").await.expect(200);
    world.client.get(&by_pattern, "/v1/desk/patterns/notes-of-a-team?teamId=t&x=1").await.problem(400, "bad-parameter");
    world.client.get(&by_pattern, "/v1/desk/patterns/everything-of-a-team?teamId=t").await.problem(403, "not-allowed");
    world.client.get(&by_pattern, "/v1/desk/notes/t/n").await.problem(403, "not-allowed");
    assert_eq!(
        denials(&world).await,
        ["delete Team", "get Note", "get Team", "list Team, Note", "patch Note"].map(str::to_owned)
    );
}

#[tokio::test]
async fn a_scope_adds_nothing_to_the_rules() {
    let world = serve().await;
    let reader = "subject=machine:r;role=reader;scope=read,write,Team:delete,audit";
    world.client.get(reader, "/v1/desk/teams/t").await.expect(200);
    world.client.patch(reader, "/v1/desk/teams/t", json!({"name": "Two"})).await.problem(403, "not-allowed");
    world.client.delete(reader, "/v1/desk/teams/t?cascade=true").await.problem(403, "not-allowed");
    world.client.get(reader, "/v1/desk/audit").await.problem(403, "not-allowed");
}

#[tokio::test]
async fn a_transaction_with_one_write_outside_the_scope_changes_nothing() {
    let world = serve().await;
    let before = world.stored("desk").await;
    let writes = json!({"writes": [
        {"patch": {"Note": {"teamId": "t", "noteId": "n", "text": "b"}}},
        {"patch": {"Team": {"teamId": "t", "name": "Two"}}},
    ]});
    let path = "/v1/desk/transactions";
    world.client.post(&scoped("read,Note:update"), path, writes.clone()).await.problem(403, "not-allowed");
    assert_eq!(world.stored("desk").await, before);
    world.client.post(&scoped("Team:update,Note:update"), path, writes).await.expect(200);
}

#[tokio::test]
async fn a_cascade_needs_the_scope_of_the_named_item() {
    let world = serve().await;
    let path = "/v1/desk/teams/t?cascade=true";
    world.client.delete(&scoped("read,Note:delete"), path).await.problem(403, "not-allowed");
    assert_eq!(world.stored("desk").await.len(), 2);
    world.client.delete(&scoped("Team:delete"), path).await.expect(204);
    assert_eq!(world.stored("desk").await.len(), 0);
}

#[tokio::test]
async fn a_write_outside_the_scope_of_reads_returns_no_item() {
    let world = serve().await;
    let written = world.client.patch(&scoped("Team:update"), "/v1/desk/teams/t", json!({"name": "Two"})).await;
    let written = written.expect(200);
    assert_eq!((written.bytes.len(), written.header("etag")), (0, "\"2\""));
    let created = json!({"teamId": "u", "name": "Three"});
    let created = world.client.post(&scoped("create"), "/v1/desk/teams", created).await.expect(201);
    assert_eq!((created.bytes.len(), created.header("location")), (0, "/v1/desk/teams/u"));
    // A replacement may create an item, which is another verb.
    let put = json!({"teamId": "v", "name": "Four"});
    world.client.json(&scoped("update"), Method::PUT, "/v1/desk/teams/v", put).await.problem(404, "not-found");
}

#[tokio::test]
async fn scopes_are_explained_and_shown_to_their_caller() {
    let world = serve().await;
    let reader = scoped("Note:read,pattern:notes-of-a-team");
    let me = world.client.get(&reader, "/v1/desk/me").await.expect(200).json();
    assert_eq!(me["scopes"], json!(["Note:read", "pattern:notes-of-a-team"]));
    assert_eq!(world.client.get(EDITOR, "/v1/desk/me").await.expect(200).json().get("scopes"), None);
    let ask = async |verb: &str, entity: &str| -> Value {
        let question = json!({"verb": verb, "entity": entity});
        let response = world.client.post(&reader, "/v1/desk/authorize", question).await.expect(200).json();
        json!([response["decision"], response["because"]])
    };
    let outside = json!(["denied", "denied: the scope of the credential does not include it"]);
    assert_eq!(ask("update", "Note").await, outside);
    assert_eq!(ask("list", "Team").await, outside);
    assert_eq!(ask("get", "Note").await[0], "allowed");
    assert_eq!(ask("list", "Note").await[0], "allowed");
}

#[tokio::test]
async fn the_audit_log_needs_a_scope_of_its_own() {
    let world = serve().await;
    let operator = "subject=machine:o;role=operator;scope=";
    world.client.get(&format!("{operator}read,write"), "/v1/desk/audit").await.problem(403, "not-allowed");
    world.client.get(&format!("{operator}audit"), "/v1/desk/audit").await.expect(200);
    world.client.get("subject=o;role=operator", "/v1/desk/audit").await.expect(200);
}
