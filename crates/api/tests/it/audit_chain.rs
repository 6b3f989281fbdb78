//! The hash chain of the audit log: what was removed or changed shows.

use std::sync::Arc;

use crate::change_record_support::*;
use keyfold_api::change_records::{
    Act, AuditExport, ChainFinding, ChainHead, ChainReport, ItemRead, RecordTable, ShownItem,
};
use keyfold_design::Design;
use keyfold_dynamo::operation::{DeleteItemInput, PutItemInput};
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_runtime::Clock;

const TABLE: &str = "keyfold_audit";
const MINUTE: u64 = 60 * 1000;

/// Denies requests of a tenant, a minute apart each.
async fn deny(office: &Office, tenant: &str, subjects: &[&str]) {
    for subject in subjects {
        let (design, principal) = (office.runtime.design(), &member(tenant, subject, &[]));
        let (verb, entity, identity, request_id) = ("delete", "Member", "m1", "r-1");
        let denial = Act { design, principal, tenant: None, verb, entity, identity, request_id };
        office.change_records.record_denial(denial).await;
        office.clock.advance(MINUTE);
    }
}

/// Three periods with entries of two tenants: seven entries in three segments, and one that is not sealed.
async fn sealed() -> Office {
    let office = Office::in_memory().await;
    deny(&office, "nw", &["ada", "bob"]).await;
    deny(&office, "ct", &["eve"]).await;
    seal(&office).await;
    deny(&office, "nw", &["ada"]).await;
    seal(&office).await;
    deny(&office, "ct", &["eve", "kim", "lee"]).await;
    seal(&office).await;
    deny(&office, "nw", &["ada"]).await;
    office
}

async fn seal(office: &Office) {
    office.clock.advance(30 * MINUTE);
    office.change_records.seal_if_due().await;
}

async fn verify(office: &Office) -> ChainReport {
    verify_with(office, None).await
}

async fn verify_with(office: &Office, known: Option<&ChainHead>) -> ChainReport {
    let clock = Arc::clone(&office.clock) as Arc<dyn Clock>;
    RecordTable::open(Arc::clone(&office.backend), TABLE, clock).await.unwrap().verify(known, None).await.unwrap()
}

fn texts(report: &ChainReport) -> Vec<String> {
    report.findings.iter().map(ChainFinding::to_string).collect()
}

fn text<'a>(item: &'a Attributes, name: &str) -> &'a str {
    item[name].as_str().unwrap()
}

/// The stored items of a partition, in order.
async fn partition(office: &Office, name: &str) -> Vec<Attributes> {
    let mut items = office.items(TABLE).await;
    items.retain(|item| text(item, "PK") == name);
    items.sort_by_key(|item| text(item, "SK").to_owned());
    items
}

async fn remove(office: &Office, item: &Attributes) {
    let key = ["PK", "SK"].map(|name| (name.to_owned(), item[name].clone())).into();
    let input = DeleteItemInput { table_name: TABLE.to_owned(), key, ..DeleteItemInput::default() };
    office.backend.delete_item(input).await.unwrap();
}

async fn put(office: &Office, item: Attributes) {
    let input = PutItemInput { table_name: TABLE.to_owned(), item, ..PutItemInput::default() };
    office.backend.put_item(input).await.unwrap();
}

fn with(item: &Attributes, name: &str, value: &str) -> Attributes {
    let mut item = item.clone();
    item.insert(name.to_owned(), AttributeValue::S(value.to_owned()));
    item
}

const NW: &str = "AUDIT#agencies#nw";
const CT: &str = "AUDIT#agencies#ct";
const NW_CHANGED: &str = "design agencies, tenant nw, from  to 2027-01-15T08:23:00.000Z: the entries differ from those that \
                          were sealed in segment 0";

#[tokio::test]
async fn an_untouched_audit_log_is_as_it_was_sealed() {
    let office = sealed().await;
    let report = verify(&office).await;
    assert_eq!(texts(&report), Vec::<String>::new());
    assert_eq!((report.segments, report.sealed, report.unsealed), (3, 7, 1));
    assert_eq!(report.head.as_ref().unwrap().number, 2);
    assert_eq!(verify_with(&office, report.head.as_ref()).await, report);
}

#[tokio::test]
async fn an_entry_that_was_removed_is_missed() {
    let office = sealed().await;
    remove(&office, &partition(&office, CT).await[2]).await;
    let expected = "design agencies, tenant ct, from 2027-01-15T08:54:00.000Z to 2027-01-15T09:27:00.000Z: 3 entries were \
                    sealed in segment 2, 2 are there";
    assert_eq!(texts(&verify(&office).await), [expected]);
}

