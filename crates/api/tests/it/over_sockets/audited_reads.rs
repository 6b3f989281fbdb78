//! Reads of entities with `audit reads` are in the audit log before they are answered.

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::operation::PutItemInput;
use serde_json::{Value, json};

use crate::over_sockets::world::{Setting, World};

const DESIGN: &str = "
design: clinic
table: clinic
tenant: {attribute: wardId, entity: Ward}
callers: {operators: role operator}
entities:
  Ward: {scope: tenant, PK: WARD#<wardId>, SK: WARD, attributes: {wardId: string}}
  Patient:
    scope: tenant
    PK: WARD#<wardId>
    SK: PATIENT#<patientId>
    audit reads: yes
    attributes:
      wardId: string, refers to Ward
      patientId: string
      name: string, optional
      drug: string, optional
      dose: integer, optional
      limit: integer, optional
      version: version
    must hold:
      the dose is within the limit: dose == null || limit == null || dose <= limit
  Note:
    scope: tenant
    PK: WARD#<wardId>
    SK: NOTE#<noteId>
    attributes: {wardId: 'string, refers to Ward', noteId: string}
patterns:
  number of patients: PK = WARD#<wardId> and begins_with(SK, PATIENT#), count
  number of everything: PK = WARD#<wardId>, count -> Ward, Patient, Note
  patients: PK = WARD#<wardId> and begins_with(SK, PATIENT#)
  everything of a ward: PK = WARD#<wardId> -> Ward, Patient, Note
allow:
  - operators: everything
  - members: everything
";
const ADA: &str = "subject=ada;tenant=w1";
const OPERATOR: &str = "subject=olga;role=operator";

async fn serve() -> World {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::custom(DESIGN, &[], setting).await;
    for (ward, patients) in [("w1", &["p1", "p,2", "p3"][..]), ("w2", &["p9"])] {
        world.client.post(OPERATOR, "/v1/clinic/wards", json!({"wardId": ward})).await.expect(201);
        for patient in patients {
            let patient = json!({"wardId": ward, "patientId": patient, "name": "N"});
            world.client.post(OPERATOR, "/v1/clinic/patients", patient).await.expect(201);
        }
    }
    world.client.post(ADA, "/v1/clinic/notes", json!({"noteId": "n1"})).await.expect(201);
    world
}

/// The reads in the log of a tenant, the oldest first.
async fn reads(world: &World, tenant: &str) -> Vec<Value> {
    let mut reads = Vec::new();
    for verb in ["get", "list"] {
        let path = format!("/v1/clinic/audit?tenant={tenant}&verb={verb}&outcome=allowed&order=forward&take=100");
        let page = world.client.get(OPERATOR, &path).await.expect(200).json();
        reads.extend(page["items"].as_array().unwrap().clone());
    }
    reads
}

fn brief(read: &Value) -> Value {
    json!([read["subject"], read["verb"], read["entity"], read["identity"], read["pattern"], read["items"]])
}

#[tokio::test]
async fn reads_are_recorded_with_their_items() {
    let world = serve().await;
    world.client.get(ADA, "/v1/clinic/patients/p1").await.expect(200);
    world.client.get(ADA, "/v1/clinic/patients/unknown").await.problem(404, "not-found");
    // Another entity is not audited.
    world.client.get(ADA, "/v1/clinic/notes/n1").await.expect(200);
    world.client.get(ADA, "/v1/clinic/patterns/patients").await.expect(200);
    world.client.get(OPERATOR, "/v1/clinic/patterns/everything-of-a-ward?wardId=w1").await.expect(200);
    world.client.get(OPERATOR, "/v1/clinic/patients/p9?tenant=w2").await.expect(200);
    // Entries of the same millisecond are in no particular order.
    let mut own: Vec<String> = reads(&world, "w1").await.iter().map(|read| brief(read).to_string()).collect();
    own.sort();
    assert_eq!(
        own,
        [
            json!(["ada", "get", "Patient", "p1", null, null]),
            json!(["ada", "list", "Patient", "p%2C2,p1,p3", "patients", 3]),
            json!(["olga", "list", "Patient", "p%2C2,p1,p3", "everything-of-a-ward", 3]),
        ]
        .map(|read| read.to_string())
    );
    // Tenants see what operators read of theirs.
    let other: Vec<Value> = reads(&world, "w2").await.iter().map(brief).collect();
    assert_eq!(other, [json!(["olga", "get", "Patient", "p9", null, null])]);
    // By item, too.
    let path = "/v1/clinic/audit?tenant=w1&entity=Patient&id=p1&verb=get";
    assert_eq!(world.client.get(OPERATOR, path).await.expect(200).json()["count"], 1);
}

#[tokio::test]
async fn counts_are_recorded_with_their_number() {
    let world = serve().await;
    let count = world.client.get(ADA, "/v1/clinic/patterns/number-of-patients").await.expect(200).json();
    assert_eq!((&count["count"], &count["items"]), (&json!(3), &json!([])));
    world.client.get(OPERATOR, "/v1/clinic/patterns/number-of-everything?wardId=w2").await.expect(200);
    let own = reads(&world, "w1").await;
    assert_eq!(
        own.iter().map(brief).collect::<Vec<_>>(),
        [json!(["ada", "list", "Patient", "", "number-of-patients", 3])]
    );
    assert_eq!(own[0]["truncated"], true);
    // Tenants see what operators count of theirs, and other entities are not audited.
    let other: Vec<Value> = reads(&world, "w2").await.iter().map(brief).collect();
    assert_eq!(other, [json!(["olga", "list", "Patient", "", "number-of-everything", 1])]);
    // A number that cannot be recorded is not shown.
    let table = ChangeRecordSettings::default().table;
    world.designs[0].1.delete_table(table).await.unwrap();
    world.client.get(ADA, "/v1/clinic/patterns/number-of-patients").await.problem(503, "unavailable");
}

const HIDDEN: &str = "
design: clinic
table: clinic
tenant: wardId
callers: {operators: role operator}
entities:
  Record:
    scope: tenant
    PK: WARD#<wardId>
    SK: RECORD#<code>#<recordId>
    audit reads: yes
    attributes:
      wardId: string
      code: string, visible to operators
      recordId: string
patterns:
  records: PK = WARD#<wardId> and begins_with(SK, RECORD#)
accept:
  KF088 records: for this test
allow:
  - operators: everything
  - members: read Record
";

#[tokio::test]
async fn entries_name_an_identity_that_the_reader_does_not_see() {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::custom(HIDDEN, &[], setting).await;
    for code in ["A1", "B2"] {
        let record = json!({"wardId": "w1", "code": code, "recordId": "r1"});
        world.client.post(OPERATOR, "/v1/clinic/records", record).await.expect(201);
    }
    let page = world.client.get(ADA, "/v1/clinic/patterns/records").await.expect(200).json();
    let item = json!({"type": "Record", "href": null, "item": {"wardId": "w1", "recordId": "r1"}});
    assert_eq!(page["items"], json!([item, item]));
    world.client.get(ADA, "/v1/clinic/records/B2/r1").await.expect(200);
    let own: Vec<Value> = reads(&world, "w1").await.iter().map(brief).collect();
    assert_eq!(
        own,
        [
            json!(["ada", "get", "Record", "B2/r1", null, null]),
            json!(["ada", "list", "Record", "A1/r1,B2/r1", "records", 2]),
        ]
    );
    // Whoever sees the identity gets the address.
    let page = world.client.get(OPERATOR, "/v1/clinic/patterns/records?wardId=w1").await.expect(200).json();
    assert_eq!(page["items"][0]["href"], "/v1/clinic/records/A1/r1?tenant=w1");
}

#[tokio::test]
async fn items_of_which_a_problem_is_shown_are_read() {
    let world = serve().await;
    let texts = [("PK", "WARD#w1"), ("SK", "PATIENT#p0"), ("wardId", "w1"), ("patientId", "p0"), ("dose", "much")];
    let item = texts.map(|(name, text)| (name.to_owned(), AttributeValue::S(text.to_owned())));
    let input = PutItemInput { table_name: "clinic".to_owned(), item: item.into(), ..PutItemInput::default() };
    world.designs[0].1.put_item(input).await.unwrap();
    world.client.get(ADA, "/v1/clinic/patients/p0").await.problem(422, "undecodable");
    let page = world.client.get(ADA, "/v1/clinic/patterns/patients").await.expect(200).json();
    assert_eq!((&page["count"], page["problems"].as_array().map(Vec::len)), (&json!(3), Some(1)));
    let own: Vec<Value> = reads(&world, "w1").await.iter().map(brief).collect();
    assert_eq!(
        own,
        [
            json!(["ada", "get", "Patient", "p0", null, null]),
            json!(["ada", "list", "Patient", "p%2C2,p1,p3,p0", "patients", 4]),
        ]
    );
}

#[tokio::test]
async fn a_read_that_cannot_be_recorded_fails() {
    let world = serve().await;
    let table = ChangeRecordSettings::default().table;
    world.designs[0].1.delete_table(table).await.unwrap();
    let problem = world.client.get(ADA, "/v1/clinic/patients/p1").await.problem(503, "unavailable");
    assert_eq!(problem["detail"], "the read cannot be recorded in the audit log; try again");
    world.client.get(ADA, "/v1/clinic/patterns/patients").await.problem(503, "unavailable");
    world.client.get(ADA, "/v1/clinic/notes/n1").await.expect(200);
}

#[tokio::test]
async fn reads_do_not_fill_the_audit_log() {
    let world = serve().await;
    for _ in 0..130 {
        world.client.send(ADA, Method::GET, "/v1/clinic/patients/p1", &[], "").await.expect(200);
    }
    assert_eq!(reads(&world, "w1").await.len(), 100);
    world.clock.advance(60_000);
    // The next one begins a new minute; what was counted is written in the background.
    world.client.get(ADA, "/v1/clinic/patients/p1").await.expect(200);
    for _ in 0..200 {
        let entries = world.change_records().await;
        let counted = entries.iter().find_map(|entry| entry.get("count"));
        if let Some(AttributeValue::N(count)) = counted {
            assert_eq!(count.to_string(), "30");
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("what was counted was not written");
}

/// How often someone has read an item by now.
async fn times_read(world: &World, tenant: &str, identity: &str) -> usize {
    reads(world, tenant).await.iter().filter(|read| read["identity"] == identity).count()
}

#[tokio::test]
async fn writes_that_show_an_item_without_changing_it_are_reads() {
    let world = serve().await;
    let path = "/v1/clinic/patients/p1";
    let stale = [("if-match", "\"7\""), ("content-type", "application/json")];
    let patch = async |headers: &[(&str, &str)], body: Value| {
        world.client.send(ADA, Method::PATCH, path, headers, body.to_string()).await
    };
    let problem = patch(&stale, json!({"name": "M"})).await.problem(412, "precondition-failed");
    assert_eq!(problem["current"]["name"], "N", "{problem}");
    assert_eq!(times_read(&world, "w1", "p1").await, 1);
    let problem = world.client.send(ADA, Method::DELETE, path, &stale[..1], "").await;
    assert_eq!(problem.problem(412, "precondition-failed")["current"]["name"], "N");
    assert_eq!(times_read(&world, "w1", "p1").await, 2);
    assert_eq!(patch(&stale[1..], json!({})).await.expect(200).json()["name"], "N");
    assert_eq!(times_read(&world, "w1", "p1").await, 3);
    let transact =
        async |writes: Value| world.client.post(ADA, "/v1/clinic/transactions", json!({"writes": writes})).await;
    let outdated = json!({"patch": {"Patient": {"patientId": "p1", "name": "M"}}, "version": 7});
    let problem = transact(json!([outdated])).await.problem(409, "conflict");
    assert_eq!(problem["current"]["name"], "N", "{problem}");
    assert_eq!(times_read(&world, "w1", "p1").await, 4);
    let empty = json!({"patch": {"Patient": {"patientId": "p1"}}});
    transact(json!([empty])).await.expect(200);
    assert_eq!(times_read(&world, "w1", "p1").await, 5);
    // Beside a change, the entry is written with it.
    let shown = transact(json!([empty, {"create": {"Note": {"noteId": "n2"}}}])).await.expect(200).json();
    assert_eq!(shown["items"][0]["item"]["name"], "N");
    assert_eq!(times_read(&world, "w1", "p1").await, 6);
    // A change has an entry of its own, and no other.
    patch(&stale[1..], json!({"name": "M"})).await.expect(200);
    assert_eq!(times_read(&world, "w1", "p1").await, 6);
    // What an operator sees of a tenant is in its log.
    let problem =
        world.client.send(OPERATOR, Method::PATCH, &format!("{path}?tenant=w1"), &stale, "{\"name\": \"O\"}").await;
    problem.problem(412, "precondition-failed");
    assert_eq!(times_read(&world, "w1", "p1").await, 7);
}

#[tokio::test]
async fn replays_that_show_an_item_are_reads() {
    let world = serve().await;
    let send = async |path: &str, key: &str, body: Value| {
        let headers = [("idempotency-key", key), ("content-type", "application/json")];
        world.client.send(ADA, Method::POST, path, &headers, body.to_string()).await
    };
    let patient = json!({"patientId": "p5", "name": "N"});
    let both =
        json!({"writes": [{"create": {"Patient": {"patientId": "p6"}}}, {"create": {"Note": {"noteId": "n5"}}}]});
    for replays in 0..3 {
        assert_eq!(send("/v1/clinic/patients", "k1", patient.clone()).await.expect(201).json()["name"], "N");
        assert_eq!(times_read(&world, "w1", "p5").await, replays);
        send("/v1/clinic/transactions", "k2", both.clone()).await.expect(200);
        assert_eq!(times_read(&world, "w1", "p6").await, replays);
    }
    assert_eq!(reads(&world, "w1").await.len(), 4);
}

#[tokio::test]
async fn an_item_is_not_shown_by_a_write_whose_read_cannot_be_recorded() {
    let world = serve().await;
    let table = ChangeRecordSettings::default().table;
    world.designs[0].1.delete_table(table).await.unwrap();
    let headers = [("content-type", "application/json")];
    let answered = world.client.send(ADA, Method::PATCH, "/v1/clinic/patients/p1", &headers, "{}").await;
    let problem = answered.problem(503, "unavailable");
    assert!(problem.get("current").is_none() && problem.get("name").is_none(), "{problem}");
}

#[tokio::test]
async fn errors_show_no_stored_value_of_an_audited_item() {
    let world = serve().await;
    let path = "/v1/clinic/patients/p1";
    world.client.patch(ADA, path, json!({"dose": 3, "limit": 5})).await.expect(200);
    // The caller may read the item, but nothing would record it.
    let problem = world.client.patch(ADA, path, json!({"dose": 7})).await.problem(422, "constraint");
    assert_eq!(problem["detail"], "Patient violates \"the dose is within the limit\" (dose=7)");
    let transact = async |write: Value| {
        let writes = json!({"writes": [write, {"create": {"Note": {"noteId": "n9"}}}]});
        world.client.post(ADA, "/v1/clinic/transactions", writes).await.problem(422, "constraint")
    };
    let problem = transact(json!({"patch": {"Patient": {"patientId": "p1", "limit": 2}}})).await;
    assert_eq!(problem["detail"], "Patient violates \"the dose is within the limit\" (limit=2)");
    // What the caller sends is no secret.
    let patient = json!({"patientId": "p1", "dose": 9, "limit": 8});
    let problem = transact(json!({"put": {"Patient": patient}})).await;
    assert_eq!(problem["detail"], "Patient violates \"the dose is within the limit\" (dose=9, limit=8)");
    assert_eq!(times_read(&world, "w1", "p1").await, 0);
}
