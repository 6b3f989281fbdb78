//! What holds of every policy of every design, whatever its keys are.

use std::collections::BTreeSet;

use keyfold_generate::{Input, Target, generate};

use crate::iam::evaluator::{Policy, Request, design, list, policies};

const DESIGNS: [&str; 5] = ["agencies", "albums", "archive", "catalogue", "platform"];

/// Names that a careless comparison takes for `acme`.
const NEIGHBOURS: [&str; 7] = ["acme2", "acm", "acmeacme", "ACME", "xacme", "acme ", ""];

/// Whether a policy is for those who act on the whole platform.
fn crosses_tenants(policy: &Policy) -> bool {
    ["service", "operators"].contains(&policy.name.as_str())
}

/// The places of a statement, as a request names them.
fn places(statement: &serde_json::Value) -> Vec<String> {
    let resources = list(&statement["Resource"]);
    resources.iter().map(|resource| resource.rsplit_once(":table/").unwrap().1.to_owned()).collect()
}

/// The leading keys of a statement, with the tags that are in them.
fn leading_keys(statement: &serde_json::Value) -> Vec<String> {
    let condition = statement["Condition"].as_object().into_iter().flatten();
    let keys = condition.filter(|(operator, _)| operator.starts_with("ForAllValues:"));
    keys.flat_map(|(_, keys)| list(&keys["dynamodb:LeadingKeys"])).collect()
}

/// A key that such a pattern lets through for a tag's value, and the tag.
fn key_of(pattern: &str, value: &str) -> Option<(String, String)> {
    let (before, rest) = pattern.split_once("${aws:PrincipalTag/")?;
    let (tag, after) = rest.split_once('}')?;
    Some((format!("{before}{value}{}", after.replace('*', "x")), tag.to_owned()))
}

#[test]
fn nobody_scans_or_speaks_partiql() {
    let actions = [
        "Scan",
        "PartiQLSelect",
        "PartiQLInsert",
        "PartiQLUpdate",
        "PartiQLDelete",
        "ExportTableToPointInTime",
        "GetRecords",
        "UpdateTable",
        "DeleteTable",
    ];
    let mut asked = 0;
    for name in DESIGNS {
        for policy in policies(&design(name)) {
            for place in policy.statements.iter().filter(|found| found["Effect"] == "Allow").flat_map(places) {
                for action in actions {
                    for leading_keys in [&[][..], &["ACCOUNT#acme"]] {
                        let tags = [("subject", "acme"), ("accountId", "acme")].into();
                        let request = Request { action, resource: &place, leading_keys, tags };
                        assert!(!policy.allows(&request), "{name} {}: {action} on {place}", policy.name);
                        asked += 1;
                    }
                }
            }
        }
    }
    assert!(asked > 1000, "{asked}");
}

/// For every key that a policy lets a session reach by its tag: the session's own is let through, no neighbour's is.
/// Where others have to be reached because something public shares their partitions, the policy's README says so.
#[test]
fn neighbours_are_not_reached() {
    let mut asked = 0;
    let mut shared = BTreeSet::new();
    for name in DESIGNS {
        for policy in policies(&design(name)).iter().filter(|policy| !crosses_tenants(policy)) {
            for statement in policy.statements.iter().filter(|found| found["Effect"] == "Allow") {
                for pattern in leading_keys(statement) {
                    let Some((own, tag)) = key_of(&pattern, "acme") else { continue };
                    for (place, action) in pairs(statement) {
                        let allows = |keys: &[&str], value: &str| {
                            let tags = [(tag.as_str(), value)].into();
                            policy.allows(&Request { action: &action, resource: &place, leading_keys: keys, tags })
                        };
                        assert!(allows(&[own.as_str()], "acme"), "{name} {}: {own}", policy.name);
                        for neighbour in NEIGHBOURS {
                            let foreign = key_of(&pattern, neighbour).unwrap().0;
                            let public = Request {
                                action: &action,
                                resource: &place,
                                leading_keys: &[&foreign],
                                tags: [].into(),
                            };
                            if policy.allows(&public) {
                                shared.insert(format!("{name}: {}", policy.name));
                                continue;
                            }
                            let told = format!("{name} {}: {action} {place} {foreign}", policy.name);
                            assert!(!allows(&[foreign.as_str()], "acme"), "{told}");
                            assert!(!allows(&[own.as_str(), foreign.as_str()], "acme"), "{told} beside its own");
                            asked += 1;
                        }
                        for reaching in ["*", "acme*", "acm?", "?", "acme#x", "#"] {
                            assert!(!allows(&[own.as_str()], reaching), "{name} {}: as {reaching}", policy.name);
                            let as_it_is = key_of(&pattern, reaching).unwrap().0;
                            assert!(!allows(&[as_it_is.as_str()], reaching), "{name} {}: as {reaching}", policy.name);
                        }
                        let is_shared = shared.contains(&format!("{name}: {}", policy.name));
                        assert!(is_shared || !allows(&[], "acme"), "{name} {}: no keys", policy.name);
                    }
                }
            }
        }
    }
    assert!(asked > 300, "{asked}");
    assert_eq!(shared, BTreeSet::from(["archive: the-owner".to_owned()]));
    let files = generate(Target::Iam, &Input::new(&design("archive")));
    let readme = &files.iter().find(|file| file.path == "iam/README.md").unwrap().text;
    let owner = readme.split("## the owner: ").nth(1).unwrap();
    assert!(
        owner.contains(
            "- broader than the rules: `BatchGetItem`, `GetItem`, `Query` on **User** of others, which shares"
        ),
        "{owner}"
    );
}

fn pairs(statement: &serde_json::Value) -> Vec<(String, String)> {
    let actions = list(&statement["Action"]);
    let actions: Vec<&str> = actions.iter().map(|action| action.strip_prefix("dynamodb:").unwrap()).collect();
    let places = places(statement);
    places.iter().flat_map(|place| actions.iter().map(move |action| (place.clone(), (*action).to_owned()))).collect()
}
