//! Reads of entities with `audit reads` are in the audit log before they are answered.

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_dynamo::AttributeValue;
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
    attributes: {wardId: 'string, refers to Ward', patientId: string, name: string}
  Note:
    scope: tenant
    PK: WARD#<wardId>
    SK: NOTE#<noteId>
    attributes: {wardId: 'string, refers to Ward', noteId: string}
patterns:
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