#[tokio::test]
async fn the_removal_of_a_whole_log_shows() {
    let office = sealed().await;
    for entry in partition(&office, NW).await {
        remove(&office, &entry).await;
    }
    let expected = [
        "from  to 2027-01-15T08:23:00.000Z: 2 entries were sealed in segment 0, 0 are there",
        "from 2027-01-15T08:23:00.000Z to 2027-01-15T08:54:00.000Z: 1 entries were sealed in segment 1, 0 are there",
    ];
    assert_eq!(texts(&verify(&office).await), expected.map(|text| format!("design agencies, tenant nw, {text}")));
}

#[tokio::test]
async fn an_entry_that_was_changed_in_any_attribute_is_found() {
    let office = sealed().await;
    let entry = partition(&office, NW).await.remove(0);
    for name in ["subject", "identity", "verb", "entity", "outcome", "by", "at", "requestId", "itemKey", "subjectKey"] {
        put(&office, with(&entry, name, "x")).await;
        assert_eq!(texts(&verify(&office).await), [NW_CHANGED], "{name}");
    }
    put(&office, entry).await;
    assert_eq!(texts(&verify(&office).await), Vec::<String>::new());
}

#[tokio::test]
async fn entries_in_another_order_are_found() {
    let office = sealed().await;
    let [first, second] = [0, 1].map(async |position: usize| partition(&office, NW).await.remove(position));
    let (first, second) = (first.await, second.await);
    // Each takes the time of the other.
    put(&office, with(&with(&first, "SK", text(&second, "SK")), "at", text(&second, "at"))).await;
    put(&office, with(&with(&second, "SK", text(&first, "SK")), "at", text(&first, "at"))).await;
    assert_eq!(texts(&verify(&office).await), [NW_CHANGED]);
}

#[tokio::test]
async fn an_entry_that_was_added_later_is_found() {
    let office = sealed().await;
    let entry = partition(&office, NW).await.remove(0);
    put(&office, with(&entry, "SK", "2027-01-15T08:00:30.000Z#00#000")).await;
    let expected = "design agencies, tenant nw, from  to 2027-01-15T08:23:00.000Z: 2 entries were sealed in segment 0, 3 are there";
    assert_eq!(texts(&verify(&office).await), [expected]);
    remove(&office, &with(&entry, "SK", "2027-01-15T08:00:30.000Z#00#000")).await;
    // Where the tenant had no entries in the period, and where it had none at all.
    put(&office, with(&entry, "SK", "2027-01-15T09:00:00.000Z#00#000")).await;
    put(&office, with(&entry, "PK", "AUDIT#agencies#new")).await;
    let report = verify(&office).await;
    let added = |report: &ChainReport| {
        report.findings.iter().filter(|finding| matches!(finding, ChainFinding::EntryAdded { .. })).count()
    };
    assert_eq!((added(&report), report.findings.len()), (2, 2), "{report:?}");
}

#[tokio::test]
async fn a_segment_that_was_removed_or_changed_is_found() {
    let office = sealed().await;
    let head = verify(&office).await.head.unwrap();
    let segments = partition(&office, "CHAIN").await;
    remove(&office, &segments[1]).await;
    let report = verify(&office).await;
    assert_eq!(report.findings[0], ChainFinding::SegmentMissing { number: 1 });
    put(&office, segments[1].clone()).await;

    let forged = text(&segments[1], "content").replace("\"count\":1", "\"count\":0");
    assert_ne!(forged, text(&segments[1], "content"));
    put(&office, with(&segments[1], "content", &forged)).await;
    let report = verify(&office).await;
    assert_eq!(report.findings[0], ChainFinding::SegmentChanged { number: 1 });
    put(&office, segments[1].clone()).await;

    remove(&office, &segments[0]).await;
    let report = verify(&office).await;
    assert_eq!(report.findings[0], ChainFinding::BeginningMissing { number: 1 });
    put(&office, segments[0].clone()).await;

    // Cutting off the end leaves an intact chain: only a hash that is kept elsewhere shows it.
    remove(&office, &segments[2]).await;
    let report = verify_with(&office, Some(&head)).await;
    assert_eq!(report.findings[0], ChainFinding::HeadMissing(head.clone()));
    put(&office, segments[2].clone()).await;
    assert_eq!(texts(&verify_with(&office, Some(&head)).await), Vec::<String>::new());
    let other = ChainHead { hash: head.hash.replace(|_| true, "0"), ..head };
    assert_eq!(verify_with(&office, Some(&other)).await.findings, [ChainFinding::HeadMissing(other)]);
}

