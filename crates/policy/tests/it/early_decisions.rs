//! What is decided before an item is read holds for every item, and is what Cedar itself says with everything at hand.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::support::*;
use cedar_policy::{
    Authorizer as Cedar, Context, Entities, Entity as CedarEntity, EntityUid, PolicySet, Request, RestrictedExpression,
    Schema,
};
use keyfold_design::Design;
use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller, Decision};

const DESIGN: &str = "
design: notes
table: notes
entities:
  Note:
    PK: NOTE#<noteId>
    SK: METADATA
    attributes: {noteId: string, stars: integer}
patterns:
  note: PK = NOTE#<noteId>
allow:
  - role writer: update Note
";

/// Conditions on the caller, on the item, and on neither.
const ATOMS: [&str; 6] = [
    "principal.roles.contains(\"writer\")",
    "principal has subject",
    "resource.stars > 3",
    "resource.noteId == \"n\"",
    "resource is Note",
    "action == Action::\"get\"",
];

fn callers() -> Vec<Caller> {
    let writer = || vec!["writer".to_owned()];
    vec![
        Caller::default(),
        Caller { roles: writer(), ..Caller::default() },
        Caller { subject: Some("ada".to_owned()), ..Caller::default() },
        Caller { subject: Some("ada".to_owned()), roles: writer(), ..Caller::default() },
    ]
}

fn items() -> Vec<Attributes> {
    let note = |id: &str, stars: &str| {
        let stars = AttributeValue::N(Number::parse(stars).unwrap());
        Attributes::from([("noteId".to_owned(), AttributeValue::S(id.to_owned())), ("stars".to_owned(), stars)])
    };
    vec![note("n", "4"), note("n", "3"), note("m", "4"), note("m", "3")]
}

/// Every condition of one or two parts, negated or not.
fn conditions() -> Vec<String> {
    let mut conditions: Vec<String> =
        ATOMS.iter().flat_map(|atom| [(*atom).to_owned(), format!("!({atom})")]).collect();
    for left in ATOMS {
        for right in ATOMS {
            conditions.push(format!("({left}) && !({right})"));
            conditions.push(format!("!(({left}) && ({right}))"));
            conditions.push(format!("!({left}) || ({right})"));
            conditions.push(format!("if {left} then {right} else !({right})"));
        }
    }
    conditions
}

/// What Cedar itself says, given everything: the whole text, the schema, the caller and the item.
fn by_cedar(schema: &Schema, set: &PolicySet, access: &Access<'_>, item: &Attributes) -> bool {
    let texts = |list: &[String]| {
        RestrictedExpression::new_set(list.iter().map(|text| RestrictedExpression::new_string(text.clone())))
    };
    let caller = access.caller;
    let mut attributes = HashMap::from([
        ("roles".to_owned(), texts(&caller.roles)),
        ("groups".to_owned(), texts(&caller.groups)),
        ("permissions".to_owned(), texts(&caller.permissions)),
    ]);
    attributes.extend(
        caller.subject.clone().map(|subject| ("subject".to_owned(), RestrictedExpression::new_string(subject))),
    );
    let principal: EntityUid = "Keyfold::Caller::\"x\"".parse().unwrap();
    let resource: EntityUid = "Note::\"y\"".parse().unwrap();
    let note = HashMap::from([
        ("noteId".to_owned(), RestrictedExpression::new_string(item["noteId"].as_str().unwrap().to_owned())),
        ("stars".to_owned(), RestrictedExpression::new_long(item["stars"].as_number().unwrap().to_i64().unwrap())),
    ]);
    let entities = [
        CedarEntity::new(principal.clone(), attributes, HashSet::new()).unwrap(),
        CedarEntity::new(resource.clone(), note, HashSet::new()).unwrap(),
    ];
    let entities = Entities::from_entities(entities, Some(schema)).unwrap();
    let action: EntityUid = format!("Action::\"{}\"", access.verb.as_str()).parse().unwrap();
    let context = Context::from_pairs([("holds".to_owned(), RestrictedExpression::new_set([]))]).unwrap();
    let request = Request::new(principal, action, resource, context, Some(schema)).unwrap();
    let response = Cedar::new().is_authorized(&request, set, &entities);
    assert_eq!(response.diagnostics().errors().count(), 0);
    response.decision() == cedar_policy::Decision::Allow
}

/// How often each decision came, after each was held against every item.
fn check(design: &Arc<Design>, file: &str) -> BTreeMap<&'static str, usize> {
    let policies: Policies =
        with_file(design, "extra.cedar", file).unwrap_or_else(|found| panic!("{file}\n{found:#?}"));
    let schema = Schema::from_cedarschema_str(policies.schema_text()).unwrap().0;
    let set: PolicySet = policies.policies_text().parse().unwrap();
    let mut counts = BTreeMap::new();
    for caller in &callers() {
        for verb in [Verb::Get, Verb::Update] {
            let access = Access { caller, verb, entity: entity(design, "Note"), pattern: None };
            let by_item: Vec<bool> = items().iter().map(|item| policies.decide_item(&access, item)).collect();
            let by_cedar: Vec<bool> = items().iter().map(|item| by_cedar(&schema, &set, &access, item)).collect();
            assert_eq!(by_item, by_cedar, "{file}\n{verb:?} {caller:?}");
            let (name, expected) = match policies.decide(&access) {
                Decision::Allowed => ("allowed", by_item.iter().all(|allowed| *allowed)),
                Decision::Denied => ("denied", by_item.iter().all(|allowed| !*allowed)),
                Decision::ByItem => ("by item", true),
            };
            assert!(expected, "{file}\n{verb:?} {caller:?} is {name}, but by item {by_item:?}");
            *counts.entry(name).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn no_item_contradicts_what_was_decided_without_it() {
    let design = design(DESIGN);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for condition in conditions() {
        for policy in [
            "permit (principal, action, resource) when",
            "forbid (principal, action, resource) when",
            "permit (principal, action, resource) unless",
        ] {
            for (name, count) in check(&design, &format!("{policy} {{ {condition} }};")) {
                *counts.entry(name).or_insert(0) += count;
            }
        }
    }
    assert!(counts.values().all(|count| *count > 500) && counts.len() == 3, "{counts:?}");
}

#[test]
fn policies_on_items_leave_only_undecided_accesses_open() {
    let design = design(DESIGN);
    let file = "
permit (principal, action == Action::\"get\", resource) when { principal has subject && resource.stars > 3 };
forbid (principal, action == Action::\"get\", resource) when { principal.roles.contains(\"writer\") && resource.noteId == \"n\" };
";
    assert_eq!(check(&design, file), BTreeMap::from([("allowed", 2), ("by item", 2), ("denied", 4)]));
}
