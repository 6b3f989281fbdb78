//! The same subject of two issuers: never one caller by accident.

use std::sync::Arc;

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_api::identity::{Identity, KeySettings, TokenSettings};
use keyfold_api::{Limits, RateLimits, Unservable};
use serde_json::{Value, json};

use crate::identity_support::{claims_but, clock, settings, sign_with_secret};
use crate::over_sockets::world::{Setting, World};

const SECRET: &[u8] = b"a secret of the tests, of 32 bytes or more";
const STAFF: &str = "https://staff.example.com";
const PARTNER: &str = "https://partner.example.com";

fn issuer(name: &str, designs: &[&str], shares_subjects: bool) -> TokenSettings {
    TokenSettings {
        issuer: name.to_owned(),
        designs: designs.iter().map(|design| (*design).to_owned()).collect(),
        shares_subjects,
        ..settings(KeySettings::Secret(SECRET.to_vec()))
    }
}

fn setting(designs: &[&str], issuers: Vec<TokenSettings>) -> Setting {
    let served: Vec<String> = designs.iter().map(|design| (*design).to_owned()).collect();
    let identity = Identity::new(issuers, None, clock()).unwrap().for_designs(&served).unwrap();
    Setting {
        authenticator: Some(Arc::new(identity)),
        change_records: Some(ChangeRecordSettings::default()),
        ..Setting::default()
    }
}

fn token(issuer: &str, claims: Value) -> String {
    let mut all = claims_but(json!({"iss": issuer, "tenant": null, "roles": null}));
    for (name, value) in claims.as_object().unwrap() {
        all[name] = value.clone();
    }
    format!("Bearer {}", sign_with_secret(SECRET, &json!({"alg": "HS256"}), &all))
}

#[tokio::test]
async fn a_design_that_ignores_issuers_is_not_served_to_people_of_several() {
    let both = |shares: [bool; 2]| vec![issuer(STAFF, &[], shares[0]), issuer(PARTNER, &[], shares[1])];
    let refused = async |design: &str, issuers: Vec<TokenSettings>| {
        World::try_made(&[design], setting(&[design], issuers)).await.err()
    };
    for design in ["agencies", "platform", "catalogue"] {
        for shares in [[false, false], [true, false]] {
            let issuers = vec![STAFF.to_owned(), PARTNER.to_owned()];
            let expected = Unservable::AmbiguousSubjects { design: design.to_owned(), issuers };
            assert_eq!(refused(design, both(shares)).await, Some(expected), "{shares:?}");
        }
        assert_eq!(refused(design, both([true, true])).await, None);
        assert_eq!(refused(design, vec![issuer(STAFF, &[], false)]).await, None);
    }
    for design in ["albums", "archive"] {
        assert_eq!(refused(design, both([false, false])).await, None);
    }
    // Each issuer may be trusted with designs of its own.
    let designs = ["agencies", "albums"];
    let limited = vec![issuer(STAFF, &designs, false), issuer(PARTNER, &["albums"], false)];
    assert!(World::try_made(&designs, setting(&designs, limited)).await.is_ok());
}

#[tokio::test]
async fn whoever_shares_a_subject_by_agreement_is_one_person() {
    let issuers = vec![issuer(STAFF, &[], true), issuer(PARTNER, &[], true)];
    let world = World::made(&["agencies"], setting(&["agencies"], issuers)).await;
    for issuer in [STAFF, PARTNER] {
        let ada = token(issuer, json!({"sub": "ada"}));
        let me = world.client.send("", Method::GET, "/v1/agencies/me", &[("authorization", &ada)], "").await;
        let me = me.expect(200).json();
        assert_eq!(me["memberships"].as_array().unwrap().len(), 2, "{issuer}: {me}");
    }
}

#[tokio::test]
async fn limits_and_idempotency_keys_belong_to_the_subject_of_one_issuer() {
    let issuers = vec![issuer(STAFF, &[], false), issuer(PARTNER, &[], false)];
    let rates = RateLimits { subject: Some("2/h".parse().unwrap()), ..RateLimits::default() };
    let setting = Setting { limits: Limits { rates, ..Limits::default() }, ..setting(&["albums"], issuers) };
    let world = World::made(&["albums"], setting).await;
    let create = async |issuer: &str, key: &str, name: &str| {
        let olga = token(issuer, json!({"sub": "olga", "roles": ["operator"]}));
        let headers =
            [("authorization", olga.as_str()), ("content-type", "application/json"), ("idempotency-key", key)];
        world.client.send("", Method::POST, "/v1/albums/tenants", &headers, json!({"name": name}).to_string()).await
    };
    // Neither is a user of the table. The response to one is not replayed to the other.
    let first = create(STAFF, "k1", "Lighthouse").await.expect(201).json();
    let second = create(PARTNER, "k1", "Lighthouse").await.expect(201).json();
    assert_ne!(first["tenantId"], second["tenantId"]);
    // Whoever uses up their own limit leaves the other's.
    create(STAFF, "k2", "Beacon").await.expect(201);
    create(STAFF, "k3", "Pier").await.problem(429, "rate-limited");
    create(PARTNER, "k2", "Beacon").await.expect(201);
    create(PARTNER, "k3", "Pier").await.problem(429, "rate-limited");
}
