//! The audit log: who did what to which item.

use std::sync::Arc;

use crate::change_record_support::*;
use keyfold_api::Principal;
use keyfold_api::change_records::{
    Act, AuditEntry, AuditPage, AuditQuery, AuditScope, ChangeRecordError, ChangeRecordSettings,
};
use keyfold_engine::Engine;
use keyfold_runtime::{Caller, DeleteOptions, PatchOptions, Write};

fn query(tenant: Option<&str>) -> AuditQuery {
    let (design, tenant) = ("agencies".to_owned(), tenant.map(str::to_owned));
    AuditQuery { design, tenant, limit: 100, ..AuditQuery::default() }
}

fn line(entry: &AuditEntry) -> String {
    let AuditEntry { at, subject, verb, entity, identity, outcome, .. } = entry;
    format!("{} {} {verb} {entity} {identity} {outcome}", &at[14..], subject.as_deref().unwrap_or("-"))
}

fn lines(page: &AuditPage) -> Vec<String> {
    page.items.iter().map(line).collect()
}

/// Two agencies, and what three people did in them, a second apart each.
async fn office() -> Office {
    let office = Office::in_memory().await;
    let (ada, bob, eve) = (operator("ada"), member("nw", "bob", &["admin"]), member("ct", "eve", &["admin"]));
    let rename = Write::Patch {
        entity: "Agency".to_owned(),
        attributes: attributes(&[("agencyId", "nw"), ("name", "Northwind Traders")]),
        options: PatchOptions::default(),
    };
    let dismiss = Write::Delete {
        entity: "Member".to_owned(),
        identity: attributes(&[("agencyId", "nw"), ("idpid", "a/b c")]),
        options: DeleteOptions::default(),
    };
    let done = [
        (&ada, create("Agency", &[("agencyId", "nw"), ("name", "Northwind")])),
        (&ada, create("Agency", &[("agencyId", "ct"), ("name", "Contoso")])),
        (&bob, create("Member", &[("agencyId", "nw"), ("idpid", "a/b c")])),
        (&eve, create("Member", &[("agencyId", "ct"), ("idpid", "a/b c")])),
        (&bob, rename),
        (&ada, dismiss),
    ];
    for (who, write) in done {
        office.request(who, None, write).await.unwrap();
        office.clock.advance(1000);
    }
    office
}

#[tokio::test]
async fn the_audit_log_of_a_tenant_includes_changes_by_operators() {
    let office = office().await;
    let page = office.change_records.read_audit_log(&query(Some("nw"))).await.unwrap();
    assert_eq!(page.next, None);
    assert_eq!(
        lines(&page),
        [
            "00:05.000Z ada delete Member a%2Fb%20c allowed",
            "00:04.000Z bob patch Agency nw allowed",
            "00:02.000Z bob create Member a%2Fb%20c allowed",
            "00:00.000Z ada create Agency nw allowed",
        ]
    );
    let first = AuditEntry {
        at: "2027-01-15T08:00:00.000Z".to_owned(),
        subject: Some("ada".to_owned()),
        by: "token".to_owned(),
        tenant: Some("nw".to_owned()),
        verb: "create".to_owned(),
        entity: "Agency".to_owned(),
        identity: "nw".to_owned(),
        outcome: "allowed".to_owned(),
        request_id: "r-1".to_owned(),
        ..AuditEntry::default()
    };
    assert_eq!(page.items[3], first);
    let page = office.change_records.read_audit_log(&query(Some("ct"))).await.unwrap();
    assert_eq!(
        lines(&page),
        ["00:03.000Z eve create Member a%2Fb%20c allowed", "00:01.000Z ada create Agency ct allowed"]
    );
    for nobodys in [None, Some("n"), Some("nw#"), Some("")] {
        assert_eq!(
            office.change_records.read_audit_log(&query(nobodys)).await.unwrap(),
            AuditPage::default(),
            "{nobodys:?}"
        );
    }
    let other = AuditQuery { design: "platform".to_owned(), ..query(Some("nw")) };
    assert_eq!(office.change_records.read_audit_log(&other).await.unwrap(), AuditPage::default());
}

