//! The items that go with an item: lookups that make its attributes unique, and items derived from it.

use std::collections::BTreeSet;

use keyfold_design::model::{Entity, Over, words};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::error::Error;
use crate::expression::Condition;
use crate::runtime::Runtime;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

/// An item that goes with another.
#[derive(Debug, Clone, PartialEq)]
struct Satellite {
    key: Attributes,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// Its key can exist once.
    Lookup { item: Attributes, unique: String, attributes: Vec<String> },
    Derived {
        item: Attributes,
        /// What tells that an item at the key is of the same source, where the key alone does not.
        own: Vec<Condition>,
        /// The derived entity and what its key is made of.
        name: String,
        attributes: Vec<String>,
    },
    /// A set that several sources share.
    Collected { item: Attributes, set: String, member: AttributeValue },
}

impl Runtime {
    /// Whether items go with this entity's at all, and depend on one of the attributes.
    pub(crate) fn dependent_items_depend_on(&self, entity: &Entity, is_changed: impl Fn(&str) -> bool) -> bool {
        // What goes with an item expires with it.
        let expires =
            self.has_dependent_items(entity) && entity.expiry().is_some_and(|expiry| is_changed(&expiry.name));
        let uniques = entity
            .uniques
            .iter()
            .any(|unique| unique.attributes.iter().chain(&unique.carries).any(|name| is_changed(name)));
        expires
            || uniques
            || entity.derived.iter().filter_map(|id| self.design.entity(*id)).any(|derived| {
                let each = derived.derivation.as_ref().and_then(|derivation| derivation.each.as_ref());
                each.is_some_and(|each| each.over.attributes().into_iter().any(&is_changed))
                    || derived.attributes.iter().any(|attribute| is_changed(&attribute.name))
                    || derived
                        .layout
                        .computed
                        .iter()
                        .any(|computed| computed.template.attributes().into_iter().any(&is_changed))
            })
    }

    pub(crate) fn has_dependent_items(&self, entity: &Entity) -> bool {
        !entity.uniques.is_empty() || !entity.derived.is_empty()
    }

    /// Adds what brings the items that go with an item from its old state to its new one; only differences.
    pub(crate) fn plan_dependent_items(
        &self,
        plan: &mut Plan,
        entity: &Entity,
        old: Option<&Attributes>,
        new: Option<&Attributes>,
    ) -> Result<(), Error> {
        let before = old.map_or(Ok(Vec::new()), |old| self.satellites(entity, old))?;
        let after = new.map_or(Ok(Vec::new()), |new| self.satellites(entity, new))?;
        for gone in before.iter().filter(|before| !after.iter().any(|after| same_place(before, after))) {
            let effect = match &gone.kind {
                Kind::Collected { set, member, .. } => {
                    let mut changes = AttributeChanges::default();
                    changes.delete.insert(set.clone(), as_set(member));
                    Effect::Update(changes)
                }
                _ => Effect::Delete,
            };
            // What is another item's by now stays.
            let guards = match &gone.kind {
                Kind::Lookup { item, unique, .. } => own_lookup(entity, unique, item, &GuardFailure::ActionNotNeeded),
                Kind::Derived { own, .. } => guarded(own, &GuardFailure::ActionNotNeeded),
                Kind::Collected { .. } => Vec::new(),
            };
            plan.add(Action { key: gone.key.clone(), effect, guards })?;
        }
        for satellite in after.into_iter().filter(|after| !before.contains(after)) {
            let is_new = !before.iter().any(|before| same_place(before, &satellite));
            let (effect, guards) = match satellite.kind {
                Kind::Lookup { item, unique, attributes } => {
                    let free = self.free_lookup(entity);
                    let taken = GuardFailure::UniqueValueTaken { unique: unique.clone(), attributes };
                    let guards = match is_new {
                        true => vec![Guard::new(free, taken)],
                        false => own_lookup(entity, &unique, &item, &taken),
                    };
                    (Effect::Put(item), guards)
                }
                Kind::Derived { item, own, name, attributes } => {
                    (Effect::Put(item), guarded(&own, &GuardFailure::UniqueValueTaken { unique: name, attributes }))
                }
                Kind::Collected { item, set, member } => {
                    let mut changes = AttributeChanges { set: item, ..AttributeChanges::default() };
                    changes.set.retain(|name, _| !self.design.is_table_key(name));
                    changes.add.insert(set, as_set(&member));
                    (Effect::Update(changes), Vec::new())
                }
            };
            plan.add(Action { key: satellite.key, effect, guards })?;
        }
        Ok(())
    }

