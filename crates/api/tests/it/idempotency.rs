//! Requests that are sent again are carried out once.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::change_record_support::*;
use http::{HeaderMap, HeaderName, Method, StatusCode};
use keyfold_api::Principal;
use keyfold_api::change_records::{Admission, ChangeRecordError, ChangeRecordSettings, ChangeRecords, Fingerprint};
use keyfold_engine::Engine;
use keyfold_runtime::{DeleteOptions, PatchOptions, SystemRandom, Write};

#[tokio::test]
async fn the_stored_response_is_replayed_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let who = operator("ada");
    let request = || create("Agency", &[("name", "Northwind")]);
    let first = {
        let office = Office::in_folder(folder.path()).await;
        let (first, replayed) = office.request(&who, Some("k1"), request()).await.unwrap();
        assert!(!replayed);
        assert_eq!(office.request(&who, Some("k1"), request()).await.unwrap(), (first.clone(), true));
        first
    };
    let office = Office::in_folder(folder.path()).await;
    assert_eq!(office.request(&who, Some("k1"), request()).await.unwrap(), (first.clone(), true));
    assert_eq!(first.status, StatusCode::CREATED);
    assert_eq!(first.headers[0].1, "\"1\"");
    assert_eq!(office.agencies().await, 1);
    assert_eq!(office.kept().await, (1, 1));
}

#[tokio::test]
async fn requests_without_a_key_are_all_executed() {
    let office = Office::in_memory().await;
    for _ in 0..2 {
        office.request(&operator("ada"), None, create("Agency", &[("name", "Northwind")])).await.unwrap();
    }
    assert_eq!(office.agencies().await, 2);
    assert_eq!(office.kept().await, (0, 2));
}

#[tokio::test]
async fn a_key_reused_for_another_request_is_a_mismatch() {
    let office = Office::in_memory().await;
    let who = operator("ada");
    office.request(&who, Some("k1"), create("Agency", &[("name", "Northwind")])).await.unwrap();
    let other = office.request(&who, Some("k1"), create("Agency", &[("name", "Contoso")])).await;
    assert_eq!(other.unwrap_err(), ChangeRecordError::Mismatch);
    assert_eq!(office.agencies().await, 1);
}

#[test]
fn the_fingerprint_covers_method_address_headers_and_body() {
    let headers = |name: &'static str, value: &'static str| {
        HeaderMap::from_iter([(HeaderName::from_static(name), value.parse().unwrap())])
    };
    let none = HeaderMap::new();
    let all = [
        Fingerprint::new(&Method::POST, "/a", &none, b"{}"),
        Fingerprint::new(&Method::PUT, "/a", &none, b"{}"),
        Fingerprint::new(&Method::POST, "/b", &none, b"{}"),
        Fingerprint::new(&Method::POST, "/a", &none, b"{ }"),
        Fingerprint::new(&Method::POST, "/a{}", &none, b""),
        Fingerprint::new(&Method::POST, "/a", &headers("if-match", "\"1\""), b"{}"),
        Fingerprint::new(&Method::POST, "/a", &headers("if-none-match", "\"1\""), b"{}"),
        Fingerprint::new(&Method::POST, "/a", &headers("content-type", "application/merge-patch+json"), b"{}"),
    ];
    for (place, one) in all.iter().enumerate() {
        assert_eq!(all.iter().position(|other| other == one), Some(place));
    }
    assert_eq!(all[0], Fingerprint::new(&Method::POST, "/a", &headers("user-agent", "x"), b"{}"));
}

#[tokio::test]
async fn keys_of_different_callers_are_independent() {
    let office = Office::in_memory().await;
    for agency in ["nw", "ct"] {
        office.request(&operator("ada"), None, create("Agency", &[("agencyId", agency), ("name", "x")])).await.unwrap();
    }
    let all = [member("nw", "bob", &["admin"]), member("nw", "eve", &["admin"]), member("ct", "bob", &["admin"])];
    for who in &all {
        let subject = who.caller.subject.clone().unwrap();
        let write = create("Member", &[("agencyId", who.caller.tenant.as_deref().unwrap()), ("idpid", &subject)]);
        let (answer, replayed) = office.request(who, Some("k1"), write).await.unwrap();
        assert!(!replayed, "{answer:?}");
    }
    assert_eq!(office.kept().await.0, 3);
}

