//! Whether a draft is true of items, by the runtime's own way to make keys.

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_dynamo::Attributes;
use keyfold_import::ImportedTable;

/// Every item that the design recognizes has, key by key, what the templates of its entity give. Tells how many there
/// are.
pub(crate) fn assert_sound(facts: &ImportedTable, design: &Design, items: &[Attributes]) -> usize {
    let keys: BTreeSet<&str> = facts
        .table
        .keys()
        .chain(facts.indexes.iter().flat_map(|index| index.keys()))
        .map(|key| key.name.as_str())
        .collect();
    let mut recognized = 0;
    for item in items {
        let Some(entity) = design.recognize(item).map(|id| &design[id]) else { continue };
        recognized += 1;
        let told = entity.read_keys(item).unwrap_or_else(|| panic!("{} does not read {item:?}", entity.name));
        let lookup = |name: &str| item.get(name).or_else(|| told.get(name));
        let computed =
            entity.layout.compute(lookup).unwrap_or_else(|error| panic!("{}: {error} for {item:?}", entity.name));
        for key in &entity.layout.computed {
            if keys.contains(key.name.as_str()) {
                assert_eq!(computed.get(&key.name), item.get(&key.name), "{}.{} of {item:?}", entity.name, key.name);
            }
        }
        // What is not a template is an attribute, which holds the key itself.
        for key in &keys {
            let is_made = entity.layout.computed.iter().any(|computed| computed.name == *key);
            assert!(is_made || !item.contains_key(*key) || entity.attribute(key).is_some(), "{}.{key}", entity.name);
        }
    }
    recognized
}
