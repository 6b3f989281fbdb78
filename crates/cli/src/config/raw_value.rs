//! Unparsed values of settings, with their sources.

use std::fmt;
use std::path::PathBuf;

/// An unparsed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawValue {
    /// One text, or the elements of a list.
    pub texts: Vec<String>,
    pub source: Source,
    /// Whether the text is the secret itself, not the name of its file.
    pub is_secret: bool,
}

/// The source of a value, in ascending precedence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Default,
    File { path: PathBuf, line: usize },
    Variable(String),
    Flag(String),
}

impl Source {
    /// The precedence; sources of the same rank do not override each other.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::File { .. } => 1,
            Self::Variable(_) => 2,
            Self::Flag(_) => 3,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::File { path, line } => write!(out, "file {}:{line}", path.display()),
            Self::Variable(name) => write!(out, "environment {name}"),
            Self::Flag(name) => write!(out, "flag {name}"),
        }
    }
}

impl RawValue {
    /// The text, or the first element of a list.
    pub(crate) fn text(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }
}
