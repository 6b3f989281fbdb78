//! Why a template cannot be read, and where.

use super::tree::Place;

/// What is wrong with a template: the place, where there is one, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateFault {
    pub place: Option<Place>,
    pub message: String,
}

impl TemplateFault {
    pub fn at(place: Place, message: impl Into<String>) -> Self {
        Self { place: Some(place), message: message.into() }
    }

    pub fn whole(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }
}