#[tokio::test]
async fn the_audit_log_is_queried_by_time_item_and_subject() {
    let office = office().await;
    let ask = async |change: &dyn Fn(&mut AuditQuery)| {
        let mut query = query(Some("nw"));
        change(&mut query);
        lines(&office.change_records.read_audit_log(&query).await.unwrap())
    };
    let time = |second: u8| Some(format!("2027-01-15T09:00:0{second}+01:00"));
    assert_eq!(
        ask(&|query| (query.from, query.to) = (time(2), time(5))).await,
        ["00:04.000Z bob patch Agency nw allowed", "00:02.000Z bob create Member a%2Fb%20c allowed"]
    );
    assert_eq!(ask(&|query| (query.from, query.to) = (time(5), time(2))).await, Vec::<String>::new());
    let item =
        |entity: &str, identity: &str| AuditScope::Item { entity: entity.to_owned(), identity: identity.to_owned() };
    let of_member =
        ["00:05.000Z ada delete Member a%2Fb%20c allowed", "00:02.000Z bob create Member a%2Fb%20c allowed"];
    assert_eq!(ask(&|query| query.scope = item("Member", "a%2Fb%20c")).await, of_member);
    assert_eq!(ask(&|query| query.scope = item("Member", "a%2fb c")).await, of_member);
    assert_eq!(ask(&|query| query.scope = item("Member", "other")).await, Vec::<String>::new());
    assert_eq!(
        ask(&|query| (query.scope, query.oldest_first) = (AuditScope::Subject("ada".to_owned()), true)).await,
        ["00:00.000Z ada create Agency nw allowed", "00:05.000Z ada delete Member a%2Fb%20c allowed"]
    );
    assert_eq!(ask(&|query| query.scope = AuditScope::Subject("eve".to_owned())).await, Vec::<String>::new());
}

#[tokio::test]
async fn pages_of_the_audit_log_are_consecutive() {
    let office = office().await;
    let item = AuditScope::Item { entity: "Member".to_owned(), identity: "a%2Fb%20c".to_owned() };
    for (scope, count) in [(AuditScope::Everything, 4), (AuditScope::Subject("ada".to_owned()), 2), (item, 2)] {
        let mut query = AuditQuery { scope, ..query(Some("nw")) };
        let whole = office.change_records.read_audit_log(&query).await.unwrap().items;
        assert_eq!(whole.len(), count);
        query.limit = 1;
        let mut gathered = Vec::new();
        loop {
            let page = office.change_records.read_audit_log(&query).await.unwrap();
            gathered.extend(page.items);
            query.cursor = page.next;
            if query.cursor.is_none() {
                break;
            }
        }
        assert_eq!(gathered, whole);
    }
}

#[tokio::test]
async fn invalid_queries_of_the_audit_log_are_rejected() {
    let office = office().await;
    let ask = async |change: &dyn Fn(&mut AuditQuery)| {
        let mut query = query(Some("nw"));
        change(&mut query);
        office.change_records.read_audit_log(&query).await.unwrap_err().to_string()
    };
    assert_eq!(ask(&|query| query.limit = 0).await, "`limit` is 1 to 100");
    assert_eq!(ask(&|query| query.limit = 101).await, "`limit` is 1 to 100");
    let soon = "`from` is not a time such as 2026-11-15T13:00:00Z";
    assert_eq!(ask(&|query| query.from = Some("soon".to_owned())).await, soon);
    for cursor in ["", "!", "AAAA", "MjAyNy0wMS0xNg", &"A".repeat(1000)] {
        let response = ask(&|query| query.cursor = Some(cursor.to_owned())).await;
        assert_eq!(response, "the cursor does not belong to this query", "{cursor}");
    }
}

