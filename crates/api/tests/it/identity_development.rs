//! The development mode: sample people of each design, with tokens that are checked as any others.

use std::net::IpAddr;
use std::sync::Arc;

use crate::identity_support::*;
use keyfold_api::identity::{Development, Identity, sample_people};
use keyfold_design::Design;
use keyfold_runtime::scenario::DataFile;

fn design(name: &str) -> (Design, DataFile) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(name);
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let (design, _) = keyfold_design::load("design.yaml", &text).map_err(|_| "the design has errors").unwrap();
    let data = serde_saphyr::from_str(&std::fs::read_to_string(folder.join("data.yaml")).unwrap()).unwrap();
    (design, data)
}

fn lines(name: &str) -> Vec<String> {
    let (design, data) = design(name);
    sample_people(&design, Some(&data))
        .into_iter()
        .map(|person| format!("{}: {}", person.subject, person.description))
        .collect()
}

#[test]
fn sample_users_are_derived_from_the_rules_and_the_data() {
    assert_eq!(
        lines("agencies"),
        [
            "operator: an operator (role operator)",
            "ada: a member of 01K9ZV0000000000000000AAAA, admin in the sample data",
            "grace: a member of 01K9ZV0000000000000000AAAA",
            "ada: a member of 01K9ZV0000000000000000BBBB",
        ]
    );
    assert_eq!(
        lines("platform"),
        [
            "operator: an operator (role operator)",
            "ada: a member of northwind, administrator in the sample data",
            "grace: a member of northwind, nw-planner in the sample data",
            "joan: a member of contoso, administrator in the sample data",
        ]
    );
    assert_eq!(
        lines("albums"),
        [
            "operator: an operator (role operator)",
            "01K9ZV00000000000000000ADA: a member of 01K9ZV0000000000000000TENA, admin in the sample data",
            "01K9ZV000000000000000GRACE: a member of 01K9ZV0000000000000000TENA, editor in the sample data",
            "01K9ZV0000000000000000JEAN: a member of 01K9ZV0000000000000000TENA, viewer in the sample data",
            "01K9ZV0000000000000000ANNE: a member of 01K9ZV0000000000000000TENB, admin in the sample data",
        ]
    );
    assert_eq!(
        lines("archive"),
        [
            "operator: an operator (role admin)",
            "01K9ZV0000000000000000ADA0: signed in",
            "editor: role editor",
            "visitor: signed in",
        ]
    );
    assert_eq!(
        lines("catalogue"),
        [
            "operator: an operator (role SuperAdmin)",
            "ada00000-0000-4000-8000-000000000001: signed in, Squash in the sample data",
            "b0b00000-0000-4000-8000-000000000002: signed in, Moderators in the sample data",
            "admin: role admin",
            "dee00000-0000-4000-8000-000000000003: role manager, Squash in the sample data",
            "visitor: signed in",
        ]
    );
}

#[test]
fn a_design_without_data_has_an_operator_at_least() {
    let (design, _) = design("platform");
    let people = sample_people(&design, None);
    assert_eq!((people[0].subject.as_str(), people[0].roles[0].as_str()), ("operator", "operator"));
}

#[tokio::test]
async fn every_sample_person_can_sign_in() {
    let development = Development::start("127.0.0.1".parse().unwrap()).unwrap();
    let clock = clock();
    let identity = Identity::new(Some(development.settings()), None, Arc::clone(&clock) as _).unwrap();
    for name in ["agencies", "platform", "albums", "archive", "catalogue"] {
        let (design, data) = design(name);
        for person in sample_people(&design, Some(&data)) {
            let token = development.token(&person, name, NOW * 1000).unwrap();
            let caller = show(&identity, &token).await.unwrap().caller;
            assert_eq!(caller.subject.as_ref(), Some(&person.subject));
            assert_eq!((&caller.tenant, &caller.roles), (&person.tenant, &person.roles));
        }
    }
    let (design, _) = design("platform");
    let token = development.token(&sample_people(&design, None)[0], "platform", NOW * 1000).unwrap();
    clock.advance(12 * 60 * 60 * 1000);
    assert_eq!(reason(&identity, &token).await, "the token has expired");
}

#[tokio::test]
async fn each_start_has_a_secret_of_its_own() {
    let loopback: IpAddr = "::1".parse().unwrap();
    let (one, other) = (Development::start(loopback).unwrap(), Development::start(loopback).unwrap());
    let identity = Identity::new(Some(one.settings()), None, clock()).unwrap();
    let (design, _) = design("platform");
    let token = other.token(&sample_people(&design, None)[0], "platform", NOW * 1000).unwrap();
    assert_eq!(reason(&identity, &token).await, "the token's signature is invalid");
}

#[test]
fn development_mode_accepts_local_connections_only() {
    for address in ["0.0.0.0", "::", "192.0.2.1", "10.0.0.1"] {
        let refused = Development::start(address.parse().unwrap()).err().unwrap();
        assert_eq!(
            refused.to_string(),
            format!("development mode is for this machine only: listen on a loopback address, not on {address}")
        );
    }
}
