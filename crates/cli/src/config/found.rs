//! What was found for a setting, and where.

use std::fmt;
use std::path::PathBuf;

/// A value as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// One text, or those of a list.
    pub texts: Vec<String>,
    pub source: Source,
    /// Whether the text is a secret itself, and no file with one.
    pub is_secret: bool,
}

/// Where a value comes from. The later wins over the earlier.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Default,
    File { path: PathBuf, line: usize },
    Variable(String),
    Flag(String),
}

impl Source {
    /// Sources of the same rank cannot overrule each other.
    pub fn rank(&self) -> u8 {
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

impl Found {
    /// The one text; of a list, the first.
    pub fn text(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }

    /// How it is shown: never a secret.
    pub fn shown(&self, about: &super::setting::About) -> String {
        use super::setting::Form;
        match about.form {
            Form::Secret if self.is_secret => "(set)".to_owned(),
            Form::Secret => format!("(set, from file {})", self.text()),
            _ if self.texts.is_empty() => "(none)".to_owned(),
            _ => self.texts.join(", "),
        }
    }
}
