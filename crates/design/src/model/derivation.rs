//! Items that are made from the items of another entity and kept in step with them.

use std::collections::BTreeSet;

use super::{EntityId, Layout};
use crate::span::Span;
use crate::template::Template;

/// `derived from: Site, for each tag in tags`.
#[derive(Debug, Clone)]
pub struct Derivation {
    /// The entity whose items these follow.
    pub source: EntityId,
    /// Where the design file states it.
    pub span: Span,
    /// The values with an item each; `None` for one item per source.
    pub each: Option<Each>,
    /// The set that gathers the sources which share an item; `None` if each item has one source.
    pub collects: Option<Collects>,
    /// The declared attributes whose values come from the source's attributes of the same name.
    pub copies: Vec<String>,
}

/// A value of the source that the derived items hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copied<'d> {
    /// The source's attribute.
    pub source: &'d str,
    /// The derived entity's attribute that shows it.
    pub target: &'d str,
}

impl Derivation {
    /// What the derived items hold of their source: as attributes, in keys and fixed attributes, as the values that
    /// they are made for, in the set that gathers sources.
    pub(crate) fn copied<'d>(&'d self, layout: &'d Layout) -> Vec<Copied<'d>> {
        let same = |name: &'d str| Copied { source: name, target: name };
        let mut copied: Vec<Copied<'d>> = self.copies.iter().map(|name| same(name)).collect();
        let templates = layout.computed.iter().flat_map(|computed| computed.template.alternatives());
        let variable = self.each.as_ref().map(|each| each.variable.as_str());
        let placeholders = templates.flat_map(Template::placeholders).map(|placeholder| placeholder.attribute.as_str());
        copied.extend(placeholders.filter(|name| Some(*name) != variable).map(same));
        if let Some(each) = &self.each {
            copied.extend(each.over.attributes().into_iter().map(|source| Copied { source, target: &each.variable }));
        }
        if let Some(Collects { set, member }) = &self.collects {
            copied.push(Copied { source: member, target: set });
        }
        copied
    }
}

/// `for each tag in tags`: one derived item for each value.
#[derive(Debug, Clone)]
pub struct Each {
    /// The placeholder that stands for the value.
    pub variable: String,
    /// Where the values come from.
    pub over: Over,
}

/// What a derivation makes an item for.
#[derive(Debug, Clone)]
pub enum Over {
    /// The items of a list or set.
    Items(String),
    /// The values of several attributes.
    Attributes(Vec<String>),
    /// The words of a text.
    Words(String),
}

impl Over {
    /// The source's attributes it reads.
    pub fn attributes(&self) -> Vec<&str> {
        match self {
            Self::Items(name) | Self::Words(name) => vec![name],
            Self::Attributes(names) => names.iter().map(String::as_str).collect(),
        }
    }
}

/// `collects: placeIds <id>`: the set attribute and the source's attribute that goes into it.
#[derive(Debug, Clone)]
pub struct Collects {
    /// The attribute of the derived item; a string set.
    pub set: String,
    /// The source's attribute.
    pub member: String,
}

/// The words of a text: runs of letters and digits, each once, spelt as in the text.
pub fn words(text: &str) -> BTreeSet<String> {
    text.split(|character: char| !character.is_alphanumeric() && character != '\'' && character != '’')
        .map(|word| word.trim_matches(['\'', '’']))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
