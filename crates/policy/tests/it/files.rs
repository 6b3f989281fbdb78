//! `.cedar` files beside a design: they add permits, forbids override, and what is wrong in them is told at its place.

use crate::support::*;
use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_policy::{Effect, Policies, Reason};
use keyfold_runtime::{Access, Authorizer, Caller, Decision};

fn admin() -> Caller {
    Caller { subject: Some("ada".to_owned()), roles: vec!["admin".to_owned()], ..Caller::default() }
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

fn item(pairs: &[(&str, AttributeValue)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// The problems of one file beside `catalogue`, as they are shown.
fn problems(file: &str) -> Vec<String> {
    let (design, _) = load("catalogue");
    let found = with_file(&design, "extra.cedar", file).err().unwrap_or_default();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_forbid_overrides_what_a_rule_allows() {
    let (design, text_of_design) = load("catalogue");
    let file = "// Nothing is deleted while the books are open.\nforbid (principal, action == Action::\"delete\", resource is Site);\n";
    let policies =
        Policies::compile(&design, &text_of_design, &[("policies/freeze.cedar".to_owned(), file.to_owned())]).unwrap();
    let admin = admin();
    let site = entity(&design, "Site");
    let delete = Access { caller: &admin, verb: Verb::Delete, entity: site, pattern: None };
    assert_eq!(policies.decide(&delete), Decision::Denied);
    assert_eq!(policies.decide(&Access { verb: Verb::Update, ..delete }), Decision::Allowed);
    let explained = policies.explain(&delete, None);
    assert_eq!(explained.reason, Reason::Rules);
    assert_eq!(
        explained.to_string(),
        "forbidden by `forbid (principal, action == Action::\"delete\", resource is Site);` (policies/freeze.cedar, line 2)"
    );
    assert_eq!((explained.rules[0].id.as_str(), explained.rules[0].effect), ("freeze-1", Effect::Forbid));
    let operator = Caller { roles: vec!["SuperAdmin".to_owned()], ..Caller::default() };
    assert_eq!(policies.decide(&Access { caller: &operator, ..delete }), Decision::Denied, "operators as well");
    let root = Caller::superuser("root");
    assert_eq!(
        policies.decide(&Access { caller: &root, ..delete }),
        Decision::Allowed,
        "the command line is not asked"
    );
}

#[test]
fn a_forbid_on_the_item_is_decided_by_item() {
    let (design, _) = load("catalogue");
    let file = "@id(\"locked\")\nforbid (principal, action in Action::\"write\", resource is Site)\nwhen { resource.tags.contains(\"locked\") };";
    let policies = with_file(&design, "lock.cedar", file).unwrap();
    let admin = admin();
    let update = Access { caller: &admin, verb: Verb::Update, entity: entity(&design, "Site"), pattern: None };
    assert_eq!(policies.decide(&update), Decision::ByItem);
    let tagged = |tag: &str| item(&[("tags", AttributeValue::L(vec![text(tag)]))]);
    assert!(policies.decide_item(&update, &tagged("open")));
    assert!(!policies.decide_item(&update, &tagged("locked")));
    assert_eq!(policies.explain(&update, Some(&tagged("locked"))).rules[0].id, "locked");
    assert_eq!(policies.explain(&update, Some(&tagged("open"))).rules[0].id, "role-admin-create-update-delete-Site");
    // A forbid that cannot be evaluated forbids: the item lacks what it reads, or has a value of another type.
    assert!(!policies.decide_item(&update, &Attributes::new()));
    assert_eq!(policies.explain(&update, Some(&Attributes::new())).rules[0].id, "locked");
    let odd = item(&[("tags", text("locked"))]);
    assert!(!policies.decide_item(&update, &odd));
    let explained = policies.explain(&update, Some(&odd));
    assert_eq!(explained.reason, Reason::Unreadable { attribute: "tags".to_owned() });
    // Who may not anyway is denied before anything is read; what is only read is not touched by it.
    let anyone = Caller::default();
    assert_eq!(policies.decide(&Access { caller: &anyone, ..update }), Decision::Denied);
    assert_eq!(policies.decide(&Access { caller: &anyone, verb: Verb::Get, ..update }), Decision::Allowed);
}

#[test]
fn a_permit_adds_to_the_rules() {
    let (design, _) = load("platform");
    let file = "\
@id(\"expiring\")
permit (principal, action in [Action::\"get\", Action::\"list\"], resource is License)
when {
  principal.roles.contains(\"auditor\") &&
  resource.endDate < datetime(\"2026-01-01\") &&
  resource.seats >= 5
};

permit (principal == Keyfold::Caller::\"grace\", action == Action::\"get\", resource is Account);
";
    let policies = with_file(&design, "audit.cedar", file).unwrap();
    let auditor = Caller { roles: vec!["auditor".to_owned()], ..Caller::default() };
    let license = entity(&design, "License");
    let get = Access { caller: &auditor, verb: Verb::Get, entity: license, pattern: None };
    assert_eq!(policies.decide(&get), Decision::ByItem);
    let ends = |date: &str, seats: &str| {
        item(&[("endDate", text(date)), ("seats", AttributeValue::N(Number::parse(seats).unwrap()))])
    };
    assert!(policies.decide_item(&get, &ends("2025-12-31", "5")));
    assert!(!policies.decide_item(&get, &ends("2026-01-01", "5")));
    assert!(!policies.decide_item(&get, &ends("2025-12-31", "4")));
    assert!(!policies.decide_item(&get, &ends("soon", "5")), "a value that is not a date");
    let visitor = Caller { roles: vec!["visitor".to_owned()], ..Caller::default() };
    assert_eq!(policies.decide(&Access { caller: &visitor, ..get }), Decision::Denied, "no item would do");
    assert_eq!(policies.decide(&Access { verb: Verb::Update, ..get }), Decision::Denied);

    let account = entity(&design, "Account");
    let get_account = |name: &str| {
        let caller = Caller { subject: Some(name.to_owned()), ..Caller::default() };
        policies.decide(&Access { caller: &caller, verb: Verb::Get, entity: account, pattern: None })
    };
    assert_eq!((get_account("grace"), get_account("ada")), (Decision::Allowed, Decision::Denied));
    let ids: Vec<&str> = policies
        .statements()
        .iter()
        .filter(|statement| statement.file.is_some())
        .map(|statement| statement.id.as_str())
        .collect();
    assert_eq!(ids, ["expiring", "audit-2"]);
    let lines: Vec<Option<usize>> = policies
        .statements()
        .iter()
        .filter(|statement| statement.file.is_some())
        .map(|statement| statement.line)
        .collect();
    assert_eq!(lines, [Some(1), Some(9)]);
}

#[test]
fn a_policy_may_name_a_pattern() {
    let (design, _) = load("catalogue");
    let pattern = &design.patterns[0];
    let file = format!(
        "forbid (principal, action == Action::\"list\", resource) when {{ context has pattern && context.pattern == {:?} }};",
        pattern.name
    );
    let policies = with_file(&design, "patterns.cedar", &file).unwrap();
    let caller = Caller::default();
    let list = Access { caller: &caller, verb: Verb::List, entity: entity(&design, "Site"), pattern: None };
    assert_eq!(policies.decide(&list), Decision::Allowed);
    assert_eq!(policies.decide(&Access { pattern: Some(pattern), ..list }), Decision::Denied);
    assert_eq!(policies.decide(&Access { pattern: Some(&design.patterns[1]), ..list }), Decision::Allowed);
}

#[test]
fn numbers_that_cedar_cannot_hold_allow_nothing() {
    let text = "
design: shop
table: shop
entities:
  Offer:
    PK: OFFER#<offerId>
    SK: METADATA
    attributes: {offerId: string, price: number, stock: integer}
patterns:
  offer: PK = OFFER#<offerId>
allow:
  - anyone: read Offer
";
    let design = design(text);
    let file = "forbid (principal, action, resource is Offer) when { resource.price.greaterThan(decimal(\"10.5\")) || resource.stock > 100 };";
    let policies = with_file(&design, "prices.cedar", file).unwrap();
    let caller = Caller::default();
    let get = Access { caller: &caller, verb: Verb::Get, entity: entity(&design, "Offer"), pattern: None };
    let offer = |price: &str, stock: &str| {
        let number = |text: &str| AttributeValue::N(Number::parse(text).unwrap());
        policies.decide_item(&get, &item(&[("price", number(price)), ("stock", number(stock))]))
    };
    assert!(offer("10.5", "100"));
    assert!(offer("-3", "0"));
    assert!(!offer("10.5001", "100"));
    assert!(!offer("10.5", "101"));
    assert!(!offer("1.00001", "1"), "five decimal places");
    assert!(!offer("1000000000000000", "1"), "more than 64 bits with four places");
    assert!(!offer("1", "9223372036854775808"), "more than 64 bits");
}

#[test]
fn a_mistake_is_reported_at_its_position() {
    assert_eq!(
        problems("permit (principal, action, resource)\nwhen { principal.roles.contains(\"x\") }"),
        [
            "extra.cedar:2:39: unexpected end of input: expected `;` or identifier\n  help: a policy is `permit (principal, action, resource) when { … };`, or begins with `forbid`"
        ]
    );
    assert_eq!(
        problems("permit (principal, action == Action::\"red\", resource is Site);"),
        ["extra.cedar:1:30: unrecognized action `Action::\"red\"`\n  help: did you mean `Action::\"read\"`?"]
    );
    assert_eq!(
        problems("\n\n  permit (principal, action, resource is Site)\n  when { resource.ratingCounts == 3 };"),
        [
            "extra.cedar:4:10: attribute `ratingCounts` on entity type `Site` not found\n  help: did you mean `ratingCount`?"
        ]
    );
    assert_eq!(
        problems("permit (principal, action, resource is Site) when { resource.ratingCount == \"3\" };").len(),
        1,
        "a number is never a text"
    );
    assert_eq!(
        problems("permit (principal, action, resource is Site) when { resource.description == \"3\" };").len(),
        1,
        "an optional attribute without `has`"
    );
}

#[test]
fn undecidable_policies_are_rejected() {
    let by_id = "items have no Cedar id, and a request cannot be compared as a whole\n  help: compare attributes: `resource is Site && resource.siteId == \"…\"`, `context.pattern`";
    assert_eq!(problems("forbid (principal, action, resource == Site::\"1\");"), [format!("extra.cedar:1:1: {by_id}")]);
    assert_eq!(
        problems("forbid (principal, action, resource is Site) when { resource == Site::\"1\" };"),
        [format!("extra.cedar:1:1: {by_id}")]
    );
    assert_eq!(
        problems("\npermit (principal == ?principal, action, resource);"),
        [
            "extra.cedar:2:1: `?principal` and `?resource` stand for nothing\n  help: write the principal and the resource out: nothing links templates here"
        ]
    );
    assert_eq!(
        problems("@id(\"signed-in-read-Rating\")\npermit (principal, action, resource is Site);"),
        [
            "extra.cedar:1:1: another policy has the id `signed-in-read-Rating`\n  help: give it an id of its own: `@id(\"…\")`"
        ]
    );
}

#[test]
fn every_kind_of_mistake_has_its_code_and_its_place() {
    let (design, _) = load("catalogue");
    for (file, code, underlined) in [
        ("permit (principal, action, resource)", "KF200", ""),
        (
            "permit (principal == ?principal, action, resource);",
            "KF201",
            "permit (principal == ?principal, action, resource);",
        ),
        ("permit (principal, action == Action::\"red\", resource);", "KF202", "Action::\"red\""),
        (
            "forbid (principal, action, resource == Site::\"1\");",
            "KF203",
            "forbid (principal, action, resource == Site::\"1\");",
        ),
        (
            "permit (principal, action, resource)\nwhen { context.holds.contains(\"anyone-read\") };",
            "KF203",
            "permit (principal, action, resource)",
        ),
        (
            "@id(\"signed-in-read-Rating\")\npermit (principal, action, resource is Site);",
            "KF204",
            "@id(\"signed-in-read-Rating\")",
        ),
    ] {
        let found = with_file(&design, "extra.cedar", file).err().unwrap();
        let diagnostic = &found[0].diagnostic;
        assert_eq!((diagnostic.code.id, &file[diagnostic.span.range()]), (code, underlined), "{file}");
    }
}

#[test]
fn the_mistakes_of_all_files_are_reported_together() {
    let (design, _) = load("catalogue");
    let broken = |name: &str| (name.to_owned(), "permit (principal, action, resource is Sight);".to_owned());
    let found = Policies::compile(&design, "", &[broken("b.cedar"), broken("a.cedar")]).err().unwrap();
    let files: Vec<&str> = found.iter().map(|problem| problem.file.as_str()).collect();
    assert_eq!(files, ["a.cedar", "b.cedar"]);
}

#[test]
fn a_policy_that_never_applies_is_a_warning() {
    let (design, _) = load("catalogue");
    let file = "permit (principal, action, resource is Site) when { resource is Rating };";
    let policies = with_file(&design, "never.cedar", file).unwrap();
    let warnings: Vec<String> = policies.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("never.cedar:1:1: "), "{}", warnings[0]);
    assert_eq!(policies.warnings()[0].diagnostic.code.id, "KF206");
}
