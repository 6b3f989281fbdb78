//! The generated policies, evaluated as IAM does, against sessions that reach for what is not theirs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::path::Path;

use keyfold_generate::{Input, Target, generate};
use serde_json::Value;

struct Policy {
    statements: Vec<Value>,
}

/// One request of a session.
struct Request<'a> {
    action: &'a str,
    /// The table, or `table/index/NAME`.
    resource: &'a str,
    leading_keys: &'a [&'a str],
    tags: BTreeMap<&'a str, &'a str>,
}

fn policy(design: &str, name: &str) -> Policy {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(design);
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let design = keyfold_design::load("design.yaml", &text).unwrap().0;
    let files = generate(Target::Iam, &Input::of(&design));
    let file = files.iter().find(|file| file.path == format!("iam/{name}.json")).unwrap();
    let document: Value = serde_json::from_str(&file.text).unwrap();
    assert_eq!(document["Version"], "2012-10-17");
    Policy { statements: document["Statement"].as_array().unwrap().clone() }
}

fn list(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().map(|item| item.as_str().unwrap().to_owned()).collect(),
        _ => panic!("{value}"),
    }
}

/// A piece of a pattern: a character, or a wildcard.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Character(char),
    Anything,
    AnyOne,
}

/// Puts the tags in; `None` where a tag is missing, which makes a condition false.
fn pieces(pattern: &str, request: &Request<'_>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        if let Some((variable, after)) = rest.strip_prefix("${").and_then(|inner| inner.split_once('}')) {
            match variable.strip_prefix("aws:PrincipalTag/") {
                // The worst reading: wildcards within a tag count as wildcards.
                Some(tag) => pieces.extend(request.tags.get(tag)?.chars().map(wild)),
                None => pieces.extend(variable.chars().map(Piece::Character)),
            }
            rest = after;
        } else {
            pieces.push(wild(first));
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(pieces)
}

fn wild(character: char) -> Piece {
    match character {
        '*' => Piece::Anything,
        '?' => Piece::AnyOne,
        other => Piece::Character(other),
    }
}

fn is_like(pieces: &[Piece], text: &str) -> bool {
    match (pieces.split_first(), text.chars().next()) {
        (None, None) => true,
        (Some((Piece::Anything, rest)), next) => {
            is_like(rest, text) || next.is_some_and(|next| is_like(pieces, &text[next.len_utf8()..]))
        }
        (Some((piece, rest)), Some(next)) => {
            (*piece == Piece::AnyOne || *piece == Piece::Character(next)) && is_like(rest, &text[next.len_utf8()..])
        }
        _ => false,
    }
}

fn is_equal(pieces: &[Piece], text: &str) -> bool {
    let literal: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Character(character) => *character,
            Piece::Anything => '*',
            Piece::AnyOne => '?',
        })
        .collect();
    literal == text
}

fn holds(operator: &str, key: &str, wanted: &[String], request: &Request<'_>) -> bool {
    let matches = |value: &str, like: bool| {
        wanted.iter().filter_map(|pattern| pieces(pattern, request)).any(|pieces| match like {
            true => is_like(&pieces, value),
            false => is_equal(&pieces, value),
        })
    };
    match (operator, key) {
        ("ForAllValues:StringEquals", "dynamodb:LeadingKeys") => {
            request.leading_keys.iter().all(|key| matches(key, false))
        }
        ("ForAllValues:StringLike", "dynamodb:LeadingKeys") => {
            request.leading_keys.iter().all(|key| matches(key, true))
        }
        ("Null", "dynamodb:LeadingKeys") => wanted == ["false"] && !request.leading_keys.is_empty(),
        ("StringLike", key) => {
            let tag = key.strip_prefix("aws:PrincipalTag/").unwrap();
            request.tags.get(tag).is_some_and(|value| matches(value, true))
        }
        _ => panic!("{operator} {key}"),
    }
}

impl Policy {
    fn allows(&self, request: &Request<'_>) -> bool {
        let applies = |statement: &Value| {
            let fits = |field: &str, text: &str| {
                list(&statement[field]).iter().any(|pattern| {
                    let pieces: Vec<Piece> = pattern.chars().map(wild).collect();
                    is_like(&pieces, text)
                })
            };
            let conditions = statement["Condition"].as_object();
            fits("Action", &format!("dynamodb:{}", request.action))
                && fits("Resource", &format!("arn:aws:dynamodb:eu-north-1:123456789012:table/{}", request.resource))
                && conditions.into_iter().flatten().all(|(operator, keys)| {
                    keys.as_object().unwrap().iter().all(|(key, wanted)| holds(operator, key, &list(wanted), request))
                })
        };
        let of = |effect: &str| self.statements.iter().any(|found| found["Effect"] == effect && applies(found));
        of("Allow") && !of("Deny")
    }

    fn check(&self, tags: &[(&str, &str)], rows: &[(bool, &str, &str, &[&str])]) {
        for (wanted, action, resource, leading_keys) in rows {
            let request = Request { action, resource, leading_keys, tags: tags.iter().copied().collect() };
            assert_eq!(self.allows(&request), *wanted, "{action} {resource} {leading_keys:?} as {tags:?}");
        }
    }
}

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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs/catalogue");
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let design = keyfold_design::load("design.yaml", &text).unwrap().0;
    let files = generate(Target::Iam, &Input::of(&design));
    let readme = &files.iter().find(|file| file.path == "iam/README.md").unwrap().text;
    let owner = readme.split("## the owner: ").nth(1).unwrap().split("\n## ").next().unwrap();
    // Whoever writes ratings with these credentials could write themselves into a group.
    assert!(
        owner
            .contains("- reaches further than the rules: `DeleteItem`, `PutItem`, `UpdateItem` on **GroupMembership**"),
        "{owner}"
    );
}
