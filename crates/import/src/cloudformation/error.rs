//! Errors in a template, with their positions.

/// A position in the template; line and column start at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// An error in a template, with its position where it has one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateError {
    pub position: Option<Position>,
    pub message: String,
}

impl TemplateError {
    pub fn at(position: Position, message: impl Into<String>) -> Self {
        Self { position: Some(position), message: message.into() }
    }

    pub fn whole(message: impl Into<String>) -> Self {
        Self { position: None, message: message.into() }
    }
}
