//! The README of the policies: their limits.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};
use keyfold_design::template::Template;

use super::grants::{TableOrIndex, leading};
use super::leading_key::{LeadingKey, all, own, tag};
use super::policy::Policy;
use super::roles::{Fence, SUBJECT_TAG};
use crate::lines::Lines;
use crate::naming::kebab;
use crate::{Input, Target};

pub(super) fn text(input: &Input<'_>, policies: &[Policy<'_>]) -> String {
    let design = input.design;
    let mut out = Lines::new();
    out.line(format!("<!-- {} -->", input.origin(Target::Iam)));
    out.line(format!("# IAM policies of {}", design.name));
    out.blank();
    out.paragraph(
        "`service.json` is for the process that runs the design and enforces its rules. Each other policy limits what a \
         session for one kind of caller can access, whatever code runs in it. Within that limit, Keyfold enforces the \
         rules, not IAM.",
    );
    out.blank();
    if let Some(tenant) = &design.tenant {
        out.paragraph(&format!(
            "Sessions carry the tag `{}` (and `{SUBJECT_TAG}` for owners). A tag that contains `{}`, `*` or `?` is \
             denied. In a key, the tenant's id is followed by the end of the key or a delimiter, so tenant `1` never \
             matches tenant `10`.",
            tenant.attribute, design.table.delimiter
        ));
    } else {
        out.paragraph(&format!(
            "Sessions of owners carry the tag `{SUBJECT_TAG}`. A tag that contains `{}`, `*` or `?` is denied.",
            design.table.delimiter
        ));
    }
    out.blank();
    unprotected(design, &mut out);
    for policy in policies {
        out.blank();
        match policy.is_empty() {
            true => out.line(format!("## {}: no policy", policy.role.title)),
            false => out.line(format!("## {}: `{}.json`", policy.role.title, kebab(&policy.role.title))),
        }
        out.blank();
        limits(design, policy, &mut out);
    }
    out.into_text()
}

/// The entities of a tenant whose keys do not tell it.
fn unprotected(design: &Design, out: &mut Lines) {
    let Some(tenant) = &design.tenant else {
        out.paragraph(
            "The design has no tenants: leading keys separate entities, and owners if they are part of the key.",
        );
        return;
    };
    out.line("## Items not protected by leading keys");
    out.blank();
    let mut found = false;
    for entity in design.entities.iter().filter(|entity| entity.scope.has_tenant()) {
        let mut places = Vec::new();
        let mut look = |name: &str, template: &Template| {
            for side in template.alternatives().filter(|side| own(side, &tenant.attribute, &tenant.attribute).is_none())
            {
                places.push(format!("{name} (`{}`)", side.source));
            }
        };
        look("in the table", &entity.layout.partition.template);
        for index_key in &entity.layout.index_keys {
            if let Some(part) = index_key.partition.first() {
                look(&format!("in {}", design[index_key.index].name), &part.template);
            }
        }
        if !places.is_empty() {
            found = true;
            out.bullet(&format!("**{}**: {}", entity.name, places.join(", ")));
        }
    }
    match found {
        true => {
            out.blank();
            out.paragraph(&format!(
                "The tenant of these items is only in the attribute `{}`, or in a key that a policy cannot see. No \
                 policy here gives a tenant's session access to them. They are accessible only through the service, \
                 which checks the attribute on every call.",
                tenant.attribute
            ));
        }
        false => out.line("None: every partition key of a tenant's items begins with the tenant."),
    }
}

fn limits(design: &Design, policy: &Policy<'_>, out: &mut Lines) {
    let mut said = false;
    for (entity, actions) in reached_beyond(design, policy) {
        said = true;
        let actions: Vec<String> = actions.into_iter().map(|action| format!("`{action}`")).collect();
        out.bullet(&format!(
            "broader than the rules: {} on **{entity}**, which shares a partition with permitted items",
            actions.join(", ")
        ));
    }
    for (entity, (whose, actions)) in reached_of_others(design, policy) {
        said = true;
        let actions: Vec<String> = actions.into_iter().map(|action| format!("`{action}`")).collect();
        out.bullet(&format!(
            "broader than the rules: {} on **{entity}** of {whose}, which shares a partition with permitted items",
            actions.join(", ")
        ));
    }
    for withheld in &policy.grants.withheld {
        said = true;
        out.bullet(&format!("not granted: {withheld}"));
    }
    if !said {
        out.line("Grants exactly what the rules allow.");
    }
}

/// Which verbs make an action right.
fn rightful(action: &str) -> &'static [Verb] {
    match action {
        "GetItem" | "BatchGetItem" => &[Verb::Get, Verb::List, Verb::Update, Verb::Delete],
        "Query" => &[Verb::List, Verb::Get],
        "PutItem" => &[Verb::Create, Verb::Update],
        "UpdateItem" => &[Verb::Update],
        "DeleteItem" => &[Verb::Delete],
        _ => &Verb::ALL,
    }
}