#[tokio::test]
async fn a_cursor_of_another_tenant_or_query_is_refused() {
    let office = office().await;
    let theirs =
        office.change_records.read_audit_log(&AuditQuery { limit: 1, ..query(Some("ct")) }).await.unwrap().next;
    let scope = AuditScope::Subject("eve".to_owned());
    for other in [query(Some("nw")), AuditQuery { scope, ..query(Some("ct")) }] {
        let response =
            office.change_records.read_audit_log(&AuditQuery { cursor: theirs.clone(), ..other }).await.unwrap_err();
        assert_eq!(response.to_string(), "the cursor does not belong to this query");
    }
}

#[tokio::test]
async fn denials_are_recorded_in_the_tenant_of_the_caller() {
    let office = office().await;
    let eve = member("ct", "eve", &[]);
    let design = office.runtime.design();
    let denial = |principal| Act {
        design,
        principal,
        tenant: None,
        verb: "delete",
        entity: "Member",
        identity: "bob",
        request_id: "r-2",
    };
    office.change_records.record_denial(denial(&eve)).await;
    let query = AuditQuery { scope: AuditScope::Subject("eve".to_owned()), limit: 1, ..query(Some("ct")) };
    let page = office.change_records.read_audit_log(&query).await.unwrap();
    assert_eq!(lines(&page), ["00:06.000Z eve delete Member bob denied"]);
    // Whoever says nothing of themselves would fill the log.
    let before = office.kept().await;
    office.change_records.record_denial(denial(&Principal::default())).await;
    assert_eq!(office.kept().await, before);
}

#[tokio::test]
async fn denials_of_a_kind_share_an_entry_at_the_end_of_the_minute() {
    let office = Office::in_memory().await;
    let eve = member("ct", "eve", &[]);
    let deny = async |identity: &str, request_id: &str| {
        let (design, principal, verb, entity) = (office.runtime.design(), &eve, "delete", "Member");
        let denial = Act { design, principal, tenant: None, verb, entity, identity, request_id };
        office.change_records.record_denial(denial).await;
        office.clock.advance(1000);
    };
    for number in 1..=5 {
        deny(&format!("m{number}"), &format!("r-{number}")).await;
    }
    office.change_records.write_due_counts().await;
    assert_eq!(office.kept().await, (0, 1));
    office.clock.advance(60_000);
    office.change_records.write_due_counts().await;
    office.change_records.write_due_counts().await;
    office.clock.advance(1000);
    deny("m6", "r-6").await;
    let page = office.change_records.read_audit_log(&query(Some("ct"))).await.unwrap();
    assert_eq!(
        lines(&page),
        [
            "01:06.000Z eve delete Member m6 denied",
            "01:05.000Z eve delete Member  denied",
            "00:00.000Z eve delete Member m1 denied",
        ]
        .map(str::to_owned)
        .to_vec()
    );
    let counted = page.items.iter().find(|entry| entry.identity.is_empty()).unwrap();
    let AuditEntry { count, since, request_id, .. } = counted;
    assert_eq!((*count, since.as_deref(), request_id.as_str()), (Some(4), Some("2027-01-15T08:00:01.000Z"), "r-5"));
}

#[tokio::test]
async fn beyond_a_limit_denials_are_not_written_to_the_tenants_that_they_name() {
    let office = Office::in_memory().await;
    let principal = &operator("eve");
    for number in 0..150 {
        let tenant = format!("t{number}");
        let (design, verb, entity) = (office.runtime.design(), "delete", "Member");
        let (tenant, identity, request_id) = (Some(tenant.as_str()), "m1", "r-1");
        let denial = Act { design, principal, tenant, verb, entity, identity, request_id };
        office.change_records.record_denial(denial).await;
    }
    for (tenant, entries) in [(Some("t99"), 1), (Some("t100"), 0), (Some("t149"), 0), (None, 1)] {
        let page = office.change_records.read_audit_log(&query(tenant)).await.unwrap();
        assert_eq!(page.items.len(), entries, "{tenant:?}");
    }
}

