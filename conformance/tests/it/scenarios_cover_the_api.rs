//! The written scenarios can be read and leave no operation out; the ledger says of every line why it is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use keyfold_conformance::ledger::Ledger;
use keyfold_conformance::scenario::{Action, Paging, Scenario};
use keyfold_conformance::scenario_file;
use serde_json::{Value, json};

const OPERATIONS: &[&str] = &[
    "BatchGetItem",
    "BatchWriteItem",
    "CreateTable",
    "DeleteItem",
    "DeleteTable",
    "DescribeContinuousBackups",
    "DescribeEndpoints",
    "DescribeKinesisStreamingDestination",
    "DescribeLimits",
    "DescribeTable",
    "DescribeTimeToLive",
    "GetItem",
    "ListTables",
    "ListTagsOfResource",
    "PutItem",
    "Query",
    "Scan",
    "TagResource",
    "TransactGetItems",
    "TransactWriteItems",
    "UntagResource",
    "UpdateItem",
    "UpdateTable",
    "UpdateTimeToLive",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn scenarios() -> Vec<Scenario> {
    scenario_file::read_folder(&root().join("scenarios")).unwrap()
}

#[test]
fn every_operation_is_played() {
    let mut played = BTreeMap::new();
    for step in scenarios().iter().flat_map(|scenario| &scenario.steps) {
        *played.entry(step.action.operation().to_owned()).or_insert(0) += 1;
    }
    for operation in OPERATIONS {
        let steps = played.get(*operation).copied().unwrap_or(0);
        assert!(steps >= 2, "{operation} is played in {steps} steps");
    }
}

#[test]
fn there_are_enough_scenarios_and_steps() {
    let scenarios = scenarios();
    let steps: usize = scenarios.iter().map(|scenario| scenario.steps.len()).sum();
    assert!(scenarios.len() >= 60, "{} scenarios", scenarios.len());
    assert!(steps >= 800, "{steps} steps");
}

#[test]
fn names_of_scenarios_and_labels_of_steps_are_unique() {
    let mut names = BTreeSet::new();
    for scenario in scenarios() {
        assert!(names.insert(scenario.name.clone()), "{} is there twice", scenario.name);
        let mut labels = BTreeSet::new();
        for step in &scenario.steps {
            assert!(labels.insert(step.label.clone()), "{}: {} is there twice", scenario.name, step.label);
        }
    }
}

#[test]
fn legacy_parameters_are_left_out() {
    const LEGACY: [&str; 7] = [
        "AttributesToGet",
        "AttributeUpdates",
        "ConditionalOperator",
        "Expected",
        "KeyConditions",
        "QueryFilter",
        "ScanFilter",
    ];
    for scenario in scenarios() {
        for step in &scenario.steps {
            let Action::Call { request, .. } = &step.action else { continue };
            for name in LEGACY {
                assert!(request.get(name).is_none(), "{}: {} has {name}", scenario.name, step.label);
            }
        }
    }
}

#[test]
fn every_line_of_the_ledger_has_a_reason_and_a_reference_to_aws() {
    let path = root().join("known-differences.json");
    Ledger::read(&path).unwrap();
    let lines: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    for line in lines {
        assert!(line["reason"].as_str().unwrap().len() > 10, "{line}");
        let reference = line["reference"].as_str().unwrap();
        let aws = reference.contains("https://docs.aws.amazon.com/") || reference.contains("which is run against AWS");
        // Which of two faults is named, and what becomes of a request that DynamoDB Local fails on, is written nowhere.
        let open = reference.starts_with("no documentation: ")
            && (line["scenario"] == "random*" || line["left"].as_str().is_some_and(|left| left.starts_with("500 ")));
        assert!(aws || open || reference.starts_with("COMPAT.md, "), "{line}");
    }
}

#[test]
fn a_file_expands_to_its_steps() {
    let folder = std::env::temp_dir().join(format!("keyfold-conformance-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("tables")).unwrap();
    std::fs::write(folder.join("tables/plain.json"), r#"{"KeySchema": []}"#).unwrap();
    let text = json!({
        "name": "example",
        "tables": {"$t": "plain"},
        "defaults": {"GetItem": {"TableName": "$t", "ConsistentRead": true}},
        "steps": [
            {"each": {"k": ["a", "b"]}, "steps": [
                {"op": "GetItem", "request": {"Key": {"pk": {"S": "{k}"}}}},
                {"is": "again", "op": "GetItem", "each": {"n": [1, 2]}, "request": {"Limit": "{n}", "Row": "{row}"}}
            ]},
            {"op": "GetItem", "request": {"ConsistentRead": {"$absent": true}}},
            {"op": "GetItem", "request": {}},
            {"op": "Scan", "paging": 4},
            {"op": "Query", "request": {"IndexName": "i"}}
        ]
    });
    std::fs::write(folder.join("example.json"), text.to_string()).unwrap();
    let scenario = scenario_file::read_file(&folder.join("example.json")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();

    let steps: Vec<_> = scenario
        .steps
        .iter()
        .map(|step| match &step.action {
            Action::Call { request, paging, .. } => (step.label.as_str(), request.clone(), *paging),
            Action::Raw { .. } => panic!("no step is raw"),
        })
        .collect();
    let get = |key: &str| json!({"TableName": "$t", "ConsistentRead": true, "Key": {"pk": {"S": key}}});
    let limited = |n: u64, row: &str| json!({"TableName": "$t", "ConsistentRead": true, "Limit": n, "Row": row});
    assert_eq!(
        steps,
        [
            ("create $t", json!({"TableName": "$t", "KeySchema": []}), Paging::Single),
            ("GetItem [k=a]", get("a"), Paging::Single),
            ("again [k=a, n=1]", limited(1, "0"), Paging::Single),
            ("again [k=a, n=2]", limited(2, "1"), Paging::Single),
            ("GetItem [k=b]", get("b"), Paging::Single),
            ("again [k=b, n=1]", limited(1, "0"), Paging::Single),
            ("again [k=b, n=2]", limited(2, "1"), Paging::Single),
            ("GetItem", json!({"TableName": "$t"}), Paging::Single),
            ("GetItem (2)", json!({"TableName": "$t", "ConsistentRead": true}), Paging::Single),
            ("Scan", json!({}), Paging::Segments(4)),
            ("Query", json!({"IndexName": "i"}), Paging::Pages),
        ]
    );
}