#[tokio::test]
async fn a_copy_of_a_request_in_progress_is_not_executed() {
    let office = Office::in_memory().await;
    let who = operator("ada");
    let first = entry(office.begin(&who, Some("k1"), "x").await);
    assert_eq!(refusal(office.begin(&who, Some("k1"), "x").await), ChangeRecordError::InProgress);
    assert_eq!(refusal(office.begin(&who, Some("k1"), "y").await), ChangeRecordError::InProgress);
    entry(office.begin(&who, Some("k2"), "x").await);
    // A client that hangs up ends its request.
    drop(first);
    entry(office.begin(&who, Some("k1"), "x").await);
}

/// Two servers on one table, or one that was cut off from its client while it went on.
async fn race(write: Write) {
    let engine = Arc::new(Engine::in_memory(Default::default()).unwrap());
    let one = Office::on(Arc::clone(&engine) as _, ChangeRecordSettings::default()).await;
    let two = Office::on(engine, ChangeRecordSettings::default()).await;
    let who = operator("ada");
    let (first, second) =
        (entry(one.begin(&who, Some("k1"), "x").await), entry(two.begin(&who, Some("k1"), "x").await));
    let (first, second) =
        tokio::join!(one.go(&first, &who, vec![write.clone()]), two.go(&second, &who, vec![write.clone()]));
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(one.agencies().await, 1);
    assert_eq!(one.kept().await, (1, 1));
    let late = entry(one.begin(&who, Some("k2"), "x").await);
    let late = one.go(&late, &who, vec![write]).await;
    match late {
        Ok(_) => assert_eq!(one.agencies().await, 2),
        Err(error) => assert!(is_exists(&error), "{error}"),
    }
}

#[tokio::test]
async fn of_two_concurrent_copies_one_is_executed_and_both_get_its_response() {
    race(create("Agency", &[("name", "Northwind")])).await;
}

#[tokio::test]
async fn a_late_copy_gets_the_stored_response_despite_the_first_copys_change() {
    race(create("Agency", &[("agencyId", "nw"), ("name", "Northwind")])).await;
}

#[tokio::test]
async fn a_late_copy_of_another_request_is_a_mismatch() {
    let engine = Arc::new(Engine::in_memory(Default::default()).unwrap());
    let one = Office::on(Arc::clone(&engine) as _, ChangeRecordSettings::default()).await;
    let two = Office::on(engine, ChangeRecordSettings::default()).await;
    let who = operator("ada");
    let first = entry(one.begin(&who, Some("k1"), "x").await);
    let second = entry(two.begin(&who, Some("k1"), "y").await);
    one.go(&first, &who, vec![create("Agency", &[("name", "Northwind")])]).await.unwrap();
    let late = two.go(&second, &who, vec![create("Agency", &[("name", "Contoso")])]).await;
    assert_eq!(late.unwrap_err(), ChangeRecordError::Mismatch);
    assert_eq!(one.agencies().await, 1);
}

#[tokio::test]
async fn stored_responses_expire_after_a_day() {
    let office = Office::in_memory().await;
    let who = operator("ada");
    let request = || create("Agency", &[("name", "Northwind")]);
    office.request(&who, Some("k1"), request()).await.unwrap();
    office.clock.advance(24 * 60 * 60 * 1000 - 1);
    assert!(office.request(&who, Some("k1"), request()).await.unwrap().1);
    office.clock.advance(1);
    // The table has not noticed yet that the item has had its time.
    assert!(!office.request(&who, Some("k1"), request()).await.unwrap().1);
    assert!(office.request(&who, Some("k1"), request()).await.unwrap().1);
    assert_eq!(office.agencies().await, 2);
    assert_eq!(office.kept().await.0, 1);
}

