//! Checks a draft against its sample: for every item, the templates must render the item's keys.

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::table::ImportedTable;

/// A key of an entity that its template renders differently for some item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyMismatch {
    pub entity: String,
    pub key: String,
    pub reason: String,
}

/// The keys whose templates are wrong for an item that the design recognizes.
pub(super) fn key_mismatches(facts: &ImportedTable, design: &Design, items: &[Attributes]) -> Vec<KeyMismatch> {
    let mut found: Vec<KeyMismatch> = Vec::new();
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for item in items {
        let Some(entity) = design.recognize(item).map(|id| &design[id]) else { continue };
        // Attributes that are in the keys alone; none where a key does not parse, which shows below as a mismatch.
        let from_keys = entity.read_keys(item).unwrap_or_default();
        let lookup = |name: &str| -> Option<&AttributeValue> { item.get(name).or_else(|| from_keys.get(name)) };
        let computed = entity.layout.compute(lookup);
        // An item with a key that its entity does not have was recognized as the wrong kind.
        for key in facts.index_only_keys().into_iter().filter(|key| item.contains_key(&key.name)) {
            let name = &key.name;
            let is_known =
                entity.attribute(name).is_some() || entity.layout.computed_names().any(|known| known == name);
            if !is_known && seen.insert((entity.name.clone(), name.clone())) {
                let reason = "it is in items that look like these, and in none of these".to_owned();
                found.push(KeyMismatch { entity: entity.name.clone(), key: name.clone(), reason });
            }
        }
        for key in &entity.layout.computed {
            let name = &key.name;
            if !facts.is_key(name) || seen.contains(&(entity.name.clone(), name.clone())) {
                continue;
            }
            let reason = match &computed {
                Ok(computed) if computed.get(name) == item.get(name) => continue,
                Ok(computed) => match (computed.get(name), item.get(name)) {
                    (Some(_), None) => "items without it have all attributes of its template".to_owned(),
                    (None, Some(_)) => "items with it lack attributes of its template".to_owned(),
                    _ => "its template gives another key for some items".to_owned(),
                },
                // Some key of the item cannot be rendered; rendering each by itself shows which one.
                Err(_) => match key.template.render(lookup) {
                    Ok(value) if value.as_ref() == item.get(name) => continue,
                    Ok(_) => "its template gives another key for some items".to_owned(),
                    Err(_) => "some values are ambiguous in it, or belong to another template".to_owned(),
                },
            };
            seen.insert((entity.name.clone(), name.clone()));
            found.push(KeyMismatch { entity: entity.name.clone(), key: name.clone(), reason });
        }
    }
    found
}
