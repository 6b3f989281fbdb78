//! Stored values that do not fit the types of a module.

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::Error;

/// Why a stored value does not fit the type in the module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct TypeMismatch {
    cause: String,
    /// Whether the module is what does not fit, not the item.
    is_of_module: bool,
}

impl TypeMismatch {
    /// `cause` says what is wrong with the value, in the words of an error message.
    pub fn new(cause: impl Into<String>) -> Self {
        Self { cause: cause.into(), is_of_module: false }
    }

    /// A pattern returned an entity that the module does not know to be in it: it was made from another design.
    pub fn unexpected_entity(entity: &str) -> Self {
        Self { is_of_module: true, ..Self::new(format!("it is of {entity}: generate the module again")) }
    }

    /// Whether the module was made from another design, so that no item of the page tells anything.
    pub(crate) fn is_of_module(&self) -> bool {
        self.is_of_module
    }

    pub(crate) fn wrong_type(wanted: &str, found: &AttributeValue) -> Self {
        Self::new(format!("it is {}, and not {wanted}", found.value_type().as_str()))
    }

    pub(crate) fn in_attribute(self, attribute: &str) -> Self {
        Self::new(format!("`{attribute}`: {}", self.cause))
    }

    /// The error of a call that found such an item.
    pub(crate) fn into_error(self, entity: &keyfold_design::model::Entity, item: &Attributes) -> Error {
        Error::Undecodable { key: identity_text(entity, item), expected: entity.name.clone(), cause: self.cause }
    }
}

/// The identity of an item in an error: `name=value, name=value`.
pub(crate) fn identity_text(entity: &keyfold_design::model::Entity, item: &Attributes) -> String {
    let text = |name: &String| match item.get(name) {
        Some(AttributeValue::S(text)) => format!("{name}={text}"),
        Some(AttributeValue::N(number)) => format!("{name}={number}"),
        _ => format!("{name}=?"),
    };
    entity.identity.iter().map(text).collect::<Vec<String>>().join(", ")
}
