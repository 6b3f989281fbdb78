//! Several kinds of items under one key, and keys that bounds keep apart.

use keyfold_design::diagnostic::to_text;
use keyfold_design::{Design, load};
use keyfold_dynamo::{AttributeValue, Attributes};

const DESIGN: &str = "
design: accounts
table: accounts
tenant: tenantId
entities:
  User:
    scope: tenant
    PK: ACCOUNT#<tenantId>#<name>
    SK: METADATA
    category: account
    type: User
    attributes: {tenantId: string, name: string}
  Organization:
    scope: tenant
    PK: ACCOUNT#<tenantId>#<name>
    SK: METADATA
    category: account
    type: Organization
    attributes: {tenantId: string, name: string}
  Robot:
    scope: tenant
    PK: ACCOUNT#<tenantId>#<name>
    SK: METADATA
    category: account
    type: Robot
    attributes: {tenantId: string, name: string}
patterns:
  account: PK = ACCOUNT#<tenantId>#<name> -> User, Organization, Robot
allow:
  - members: everything
";

fn design(text: &str) -> Design {
    load("design.yaml", text).unwrap_or_else(|found| panic!("{}", to_text("design.yaml", text, &found, false))).0
}

fn errors(text: &str) -> Vec<(String, String)> {
    let found = match load("design.yaml", text) {
        Ok(_) => return Vec::new(),
        Err(found) => found,
    };
    let errors = found.iter().filter(|found| found.is_error());
    errors.map(|found| (found.code.id.to_owned(), found.message.clone())).collect()
}

fn with(from: &str, to: &str) -> String {
    assert!(DESIGN.contains(from), "{from}");
    DESIGN.replacen(from, to, 1)
}

fn item(pairs: &[(&str, &str)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::S((*value).to_owned()))).collect()
}

#[test]
fn a_constant_attribute_with_different_values_tells_kinds_apart() {
    let design = design(DESIGN);
    let kinds: Vec<_> = design.entities.iter().map(|entity| entity.kind.clone().unwrap()).collect();
    assert!(kinds.iter().all(|kind| kind.attribute == "type"));
    assert_eq!(kinds[1].others, [design.entities[0].id, design.entities[2].id]);
    let keys = [("PK", "ACCOUNT#t#ann"), ("SK", "METADATA")];
    let recognized =
        |kind: &[(&str, &str)]| design.recognize(&item(&[&keys[..], kind].concat())).map(|id| design[id].name.clone());
    assert_eq!(recognized(&[("type", "Organization")]).as_deref(), Some("Organization"));
    assert_eq!(recognized(&[("type", "User")]).as_deref(), Some("User"));
    assert_eq!(recognized(&[("type", "user")]), None);
    assert_eq!(recognized(&[]), None);
}

#[test]
fn entities_that_nothing_tells_apart_collide() {
    let collision = "`Organization` and `Robot` can have the same key: `ACCOUNT#a#a` / `METADATA`";
    let found = errors(&with("type: Robot", "type: Organization"));
    assert!(found.contains(&("KF034".to_owned(), collision.to_owned())), "{found:?}");
    // An attribute that callers set does not tell them apart.
    let found = errors(&with(
        "    type: Robot\n    attributes: {tenantId: string, name: string}",
        "    attributes: {tenantId: string, name: string, type: string}",
    ));
    assert_eq!(found.iter().filter(|(code, _)| code == "KF034").count(), 3, "{found:?}");
}

#[test]
fn kinds_have_the_same_keys_identity_and_scope() {
    let one = |text: &str| {
        let found = errors(text);
        let told: Vec<&String> = found.iter().filter(|(code, _)| code == "KF086").map(|(_, message)| message).collect();
        assert_eq!(told.len(), 1, "{found:?}");
        told[0].clone()
    };
    let robot = "    category: account\n    type: Robot";
    assert_eq!(
        one(&with(robot, &format!("    identity: name\n{robot}"))),
        "`Robot` and `User` have the same keys, but different identities"
    );
    let lower = DESIGN.replacen("PK: ACCOUNT#<tenantId>#<name>\n    SK: METADATA\n    category: account\n    type: Robot", "PK: ACCOUNT#<tenantId>#<name:lower>\n    SK: METADATA\n    identity: tenantId, name\n    category: account\n    type: Robot", 1);
    assert_eq!(one(&lower), "`Robot` and `User` share some keys, told apart by `type`, but not all");
    let (head, rest) = DESIGN.split_once("  Robot:\n").unwrap();
    let global = format!("{head}  Robot:\n{}", rest.replacen("scope: tenant", "scope: global", 1));
    assert_eq!(one(&global), "`Robot` and `User` have the same keys, but different scopes");
}

fn versions(first: &str, second: &str) -> String {
    format!(
        "design: versions\ntable: versions\nentities:\n  First:\n    PK: D#<id>\n    SK: {first}\n  Second:\n    PK: D#<id>\n    SK: {second}\npatterns: {{}}\nallow: []\n"
    )
}

#[test]
fn bounds_of_integers_keep_keys_apart() {
    let numbered = |bounds: &str, format: &str| {
        format!("v<number{format}>\n    attributes: {{id: string, number: 'integer{bounds}'}}")
    };
    let plain = |text: &str| format!("{text}\n    attributes: {{id: string}}");
    let collides =
        |first: String, second: String| errors(&versions(&first, &second)).iter().any(|(code, _)| code == "KF034");
    assert!(collides(plain("v0"), numbered("", "")));
    assert!(!collides(plain("v0"), numbered(", at least 1", "")));
    assert!(collides(plain("v7"), numbered(", at least 1", "")));
    assert!(!collides(plain("v7"), numbered(", at least 1, at most 6", "")));
    assert!(!collides(numbered(", at most 9", ""), numbered(", at least 10", "")));
    assert!(collides(numbered(", at most 10", ""), numbered(", at least 10", "")));
    assert!(!collides(
        numbered(", at least 0, at most 9", ":width(4)"),
        numbered(", at least 10, at most 99", ":width(4)")
    ));
    assert!(!collides(numbered(", at least 0, at most 9", ":width(4)"), numbered(", at least 1000", "")));
}

#[test]
fn numbers_beyond_their_bounds_are_read_unless_another_entity_has_the_key() {
    let numbered = |bounds: &str| format!("v<number>\n    attributes: {{id: string, number: 'integer, {bounds}'}}");
    let design = design(&versions(&numbered("at least 1, at most 9"), &numbered("at least 10, at most 99")));
    let name = |key: &str| design.recognize(&item(&[("PK", "D#a"), ("SK", key)])).map(|id| design[id].name.clone());
    assert_eq!(name("v9").as_deref(), Some("First"));
    assert_eq!(name("v10").as_deref(), Some("Second"));
    assert!(design.entities[0].layout.owns(&item(&[("PK", "D#a"), ("SK", "v0")])));
    assert!(!design.entities[0].layout.owns(&item(&[("PK", "D#a"), ("SK", "v10")])));
    assert!(!design.entities[1].layout.owns(&item(&[("PK", "D#a"), ("SK", "v9")])));
    assert_eq!(name("v100").as_deref(), Some("First"));
}
