//! Key templates: `LICENSE#STATUS#<status>`, rendered from an item's attributes and read back from a key.

mod automaton;
mod format;
mod instant;
mod integer_range;
mod kind;
mod overlap;
mod parse;
mod prefix;
mod range;
mod read;
mod render;
mod sentinel;
#[cfg(test)]
mod tests;
mod timestamp;
mod unify;

pub use format::Format;
pub use instant::is_date;
pub use integer_range::{CharacterRange, IntegerRange};
pub use kind::{ValueKind, is_ulid, is_uuid};
pub use overlap::can_meet;
pub(crate) use overlap::{Overlap, are_apart_by_bounds, overlap};
pub(crate) use parse::parse;
pub(crate) use range::{Bound, Texts, can_be_within, can_begin_with};
pub use read::Bindings;
pub use render::TemplateError;
pub use timestamp::{Precision, TextFormat, Timestamp, TimestampFormat, Zone, is_datetime, utc_date};
pub(crate) use unify::{Binding, Fit, unify};

use std::sync::Arc;

use keyfold_dynamo::table::KeyType;

use crate::span::Span;

/// The character that separates the components of a key where the design does not say otherwise.
pub const DELIMITER: char = '#';

/// A key or an attribute composed of literal text and placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// As the design spells it.
    pub source: String,
    /// Where the design file states it.
    pub span: Span,
    /// Literal texts and placeholders, from left to right.
    pub parts: Vec<Part>,
    /// The character that separates the components; no value may contain it, unless it ends the key.
    pub delimiter: char,
    /// The type of the rendered value: text, unless a numeric or binary key is a plain attribute.
    pub key_type: KeyType,
    /// The template of items that lack an attribute of this one, as in `ALBUM#<parentId> or TENANT#<tenantId>`; `None`
    /// if they have no such key.
    pub otherwise: Option<Box<Template>>,
    /// Templates of other entities at the same key that own some texts this template could otherwise produce.
    rivals: Arc<[Template]>,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text that every key has.
    Literal(String),
    /// The value of an attribute.
    Placeholder(Placeholder),
}

/// `<attribute:format or fallback>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    /// The attribute, or the parameter in the condition of a pattern.
    pub attribute: String,
    /// Where the design file states it.
    pub span: Span,
    /// Applied from left to right; empty for the value as it is.
    pub formats: Vec<Format>,
    /// The text that stands for an absent value.
    pub fallback: Option<String>,
    /// How the attribute's values look as text; known once the template is resolved against an entity.
    pub kind: ValueKind,
    /// Whether an item may lack the attribute.
    pub optional: bool,
    /// The bounds of an integer; `None` if it has none. Keys beyond them are read all the same, unless they are those
    /// of another template: items may be older than the bounds.
    pub range: Option<IntegerRange>,
    /// The text of a default that contains what separates the parts of the key: no other value may contain it. `None`
    /// for other defaults, and at the end of a key, where any value may.
    pub sentinel: Option<String>,
}

impl Template {
    /// A template of parts that are known already; a text key without alternative.
    pub fn new(source: impl Into<String>, span: Span, parts: Vec<Part>, delimiter: char) -> Self {
        Self {
            source: source.into(),
            span,
            parts,
            delimiter,
            key_type: KeyType::S,
            otherwise: None,
            rivals: Arc::from([]),
        }
    }

    /// The template `<attribute>`: a key that is a plain attribute.
    pub fn plain(attribute: &str, span: Span, delimiter: char) -> Self {
        let placeholder = Placeholder {
            attribute: attribute.to_owned(),
            span,
            formats: Vec::new(),
            fallback: None,
            kind: ValueKind::Text,
            optional: false,
            range: None,
            sentinel: None,
        };
        Self::new(format!("<{attribute}>"), span, vec![Part::Placeholder(placeholder)], delimiter)
    }

    /// Text without placeholders.
    pub fn literal(text: &str, span: Span, delimiter: char) -> Self {
        Self::new(text, span, vec![Part::Literal(text.to_owned())], delimiter)
    }