#[tokio::test]
async fn a_rejected_change_leaves_no_audit_entry() {
    let office = office().await;
    let before = office.kept().await;
    let again = create("Agency", &[("agencyId", "nw"), ("name", "Northwind")]);
    assert!(is_exists(&office.request(&operator("ada"), None, again).await.unwrap_err()));
    let not_allowed = create("Agency", &[("agencyId", "x"), ("name", "x")]);
    let refused = office.request(&member("ct", "eve", &["admin"]), None, not_allowed).await.unwrap_err();
    assert_eq!(refused.to_string(), "no rule lets `eve` create Agency");
    assert_eq!(office.kept().await, before);
}

#[tokio::test]
async fn each_write_of_a_transaction_has_an_audit_entry() {
    let office = Office::in_memory().await;
    let writes = vec![
        create("Agency", &[("agencyId", "nw"), ("name", "Northwind")]),
        create("Agency", &[("agencyId", "ct"), ("name", "Contoso")]),
    ];
    let who = operator("ada");
    let begun = entry(office.begin(&who, None, "x").await);
    office.go(&begun, &who, writes).await.unwrap();
    for tenant in ["nw", "ct"] {
        let page = office.change_records.read_audit_log(&query(Some(tenant))).await.unwrap();
        assert_eq!(lines(&page), [format!("00:00.000Z ada create Agency {tenant} allowed")]);
    }
}

#[tokio::test]
async fn audit_entries_expire_after_the_retention_period() {
    let engine = Arc::new(Engine::in_memory(Default::default()).unwrap());
    let office = Office::on(engine, ChangeRecordSettings { audit_days: 2, ..ChangeRecordSettings::default() }).await;
    let write = create("Agency", &[("agencyId", "nw"), ("name", "Northwind")]);
    office.request(&operator("ada"), None, write).await.unwrap();
    let items = office.items("keyfold_audit").await;
    let expires = items.iter().find_map(|item| item.get("expiresAt")?.as_number()?.to_i64());
    assert_eq!(expires, Some(1_800_000_000 + 2 * 24 * 60 * 60));
    office.clock.advance(2 * 24 * 60 * 60 * 1000);
    assert_eq!(office.change_records.read_audit_log(&query(Some("nw"))).await.unwrap().items.len(), 1);
    // The table may not have removed it yet.
    office.clock.advance(1);
    assert_eq!(office.change_records.read_audit_log(&query(Some("nw"))).await.unwrap().items.len(), 0);
}

#[tokio::test]
async fn operators_and_auditors_may_read_the_audit_log() {
    let office = Office::in_memory().await;
    let may = |caller: &Caller| office.change_records.may_read(office.runtime.design(), caller);
    assert!(may(&operator("ada").caller));
    assert!(may(&member("nw", "bob", &["auditor"]).caller));
    assert!(!may(&member("nw", "bob", &["admin"]).caller));
    assert!(!may(&Caller { roles: vec!["auditor".to_owned()], ..Caller::default() }));
    assert!(!may(&Caller::default()));
}

#[tokio::test]
async fn the_audit_log_can_be_switched_off() {
    let engine = Arc::new(Engine::in_memory(Default::default()).unwrap());
    let office = Office::on(engine, ChangeRecordSettings { audit: false, ..ChangeRecordSettings::default() }).await;
    let write = create("Agency", &[("agencyId", "nw"), ("name", "Northwind")]);
    office.request(&operator("ada"), None, write).await.unwrap();
    assert_eq!(office.kept().await, (0, 0));
    assert_eq!(
        office.change_records.read_audit_log(&query(Some("nw"))).await.unwrap_err(),
        ChangeRecordError::NoAuditLog
    );
    assert!(!office.change_records.may_read(office.runtime.design(), &operator("ada").caller));
}

#[tokio::test]
async fn a_claim_is_held_by_one_process_at_a_time() {
    let office = Office::in_memory().await;
    let records = &office.change_records;
    assert!(records.claim("one").await.unwrap());
    assert!(!records.claim("one").await.unwrap());
    assert!(records.claim("other").await.unwrap());
    records.release("one").await.unwrap();
    assert!(records.claim("one").await.unwrap());
    // Whoever was killed does not hold it for ever.
    office.clock.advance(61_000);
    assert!(records.claim("one").await.unwrap());
}
