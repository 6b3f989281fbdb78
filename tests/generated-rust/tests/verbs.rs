//! The verbs of generated modules: typed inputs, typed items.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::backend::Backend;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_engine::Engine;
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_generated_rust::platform::{
    Account, LicenseIdentity, LicenseOperators, LicensePatch, LicenseStatus, NewAccount, NewEnterprise, NewLicense,
    NewUser, Platform, UserPatch,
};
use keyfold_runtime::{Caller, DeleteOptions, DesignRules, Error, Options, Runtime};
use keyfold_typed::{AttributeChange, ItemCondition, PatchOptions, QueryOptions, Write};

const DESIGN: &str = include_str!("../../../designs/platform/design.yaml");

async fn runtime() -> (Runtime, Arc<Engine>) {
    let design = Arc::new(Design::load("design.yaml", DESIGN).unwrap().0);
    let engine = Arc::new(Engine::in_memory(keyfold_engine::Options::default()).unwrap());
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(&design))),
        clock: Arc::new(ManualClock::default()),
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![0; 32],
        table_name: None,
    };
    let runtime = Runtime::new(design, Arc::clone(&engine) as _, options);
    runtime.create_table().await.unwrap();
    let superuser = Platform::new(&runtime, Caller::superuser("tester"));
    let account = |id: &str| NewAccount { account_id: Some(id.to_owned()), ..NewAccount::new(id) };
    superuser.create(&account("northwind")).await.unwrap();
    superuser.create(&account("contoso")).await.unwrap();
    let globex = NewEnterprise { enterprise_id: Some("globex".to_owned()), ..NewEnterprise::new("Globex") };
    superuser.create(&globex).await.unwrap();
    (runtime, engine)
}

fn license(id: &str) -> NewLicense {
    NewLicense {
        account_id: Some("northwind".to_owned()),
        license_id: Some(id.to_owned()),
        note: Some("by phone".to_owned()),
        ..NewLicense::new("globex", "2026-01-31".parse().unwrap(), 25)
    }
}

#[tokio::test]
async fn an_item_is_created_read_changed_and_deleted() {
    let (runtime, _) = runtime().await;
    let platform = Platform::new(&runtime, Caller::superuser("tester"));
    let created = platform.create(&license("l1")).await.unwrap();
    assert_eq!(created.status, LicenseStatus::Active);
    assert_eq!(created.created_at.unwrap().as_str(), "2026-01-01T00:00:00.000Z");
    assert_eq!((created.version, created.start_date), (Some(1), None));
    assert_eq!(created.identity(), LicenseIdentity::new("northwind", "l1"));
    assert_eq!(platform.get(&created.identity()).await.unwrap().as_ref(), Some(&created));
    assert_eq!(platform.create(&license("l1")).await.unwrap_err().kind(), "exists");

    let change =
        LicensePatch { status: Some(LicenseStatus::Expired), note: AttributeChange::Clear, ..Default::default() };
    let changed = platform.patch_version(&created.identity(), &change, 1).await.unwrap();
    assert_eq!((changed.status, changed.note.clone(), changed.seats), (LicenseStatus::Expired, None, 25));
    assert_eq!(platform.patch_version(&created.identity(), &change, 1).await.unwrap_err().kind(), "conflict");

    let upserted = platform.upsert(&license("l1")).await.unwrap();
    assert_eq!((upserted.status, upserted.note.as_deref()), (LicenseStatus::Expired, Some("by phone")));
    let replaced = platform.put(&NewLicense { note: None, ..license("l1") }).await.unwrap();
    assert_eq!((replaced.status, replaced.note), (LicenseStatus::Active, None));

    platform.delete(&created.identity(), DeleteOptions::default()).await.unwrap();
    assert_eq!(platform.get(&created.identity()).await.unwrap(), None);
    let error = platform.delete(&created.identity(), DeleteOptions::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "License accountId=northwind, licenseId=l1 does not exist");
}

#[tokio::test]
async fn a_transaction_is_all_or_nothing() {
    let (runtime, _) = runtime().await;
    let platform = Platform::new(&runtime, Caller::superuser("tester"));
    let orphan = NewLicense { license_id: Some("l2".to_owned()), ..license("l2") };
    let orphan = NewLicense { enterprise_id: "nobody".to_owned(), ..orphan };
    let error = platform.transact(vec![Write::create(&license("l1")), Write::create(&orphan)]).await.unwrap_err();
    assert!(matches!(&error, Error::Constraint(found) if found.name == "enterpriseId"), "{error:?}");
    assert_eq!(platform.get(&LicenseIdentity::new("northwind", "l1")).await.unwrap(), None);
    platform.transact(vec![Write::create(&license("l1")), Write::create(&license("l2"))]).await.unwrap();
    let found = platform.licenses_by_account("northwind", &Default::default()).await.unwrap();
    assert_eq!(found.items.len(), 2);
}

