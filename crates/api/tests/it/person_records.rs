//! The records of a person are theirs, and not those of another tenant.

use std::sync::Arc;

use keyfold_api::change_records::{
    Act, AuditQuery, ChangeRecordSettings, ChangeRecords, ErasedRecords, RecordTable, RecordedPerson,
};
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_engine::Engine;
use keyfold_environment::{Clock, ManualClock};
use keyfold_runtime::{Caller, Options, Runtime, SystemRandom};

use crate::change_record_support::{NOW_MS, Office, create, member, operator};

const DESIGN: &str = "
design: firms
table: firms
tenant: {attribute: firmId, entity: Firm}
indexes:
  GSI1: {purpose: clerks by subject}
entities:
  Firm:
    scope: tenant
    PK: FIRM#<firmId>
    SK: METADATA
    attributes: {firmId: string}
  Clerk:
    scope: tenant
    PK: FIRM#<firmId>
    SK: CLERK#<number>
    GSI1PK: SUBJECT#<subject>
    GSI1SK: FIRM#<firmId>#<number>
    attributes:
      firmId: string
      number: string
      subject: string
patterns:
  clerks of a firm: PK = FIRM#<firmId> and begins_with(SK, CLERK#)
callers:
  operators: role operator
  members: tenant
  requires:
    - Clerk by subject: exists
allow:
  - members: read Clerk
";

fn attributes(pairs: &[(&str, &str)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::S((*value).to_owned()))).collect()
}

#[tokio::test]
async fn entries_about_an_item_of_another_tenant_with_the_same_id_stay() {
    let backend: Arc<dyn Backend> = Arc::new(Engine::in_memory(Default::default()).unwrap());
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at_ms(NOW_MS));
    let design = Arc::new(keyfold_design::load("design.yaml", DESIGN).map_err(|found| format!("{found:?}")).unwrap().0);
    let runtime = Runtime::new(Arc::clone(&design), Arc::clone(&backend), Options::standard(&design).unwrap());
    runtime.create_table().await.unwrap();
    let (settings, random) = (ChangeRecordSettings::default(), Arc::new(SystemRandom));
    let records = ChangeRecords::open(Arc::clone(&backend), settings, Arc::clone(&clock), random).await.unwrap();
    let superuser = Caller::superuser("test");
    for (firm, subject) in [("a", "ada"), ("b", "bob")] {
        let clerk = attributes(&[("firmId", firm), ("number", "1"), ("subject", subject)]);
        runtime.create(&superuser, "Clerk", clerk).await.unwrap();
        let (principal, design) = (&member(firm, "eve", &[]), &design);
        let (verb, entity, identity, request_id) = ("delete", "Clerk", "1", "r-1");
        let denial = Act { design, principal, tenant: None, verb, entity, identity, request_id };
        records.record_denial(denial).await;
    }
    let table = RecordTable::open(backend, "keyfold_audit", clock).await.unwrap();
    let found = runtime.person_items(&superuser, "ada").await.unwrap();
    let person = RecordedPerson::new(&design, "ada", &found.items);
    assert_eq!(table.records_of(&person).await.unwrap().entries.len(), 1);
    let erased = table.erase_records_of(&person, "pseudonym").await.unwrap();
    assert_eq!(erased, ErasedRecords { entries: 1, ..ErasedRecords::default() });
    for (firm, identity) in [("a", "erased:pseudonym"), ("b", "1")] {
        let query = AuditQuery {
            design: "firms".to_owned(),
            tenant: Some(firm.to_owned()),
            limit: 10,
            ..AuditQuery::default()
        };
        let page = records.read_audit_log(&query).await.unwrap();
        assert_eq!(page.items.iter().map(|entry| entry.identity.as_str()).collect::<Vec<_>>(), [identity], "{firm}");
    }
}

/// The responses of the test are no JSON.
#[tokio::test]
async fn a_stored_response_that_cannot_be_decoded_is_listed() {
    let office = Office::in_memory().await;
    office.request(&operator("ada"), Some("key"), create("Agency", &[("name", "Harbour")])).await.unwrap();
    let clock = Arc::clone(&office.clock) as Arc<dyn Clock>;
    let table = RecordTable::open(Arc::clone(&office.backend), "keyfold_audit", clock).await.unwrap();
    let person = RecordedPerson::new(office.runtime.design(), "ada", &[]);
    let records = table.records_of(&person).await.unwrap();
    assert_eq!(records.responses, [] as [serde_json::Value; 0]);
    let [undecodable] = records.undecodable.as_slice() else { panic!("{:?}", records.undecodable) };
    assert!(undecodable.starts_with("ONCE#"), "{undecodable}");
}
