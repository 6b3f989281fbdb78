//! Sessions of the shipped designs, and what they reach for.

use keyfold_generate::{Input, Target, generate};

use crate::iam::evaluator::{design, policy};

#[test]
fn members_of_an_agency_stay_in_it() {
    let policy = policy("agencies", "members");
    policy.check(
        &[("agencyId", "1")],
        &[
            (true, "GetItem", "agencies", &["AGENCY#1"]),
            (true, "Query", "agencies", &["AGENCY#1"]),
            (false, "Query", "agencies", &["AGENCY#10"]),
            (false, "Query", "agencies", &["AGENCY#"]),
            (false, "BatchGetItem", "agencies", &["AGENCY#1", "AGENCY#2"]),
            (false, "PutItem", "agencies", &["AGENCY#1"]),
            (false, "DeleteItem", "agencies", &["AGENCY#1"]),
            // No leading keys at all is not "all of none".
            (false, "Query", "agencies", &[]),
            (false, "Scan", "agencies", &[]),
            // What crosses agencies is for operators.
            (false, "Query", "agencies/index/GSI1", &["Agency"]),
            (false, "Query", "agencies/index/GSI2", &["ada"]),
        ],
    );
}

#[test]
fn a_tag_cannot_name_more_than_one_tenant() {
    let policy = policy("agencies", "members");
    for tag in ["*", "1*", "?", "1#2"] {
        policy.check(
            &[("agencyId", tag)],
            &[(false, "Query", "agencies", &["AGENCY#1"]), (false, "Query", "agencies", &["AGENCY#10"])],
        );
        let own = format!("AGENCY#{tag}");
        policy.check(&[("agencyId", tag)], &[(false, "Query", "agencies", &[own.as_str()])]);
    }
    policy.check(&[], &[(false, "Query", "agencies", &["AGENCY#"]), (false, "Query", "agencies", &["AGENCY#1"])]);
}

#[test]
fn members_of_an_account_stay_in_it() {
    let policy = policy("platform", "members");
    policy.check(
        &[("accountId", "northwind")],
        &[
            (true, "GetItem", "app_data", &["ACCOUNT#northwind"]),
            (true, "Query", "app_data/index/GSI2", &["ACCOUNT#northwind#USERS"]),
            (true, "GetItem", "app_data", &["ENTERPRISE#globex"]),
            (true, "Query", "app_data/index/GSI1", &["ENTITY#ENTERPRISE"]),
            (false, "GetItem", "app_data", &["ACCOUNT#northwind2"]),
            (false, "Query", "app_data/index/GSI2", &["ACCOUNT#contoso#USERS"]),
            (false, "Query", "app_data/index/GSI2", &["ACCOUNT#northwind2#USERS"]),
            // The keys of these do not tell the account.
            (false, "GetItem", "app_data", &["USER#ada"]),
            (false, "GetItem", "app_data", &["WORKSTREAM#nw-data"]),
            (false, "Query", "app_data/index/GSI2", &["ENTERPRISE#globex"]),
            // These cross accounts.
            (false, "Query", "app_data/index/GSI1", &["ENTITY#LICENSE"]),
            (false, "Query", "app_data/index/GSI3", &["LICENSE#STATUS#active"]),
            (false, "PutItem", "app_data", &["ACCOUNT#northwind"]),
            (false, "UpdateItem", "app_data", &["ENTERPRISE#globex"]),
        ],
    );
}

#[test]
fn requests_of_several_items_need_a_right_to_all_of_them() {
    let policy = policy("platform", "members-and-permission-licenses-write");
    let (own, foreign) = ("ACCOUNT#northwind", "ACCOUNT#contoso");
    policy.check(
        &[("accountId", "northwind")],
        &[
            (true, "BatchGetItem", "app_data", &[own, own]),
            (false, "BatchGetItem", "app_data", &[own, foreign]),
            (false, "BatchGetItem", "app_data", &[foreign, own]),
            // A transaction asks for the right to each of its actions, on the keys of all its items.
            (true, "PutItem", "app_data", &[own, own]),
            (false, "PutItem", "app_data", &[own, foreign]),
            (false, "UpdateItem", "app_data", &[own, foreign]),
            (false, "DeleteItem", "app_data", &[own, foreign]),
            (false, "ConditionCheckItem", "app_data", &[own, foreign]),
        ],
    );
}

#[test]
fn a_permission_adds_what_it_is_for() {
    let policy = policy("platform", "members-and-permission-licenses-write");
    policy.check(
        &[("accountId", "northwind")],
        &[
            (true, "PutItem", "app_data", &["ACCOUNT#northwind"]),
            (true, "DeleteItem", "app_data", &["ACCOUNT#northwind"]),
            // The counter of the licenses of an enterprise.
            (true, "UpdateItem", "app_data", &["ENTERPRISE#globex"]),
            (false, "PutItem", "app_data", &["ENTERPRISE#globex"]),
            (false, "PutItem", "app_data", &["ACCOUNT#contoso"]),
            (false, "PutItem", "app_data", &["ROLE#administrator"]),
        ],
    );
}

#[test]
fn members_of_a_photo_club_stay_in_it() {
    let tenant = "01K9ZV0000000000000000TENA";
    let own = format!("TENANT#{tenant}");
    let members = format!("LOOKUP#MEMBERSHIP#TENANT#{tenant}");
    policy("albums", "members-and-group-viewer").check(
        &[("tenantId", tenant)],
        &[
            (true, "Query", "albums", &[own.as_str()]),
            (true, "Query", "albums/index/GSI1", &[own.as_str()]),
            (true, "Query", "albums/index/GSI2", &[members.as_str()]),
            (false, "Query", "albums/index/GSI1", &["ALBUM#01K9ZV0000000000000000AB01"]),
            (false, "Query", "albums/index/GSI2", &["LOOKUP#MEMBERSHIP#TENANT#01K9ZV0000000000000000TENB"]),
            (false, "Query", "albums/index/GSI2", &["LOOKUP#USER#EMAIL#ada@example.com"]),
            (false, "PutItem", "albums", &[own.as_str()]),
        ],
    );
}

#[test]
fn owners_stay_in_their_partition() {
    let policy = policy("catalogue", "the-owner");
    policy.check(
        &[("subject", "ada")],
        &[
            (true, "PutItem", "fus-main", &["USER#ada"]),
            (true, "Query", "fus-main", &["USER#ada"]),
            (false, "PutItem", "fus-main", &["USER#ada2"]),
            (false, "PutItem", "fus-main", &["GROUP#Squash"]),
            (false, "GetItem", "fus-main", &["SQUASH#PLAYER#1"]),
        ],
    );
    policy.check(&[("subject", "*")], &[(false, "PutItem", "fus-main", &["USER#bob"])]);
}

#[test]
fn what_shares_a_partition_is_said() {
    let files = generate(Target::Iam, &Input::new(&design("catalogue")));
    let readme = &files.iter().find(|file| file.path == "iam/README.md").unwrap().text;
    let owner = readme.split("## the owner: ").nth(1).unwrap().split("\n## ").next().unwrap();
    // Anyone who writes ratings with these credentials could add themselves to a group.
    assert!(
        owner.contains("- broader than the rules: `DeleteItem`, `PutItem`, `UpdateItem` on **GroupMembership**"),
        "{owner}"
    );
}
