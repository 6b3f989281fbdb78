//! Items that seem to be made from others: one per element of a list, one per word of a text.

use std::collections::BTreeSet;

use keyfold_dynamo::AttributeValue;

use crate::entity::Entity;

/// Tells of each entity whose last key part is an element of a list, or a word of a text, that another entity has.
pub(crate) fn note(entities: &mut [Entity<'_>]) {
    let notes: Vec<Option<String>> = (0..entities.len()).map(|at| note_of(entities, at)).collect();
    for (entity, note) in entities.iter_mut().zip(notes) {
        entity.notes.extend(note);
    }
}

fn note_of(entities: &[Entity<'_>], at: usize) -> Option<String> {
    let own = entities.get(at)?;
    let last = *own.identity().last()?;
    let column = own.pool.column(last)?;
    let values: BTreeSet<String> = (0..own.pool.rows).filter_map(|row| column.text(row, &[])).collect();
    // A few values are elements of many lists.
    if values.len() < 3 {
        return None;
    }
    for other in entities.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other) {
        for attribute in other.attributes.iter().filter(|attribute| !attribute.key_only) {
            let (mut elements, mut words) = (BTreeSet::new(), BTreeSet::new());
            for value in other.group.items.iter().filter_map(|item| item.get(&attribute.name)) {
                parts(value, &mut elements, &mut words);
            }
            let name = &attribute.name;
            if values.is_subset(&elements) {
                let loop_over = format!("derived from: {}, for each {last} in {name}", other.name);
                return Some(format!("guess: one item per element of {}.{name} (`{loop_over}`)", other.name));
            }
            if words.len() > elements.len() && values.is_subset(&words) {
                let loop_over = format!("derived from: {}, for each {last} in words({name})", other.name);
                return Some(format!("guess: one item per word of {}.{name} (`{loop_over}`)", other.name));
            }
        }
    }
    None
}

fn parts(value: &AttributeValue, elements: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    match value {
        AttributeValue::L(items) => elements.extend(items.iter().filter_map(crate::sample::key_text)),
        AttributeValue::Ss(set) => elements.extend(set.iter().cloned()),
        // One word is a value, and no text.
        AttributeValue::S(text) if text.contains(' ') => {
            words.extend(
                text.split(|character: char| !(character.is_alphanumeric() || "'-.".contains(character)))
                    .map(str::to_owned),
            );
            words.extend(text.split(|character: char| !character.is_alphanumeric()).map(str::to_owned));
            words.extend(
                text.split(|character: char| !(character.is_alphanumeric() || character == '\'')).map(str::to_owned),
            );
        }
        _ => {}
    }
}