    /// The placeholders, without those of the alternative.
    pub fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Placeholder(placeholder) => Some(placeholder),
            Part::Literal(_) => None,
        })
    }

    pub(crate) fn placeholders_mut(&mut self) -> impl Iterator<Item = &mut Placeholder> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Placeholder(placeholder) => Some(placeholder),
            Part::Literal(_) => None,
        })
    }

    /// This template and the one that stands in for it.
    pub fn alternatives(&self) -> impl Iterator<Item = &Template> {
        std::iter::successors(Some(self), |template| template.otherwise.as_deref())
    }

    /// The attributes the text depends on, each once.
    pub fn attributes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for placeholder in self.alternatives().flat_map(Template::placeholders) {
            if !names.contains(&placeholder.attribute.as_str()) {
                names.push(&placeholder.attribute);
            }
        }
        names
    }

    /// Whether every item gets the same text.
    pub fn is_constant(&self) -> bool {
        self.placeholders().next().is_none()
    }

    /// The text of a template without placeholders.
    pub fn constant(&self) -> Option<&str> {
        match self.parts.as_slice() {
            _ if self.otherwise.is_some() => None,
            [Part::Literal(text)] => Some(text),
            [] => Some(""),
            _ => None,
        }
    }

    /// The placeholder of a template that is nothing but one attribute, unchanged.
    pub fn plain_attribute(&self) -> Option<&Placeholder> {
        match self.parts.as_slice() {
            [Part::Placeholder(placeholder)]
                if placeholder.formats.is_empty() && placeholder.fallback.is_none() && self.otherwise.is_none() =>
            {
                Some(placeholder)
            }
            _ => None,
        }
    }

    /// Whether an item may have no text for this template.
    pub fn is_sparse(&self) -> bool {
        self.alternatives().all(|template| {
            template.placeholders().any(|placeholder| placeholder.optional && placeholder.fallback.is_none())
        })
    }

    /// The literal text that every rendering begins with.
    pub fn literal_prefix(&self) -> &str {
        match self.parts.first() {
            Some(Part::Literal(text)) => text,
            _ => "",
        }
    }

    /// How much of the template is literal text.
    pub(crate) fn literal_length(&self) -> usize {
        self.parts.iter().map(|part| if let Part::Literal(text) = part { text.len() } else { 0 }).sum()
    }

    /// In how many shards the template spreads its items, where it does.
    pub fn shards(&self) -> Option<u32> {
        self.placeholders().flat_map(|placeholder| &placeholder.formats).find_map(|format| match format {
            Format::Shard(count) => Some(*count),
            _ => None,
        })
    }

    /// The same template, with numbers of any size: its keys are read whatever their bounds.
    pub(crate) fn without_ranges(&self) -> Self {
        let mut template = self.clone();
        template.placeholders_mut().for_each(|placeholder| placeholder.range = None);
        template.otherwise = self.otherwise.as_ref().map(|otherwise| Box::new(otherwise.without_ranges()));
        template
    }

    /// The templates of other entities whose texts this one neither produces nor reads.
    pub fn rivals(&self) -> &[Template] {
        &self.rivals
    }

    /// Tells the template which others share its key, so that it neither produces nor reads a text of theirs.
    pub(crate) fn set_rivals(&mut self, rivals: Vec<Template>) {
        self.rivals = rivals.into_iter().map(|rival| Template { rivals: Arc::from([]), ..rival }).collect();
    }

    /// Whether the part at an index is the last one.
    pub(crate) fn is_last(&self, index: usize) -> bool {
        index + 1 == self.parts.len()
    }

    /// The character that ends the placeholder at an index: the first one of the literal that follows.
    pub(crate) fn terminator(&self, index: usize) -> Option<char> {
        match self.parts.get(index + 1) {
            Some(Part::Literal(text)) => text.chars().next(),
            _ => None,
        }
    }
}

impl Placeholder {
    /// Whether the attribute's value can be read from the text.
    pub fn is_reversible(&self) -> bool {
        let keeps = |format: &Format| {
            matches!(
                format,
                Format::Url | Format::Width(_) | Format::Descending(_) | Format::StartOfDay(_) | Format::EndOfDay(_)
            )
        };
        self.fallback.is_none() && self.formats.iter().all(keeps)
    }

    /// Whether the text determines the value, unless it is the fallback's.
    pub fn is_recoverable(&self) -> bool {
        self.formats.is_empty() || self.is_reversible()
    }

    /// How many characters the text has, where that is always the same.
    pub fn fixed_length(&self) -> Option<usize> {
        self.formats.iter().fold(self.kind.fixed_length(), |length, format| format.fixed_length(length, &self.kind))
    }
}

impl Placeholder {
    /// The length by which the piece is found in a key: a fallback of another length makes counting impossible.
    pub(crate) fn counted_length(&self) -> Option<usize> {
        let length = self.fixed_length()?;
        self.fallback.as_ref().is_none_or(|fallback| fallback.chars().count() == length).then_some(length)
    }
}

impl std::fmt::Display for Template {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.source)
    }
}
