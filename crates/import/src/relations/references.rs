//! Attributes that hold the id of another item.

use std::collections::BTreeSet;

use keyfold_design::casing::camel;

use crate::entity::Entity;
use crate::sample::identifier_words;

/// Tells of each attribute whose values are all ids of items of another entity.
pub(crate) fn note(entities: &mut [Entity<'_>]) {
    let targets: Vec<(String, String, BTreeSet<String>)> = entities
        .iter()
        .filter_map(|entity| match entity.identity().as_slice() {
            [only] => Some((entity.name.clone(), (*only).to_owned(), texts(entity, only))),
            _ => None,
        })
        .collect();
    for entity in entities.iter_mut() {
        let identity: Vec<String> = entity.identity().into_iter().map(str::to_owned).collect();
        let mut notes: Vec<(usize, String)> = Vec::new();
        for (at, attribute) in entity.attributes.iter().enumerate() {
            let words = identifier_words(&attribute.name);
            let is_own = identity.len() == 1 && identity.first() == Some(&attribute.name);
            if is_own || words.len() < 2 || words.last().is_none_or(|last| last != "id") {
                continue;
            }
            let values = texts(entity, &attribute.name);
            let by_name = |name: &str| attribute.name == format!("{}Id", camel(identifier_words(name)));
            let mut found: Vec<&(String, String, BTreeSet<String>)> = targets
                .iter()
                .filter(|(name, id, known)| {
                    let is_named = *id == attribute.name || by_name(name);
                    *name != entity.name && is_named && !values.is_empty() && values.is_subset(known)
                })
                .collect();
            found.sort_by_key(|(name, _, _)| !by_name(name));
            if let Some((name, _, _)) = found.first() {
                let count = values.len();
                notes.push((at, format!("refers to {name}? {count} of {count} values are there")));
            }
        }
        for (at, note) in notes {
            if let Some(attribute) = entity.attributes.get_mut(at) {
                attribute.notes.push(note);
            }
        }
    }
}

fn texts(entity: &Entity<'_>, name: &str) -> BTreeSet<String> {
    match entity.pool.column(name) {
        Some(column) => (0..entity.pool.rows).filter_map(|row| column.text(row, &[])).collect(),
        None => BTreeSet::new(),
    }
}
