//! The names of a design in Cedar.

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_design::model::{Entity, PerEntity, Verb};

/// The type of every principal. It has a namespace of its own, so that no entity of a design can have its name.
pub(crate) const CALLER_TYPE: &str = "Keyfold::Caller";

/// Words that Cedar's schemas or policies give a meaning of their own.
const RESERVED_WORDS: &[&str] = &[
    "Action",
    "Bool",
    "Boolean",
    "Entity",
    "Extension",
    "Long",
    "Record",
    "Set",
    "String",
    "datetime",
    "decimal",
    "duration",
    "ipaddr",
    "Keyfold",
];

/// The Cedar types of a design's entities.
#[derive(Debug, Clone)]
pub(crate) struct EntityTypes {
    names: PerEntity<String>,
}

impl EntityTypes {
    /// Names as the design has them; one that Cedar cannot have gets `_` where it has to.
    pub(crate) fn new(design: &Design) -> Self {
        let mut taken = BTreeSet::new();
        let names = PerEntity::new(design, |entity| {
            let mut name: String =
                entity.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            while RESERVED_WORDS.contains(&name.as_str()) || !is_identifier(&name) || taken.contains(&name) {
                name.push('_');
            }
            taken.insert(name.clone());
            name
        });
        Self { names }
    }

    pub(crate) fn name(&self, entity: &Entity) -> &str {
        &self.names[entity.id]
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }
}

/// `Action::"get"`.
pub(crate) fn action(verb: Verb) -> String {
    format!("Action::{}", quote(verb.as_str()))
}

/// Whether a name can stand without quotes.
pub(crate) fn is_identifier(name: &str) -> bool {
    cedar_policy::pst::Id::new(name).is_ok()
}

/// The name of an attribute in a schema, or behind `has`.
pub(crate) fn attribute(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quote(name) }
}

/// `resource.status`, or `resource["a b"]`.
pub(crate) fn member(of: &str, name: &str) -> String {
    if is_identifier(name) { format!("{of}.{name}") } else { format!("{of}[{}]", quote(name)) }
}

/// A text as a Cedar literal, whose escapes are Rust's.
pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", text.escape_debug())
}