#[tokio::test]
async fn a_failed_request_may_be_retried_with_the_same_key() {
    let office = Office::in_memory().await;
    let who = operator("ada");
    let request = || create("Member", &[("agencyId", "nw"), ("idpid", "bob")]);
    let failed = office.request(&who, Some("k1"), request()).await.unwrap_err();
    assert_eq!(failed.to_string(), "`agencyId` refers to a Agency that does not exist");
    assert_eq!(office.kept().await, (0, 0));
    office.request(&who, None, create("Agency", &[("agencyId", "nw"), ("name", "Northwind")])).await.unwrap();
    assert!(!office.request(&who, Some("k1"), request()).await.unwrap().1);
    assert!(office.request(&who, Some("k1"), request()).await.unwrap().1);
}

#[tokio::test]
async fn patches_and_deletes_are_replayed() {
    let office = Office::in_memory().await;
    let who = operator("ada");
    office.request(&who, None, create("Agency", &[("agencyId", "nw"), ("name", "Northwind")])).await.unwrap();
    let patch = || Write::Patch {
        entity: "Agency".to_owned(),
        attributes: attributes(&[("agencyId", "nw"), ("name", "Northwind Traders")]),
        options: PatchOptions::default(),
    };
    let (patched, _) = office.request(&who, Some("k1"), patch()).await.unwrap();
    assert!(String::from_utf8_lossy(&patched.body).contains("Northwind Traders"));
    assert_eq!(office.request(&who, Some("k1"), patch()).await.unwrap(), (patched, true));
    office.request(&who, None, create("Member", &[("agencyId", "nw"), ("idpid", "bob")])).await.unwrap();
    let delete = || Write::Delete {
        entity: "Member".to_owned(),
        identity: attributes(&[("agencyId", "nw"), ("idpid", "bob")]),
        options: DeleteOptions::default(),
    };
    let (deleted, _) = office.request(&who, Some("k2"), delete()).await.unwrap();
    assert_eq!((deleted.status, &deleted.body[..]), (StatusCode::NO_CONTENT, &b"gone"[..]));
    assert_eq!(office.request(&who, Some("k2"), delete()).await.unwrap(), (deleted, true));
    // Without a key, it is gone.
    assert_eq!(
        office.request(&who, None, delete()).await.unwrap_err().to_string(),
        "Member agencyId=nw, idpid=bob does not exist"
    );
}

#[tokio::test]
async fn a_cascading_delete_is_replayed() {
    let office = Office::in_memory().await;
    let who = operator("ada");
    office.request(&who, None, create("Agency", &[("agencyId", "nw"), ("name", "Northwind")])).await.unwrap();
    for number in 0..150 {
        let member = create("Member", &[("agencyId", "nw"), ("idpid", &format!("m{number}"))]);
        office.request(&who, None, member).await.unwrap();
    }
    let identity = attributes(&[("agencyId", "nw")]);
    let options = DeleteOptions { cascade: true, ..DeleteOptions::default() };
    let begun = entry(office.begin(&who, Some("k1"), "x").await);
    let write = Write::Delete { entity: "Agency".to_owned(), identity: identity.clone(), options };
    let side_writes = begun.side_writes(&[write], &answer_of);
    office.runtime.delete_with(&who.caller, "Agency", identity, options, &side_writes).await.unwrap();
    drop(begun);
    assert_eq!(office.agencies().await, 0);
    assert_eq!(office.kept().await, (1, 302));
    match office.begin(&who, Some("k1"), "x").await.unwrap() {
        Admission::Replay(answer) => assert_eq!(answer.status, StatusCode::NO_CONTENT),
        Admission::Execute(_) => panic!("let through"),
    }
}