    /// A value is free where no item has it, or one that has expired.
    fn free_lookup(&self, entity: &Entity) -> Condition {
        let partition_key = self.partition_key().to_owned();
        match entity.expiry() {
            None => Condition::NotExists(partition_key),
            Some(expiry) => Condition::NotExistsOrExpired {
                partition_key,
                expiry: expiry.name.clone(),
                now: self.clock.now_ms() / 1000,
            },
        }
    }

    fn satellites(&self, entity: &Entity, attributes: &Attributes) -> Result<Vec<Satellite>, Error> {
        let mut satellites = Vec::new();
        for unique in &entity.uniques {
            let lookup = |name: &str| attributes.get(name);
            let Some(key) = unique.layout.key(lookup)? else { continue };
            let mut item = unique.layout.compute(lookup)?;
            for name in &unique.carries {
                if let Some(value) = attributes.get(name) {
                    item.entry(name.clone()).or_insert_with(|| value.clone());
                }
            }
            expire_with(entity, attributes, &mut item);
            let kind = Kind::Lookup { item, unique: unique.name.clone(), attributes: unique.attributes.clone() };
            satellites.push(Satellite { key, kind });
        }
        for derived in entity.derived.iter().filter_map(|id| self.design.entity(*id)) {
            self.derive(entity, derived, attributes, &mut satellites)?;
        }
        // Two values can lead to one key: one person twice, or words that differ in case only.
        let mut distinct: Vec<Satellite> = Vec::with_capacity(satellites.len());
        for satellite in satellites {
            if !distinct.iter().any(|known| same_place(known, &satellite)) {
                distinct.push(satellite);
            }
        }
        Ok(distinct)
    }

    fn derive(
        &self,
        entity: &Entity,
        derived: &Entity,
        source: &Attributes,
        satellites: &mut Vec<Satellite>,
    ) -> Result<(), Error> {
        let Some(derivation) = &derived.derivation else { return Ok(()) };
        let values: Vec<Option<AttributeValue>> = match &derivation.each {
            None => vec![None],
            Some(each) => values_of(&each.over, source).into_iter().map(Some).collect(),
        };
        for value in values {
            let variable = derivation.each.as_ref().map(|each| each.variable.as_str());
            let lookup = |name: &str| match (&value, variable) {
                (Some(value), Some(variable)) if variable == name => Some(value),
                _ => source.get(name),
            };
            let Some(key) = derived.layout.key(lookup)? else { continue };
            let mut item = derived.layout.compute(lookup)?;
            for attribute in derived.attributes.iter().filter(|attribute| attribute.is_stored()) {
                if let Some(value) = lookup(&attribute.name) {
                    item.entry(attribute.name.clone()).or_insert_with(|| value.clone());
                }
            }
            let kind = match &derivation.collects {
                None => {
                    expire_with(entity, source, &mut item);
                    let attributes = derived.layout.key_attributes().into_iter().map(str::to_owned).collect();
                    Kind::Derived {
                        own: same_source(entity, derived, &item),
                        item,
                        name: derived.name.clone(),
                        attributes,
                    }
                }
                Some(collects) => match source.get(&collects.member) {
                    Some(member) => {
                        item.remove(&collects.set);
                        Kind::Collected { item, set: collects.set.clone(), member: member.clone() }
                    }
                    None => continue,
                },
            };
            satellites.push(Satellite { key, kind });
        }
        Ok(())
    }
}

