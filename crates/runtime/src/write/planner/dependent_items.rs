//! Items that depend on an item: lookups that make its attributes unique, and items derived from it.

use std::collections::BTreeSet;

use keyfold_design::model::{Entity, Over, words};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::Clock;

use crate::error::Error;
use crate::items::Items;

/// An item that depends on another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DependentItem {
    pub key: Attributes,
    pub content: DependentContent,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum DependentContent {
    /// An item whose key makes values unique.
    Lookup { item: Attributes, unique: String, attributes: Vec<String> },
    /// An item derived from one source.
    Derived {
        item: Attributes,
        /// Conditions under which the item at the key has the same source, if the key alone does not say so.
        same_source: Vec<Condition>,
        /// The derived entity, and the attributes that its key is made of.
        name: String,
        attributes: Vec<String>,
    },
    /// A set to which several sources contribute; `member` is a set with the one member of this source.
    SharedSet { item: Attributes, set: String, member: AttributeValue },
}

impl DependentItem {
    /// Whether this is the same item as another; for a shared set, the same member of it.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        let same_member = match (&self.content, &other.content) {
            (DependentContent::SharedSet { member: own, .. }, DependentContent::SharedSet { member: other, .. }) => {
                own == other
            }
            _ => true,
        };
        self.key == other.key && same_member
    }
}

/// Lookups and derived items of an item, and the changes that keep them in step.
#[derive(Clone, Copy)]
pub(super) struct Dependents<'r> {
    pub items: Items<'r>,
    pub clock: &'r dyn Clock,
}

impl Dependents<'_> {
    /// Every dependent item of an item with these attributes.
    pub(super) fn items_of(&self, entity: &Entity, attributes: &Attributes) -> Result<Vec<DependentItem>, Error> {
        let mut items = Vec::new();
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
            let content =
                DependentContent::Lookup { item, unique: unique.name.clone(), attributes: unique.attributes.clone() };
            items.push(DependentItem { key, content });
        }
        for derived in entity.derived.iter().map(|id| &self.items.design[*id]) {
            self.derive(entity, derived, attributes, &mut items)?;
        }
        // Two values can give the same key, such as words that differ only in case.
        let mut distinct: Vec<DependentItem> = Vec::with_capacity(items.len());
        for item in items {
            if !distinct.iter().any(|known| item.replaces(known)) {
                distinct.push(item);
            }
        }
        Ok(distinct)
    }

    fn derive(
        &self,
        entity: &Entity,
        derived: &Entity,
        source: &Attributes,
        items: &mut Vec<DependentItem>,
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
            let content = match &derivation.collects {
                None => {
                    expire_with(entity, source, &mut item);
                    let attributes = derived.layout.key_attributes().into_iter().map(str::to_owned).collect();
                    DependentContent::Derived {
                        same_source: same_source(entity, derived, &item),
                        item,
                        name: derived.name.clone(),
                        attributes,
                    }
                }
                Some(collects) => match source.get(&collects.member) {
                    Some(member) => {
                        item.remove(&collects.set);
                        let set = collects.set.clone();
                        DependentContent::SharedSet { item, set, member: one_member_set(&collects.member, member)? }
                    }
                    None => continue,
                },
            };
            items.push(DependentItem { key, content });
        }
        Ok(())
    }
}

/// Conditions under which the item at a derived item's key has the same source. None are needed if the key holds the
/// whole identity of the source; otherwise another source may have the same key, and must not take it over.
fn same_source(entity: &Entity, derived: &Entity, item: &Attributes) -> Vec<Condition> {
    let in_key = derived.layout.key_attributes();
    let outside_key = entity.identity.iter().filter(|name| !in_key.contains(&name.as_str()));
    outside_key.filter_map(|name| Some(Condition::absent_or_equals(name.clone(), item.get(name)?.clone()))).collect()
}

/// Dependent items expire together with their item: DynamoDB removes each on its own.
fn expire_with(entity: &Entity, attributes: &Attributes, item: &mut Attributes) {
    if let Some((name, value)) = entity.expiry().and_then(|expiry| attributes.get_key_value(&expiry.name)) {
        item.entry(name.clone()).or_insert_with(|| value.clone());
    }
}

/// The distinct values for which one item each is derived.
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

/// A set with one member.
fn one_member_set(attribute: &str, member: &AttributeValue) -> Result<AttributeValue, Error> {
    match member {
        AttributeValue::N(number) => Ok(AttributeValue::Ns(BTreeSet::from([*number]))),
        AttributeValue::S(text) => Ok(AttributeValue::Ss(BTreeSet::from([text.clone()]))),
        _ => Err(Error::constraint(attribute, Some(attribute), format!("`{attribute}` must be a string or a number"))),
    }
}