#[tokio::test]
async fn invalid_keys_are_rejected() {
    let office = Office::in_memory().await;
    let who = operator("ada");
    for key in ["", "a b", "ä", "a\u{7f}", &"k".repeat(256)] {
        assert_eq!(refusal(office.begin(&who, Some(key), "x").await), ChangeRecordError::BadKey, "{key}");
    }
    entry(office.begin(&who, Some(&"k".repeat(255)), "x").await);
    let nobody = Principal::default();
    assert_eq!(refusal(office.begin(&nobody, Some("k1"), "x").await), ChangeRecordError::Anonymous);
    entry(office.begin(&nobody, None, "x").await);
}

#[tokio::test]
async fn idempotency_can_be_switched_off() {
    let engine = Arc::new(Engine::in_memory(Default::default()).unwrap());
    let settings = ChangeRecordSettings { idempotency: false, audit: false, ..ChangeRecordSettings::default() };
    let office = Office::on(engine, settings).await;
    let who = operator("ada");
    assert_eq!(refusal(office.begin(&who, Some("k1"), "x").await), ChangeRecordError::IdempotencyOff);
    office.request(&who, None, create("Agency", &[("name", "Northwind")])).await.unwrap();
    let missing = office.backend.describe_table("keyfold_audit".to_owned()).await;
    assert_eq!(missing.unwrap_err().code(), "ResourceNotFoundException");

    let engine = Arc::new(Engine::in_memory(Default::default()).unwrap());
    let office = Office::on(engine, ChangeRecordSettings { audit: false, ..ChangeRecordSettings::default() }).await;
    office.request(&who, Some("k1"), create("Agency", &[("name", "Northwind")])).await.unwrap();
    assert_eq!(office.kept().await, (1, 0));
}

#[tokio::test]
async fn a_table_with_other_keys_is_rejected_as_journal() {
    let office = Office::in_memory().await;
    let settings =
        ChangeRecordSettings { table: office.runtime.table_name().to_owned(), ..ChangeRecordSettings::default() };
    let response =
        ChangeRecords::open(Arc::clone(&office.backend), settings, office.clock.clone(), Arc::new(SystemRandom)).await;
    let name = office.runtime.table_name();
    assert_eq!(
        response.err().unwrap().to_string(),
        format!("the table `{name}` exists and is not an audit table: choose another name")
    );
}

fn agency(key: &str) -> Write {
    create("Agency", &[("name", key)])
}

/// Cargo builds examples with the tests, in a folder beside theirs.
fn server_to_kill() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let server = test.parent().and_then(Path::parent).unwrap().join("examples/server_to_kill");
    assert!(server.exists(), "build it first: cargo build --workspace --examples");
    server
}

#[tokio::test]
async fn after_a_kill_each_request_was_executed_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new(server_to_kill()).arg(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut asked = Vec::new();
    let mut done = Vec::new();
    for line in BufReader::new(server.stdout.take().unwrap()).lines() {
        let Ok(line) = line else { break };
        if let Some(key) = line.strip_prefix("asked ") {
            asked.push(key.to_owned());
        } else if let Some((key, body)) = line.strip_prefix("done ").and_then(|rest| rest.split_once(' ')) {
            done.push((key.to_owned(), body.to_owned()));
        }
        if done.len() == 150 {
            server.kill().unwrap();
        }
    }
    server.wait().unwrap();
    assert!(done.len() >= 150 && asked.len() >= done.len());

    let office = Office::in_folder(folder.path()).await;
    for (key, body) in &done {
        let (answer, replayed) = office.request(&operator("ada"), Some(key), agency(key)).await.unwrap();
        assert!(replayed, "{key}");
        assert_eq!(String::from_utf8_lossy(&answer.body), *body);
    }
    for key in &asked {
        match office.begin(&operator("ada"), Some(key), &format!("{:?}", agency(key))).await.unwrap() {
            Admission::Replay(_) => {}
            Admission::Execute(entry) => drop(office.go(&entry, &operator("ada"), vec![agency(key)]).await.unwrap()),
        }
    }
    assert_eq!(office.agencies().await, asked.len());
    assert_eq!(office.kept().await, (asked.len(), asked.len()));
}
