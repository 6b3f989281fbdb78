//! The attributes of an entity.

use std::fmt;

use keyfold_dynamo::{AttributeValue, Number};

use super::{AttributeType, Generator, Grantee};
use crate::counted;
use crate::span::Span;
use crate::template::{IntegerRange, Template};

/// An attribute that an entity declares: `endDate: date, optional`.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// As stored in the table; case-sensitive.
    pub name: String,
    /// Where the design file states it.
    pub span: Span,
    /// Prose for generated documents; `None` if the design has none.
    pub description: Option<String>,
    /// The type that values have to be of.
    pub value_type: AttributeType,
    /// Whether `optional` is stated. Required by default.
    pub optional: bool,
    /// The value of an item that is created without the attribute: `default active`.
    pub default: Option<AttributeValue>,
    /// How an absent value is made.
    pub generator: Option<Generator>,
    /// Limits of the value or its size, all of which hold; empty by default.
    pub bounds: Vec<Bound>,
    /// The regular expression that texts have to match; `None` admits any text of the type.
    pub pattern: Option<TextPattern>,
    /// Cannot change once the item exists.
    pub fixed: bool,
    /// The attribute whose value it always has; `None` if it has its own.
    pub same_as: Option<String>,
    /// What the value is made of: `<last>, <first>`; `None` if callers or the runtime set it.
    pub computed: Option<Template>,
    /// The callers who see the attribute; `None` means all callers who see the item.
    pub visible_to: Option<Grantee>,
    /// The callers who set the attribute; `None` means all callers who write the item.
    pub settable_by: Option<Grantee>,
    /// Kept out of logs.
    pub personal: bool,
    /// Whether the value has an attribute of its own; `Stored` unless the design says `key only`.
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
    /// Whether the limit is the least value, rather than the most. The limit itself is admitted.
    pub at_least: bool,
    /// In the unit.
    pub limit: Number,
    /// What is measured.
    pub unit: Unit,
}

/// What a bound measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The value of a number.
    Value,
    /// Unicode scalar values of a text.
    Characters,
    /// Different words of a text, as `words(…)` of a derived entity takes them.
    Words,
    /// Elements of a list, set or map.
    Items,
    /// The size of the value as DynamoDB counts it.
    Bytes,
}

impl Unit {
    /// A number of the unit in a sentence: `200 characters`; the bare number for a plain value.
    pub fn describe(self, number: impl fmt::Display) -> String {
        match self {
            Self::Value => number.to_string(),
            Self::Characters => counted(number, "character"),
            Self::Words => counted(number, "word"),
            Self::Items => counted(number, "item"),
            Self::Bytes => counted(number, "byte"),
        }
    }
}

/// As a design states it.
impl fmt::Display for Bound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.at_least { "at least" } else { "at most" };
        write!(out, "{side} {}", self.unit.describe(self.limit))
    }
}

/// `matches /…/`: the whole value has to match.
#[derive(Debug, Clone)]
pub struct TextPattern {
    /// Between the slashes, without anchors.
    pub source: String,
    pub(crate) regex: regex::Regex,
}

impl TextPattern {
    pub(crate) fn compile(source: &str) -> Result<Self, regex::Error> {
        let regex = regex::RegexBuilder::new(&format!("^(?:{source})$")).size_limit(1 << 20).build()?;
        Ok(Self { source: source.to_owned(), regex })
    }

    /// Whether the whole text matches.
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
            computed: None,
            visible_to: None,
            settable_by: None,
            personal: false,
            storage: Storage::KeyOnly,
        }
    }

    /// Whether an item may lack the attribute when it is written.
    pub fn may_be_absent(&self) -> bool {
        self.optional && self.default.is_none()
    }

    /// Whether the value has an attribute of its own in stored items.
    pub fn is_stored(&self) -> bool {
        self.storage == Storage::Stored
    }

    /// The bounds of an integer; `None` for other types, and for an integer without bounds.
    pub(crate) fn integer_range(&self) -> Option<IntegerRange> {
        let (least, most) = (self.least(Unit::Value), self.most(Unit::Value));
        if self.value_type != AttributeType::Integer || least.is_none() && most.is_none() {
            return None;
        }
        let bound = |bound: Option<&Number>, without: i64| bound.map_or(Some(without), Number::to_i64);
        Some(IntegerRange { least: bound(least, i64::MIN)?, most: bound(most, i64::MAX)? })
    }

    /// The smallest size a bound allows, in its unit.
    pub fn least(&self, unit: Unit) -> Option<&Number> {
        self.bounds.iter().find(|bound| bound.at_least && bound.unit == unit).map(|bound| &bound.limit)
    }

    /// The largest size a bound allows, in its unit; `None` without such a bound.
    pub fn most(&self, unit: Unit) -> Option<&Number> {
        self.bounds.iter().find(|bound| !bound.at_least && bound.unit == unit).map(|bound| &bound.limit)
    }
}
