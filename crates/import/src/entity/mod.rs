//! Entities: groups of items with the templates of their keys and the types of their attributes.

mod build;
mod context;
mod index_keys;
mod naming;
mod source;
mod unknown;

pub(crate) use build::{Kinds, entities, plain_key};

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::sample::Group;
use crate::template::{Pool, Recognized};
use crate::types::Guess;

/// An entity of the draft.
#[derive(Debug, Clone)]
pub(crate) struct Entity<'a> {
    pub name: String,
    pub group: Group<'a>,
    pub pool: Pool,
    /// The keys of the table, then of its indexes.
    pub keys: Vec<Key>,
    /// Constant attributes that are not keys: the discriminator.
    pub fixed: Vec<(String, String)>,
    pub attributes: Vec<Attribute>,
    /// Names that the language has no way to write.
    pub unwritable: Vec<String>,
    /// Whether the partition is its own: the sort key says nothing but that.
    pub is_root: bool,
    /// What a reader should know of the entity as a whole.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub name: String,
    pub is_base: bool,
    pub form: Form,
    /// Items that have it.
    pub found: usize,
    pub note: Option<String>,
}

/// How a key is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    Template(Recognized),
    /// The key is an attribute itself.
    Plain,
}

#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub name: String,
    pub guess: Guess,
    /// Only the key contains it.
    pub key_only: bool,
    /// The attribute that always has the same value.
    pub same_as: Option<String>,
    pub notes: Vec<String>,
}

impl Entity<'_> {
    pub(crate) fn size(&self) -> usize {
        self.group.items.len()
    }

    pub(crate) fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The template of a key, where it has one.
    pub(crate) fn template(&self, key: &str) -> Option<&Recognized> {
        match &self.key(key)?.form {
            Form::Template(template) => Some(template),
            Form::Plain => None,
        }
    }

    /// The template of a key as the design spells it; a key that is an attribute itself is that placeholder.
    pub(crate) fn source(&self, key: &str) -> Option<String> {
        match &self.key(key)?.form {
            Form::Template(template) => template.source(),
            Form::Plain => Some(format!("<{key}>")),
        }
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The attributes in the table's own key.
    pub(crate) fn identity(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for key in self.keys.iter().filter(|key| key.is_base) {
            let own: Vec<&str> = match &key.form {
                Form::Template(template) => template.attributes().collect(),
                Form::Plain => vec![key.name.as_str()],
            };
            for name in own {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// The values of an attribute in a group, item by item.
pub(crate) fn column(items: &[&Attributes], name: &str) -> Vec<Option<AttributeValue>> {
    items.iter().map(|item| item.get(name).cloned()).collect()
}

/// Whether a placeholder can name an attribute, and `attributes:` declare it.
pub(crate) fn is_writable(name: &str) -> bool {
    !name.is_empty() && name.len() <= 255 && !name.contains(['<', '>', ' ', '.']) && !name.contains(char::is_control)
}

/// Whether a placeholder can name an attribute.
pub(crate) fn is_placeholder(name: &str) -> bool {
    is_writable(name)
        && name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'))
}