/// The entities that lie in granted partitions without a rule for it: leading keys see no sort key.
fn reached_beyond<'d>(design: &'d Design, policy: &Policy<'_>) -> BTreeMap<&'d str, BTreeSet<&'static str>> {
    let mut beyond: BTreeMap<&str, BTreeSet<&'static str>> = BTreeMap::new();
    for entity in &design.entities {
        let verbs = policy.role.verbs(design, entity.id);
        for ((place, key), actions) in &policy.grants.actions {
            if !lies_in(design, policy, entity, *place, key) {
                continue;
            }
            for action in actions {
                if !rightful(action).iter().any(|verb| verbs.contains(verb)) {
                    beyond.entry(&entity.name).or_default().insert(action);
                }
            }
        }
    }
    beyond
}

/// The entities of which a session reaches more than its own: a key that is granted to everybody leads to them too.
fn reached_of_others<'d>(
    design: &'d Design,
    policy: &Policy<'_>,
) -> BTreeMap<&'d str, (&'static str, BTreeSet<&'static str>)> {
    let known = reached_beyond(design, policy);
    let mut others: BTreeMap<&str, (&'static str, BTreeSet<&'static str>)> = BTreeMap::new();
    for entity in &design.entities {
        let (whose, own_tag, on_all) = match policy.role.fence(design, entity) {
            Fence::Owner(_) => ("others", tag(SUBJECT_TAG), policy.role.verbs_on_all(design, entity.id)),
            Fence::Tenant(attribute) => ("other tenants", tag(&attribute), BTreeSet::new()),
            Fence::None => continue,
        };
        for ((place, key), actions) in &policy.grants.actions {
            let is_own = matches!(key, LeadingKey::Exact(text) | LeadingKey::Like(text) if text.contains(&own_tag));
            if is_own || !leads_to(entity, *place, key) {
                continue;
            }
            for action in actions {
                let is_known = known.get(entity.name.as_str()).is_some_and(|actions| actions.contains(action));
                if !is_known && !rightful(action).iter().any(|verb| on_all.contains(verb)) {
                    others.entry(&entity.name).or_insert((whose, BTreeSet::new())).1.insert(action);
                }
            }
        }
    }
    others
}

/// Whether a granted key is one of an entity's, no matter whom it belongs to.
fn leads_to(entity: &Entity, place: TableOrIndex, key: &LeadingKey) -> bool {
    let templates = leading(&entity.layout, place).into_iter().flat_map(Template::alternatives);
    templates.map(all).any(|found| meets(&found, key))
}

fn lies_in(design: &Design, policy: &Policy<'_>, entity: &Entity, place: TableOrIndex, key: &LeadingKey) -> bool {
    let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
    let fence = policy.role.fence(design, entity);
    layouts.filter_map(|layout| leading(layout, place)).flat_map(Template::alternatives).any(|template| {
        let own_key = match &fence {
            Fence::Tenant(attribute) => own(template, attribute, attribute),
            Fence::Owner(attribute) => own(template, attribute, SUBJECT_TAG),
            Fence::None => None,
        };
        let tenant_key = design.tenant.as_ref().and_then(|tenant| own(template, &tenant.attribute, &tenant.attribute));
        [own_key, tenant_key, Some(all(template))].into_iter().flatten().any(|found| meets(&found, key))
    })
}

/// Whether some key fits both; tags count as unknown text.
fn meets(left: &LeadingKey, right: &LeadingKey) -> bool {
    let text = |key: &LeadingKey| match key {
        LeadingKey::Exact(text) | LeadingKey::Like(text) => blurred(text),
        LeadingKey::Any => vec![None],
    };
    fits(&text(left), &text(right))
}

/// Characters, with `None` for a wildcard or the value of a tag.
fn blurred(text: &str) -> Vec<Option<char>> {
    let mut characters = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some((_, after)) = rest.strip_prefix("${aws:").and_then(|inner| inner.split_once('}')) {
            characters.push(None);
            rest = after;
        } else if let Some((literal, after)) = rest.strip_prefix("${").and_then(|inner| inner.split_once('}')) {
            characters.extend(literal.chars().map(Some));
            rest = after;
        } else {
            characters.push(if first == '*' { None } else { Some(first) });
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    characters
}

/// Whether two patterns of characters and wildcards have a text in common.
fn fits(left: &[Option<char>], right: &[Option<char>]) -> bool {
    match (left.split_first(), right.split_first()) {
        (None, None) => true,
        (Some((None, rest)), Some((_, others))) => fits(rest, right) || fits(left, others),
        (Some((_, rest)), Some((None, others))) => fits(left, others) || fits(rest, right),
        (Some((None, rest)), None) => fits(rest, right),
        (None, Some((None, others))) => fits(left, others),
        (Some((Some(one), rest)), Some((Some(other), others))) => one == other && fits(rest, others),
        _ => false,
    }
}
