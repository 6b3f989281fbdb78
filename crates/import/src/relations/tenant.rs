//! The attribute that isolates tenants.

use std::collections::BTreeSet;

use keyfold_design::counted;

use crate::entity::Entity;
use crate::sample::identifier_words;

/// Names of tenants.
const NAMES: &[&str] = &["tenant", "account", "org", "organization", "organisation", "company", "workspace", "agency"];

/// Names of tenants in some tables and of the tenants' customers in others: suggested in a comment, not stated.
const DOUBTFUL: &[&str] = &["client", "customer", "merchant", "shop", "team", "project"];

/// People own things within a tenant; they are none.
const PEOPLE: &[&str] = &["user", "member", "person", "player", "author", "owner", "subject", "employee"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tenant {
    pub attribute: String,
    /// The entity whose own id it is.
    pub entity: Option<String>,
    /// Whether the draft states it, rather than suggest it in a comment.
    pub is_likely: bool,
    pub evidence: String,
}

/// The attribute that most items have and by which partitions are cut, where there is one.
pub(crate) fn tenant(entities: &[Entity<'_>]) -> Option<Tenant> {
    let total: usize = entities.iter().map(Entity::size).sum();
    let names: BTreeSet<&str> = entities.iter().flat_map(|entity| entity.identity()).collect();
    let mut best: Option<(usize, Tenant)> = None;
    for name in names {
        let words = identifier_words(name);
        let is_id = words.len() > 1 && words.last().is_some_and(|last| last == "id");
        let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        if !is_id || says(PEOPLE) {
            continue;
        }
        let partitions = entities.iter().filter(|entity| in_partition(entity, name)).count();
        let items: usize = entities.iter().filter(|entity| has(entity, name)).map(Entity::size).sum();
        let named = says(NAMES);
        let is_doubtful = says(DOUBTFUL);
        let is_common = named && items * 10 >= total * 3 || !is_doubtful && items * 10 >= total * 9;
        let is_likely = partitions >= 2 && is_common;
        let is_possible = (named || is_doubtful) && partitions >= 1;
        if !is_likely && !is_possible {
            continue;
        }
        let entity = entities.iter().find(|entity| entity.identity() == [name]).map(|entity| entity.name.clone());
        let entities_with = counted(partitions, "entity");
        let evidence = format!("guess: in the partition key of {entities_with}, in {items} of {total} items");
        let weight = usize::from(is_likely) * 1_000_000 + usize::from(named) * 100_000 + items;
        if best.as_ref().is_none_or(|(known, _)| weight > *known) {
            best = Some((weight, Tenant { attribute: name.to_owned(), entity, is_likely, evidence }));
        }
    }
    best.map(|(_, tenant)| tenant)
}

fn in_partition(entity: &Entity<'_>, name: &str) -> bool {
    entity
        .keys
        .first()
        .and_then(|key| entity.template(&key.name))
        .is_some_and(|template| template.attributes().any(|own| own == name))
}

fn has(entity: &Entity<'_>, name: &str) -> bool {
    entity.attribute(name).is_some()
}
