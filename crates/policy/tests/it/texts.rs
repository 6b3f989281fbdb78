//! The schema and the policies as text: Cedar's own tools accept them, and they are the same at every run.

use std::collections::BTreeSet;

use crate::support::*;
use cedar_policy::{PolicySet, Schema, ValidationMode, Validator};
use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller};

/// Reads both texts with Cedar and validates them, warnings included.
fn validate(policies: &Policies) -> PolicySet {
    let (schema, warnings) = Schema::from_cedarschema_str(policies.schema_text())
        .unwrap_or_else(|error| panic!("{error}\n{}", policies.schema_text()));
    assert_eq!(warnings.map(|warning| warning.to_string()).collect::<Vec<_>>(), Vec::<String>::new());
    let set: PolicySet =
        policies.policies_text().parse().unwrap_or_else(|error| panic!("{error}\n{}", policies.policies_text()));
    let outcome = Validator::new(schema).validate(&set, ValidationMode::Strict);
    let found: Vec<String> = outcome
        .validation_errors()
        .map(ToString::to_string)
        .chain(outcome.validation_warnings().map(ToString::to_string))
        .collect();
    assert_eq!(found, Vec::<String>::new(), "{}", policies.policies_text());
    set
}

#[test]
fn the_texts_of_the_shipped_designs_pass_cedars_validator() {
    for name in DESIGNS {
        let (design, policies) = compiled(name);
        let set = validate(&policies);
        assert_eq!(set.policies().count(), design.rules.len(), "one policy for each rule");
        let annotated: BTreeSet<&str> = set.policies().map(|policy| policy.annotation("id").unwrap()).collect();
        let stated: BTreeSet<&str> = policies.statements().iter().map(|statement| statement.id.as_str()).collect();
        assert_eq!(annotated, stated, "the ids are those of the text");
    }
}

#[test]
fn the_exported_text_is_deterministic() {
    for name in DESIGNS {
        let (one, other) = (compiled(name).1, compiled(name).1);
        assert_eq!(one.schema_text(), other.schema_text());
        assert_eq!(one.policies_text(), other.policies_text());
    }
}

#[test]
fn rules_are_annotated_with_their_line_and_text() {
    for name in DESIGNS {
        let (_, text) = load(name);
        let (_, policies) = compiled(name);
        for statement in policies.statements() {
            let line = text.lines().nth(statement.line.unwrap() - 1).unwrap();
            assert_eq!(line.trim().strip_prefix("- ").unwrap(), statement.text, "{name}");
        }
    }
}

const AGENCIES_POLICIES: &str = r#"@id("operators-everything")
@rule("operators: everything")
permit (
  principal,
  action,
  resource
)
when {
  principal.roles.contains("operator")
};

@id("members-read")
@rule("members: read")
permit (
  principal,
  action in Action::"read",
  resource
)
when {
  principal has tenant &&
  principal has subject
};

@id("members-and-role-admin-update-Agency")
@rule("members and role admin: update Agency")
permit (
  principal,
  action == Action::"update",
  resource is Agency
)
when {
  principal has tenant &&
  principal has subject &&
  principal.roles.contains("admin")
};

@id("members-and-role-admin-create-update-delete-Member")
@rule("members and role admin: create, update, delete Member")
permit (
  principal,
  action in Action::"write",
  resource is Member
)
when {
  principal has tenant &&
  principal has subject &&
  principal.roles.contains("admin")
};
"#;

#[test]
fn without_the_designs_text_rules_are_spelt_from_the_model() {
    let (design, _) = load("agencies");
    let policies = Policies::compile(&design, "", &[]).unwrap();
    assert_eq!(policies.policies_text(), AGENCIES_POLICIES);
    validate(&policies);
}

const SHOP: &str = r#"
design: shop
table: shop
entities:
  Action:
    PK: ACTION#<actionId>
    SK: METADATA
    owner: in
    attributes: {actionId: string, in: string, "the-price": "number, optional", blob: "binary, optional", true: "boolean, optional"}
  Straße:
    PK: STREET#<streetId>
    SK: METADATA
    attributes: {streetId: string, anything: "any, optional", extra: "map, optional", häuser: "list of integer, optional"}
  Stra_e:
    PK: OTHER#<streetId>
    SK: METADATA
    attributes: {streetId: string, scores: "number set, optional", days: "list of date, optional"}
patterns:
  action: PK = ACTION#<actionId>
  street: PK = STREET#<streetId>
  other: PK = OTHER#<streetId>
allow:
  - the owner: everything Action when actionId != "a\"b"
  - signed in: read
  - role x"y: create Straße
"#;

const SHOP_SCHEMA: &str = "\
// The Cedar schema of the design `shop`.

namespace Keyfold {
  // The caller, from the token and the table. A caller without a token has no subject.
  entity Caller = {
    subject?: String,
    tenant?: String,
    roles: Set<String>,
    groups: Set<String>,
    permissions: Set<String>,
  };
}

// `Action` of the design.
entity Action_ = {
  actionId: String,
  \"in\": String,
  \"the-price\"?: decimal,
  // blob: binary, which Cedar has no type for
  \"true\"?: Bool,
};

// `Straße` of the design.
entity Stra_e = {
  streetId: String,
  // anything: any, which Cedar has no type for
  // extra: map, which Cedar has no type for
  \"häuser\"?: Set<Long>,
};

// `Stra_e` of the design.
entity Stra_e_ = {
  streetId: String,
  scores?: Set<decimal>,
  days?: Set<datetime>,
};

action read, write;

action get in [read] appliesTo {
  principal: [Keyfold::Caller],
  resource: [Action_, Stra_e, Stra_e_],
  context: { holds: Set<String>, pattern?: String },
};
";

#[test]
fn names_that_are_invalid_in_cedar_are_replaced() {
    let design = design(SHOP);
    let policies = Policies::compile(&design, SHOP, &[]).unwrap();
    let schema = policies.schema_text();
    assert!(schema.starts_with(SHOP_SCHEMA), "{schema}");
    validate(&policies);
    let ada = Caller { subject: Some("ada".to_owned()), ..Caller::default() };
    let access = Access { caller: &ada, verb: Verb::Update, entity: entity(&design, "Action"), pattern: None };
    let owned = |owner: &str, id: &str| {
        let text = |value: &str| AttributeValue::S(value.to_owned());
        Attributes::from([("in".to_owned(), text(owner)), ("actionId".to_owned(), text(id))])
    };
    assert!(policies.decide_item(&access, &owned("ada", "x")));
    assert!(!policies.decide_item(&access, &owned("bob", "x")));
    assert!(!policies.decide_item(&access, &owned("ada", "a\"b")));
}
