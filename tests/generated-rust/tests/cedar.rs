//! Cedar itself accepts the generated schemas and policies.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::str::FromStr;

use cedar_policy::{PolicySet, Schema, ValidationMode, Validator};
use keyfold_design::Design;

const DESIGNS: [&str; 9] = [
    "designs/agencies",
    "designs/albums",
    "designs/archive",
    "designs/catalogue",
    "designs/platform",
    "tests/generated/awkward",
    "tests/generated/every-option",
    "tests/generated/moves",
    "tests/generated/visits",
];

/// The schema and the policies of a design, and how many rules it has.
fn generated(folder: &str) -> (Schema, String, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    let design = Design::load("design.yaml", &read("design.yaml")).unwrap().0;
    let file = |ending: &str| read(&format!("generated/cedar/{}.{ending}", design.name));
    let (schema, warnings) = Schema::from_cedarschema_str(&file("cedarschema")).unwrap();
    assert_eq!(warnings.count(), 0);
    (schema, file("cedar"), design.rules.len())
}

fn faults(schema: Schema, policies: &str) -> Vec<String> {
    let policies = PolicySet::from_str(policies).unwrap();
    let result = Validator::new(schema).validate(&policies, ValidationMode::Strict);
    result.validation_errors().map(ToString::to_string).collect()
}

#[test]
fn every_policy_is_valid_by_its_schema() {
    for folder in DESIGNS {
        let (schema, policies, rules) = generated(folder);
        assert_eq!(PolicySet::from_str(&policies).unwrap().policies().count(), rules, "{folder}");
        assert_eq!(faults(schema, &policies), Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn a_misspelt_attribute_is_not() {
    let (schema, policies, _) = generated("designs/platform");
    let misspelt = policies.replacen("principal.roles", "principal.rolls", 1);
    assert_ne!(misspelt, policies);
    let faults = faults(schema, &misspelt);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("rolls"), "{faults:?}");
}
