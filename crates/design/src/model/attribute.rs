//! The attributes of an entity.

use keyfold_dynamo::{AttributeValue, Number};

use super::{AttributeType, Generator, Grantee};
use crate::span::Span;

#[derive(Debug, Clone)]
pub struct Attribute {
    pub name: String,
    pub span: Span,
    pub description: Option<String>,
    pub value_type: AttributeType,
    pub optional: bool,
    pub default: Option<AttributeValue>,
    /// How an absent value is made.
    pub generator: Option<Generator>,
    pub bounds: Vec<Bound>,
    pub pattern: Option<TextPattern>,
    /// Cannot change once the item exists.
    pub fixed: bool,
    /// Always has the value of another attribute.
    pub same_as: Option<String>,
    /// The callers who see the attribute; `None` means all callers who see the item.
    pub visible_to: Option<Grantee>,
    /// Kept out of logs.
    pub personal: bool,
    pub storage: Storage,
}

/// Where the value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// In an attribute of its own.
    Stored,
    /// In a key only, from which it is read.
    KeyOnly,
}

/// `at least 1`, `at most 200 characters`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    pub at_least: bool,
    pub limit: Number,
    pub unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The value of a number.
    Value,
    Characters,
    Items,
    Bytes,
}

impl Unit {
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Value => "",
            Self::Characters => " characters",
            Self::Items => " items",
            Self::Bytes => " bytes",
        }
    }
}

/// `matches /…/`: the whole value has to match.
#[derive(Debug, Clone)]
pub struct TextPattern {
    pub source: String,
    pub(crate) regex: regex::Regex,
}

impl TextPattern {
    pub(crate) fn compile(source: &str) -> Result<Self, regex::Error> {
        let regex = regex::RegexBuilder::new(&format!("^(?:{source})$")).size_limit(1 << 20).build()?;
        Ok(Self { source: source.to_owned(), regex })
    }

    pub fn admits(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

impl Attribute {
    /// A plain attribute of a type, as derived entities have for the values in their keys.
    pub(crate) fn key_only(name: &str, span: Span, value_type: AttributeType) -> Self {
        Self {
            name: name.to_owned(),
            span,
            description: None,
            value_type,
            optional: false,
            default: None,
            generator: None,
            bounds: Vec::new(),
            pattern: None,
            fixed: false,
            same_as: None,
            visible_to: None,
            personal: false,
            storage: Storage::KeyOnly,
        }
    }

    /// Whether an item may lack the attribute when it is written.
    pub fn may_be_absent(&self) -> bool {
        self.optional && self.default.is_none()
    }

    pub fn is_stored(&self) -> bool {
        self.storage == Storage::Stored
    }

    /// The smallest size a bound allows, in its unit.
    pub fn least(&self, unit: Unit) -> Option<&Number> {
        self.bounds.iter().find(|bound| bound.at_least && bound.unit == unit).map(|bound| &bound.limit)
    }

    pub fn most(&self, unit: Unit) -> Option<&Number> {
        self.bounds.iter().find(|bound| !bound.at_least && bound.unit == unit).map(|bound| &bound.limit)
    }
}
