//! What the documents of `catalogue` and `platform` say about who may do what.

use crate::support;

use crate::support::*;
use Decision::{Allowed, ByItem, Denied};
use Verb::{Create, Delete, Get, List, Update};
use keyfold_design::Design;
use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller, Decision};

fn decide(design: &Design, policies: &Policies, caller: &Caller, entity: &str, verbs: &[Verb]) -> Vec<Decision> {
    let entity = support::entity(design, entity);
    verbs.iter().map(|verb| policies.decide(&Access { caller, verb: *verb, entity, pattern: None })).collect()
}

fn person(subject: &str, roles: &[&str], groups: &[&str]) -> Caller {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Caller { subject: Some(subject.to_owned()), roles: owned(roles), groups: owned(groups), ..Caller::default() }
}

fn owned_by(attribute: &str, subject: &str) -> Attributes {
    Attributes::from([(attribute.to_owned(), AttributeValue::S(subject.to_owned()))])
}

#[test]
fn everyone_reads_sites_and_admins_write_them() {
    let (design, policies) = compiled("catalogue");
    for caller in [Caller::default(), person("ada", &[], &[]), person("ada", &["manager"], &["Squash"])] {
        assert_eq!(decide(&design, &policies, &caller, "Site", &[Get, List]), [Allowed; 2]);
        assert_eq!(decide(&design, &policies, &caller, "Site", &[Create, Update, Delete]), [Denied; 3]);
    }
    for caller in [person("ada", &["admin"], &[]), person("root", &["SuperAdmin"], &[])] {
        assert_eq!(decide(&design, &policies, &caller, "Site", &Verb::ALL), [Allowed; 5]);
    }
    let admin = person("ada", &["admin"], &[]);
    let access = Access { caller: &admin, verb: Create, entity: entity(&design, "Site"), pattern: None };
    let explained = policies.explain(&access, None).to_string();
    let (_, text) = load("catalogue");
    let line = 1 + text.lines().position(|line| line.contains("role admin: create")).unwrap();
    assert_eq!(explained, format!("allowed by `role admin: create, update, delete Site` (line {line})"));
    let anyone = Caller::default();
    assert_eq!(policies.explain(&Access { caller: &anyone, ..access }, None).to_string(), "denied: no rule allows it");
}

#[test]
fn whoever_is_logged_in_writes_only_their_own_ratings_and_comments() {
    let (design, policies) = compiled("catalogue");
    let ada = person("ada", &[], &[]);
    for name in ["Rating", "Comment"] {
        assert_eq!(decide(&design, &policies, &ada, name, &[Create, Update, Delete]), [ByItem; 3], "{name}");
        assert_eq!(decide(&design, &policies, &Caller::default(), name, &Verb::ALL), [Denied; 5], "{name}");
        for verb in [Create, Update, Delete] {
            let access = Access { caller: &ada, verb, entity: entity(&design, name), pattern: None };
            assert!(policies.decide_item(&access, &owned_by("user", "ada")));
            assert!(!policies.decide_item(&access, &owned_by("user", "bob")));
            assert!(!policies.decide_item(&access, &Attributes::new()));
        }
    }
    let moderator = Caller { permissions: vec!["comments.moderate".to_owned()], ..person("mod", &[], &[]) };
    assert_eq!(
        decide(&design, &policies, &moderator, "Comment", &Verb::ALL),
        [Allowed, Allowed, ByItem, ByItem, Allowed]
    );
    let access = Access { caller: &ada, verb: Update, entity: entity(&design, "Rating"), pattern: None };
    let rules = policies.explain(&access, Some(&owned_by("user", "ada"))).rules;
    assert_eq!(
        rules.iter().map(|rule| rule.text.as_str()).collect::<Vec<_>>(),
        ["the owner: create, update, delete Rating"]
    );
    let unsettled = policies.explain(&access, None);
    assert_eq!((unsettled.decision, unsettled.rules.len()), (ByItem, 1));
}

