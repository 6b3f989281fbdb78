//! The `when` of rules: what Cedar can express is exported as Cedar, the rest is passed to it, and both decide as the
//! evaluator.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::exported::Exported;
use crate::support::*;
use keyfold_design::Design;
use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller, Decision, DesignRules};

fn orders(rules: &[&str]) -> (Arc<Design>, Policies) {
    let rules: String =
        rules.iter().map(|rule| format!("  - '{}'\n", rule.replace('\'', "''").replacen(": ", "': '", 1))).collect();
    let text = format!(
        "
design: orders
table: orders
entities:
  Order:
    owner: buyer
    PK: ORDER#<orderId>
    SK: METADATA
    attributes:
      orderId: string
      buyer: string
      status: open | held | closed
      note: string, optional
      seller: string, optional
      total: number, optional
      seats: integer, optional
      limit: integer, optional
      urgent: boolean, optional
      due: date, optional
      until: date, optional
      paid: datetime, optional
      tags: list of string, optional
      labels: string set, optional
      extra: map, optional
  Letter:
    owner: writer
    PK: LETTER#<letterId>
    SK: METADATA
    attributes: {{letterId: string, writer: string, status: integer, note: 'string, optional'}}
patterns:
  order: PK = ORDER#<orderId>
  letter: PK = LETTER#<letterId>
allow:
{rules}"
    );
    let design = design(&text);
    let policies = Policies::compile(&design, &text, &[]).unwrap_or_else(|found| panic!("{found:#?}"));
    (design, policies)
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

fn number(value: &str) -> AttributeValue {
    AttributeValue::N(Number::parse(value).unwrap())
}

fn list(values: &[AttributeValue]) -> AttributeValue {
    AttributeValue::L(values.to_vec())
}

/// Values that fit, values that do not, and none.
fn values(name: &str) -> Vec<Option<AttributeValue>> {
    let mut values = vec![None, Some(AttributeValue::Null)];
    values.extend(
        match name {
            "status" => vec![text("open"), text("closed"), number("1")],
            "buyer" | "seller" | "note" => {
                vec![text("ada"), text("bob"), text("sale"), text(""), number("1"), AttributeValue::Bool(true)]
            }
            "seats" | "limit" => vec![
                number("3"),
                number("-3"),
                number("4"),
                number("9223372036854775807"),
                number("9223372036854775808"),
                number("3.5"),
                text("3"),
            ],
            "urgent" => vec![AttributeValue::Bool(true), AttributeValue::Bool(false), text("true")],
            "due" | "until" => vec![
                text("2026-11-15"),
                text("2026-11-16"),
                text("2026-11-15T00:00:00.000Z"),
                text("soon"),
                text("2026-02-30"),
            ],
            "paid" => {
                vec![text("2026-11-15T08:00:00.000Z"), text("2026-11-15T08:00:00Z"), text("2026-11-15"), text("no")]
            }
            "tags" => vec![
                list(&[]),
                list(&[text("sale"), text("new")]),
                list(&[text("old"), AttributeValue::Null]),
                list(&[number("1")]),
                AttributeValue::Ss(BTreeSet::from(["sale".to_owned()])),
                text("sale"),
            ],
            "labels" => {
                vec![AttributeValue::Ss(BTreeSet::from(["sale".to_owned()])), list(&[text("sale")]), text("sale")]
            }
            "total" => vec![number("10"), number("10.00001"), number("99999999999999999999")],
            _ => vec![AttributeValue::M(Attributes::new())],
        }
        .into_iter()
        .map(Some),
    );
    values
}

/// Every combination of the values of the attributes that a condition reads.
fn items(names: &[String]) -> Vec<Attributes> {
    let base = Attributes::from([
        ("orderId".to_owned(), text("o")),
        ("buyer".to_owned(), text("ada")),
        ("status".to_owned(), text("open")),
    ]);
    let mut items = vec![base];
    for name in names.iter().filter(|name| *name != "caller") {
        items = items
            .into_iter()
            .flat_map(|item| {
                values(name).into_iter().map(move |value| {
                    let mut item = item.clone();
                    item.remove(name);
                    item.extend(value.map(|value| (name.clone(), value)));
                    item
                })
            })
            .collect();
    }
    items
}

fn callers() -> Vec<Caller> {
    let mut callers = Vec::new();
    for subject in [None, Some("ada"), Some("bob")] {
        for tenant in [None, Some("ada")] {
            for roles in [&[][..], &["auditor"], &["auditor", "sale"]] {
                callers.push(Caller {
                    subject: subject.map(str::to_owned),
                    tenant: tenant.map(str::to_owned),
                    roles: roles.iter().map(|role| (*role).to_owned()).collect(),
                    ..Caller::default()
                });
            }
        }
    }
    callers
}

/// What a caller may do in the end: before the item where that is settled, else by the item.
fn outcome(authorizer: &dyn Authorizer, access: &Access<'_>, item: &Attributes) -> bool {
    match authorizer.decide(access) {
        Decision::Allowed => true,
        Decision::Denied => false,
        Decision::ByItem => authorizer.decide_item(access, item),
    }
}

/// Compares the exported Cedar with the evaluator, for every item and caller. Returns how many were allowed and denied.
fn agree(rule: &str) -> (usize, usize) {
    let (design, policies) = orders(&[rule]);
    let (rules, exported) = (DesignRules::new(Arc::clone(&design)), Exported::new(&design, &policies));
    let order = entity(&design, "Order");
    let names = design.rules[0].when.as_ref().unwrap().variables().to_vec();
    let (mut allowed, mut denied, mut compared) = (0, 0, 0);
    for item in items(&names) {
        for caller in &callers() {
            let access = Access { caller, verb: Verb::Update, entity: order, pattern: None };
            let expected = outcome(&rules, &access, &item);
            assert_eq!(rules.decide_item(&access, &item), expected, "{rule}, without a look at the caller first");
            assert_eq!(outcome(&policies, &access, &item), expected, "{rule}");
            if let Some(by_cedar) = exported.allows(&access, &item) {
                compared += 1;
                let text = policies.policies_text();
                assert_eq!(by_cedar, expected, "{rule}\n{caller:?}\n{item:?}\n{text}");
            }
            let explained = policies.explain(&access, Some(&item));
            assert_eq!(explained.decision == Decision::Allowed, expected, "{rule}\n{caller:?}\n{item:?}");
            if expected { allowed += 1 } else { denied += 1 }
        }
    }
    assert!(compared > 0, "{rule}: Cedar holds none of the items");
    (allowed, denied)
}

fn is_passed(rule: &str) -> bool {
    orders(&[rule]).1.policies_text().contains("context.holds")
}

const EXPRESSED_IN_CEDAR: &[&str] = &[
    "status == \"open\"",
    "status != \"open\"",
    "\"open\" == status",
    "!(status == \"open\")",
    "note == null",
    "note != null",
    "null == note",
    "note == seller",
    "note != seller",
    "seats > 3",
    "seats <= limit",
    "!(seats < limit)",
    "seats == 3",
    "seats != limit",
    "seats == -3",
    "urgent",
    "!urgent",
    "urgent == true",
    "urgent != false",
    "urgent || seats > 3",
    "seats > 3 || urgent",
    "seats > 3 && urgent",
    "!(seats > 3 && urgent)",
    "!(seats > 3 || urgent)",
    "!(!urgent)",
    "due < \"2026-11-16\"",
    "due <= until",
    "due == \"2026-11-15\"",
    "due != until",
    "paid >= \"2026-11-15T08:00:00.000Z\"",
    "status in [\"open\", \"held\"]",
    "!(note in [\"ada\"])",
    "\"sale\" in tags",
    "!(\"sale\" in tags)",
    "\"sale\" in labels",
    "note in tags",
    "\"auditor\" in caller.roles",
    "!(\"auditor\" in caller.roles)",
    "note in caller.roles",
    "caller.subject == seller",
    "caller.subject != seller",
    "caller.subject == caller.tenant",
    "caller.tenant == null",
    "caller.tenant != null && seats > 3",
    "note == null || note == caller.subject",
    "true",
    "false || urgent",
    "\"buyer\" == \"buyer\" && urgent",
];

const PASSED_TO_CEDAR: &[&str] = &[
    "note < \"b\"",
    "size(note) > 2",
    "note.startsWith(\"a\")",
    "total > 5",
    "total == null",
    "seats + 1 > limit",
    "seats > 2.5",
    "tags == labels",
    "tags.exists(tag, tag == \"sale\")",
    "due < \"soon\"",
    "due == \"soon\"",
    "due == note",
    "urgent ? seats > 3 : limit > 3",
    "extra == null",
    "size(caller.roles) > 1",
];

#[test]
fn conditions_that_cedar_can_express_are_exported_as_cedar() {
    for condition in EXPRESSED_IN_CEDAR {
        let rule = format!("anyone: update Order when {condition}");
        assert!(!is_passed(&rule), "{condition}");
        let (allowed, denied) = agree(&rule);
        assert!(
            (allowed > 0 || *condition == "false") && (denied > 0 || *condition == "true"),
            "{condition}: {allowed} and {denied}"
        );
    }
}

#[test]
fn other_conditions_are_passed_to_cedar_as_evaluated() {
    for condition in PASSED_TO_CEDAR {
        let rule = format!("anyone: update Order when {condition}");
        assert!(is_passed(&rule), "{condition}");
        agree(&rule);
    }
}

#[test]
fn the_condition_of_a_rule_is_combined_with_its_grantee() {
    for rule in [
        "the owner: update Order when status == \"open\"",
        "the owner or role auditor: update Order when seats > 3",
        "role auditor and the owner: update Order when size(note) > 2",
        "signed in: everything Order when note != null",
    ] {
        let (allowed, denied) = agree(rule);
        assert!(allowed > 0 && denied > 0, "{rule}");
    }
}

#[test]
fn a_condition_on_the_caller_alone_needs_no_item() {
    let (design, policies) = orders(&["anyone: update Order when \"auditor\" in caller.roles"]);
    let order = entity(&design, "Order");
    let auditor = Caller { roles: vec!["auditor".to_owned()], ..Caller::default() };
    let decide =
        |caller: &Caller| policies.decide(&Access { caller, verb: Verb::Update, entity: order, pattern: None });
    assert_eq!(decide(&auditor), Decision::Allowed);
    assert_eq!(decide(&Caller::default()), Decision::Denied);
}

#[test]
fn a_condition_that_the_caller_settles_needs_no_item() {
    for (condition, settled) in [
        ("caller.tenant != null && seats > 3", Decision::Denied),
        ("seats > 3 && caller.tenant != null", Decision::Denied),
        ("caller.tenant == null || seats > 3", Decision::Allowed),
        ("!(caller.tenant == null || urgent)", Decision::Denied),
        ("caller.tenant == null && seats > 3", Decision::ByItem),
        ("size(caller.roles) > 0 || note == null", Decision::ByItem),
        ("size(caller.roles) > 0 && note == null", Decision::Denied),
        ("caller.subject.startsWith(\"a\") || urgent", Decision::ByItem),
    ] {
        let (design, policies) = orders(&[&format!("anyone: update Order when {condition}")]);
        let (order, anonymous) = (entity(&design, "Order"), Caller::default());
        let access = Access { caller: &anonymous, verb: Verb::Update, entity: order, pattern: None };
        assert_eq!(policies.decide(&access), settled, "{condition}");
    }
}

#[test]
fn a_stored_attribute_named_caller_does_not_pose_as_the_caller() {
    let (design, policies) = orders(&["anyone: update Order when seats > 3 && \"auditor\" in caller.roles"]);
    let roles = AttributeValue::M(Attributes::from([("roles".to_owned(), list(&[text("auditor")]))]));
    let item = Attributes::from([("seats".to_owned(), number("4")), ("caller".to_owned(), roles)]);
    let update = |caller: &Caller| {
        let access = Access { caller, verb: Verb::Update, entity: entity(&design, "Order"), pattern: None };
        policies.decide_item(&access, &item)
    };
    assert!(!update(&Caller::default()));
    assert!(update(&Caller { roles: vec!["auditor".to_owned()], ..Caller::default() }));
}

#[test]
fn entities_of_one_rule_are_distinguished_by_their_type() {
    let (design, policies) = orders(&["the owner: update Order, Letter when note != null"]);
    let expected = "\
@id(\"the-owner-update-Order-Letter-when-note-null-bff3c7\")
@line(\"34\")
@rule(\"the owner: update Order, Letter when note != null\")
permit (
  principal,
  action == Action::\"update\",
  resource
)
when {
  (resource is Order && principal has subject && resource has buyer && resource.buyer == principal.subject && resource has note) || \
(resource is Letter && principal has subject && resource has writer && resource.writer == principal.subject && resource has note)
};
";
    assert_eq!(policies.policies_text(), expected);
    let ada = Caller::member("t", "ada");
    for (name, owner) in [("Order", "buyer"), ("Letter", "writer")] {
        let access = Access { caller: &ada, verb: Verb::Update, entity: entity(&design, name), pattern: None };
        let mut item = Attributes::from([(owner.to_owned(), text("ada")), ("note".to_owned(), text("n"))]);
        assert!(policies.decide_item(&access, &item));
        item.insert(owner.to_owned(), text("bob"));
        assert!(!policies.decide_item(&access, &item));
    }
}

#[test]
fn a_condition_is_written_out_as_cedar_means_it() {
    let (_, policies) = orders(&["anyone: update Order when seats > 3 || !(note == seller)"]);
    let expected = "\
when {
  (resource has seats && resource.seats > 3) || \
(resource has note && resource has seller && resource.note != resource.seller) || \
(resource has note && !(resource has seller)) || (!(resource has note) && resource has seller)
};
";
    assert!(policies.policies_text().ends_with(expected), "{}", policies.policies_text());
    let (_, policies) = orders(&["anyone: update Order when size(note) > 2"]);
    let id = "anyone-update-Order-when-size-note-2-bb172e";
    assert!(policies.policies_text().starts_with(&format!("@id(\"{id}\")\n")), "{}", policies.policies_text());
    assert!(policies.policies_text().ends_with(&format!("when {{\n  context.holds.contains(\"{id}\")\n}};\n")));
}