#[tokio::test]
async fn members_keep_to_their_tenant() {
    let (runtime, _) = runtime().await;
    let superuser = Platform::new(&runtime, Caller::superuser("tester"));
    let created = superuser.create(&license("l1")).await.unwrap();
    let stranger = Platform::new(&runtime, Caller::member("contoso", "eve"));
    assert_eq!(stranger.get(&created.identity()).await.unwrap(), None);
    // What members may not see is absent, not an error.
    let enterprise = superuser.all_enterprises(&Default::default()).await.unwrap().items.remove(0);
    assert_eq!(enterprise.license_count, Some(1));
    let enterprise = stranger.get(&enterprise.identity()).await.unwrap().unwrap();
    assert_eq!((enterprise.name.as_str(), enterprise.license_count), ("Globex", None));
}

#[tokio::test]
async fn an_item_that_does_not_fit_is_told_with_its_key() {
    let (runtime, engine) = runtime().await;
    let platform = Platform::new(&runtime, Caller::superuser("tester"));
    let item = [
        ("PK", "ACCOUNT#northwind"),
        ("SK", "LICENSE#l1"),
        ("accountId", "northwind"),
        ("licenseId", "l1"),
        ("enterpriseId", "globex"),
        ("endDate", "2026-01-31"),
        ("seats", "many"),
    ];
    let item = item.map(|(name, text)| (name.to_owned(), AttributeValue::S(text.to_owned()))).into();
    let input = PutItemInput { table_name: "app_data".to_owned(), item, ..PutItemInput::default() };
    engine.put_item(input).await.unwrap();
    assert_eq!(
        platform.get(&LicenseIdentity::new("northwind", "l1")).await.unwrap_err().to_string(),
        "the item at accountId=northwind, licenseId=l1 is not a valid License: `seats` must be an integer but is stored as S"
    );
}

#[test]
fn inputs_are_read_from_json_and_refuse_what_they_do_not_know() {
    let new: NewUser = serde_json::from_str(
        r#"{"roleId": "reader", "email": "ada@northwind.example", "firstName": "Ada", "lastName": "Lovelace"}"#,
    )
    .unwrap();
    let named = NewUser::new("ada@northwind.example", "Ada", "Lovelace");
    assert_eq!(new, NewUser { role_id: Some("reader".to_owned()), ..named });
    let patch: UserPatch = serde_json::from_str(r#"{"endDate": null, "lastName": "King"}"#).unwrap();
    assert_eq!(
        patch,
        UserPatch { end_date: AttributeChange::Clear, last_name: Some("King".to_owned()), ..Default::default() }
    );
    assert_eq!(serde_json::to_string(&patch).unwrap(), r#"{"lastName":"King","endDate":null}"#);
    let error = serde_json::from_str::<UserPatch>(r#"{"endDat": null}"#).unwrap_err();
    assert!(error.to_string().starts_with("unknown field `endDat`"), "{error}");
}

#[tokio::test]
async fn a_module_of_another_design_is_an_error_and_not_an_empty_page() {
    let (runtime, _) = runtime().await;
    let platform = Platform::new(&runtime, Caller::superuser("tester"));
    platform.create(&license("l1")).await.unwrap();
    // As if the module took the licenses of the pattern for accounts.
    let before = ("before".to_owned(), AttributeValue::S("2027-01-01".to_owned()));
    let page = platform.page::<Account>("expiring licenses", [before].into(), &QueryOptions::default()).await;
    let error = page.map(|page| page.items.len()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the item at accountId=northwind, licenseId=l1 is not a valid License: it is of License: generate the module again"
    );
}

#[tokio::test]
async fn operators_are_methods_of_their_types() {
    let (runtime, _) = runtime().await;
    let platform = Platform::new(&runtime, Caller::superuser("tester"));
    let created = platform.create(&license("l1")).await.unwrap();
    let mut operators = LicenseOperators::default();
    operators.add_seats(5);
    let entity = runtime.entity("License").unwrap();
    let condition = |text: &str| Some(ItemCondition::parse(entity, text, Default::default()).unwrap());
    let patch = LicensePatch { note: AttributeChange::Clear, ..Default::default() };
    let options =
        |text| PatchOptions { operators: operators.0.clone(), condition: condition(text), ..PatchOptions::new() };
    let changed = platform.update(&created.identity(), &patch, options("seats = 25")).await.unwrap();
    assert_eq!((changed.seats, changed.note, changed.version), (30, None, Some(2)));
    let unmet = platform.update(&created.identity(), &patch, options("seats = 25")).await.unwrap_err();
    assert_eq!(unmet.kind(), "condition");
}
