//! The exported Cedar decides as the evaluator of rules does: for every shipped design, entity, verb, caller and item.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::exported::Exported;
use crate::support::*;
use keyfold_design::Design;
use keyfold_design::model::{Grantee, Verb};
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller, Decision, DesignRules};

/// The roles, groups and permissions that a design speaks of.
#[derive(Default)]
struct Names {
    roles: BTreeSet<String>,
    groups: BTreeSet<String>,
    permissions: BTreeSet<String>,
}

impl Names {
    fn of(design: &Design) -> Self {
        let mut names = Self::default();
        for who in design.rules.iter().map(|rule| &rule.grantee).chain([&design.callers.operators]) {
            who.walk(&mut |part| {
                match part {
                    Grantee::Role(name) => names.roles.insert(name.clone()),
                    Grantee::Group(name) => names.groups.insert(name.clone()),
                    Grantee::Permission(name) => names.permissions.insert(name.clone()),
                    _ => false,
                };
            });
        }
        names.roles.insert("visitor".to_owned());
        names
    }
}

/// None, each alone, each missing alone, all.
fn choices(names: &BTreeSet<String>) -> Vec<Vec<String>> {
    let mut choices = vec![Vec::new(), names.iter().cloned().collect()];
    for name in names {
        choices.push(vec![name.clone()]);
        choices.push(names.iter().filter(|other| *other != name).cloned().collect());
    }
    choices.sort();
    choices.dedup();
    choices
}

fn callers(design: &Design, subjects: &BTreeSet<String>) -> Vec<Caller> {
    let names = Names::of(design);
    let subjects: Vec<Option<String>> = std::iter::once(None).chain(subjects.iter().cloned().map(Some)).collect();
    let mut callers = Vec::new();
    for subject in &subjects {
        for tenant in [None, Some("northwind".to_owned())] {
            for roles in choices(&names.roles) {
                for groups in choices(&names.groups) {
                    for permissions in choices(&names.permissions) {
                        let (subject, tenant, roles) = (subject.clone(), tenant.clone(), roles.clone());
                        let groups = groups.clone();
                        callers.push(Caller { subject, tenant, roles, groups, permissions, ..Caller::default() });
                    }
                }
            }
        }
    }
    callers.push(Caller::superuser("root"));
    callers
}

/// The items of the sample data, each also without an owner, with another, with none that is a text, and empty.
fn varied(design: &Design, stored: &[(String, Attributes)]) -> Vec<(String, Attributes)> {
    let mut items = stored.to_vec();
    for entity in &design.entities {
        let sample =
            stored.iter().find(|(name, _)| *name == entity.name).map(|(_, item)| item.clone()).unwrap_or_default();
        items.push((entity.name.clone(), Attributes::new()));
        let Some(owner) = &entity.owner else { continue };
        let others = [
            AttributeValue::S("stranger".to_owned()),
            AttributeValue::N(Number::parse("7").unwrap()),
            AttributeValue::Null,
            AttributeValue::Ss(BTreeSet::from(["stranger".to_owned()])),
        ];
        for value in others {
            let mut item = sample.clone();
            item.insert(owner.clone(), value);
            items.push((entity.name.clone(), item));
        }
    }
    items
}

/// Every subject that owns something, up to a few, and one that owns nothing.
fn subjects(design: &Design, items: &[(String, Attributes)]) -> BTreeSet<String> {
    let owners = items.iter().filter_map(|(name, item)| {
        let owner = entity(design, name).owner.as_ref()?;
        item.get(owner)?.as_str().map(str::to_owned)
    });
    let mut subjects: BTreeSet<String> = owners.take(3).collect();
    subjects.insert("stranger".to_owned());
    subjects
}

#[tokio::test]
async fn the_exported_cedar_and_the_evaluator_agree_on_the_shipped_designs() {
    for name in DESIGNS {
        let (design, policies) = compiled(name);
        let (rules, exported) = (DesignRules::new(Arc::clone(&design)), Exported::new(&design, &policies));
        let items = varied(&design, &stored(name).await);
        let callers = callers(&design, &subjects(&design, &items));
        let (mut compared, mut by_item, mut allowed) = (0, 0, 0);
        for caller in &callers {
            for entity in &design.entities {
                for verb in Verb::ALL {
                    let access = Access { caller, verb, entity, pattern: None };
                    let expected = rules.decide(&access);
                    assert_eq!(policies.decide(&access), expected, "{name}: {verb:?} {} {caller:?}", entity.name);
                    assert_eq!(policies.explain(&access, None).decision, expected, "{name}: {verb:?} {caller:?}");
                    compared += 1;
                    allowed += usize::from(expected == Decision::Allowed);
                    by_item += usize::from(expected == Decision::ByItem);
                    // What is decided before the item holds for any of them: one is enough to hold it against Cedar.
                    let compared_items = if expected == Decision::ByItem { usize::MAX } else { 1 };
                    for (_, item) in items.iter().filter(|(of, _)| *of == entity.name).take(compared_items) {
                        compare(&policies, &rules, &exported, &access, item);
                    }
                }
            }
        }
        println!(
            "{name}: {} callers, {} items, {compared} decisions, {allowed} allowed, {by_item} by item",
            callers.len(),
            items.len()
        );
        assert!(allowed > 0 && allowed < compared, "{name} allows some and denies some");
        let owned = design.rules.iter().any(|rule| rule.grantee == Grantee::Owner);
        assert_eq!(by_item > 0, owned, "{name} decides by item where it has owners");
    }
}

fn compare(policies: &Policies, rules: &DesignRules, exported: &Exported, access: &Access<'_>, item: &Attributes) {
    let expected = rules.decide_item(access, item);
    let context = || format!("{:?} {} {:?} {item:?}", access.verb, access.entity.name, access.caller);
    assert_eq!(policies.decide_item(access, item), expected, "{}", context());
    if let Some(allowed) = exported.allows(access, item).filter(|_| !access.caller.superuser) {
        assert_eq!(allowed, expected, "{}", context());
    }
    let explained = policies.explain(access, Some(item));
    let decision = if expected { Decision::Allowed } else { Decision::Denied };
    assert_eq!(explained.decision, decision, "{}", context());
    assert_eq!(explained.rules.is_empty(), !expected || access.caller.superuser, "a decision names its rules");
}
