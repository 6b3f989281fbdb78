//! Groups and permissions that are items of the table: who has them, in which tenant, and for how long.

use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_runtime::scenario::{DataFile, load_data};
use keyfold_runtime::{Caller, DeleteOptions, PatchOptions, Runtime};
use serde_json::json;

const ADA: &str = "ada00000-0000-4000-8000-000000000001";
const BOB: &str = "b0b00000-0000-4000-8000-000000000002";

/// A design of the repository with its sample data.
async fn furnished(name: &str) -> (Arc<Design>, Runtime) {
    let design = design(&design_text(&format!("../../designs/{name}/design.yaml")));
    let runtime = runtime_on(&design, engine());
    runtime.create_table().await.unwrap();
    let data: DataFile = serde_saphyr::from_str(&design_text(&format!("../../designs/{name}/data.yaml"))).unwrap();
    load_data(&runtime, &data, &|_| {}).await.unwrap();
    (design, runtime)
}

fn signed_in(subject: &str) -> Caller {
    Caller { subject: Some(subject.to_owned()), ..Caller::default() }
}

/// The groups and permissions of a caller, as the table says.
async fn told(runtime: &Runtime, caller: Caller) -> (Vec<String>, Vec<String>) {
    let known = runtime.resolve_caller(caller.clone()).await.unwrap();
    let (groups, permissions) = (known.groups.clone(), known.permissions.clone());
    assert_eq!(Caller { groups: Vec::new(), permissions: Vec::new(), ..known }, caller, "nothing else changes");
    (groups, permissions)
}

fn lists(groups: &[&str], permissions: &[&str]) -> (Vec<String>, Vec<String>) {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    (owned(groups), owned(permissions))
}

#[tokio::test]
async fn groups_and_their_permissions_are_resolved_for_a_subject() {
    let (_, runtime) = furnished("catalogue").await;
    assert_eq!(told(&runtime, signed_in(ADA)).await, lists(&["Squash"], &["squash.read"]));
    assert_eq!(
        told(&runtime, signed_in(BOB)).await,
        lists(&["Moderators", "Squash"], &["comments.moderate", "squash.read"])
    );
    assert_eq!(told(&runtime, signed_in("nobody")).await, lists(&[], &[]));
    // A subject that is the beginning of another's, none at all, and one that no key can hold.
    assert_eq!(told(&runtime, signed_in("ada00000")).await, lists(&[], &[]));
    assert_eq!(told(&runtime, signed_in("")).await, lists(&[], &[]));
    assert_eq!(told(&runtime, Caller::default()).await, lists(&[], &[]));
    // What the caller has already stays, once.
    let named = Caller { groups: vec!["Squash".to_owned(), "Guests".to_owned()], ..signed_in(ADA) };
    assert_eq!(runtime.resolve_caller(named).await.unwrap().groups, ["Squash", "Guests"]);
    assert_eq!(told(&runtime, Caller::superuser(BOB)).await, lists(&[], &[]));
}

#[tokio::test]
async fn a_deleted_membership_no_longer_counts() {
    let (design, runtime) = furnished("catalogue").await;
    let membership = attributes(&design, "GroupMembership", json!({"userId": BOB, "groupName": "Moderators"}));
    runtime.delete(&superuser(), "GroupMembership", membership, DeleteOptions::default()).await.unwrap();
    assert_eq!(told(&runtime, signed_in(BOB)).await, lists(&["Squash"], &["squash.read"]));
    let group = attributes(&design, "Group", json!({"name": "Squash"}));
    runtime.delete(&superuser(), "Group", group, DeleteOptions::default()).await.unwrap();
    assert_eq!(told(&runtime, signed_in(BOB)).await, lists(&[], &[]));
}

#[tokio::test]
async fn the_permissions_of_a_role_count_in_the_users_own_tenant_only() {
    let (design, runtime) = furnished("platform").await;
    let user = runtime.get(&superuser(), "User", attributes(&design, "User", json!({"userId": "ada"}))).await;
    let role = user.unwrap().unwrap().attributes["roleId"].clone();
    let of_role = keyfold_dynamo::Attributes::from([("roleId".to_owned(), role)]);
    let page = runtime.query(&superuser(), "role with permissions", of_role, &Default::default()).await.unwrap();
    let mut expected = Vec::new();
    for record in page.records.iter().filter(|record| record.attributes.contains_key("menuKey")) {
        let permission = keyfold_runtime::json::object(&record.attributes);
        for action in permission["actions"].as_array().unwrap() {
            expected.push(format!("{}.{}", permission["menuKey"].as_str().unwrap(), action.as_str().unwrap()));
        }
    }
    assert!(expected.len() > 1, "{expected:?}");
    assert_eq!(told(&runtime, Caller::member("northwind", "ada")).await, (Vec::new(), expected));
    let elsewhere = runtime.resolve_caller(Caller::member("contoso", "ada")).await.unwrap_err();
    assert_eq!(elsewhere.to_string(), "`ada` is not a member of `contoso`");
    assert_eq!(told(&runtime, signed_in("ada")).await, lists(&[], &[]));
}

#[tokio::test]
async fn a_member_of_two_tenants_has_in_each_the_role_of_that_membership() {
    let (design, runtime) = furnished("albums").await;
    let data: DataFile = serde_saphyr::from_str(&design_text("../../designs/albums/data.yaml")).unwrap();
    let memberships: Vec<_> = data.items.iter().filter_map(|item| item.get("Membership")).collect();
    let of = |name: &str, at: usize| memberships[at][name].as_str().unwrap().to_owned();
    assert!(memberships.len() > 3);
    for at in 0..memberships.len() {
        let (tenant, user, role) = (of("tenantId", at), of("userId", at), of("role", at));
        assert_eq!(told(&runtime, Caller::member(&tenant, &user)).await, lists(&[&role], &[]), "{user} in {tenant}");
        assert_eq!(told(&runtime, signed_in(&user)).await, lists(&[], &[]));
    }
    // Another role from now on, and none elsewhere.
    let (tenant, user) = (of("tenantId", 0), of("userId", 0));
    let role = if of("role", 0) == "viewer" { "editor" } else { "viewer" };
    let change = json!({"membershipId": of("membershipId", 0), "role": role});
    let change = attributes(&design, "Membership", change);
    runtime.patch(&superuser(), "Membership", change, PatchOptions::default()).await.unwrap();
    assert_eq!(told(&runtime, Caller::member(&tenant, &user)).await, lists(&[role], &[]));
    let elsewhere = runtime.resolve_caller(Caller::member("01K9ZV0000000000000000TENX", &user)).await.unwrap_err();
    assert_eq!(elsewhere.to_string(), format!("`{user}` is not a member of `01K9ZV0000000000000000TENX`"));
}