#[tokio::test]
async fn an_entry_that_does_not_say_when_it_expires_is_found() {
    let office = Office::in_memory().await;
    deny(&office, "nw", &["ada"]).await;
    let entry = partition(&office, NW).await.remove(0);
    for expires in [None, Some(AttributeValue::N(Number::from(u64::MAX)))] {
        let mut changed = entry.clone();
        changed.remove("expiresAt");
        changed.extend(expires.map(|expires| ("expiresAt".to_owned(), expires)));
        put(&office, changed).await;
        seal(&office).await;
        let report = verify(&office).await;
        let (log, key) = ("design agencies, tenant nw".to_owned(), text(&entry, "SK").to_owned());
        assert_eq!(report.findings[0], ChainFinding::NoExpiry { log, key });
        assert_eq!((report.segments, report.unsealed), (0, 1));
    }
    put(&office, entry).await;
    seal(&office).await;
    let report = verify(&office).await;
    assert_eq!((texts(&report), report.sealed), (Vec::new(), 1));
}

#[tokio::test]
async fn a_segment_with_impossible_numbers_is_found() {
    let office = sealed().await;
    remove(&office, &partition(&office, CT).await[2]).await;
    let segment = partition(&office, "CHAIN").await.remove(2);
    let mut content: serde_json::Value = serde_json::from_str(text(&segment, "content")).unwrap();
    for times in ["/expires", "/previousExpires", "/parts/0/expires"] {
        *content.pointer_mut(times).unwrap() = u64::MAX.into();
    }
    put(&office, with(&segment, "content", &content.to_string())).await;
    let report = verify(&office).await;
    assert_eq!(report.findings[0], ChainFinding::SegmentChanged { number: 2 });
    assert!(matches!(report.findings[1..], [ChainFinding::EntriesMissing { sealed: 3, found: 2, .. }]), "{report:?}");
    content["number"] = u64::MAX.into();
    let last = with(&segment, "SK", &u64::MAX.to_string());
    put(&office, with(&last, "content", &content.to_string())).await;
    let report = verify(&office).await;
    assert!(report.findings.iter().any(|finding| matches!(finding, ChainFinding::NotSegment { .. })), "{report:?}");
}

#[tokio::test]
async fn entries_that_are_long_unsealed_are_reported() {
    let office = Office::in_memory().await;
    deny(&office, "nw", &["ada", "bob"]).await;
    assert_eq!(texts(&verify(&office).await), Vec::<String>::new());
    office.clock.advance(60 * MINUTE);
    let expected = "2 entries since 2027-01-15T08:00:00.000Z are not sealed: the server seals them within 26 minutes while it runs";
    assert_eq!(texts(&verify(&office).await), [expected]);
}

#[tokio::test]
async fn a_server_that_starts_within_a_period_seals_it_when_it_has_ended() {
    let office = Office::in_memory().await;
    deny(&office, "nw", &["ada"]).await;
    seal(&office).await;
    deny(&office, "nw", &["bob"]).await;
    office.clock.advance(13 * MINUTE);
    let restarted = Desk::on(Arc::clone(&office.backend), Default::default(), Arc::clone(&office.clock)).await;
    restarted.change_records.seal_if_due().await;
    assert_eq!(verify(&office).await.segments, 1);
    office.clock.advance(MINUTE);
    restarted.change_records.seal_if_due().await;
    let report = verify(&office).await;
    assert_eq!((texts(&report), report.segments, report.unsealed), (Vec::new(), 2, 0));
}

#[tokio::test]
async fn several_servers_continue_one_chain() {
    let office = Office::in_memory().await;
    let other = Desk::on(Arc::clone(&office.backend), Default::default(), Arc::clone(&office.clock)).await;
    for round in 0..4 {
        deny(&office, "nw", &["ada"]).await;
        deny(&office, ["ct", "xy"][round % 2], &["eve"]).await;
        office.clock.advance(30 * MINUTE);
        tokio::join!(office.change_records.seal_if_due(), other.change_records.seal_if_due());
    }
    let report = verify(&office).await;
    assert_eq!(texts(&report), Vec::<String>::new());
    assert_eq!((report.segments, report.sealed, report.unsealed), (4, 8, 0));
}

#[tokio::test]
async fn a_period_with_many_tenants_has_several_segments() {
    let office = Office::in_memory().await;
    for tenant in 0..1001 {
        let (design, principal) = (office.runtime.design(), &member(&format!("t{tenant}"), "ada", &[]));
        let (verb, entity, identity, request_id) = ("delete", "Member", "m1", "r-1");
        let denial = Act { design, principal, tenant: None, verb, entity, identity, request_id };
        office.change_records.record_denial(denial).await;
    }
    seal(&office).await;
    let report = verify(&office).await;
    assert_eq!(texts(&report), Vec::<String>::new());
    assert_eq!((report.segments, report.sealed), (3, 1001));
    // Another server takes over where one ended within a period.
    remove(&office, &partition(&office, "CHAIN").await[2]).await;
    office.clock.advance(20 * MINUTE);
    office.change_records.seal_if_due().await;
    let report = verify(&office).await;
    assert_eq!((texts(&report), report.segments, report.sealed), (Vec::new(), 3, 1001));
}

