//! The names of a design in Cedar.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};

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
    by_position: Vec<String>,
}

impl EntityTypes {
    /// Names as the design has them; one that Cedar cannot have gets `_` where it has to.
    pub(crate) fn new(design: &Design) -> Self {
        let mut by_position: Vec<String> = Vec::new();
        for entity in &design.entities {
            let mut name: String =
                entity.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            while RESERVED_WORDS.contains(&name.as_str()) || !is_identifier(&name) || by_position.contains(&name) {
                name.push('_');
            }
            by_position.push(name);
        }
        Self { by_position }
    }

    pub(crate) fn name(&self, entity: &Entity) -> &str {
        self.by_position.get(entity.id.index()).map_or("", String::as_str)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_position.iter().map(String::as_str)
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
