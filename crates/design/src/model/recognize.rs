//! Which entity an item is, by its keys alone: others may not write a type attribute.

use keyfold_dynamo::{AttributeValue, Attributes};

use super::{Design, Entity, EntityId, KeyPart, Layout};
use crate::template::Bindings;

impl Design {
    /// The entity whose key templates produce the item's keys, the most specific first. Where several entities have the
    /// same keys, the item has to hold the attribute that tells them apart.
    pub fn recognize(&self, item: &Attributes) -> Option<EntityId> {
        self.recognition.iter().copied().find(|id| self[*id].owns(item))
    }

    /// Whether a part of an item lacks the attribute that tells which of several entities with the same keys it has.
    pub fn lacks_kind(&self, part: &Attributes) -> bool {
        if self.kind_attributes.is_empty() {
            return false;
        }
        let kinds = self.entities.iter().filter_map(|entity| Some((entity, entity.kind.as_ref()?)));
        let mut lacking = kinds.filter(|(_, kind)| !part.contains_key(&kind.attribute));
        lacking.any(|(entity, _)| entity.layout.owns(part))
    }

    /// Whether an attribute tells several entities with the same keys apart.
    pub fn is_kind_attribute(&self, name: &str) -> bool {
        self.kind_attributes.iter().any(|attribute| attribute == name)
    }

    /// The entity and unique whose lookup item this is.
    pub fn recognize_lookup(&self, item: &Attributes) -> Option<(EntityId, &str)> {
        self.entities.iter().find_map(|entity| {
            let unique = entity.uniques.iter().find(|unique| unique.layout.owns(item))?;
            Some((entity.id, unique.name.as_str()))
        })
    }
}

impl Entity {
    /// The attributes in the item's base key.
    pub fn read_key(&self, item: &Attributes) -> Option<Bindings> {
        self.layout.read_key(item)
    }
}

impl Entity {
    /// Whether an index key or fixed attribute contains an attribute's value, as [`Entity::read_keys`] reads it.
    pub fn is_recoverable_from_keys(&self, attribute: &str) -> bool {
        let templates = self.layout.computed.iter().flat_map(|computed| computed.template.alternatives());
        templates
            .flat_map(|template| template.placeholders())
            .any(|placeholder| placeholder.attribute == attribute && placeholder.is_recoverable())
    }

    /// All attributes in the item's keys and fixed attributes: those that are `key only`, and those that other writers
    /// did not store.
    pub fn read_keys(&self, item: &Attributes) -> Option<Bindings> {
        self.layout.read_keys(item)
    }
}

impl Layout {
    /// Whether the base key of an item is one that this layout produces.
    pub fn owns(&self, item: &Attributes) -> bool {
        let fits = |part: &KeyPart| match item.get(&part.key.name) {
            Some(AttributeValue::S(text)) => part.template.matches(text),
            Some(value) => part.template.plain_attribute().is_some() && part.key.key_type.admits(value),
            None => false,
        };
        fits(&self.partition) && self.sort.as_ref().is_none_or(fits)
    }

    /// All attributes in the keys and fixed attributes of an item; `None` for an item of another layout.
    pub fn read_keys(&self, item: &Attributes) -> Option<Bindings> {
        let mut bindings = self.read_key(item)?;
        for computed in &self.computed {
            let further = item.get(&computed.name).and_then(|value| computed.template.read_value(value));
            for (name, value) in further.into_iter().flatten() {
                bindings.entry(name).or_insert(value);
            }
        }
        Some(bindings)
    }

    /// The attributes in a base key; `None` for a key of another layout.
    pub fn read_key(&self, item: &Attributes) -> Option<Bindings> {
        let mut bindings = self.partition.template.read_value(item.get(&self.partition.key.name)?)?;
        if let Some(sort) = &self.sort {
            for (name, value) in sort.template.read_value(item.get(&sort.key.name)?)? {
                match bindings.get(&name) {
                    Some(known) if *known != value => return None,
                    Some(_) => {}
                    None => {
                        bindings.insert(name, value);
                    }
                }
            }
        }
        Some(bindings)
    }
}

/// How much of a key is literal: what recognition tries first.
pub(crate) fn specificity(layout: &Layout) -> (usize, usize) {
    let sort = layout.sort.as_ref().map_or(0, |part| part.template.literal_length());
    (sort, layout.partition.template.literal_length())
}