#[tokio::test]
async fn entries_and_segments_may_expire() {
    let office = sealed().await;
    let head = verify(&office).await.head.unwrap();
    office.clock.advance(365 * 24 * 60 * MINUTE + 60 * MINUTE);
    deny(&office, "nw", &["ada"]).await;
    seal(&office).await;
    for entry in partition(&office, CT).await {
        remove(&office, &entry).await;
    }
    let report = verify_with(&office, Some(&head)).await;
    assert_eq!((texts(&report), report.segments), (Vec::new(), 4));
    // A segment goes a day after its entries.
    office.clock.advance(2 * 24 * 60 * MINUTE);
    for segment in &partition(&office, "CHAIN").await[..3] {
        remove(&office, segment).await;
    }
    assert_eq!(texts(&verify(&office).await), Vec::<String>::new());
}

#[tokio::test]
async fn entries_that_are_older_than_the_chain_are_sealed() {
    let office = Office::in_memory().await;
    deny(&office, "nw", &["ada"]).await;
    // As if an earlier version had written them.
    for name in partition(&office, "CHAIN#PARTITIONS").await {
        remove(&office, &name).await;
    }
    seal(&office).await;
    let report = verify(&office).await;
    assert_eq!((texts(&report), report.sealed), (Vec::new(), 1));
}

/// The same design, whose members are audited.
fn audited() -> Design {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/agencies/design.yaml");
    let text = std::fs::read_to_string(file).unwrap().replace("  Member:\n", "  Member:\n    audit reads: yes\n");
    Design::load("design.yaml", &text).unwrap().0
}

/// Reads members: one by its identity, or several of an access pattern.
async fn read(office: &Office, design: &Design, pattern: Option<&str>, members: &[&str]) {
    let principal = &member("nw", "ada", &[]);
    let read = ItemRead { design, principal, tenant: None, pattern, request_id: "r-1" };
    let entity = design.entity_named("Member").unwrap().id;
    let attributes: Vec<Attributes> =
        members.iter().map(|idpid| attributes(&[("agencyId", "nw"), ("idpid", idpid)])).collect();
    let items: Vec<ShownItem<'_>> = attributes.iter().map(|attributes| ShownItem { entity, attributes }).collect();
    office.change_records.record_read(&read, &items).await.unwrap();
}

#[tokio::test]
async fn entries_of_reads_are_sealed_verified_and_exported() {
    let (office, design) = (Office::in_memory().await, audited());
    read(&office, &design, Some("members-by-agency"), &["m1", "m,2"]).await;
    // Beyond a hundred, reads of a minute are counted, and share one entry.
    for _ in 0..130 {
        read(&office, &design, None, &["m1"]).await;
    }
    office.clock.advance(MINUTE);
    office.change_records.write_due_counts().await;
    seal(&office).await;
    let report = verify(&office).await;
    assert_eq!((texts(&report), report.sealed, report.unsealed), (Vec::new(), 102, 0));

    let clock = Arc::clone(&office.clock) as Arc<dyn Clock>;
    let table = RecordTable::open(Arc::clone(&office.backend), TABLE, clock).await.unwrap();
    let mut exported = Vec::new();
    let undecodable = table.export(&AuditExport::default(), &mut |entry| exported.push(entry.entry)).await.unwrap();
    assert_eq!((undecodable.len(), exported.len()), (0, 102));
    assert!(exported.iter().all(|entry| entry.entity == "Member" && entry.outcome == "allowed"));
    let list = exported.iter().find(|entry| entry.verb == "list").unwrap();
    assert_eq!((list.pattern.as_deref(), list.items), (Some("members-by-agency"), Some(2)));
    assert_eq!(list.identity, "m1,m%2C2");
    let counted: Vec<_> = exported.iter().filter_map(|entry| Some((entry.verb.as_str(), entry.count?))).collect();
    assert_eq!(counted, [("get", 30)]);

    // What was read, how much and how often cannot be changed, and no entry removed.
    let entries = partition(&office, NW).await;
    for (attribute, value) in
        [("pattern", "other"), ("identity", "other"), ("items", "1"), ("count", "1"), ("since", "x")]
    {
        let entry = entries.iter().find(|entry| entry.contains_key(attribute)).unwrap();
        let mut changed = with(entry, attribute, value);
        if let AttributeValue::N(_) = entry[attribute] {
            changed.insert(attribute.to_owned(), AttributeValue::N(Number::from(1_u64)));
        }
        put(&office, changed).await;
        let found = texts(&verify(&office).await);
        assert!(found.len() == 1 && found[0].contains("the entries differ"), "{attribute}: {found:?}");
        put(&office, entry.clone()).await;
    }
    remove(&office, &entries[0]).await;
    let found = texts(&verify(&office).await);
    assert!(found[0].ends_with("102 entries were sealed in segment 0, 101 are there"), "{found:?}");
}