/// That a lookup is the item's own: one that has expired may have been taken over by another, and an item of others may
/// never have had one. What the lookup does not say is not compared.
fn own_lookup(entity: &Entity, unique: &str, lookup: &Attributes, otherwise: &GuardFailure) -> Vec<Guard> {
    let is_identity = |name: &&str| entity.identity.iter().any(|own| own == name);
    let index_keys = entity.unique(unique).into_iter().flat_map(|unique| {
        let computed = unique.layout.computed.iter().filter(|computed| !computed.indexes.is_empty());
        computed.filter(|computed| computed.template.attributes().iter().any(&is_identity))
    });
    let own = entity.identity.iter().chain(index_keys.map(|computed| &computed.name));
    let own = own.filter_map(|name| Some(Condition::AbsentOrEquals(name.clone(), lookup.get(name)?.clone())));
    own.map(|condition| Guard::new(condition, otherwise.clone())).collect()
}

/// The item at the key of a derived one is of the same source. A key that holds the whole identity of its source says so
/// itself; where it does not, another source may lead to the same key, and must not take it over.
fn same_source(entity: &Entity, derived: &Entity, item: &Attributes) -> Vec<Condition> {
    let in_key = derived.layout.key_attributes();
    let untold = entity.identity.iter().filter(|name| !in_key.contains(&name.as_str()));
    untold.filter_map(|name| Some(Condition::AbsentOrEquals(name.clone(), item.get(name)?.clone()))).collect()
}

fn guarded(conditions: &[Condition], otherwise: &GuardFailure) -> Vec<Guard> {
    conditions.iter().map(|condition| Guard::new(condition.clone(), otherwise.clone())).collect()
}

/// What goes with an item expires with it: DynamoDB removes each on its own.
fn expire_with(entity: &Entity, attributes: &Attributes, item: &mut Attributes) {
    if let Some((name, value)) = entity.expiry().and_then(|expiry| attributes.get_key_value(&expiry.name)) {
        item.entry(name.clone()).or_insert_with(|| value.clone());
    }
}

/// Whether two satellites are the same item, or for a shared one the same member of it.
fn same_place(left: &Satellite, right: &Satellite) -> bool {
    let members = match (&left.kind, &right.kind) {
        (Kind::Collected { member: left, .. }, Kind::Collected { member: right, .. }) => left == right,
        _ => true,
    };
    left.key == right.key && members
}

/// The values that one item each is made for, each once.
fn values_of(over: &Over, source: &Attributes) -> Vec<AttributeValue> {
    match over {
        Over::Items(name) => match source.get(name) {
            Some(AttributeValue::L(items)) => {
                let mut seen = Vec::new();
                items.iter().for_each(|item| {
                    if !seen.contains(item) {
                        seen.push(item.clone());
                    }
                });
                seen
            }
            Some(AttributeValue::Ss(set)) => set.iter().cloned().map(AttributeValue::S).collect(),
            Some(AttributeValue::Ns(set)) => set.iter().copied().map(AttributeValue::N).collect(),
            _ => Vec::new(),
        },
        Over::Attributes(names) => names.iter().filter_map(|name| source.get(name).cloned()).collect(),
        Over::Words(name) => match source.get(name) {
            Some(AttributeValue::S(text)) => words(text).into_iter().map(AttributeValue::S).collect(),
            _ => Vec::new(),
        },
    }
}

fn as_set(member: &AttributeValue) -> AttributeValue {
    match member {
        AttributeValue::N(number) => AttributeValue::Ns(BTreeSet::from([*number])),
        AttributeValue::S(text) => AttributeValue::Ss(BTreeSet::from([text.clone()])),
        other => other.clone(),
    }
}