#[test]
fn the_squash_section_exists_for_its_group_and_super_admins() {
    let (design, policies) = compiled("catalogue");
    let outsiders = [
        Caller::default(),
        person("ada", &[], &[]),
        person("ada", &["admin"], &[]),
        person("ada", &["manager"], &["Chess"]),
    ];
    for name in ["Player", "Match"] {
        for caller in &outsiders {
            assert_eq!(decide(&design, &policies, caller, name, &Verb::ALL), [Denied; 5], "{name} {caller:?}");
        }
        let player = person("ada", &[], &["Squash"]);
        assert_eq!(decide(&design, &policies, &player, name, &Verb::ALL), [Allowed, Allowed, Denied, Denied, Denied]);
        for editor in [person("ada", &["manager"], &["Squash"]), person("root", &["SuperAdmin"], &[])] {
            assert_eq!(decide(&design, &policies, &editor, name, &Verb::ALL), [Allowed; 5], "{name} {editor:?}");
        }
    }
}

#[test]
fn rules_for_callers_without_a_token_are_listed() {
    let public = |name: &str| -> Vec<String> {
        compiled(name).1.public_rules().into_iter().map(|statement| statement.text.clone()).collect()
    };
    assert_eq!(public("catalogue"), ["anyone: read Site, SiteTag, SiteComment"]);
    for name in ["agencies", "albums", "archive", "platform"] {
        assert_eq!(public(name), Vec::<String>::new(), "{name}");
    }
    let (design, _) = load("platform");
    let file = "permit (principal, action, resource is Product) when { resource.name == \"Analytics\" };\nforbid (principal, action, resource is Product) unless { principal has subject };\n@id(\"open\")\npermit (principal, action == Action::\"get\", resource is Service) when { resource.name == \"Support\" };";
    let public: Vec<String> = with_file(&design, "open.cedar", file)
        .unwrap()
        .public_rules()
        .into_iter()
        .map(|statement| statement.id.clone())
        .collect();
    assert_eq!(public, ["open"], "for some items at least, and unless a forbid covers them all");
}

#[test]
fn permissions_of_platform_are_those_the_caller_comes_with() {
    let (design, policies) = compiled("platform");
    let member = |permissions: &[&str]| Caller {
        permissions: permissions.iter().map(|name| (*name).to_owned()).collect(),
        ..Caller::member("northwind", "ada")
    };
    let written = [
        ("settings.write", &["Address", "TechUser"][..]),
        ("licenses.write", &["License"]),
        ("workstreams.write", &["Workstream", "Tool"]),
        ("users.write", &["User", "UserWorkstream"]),
        ("roles.write", &["Role", "Permission"]),
    ];
    for (permission, entities) in written {
        let holder = member(&[permission]);
        for other in design.entities.iter().map(|entity| entity.name.as_str()) {
            let expected = if entities.contains(&other) { [Allowed; 3] } else { [Denied; 3] };
            let update = decide(&design, &policies, &holder, other, &[Update])[0];
            if (permission, other) == ("settings.write", "Account") {
                assert_eq!(update, Allowed);
                continue;
            }
            assert_eq!(
                decide(&design, &policies, &holder, other, &[Create, Update, Delete]),
                expected,
                "{permission} {other}"
            );
        }
        // A permission without a tenant to have it in is none.
        let homeless = Caller { tenant: None, ..holder };
        assert_eq!(decide(&design, &policies, &homeless, entities[0], &[Create, Update, Delete]), [Denied; 3]);
    }
    assert_eq!(
        decide(&design, &policies, &member(&[]), "License", &Verb::ALL),
        [Allowed, Allowed, Denied, Denied, Denied]
    );
    assert_eq!(decide(&design, &policies, &member(&[]), "NotificationAudit", &Verb::ALL), [Denied; 5]);
    let reader = member(&["notifications.read"]);
    assert_eq!(
        decide(&design, &policies, &reader, "NotificationAudit", &Verb::ALL),
        [Allowed, Allowed, Denied, Denied, Denied]
    );
    let operator = Caller { roles: vec!["operator".to_owned()], ..Caller::default() };
    for entity in &design.entities {
        assert_eq!(decide(&design, &policies, &operator, &entity.name, &Verb::ALL), [Allowed; 5], "{}", entity.name);
    }
}
