//! The parts of base keys: which are words of the design, and which are values.

use std::collections::{BTreeMap, BTreeSet};

use super::own_texts::OwnTexts;
use super::words::{is_identifier, is_upper};

/// One part of a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Token {
    Literal(String),
    Value,
}

/// The parts of a key, between delimiters; a value at the end takes whatever is left.
pub(crate) type Shape = Vec<Token>;

/// A key attribute of all items, on the way to its shapes.
pub(super) struct KeyColumn<'a> {
    pub texts: Vec<Option<&'a str>>,
    /// The texts of each item's own attributes.
    pub own: &'a [OwnTexts],
    /// Whether the whole key of an item stands in the other key as well, as singletons have it.
    pub repeated: Vec<bool>,
    /// The names of each item's attributes, as one text.
    pub schemas: &'a [String],
    pub is_partition: bool,
    pub delimiter: char,
}

/// Parts under the same parent, of which the same decision is taken.
struct Siblings<'a> {
    /// Items by text.
    texts: BTreeMap<&'a str, Vec<usize>>,
    total: usize,
    position: usize,
    is_last: bool,
    follows_value: bool,
}

impl KeyColumn<'_> {
    /// The shape of each item's key; keys that are not texts have none.
    pub(super) fn shapes(&self) -> Vec<Option<Shape>> {
        let parts: Vec<Option<Vec<&str>>> =
            self.texts.iter().enumerate().map(|(item, text)| text.map(|text| self.parts(item, text))).collect();
        let mut shapes: Vec<Option<Shape>> = parts.iter().map(|parts| parts.as_ref().map(|_| Shape::new())).collect();
        let deepest = parts.iter().flatten().map(Vec::len).max().unwrap_or(0);
        for position in 0..deepest {
            for siblings in self.siblings(position, &parts, &shapes) {
                for (text, items) in &siblings.texts {
                    let is_word = self.is_word(&siblings, text, items);
                    for item in items {
                        if let Some(Some(shape)) = shapes.get_mut(*item) {
                            shape.push(if is_word { Token::Literal((*text).to_owned()) } else { Token::Value });
                        }
                    }
                }
            }
        }
        shapes
    }

    /// The parts between delimiters. Where the rest of a key, delimiters and all, is an attribute of the item (the tag
    /// `c#`), it is one part.
    fn parts<'t>(&self, item: usize, text: &'t str) -> Vec<&'t str> {
        let mut parts = Vec::new();
        let mut rest = text;
        loop {
            let is_own = !parts.is_empty() && self.own.get(item).is_some_and(|own| own.has(rest));
            match rest.split_once(self.delimiter) {
                Some((part, after)) if !is_own => {
                    parts.push(part);
                    rest = after;
                }
                _ => {
                    parts.push(rest);
                    return parts;
                }
            }
        }
    }

    fn siblings<'a>(
        &self,
        position: usize,
        parts: &[Option<Vec<&'a str>>],
        shapes: &[Option<Shape>],
    ) -> Vec<Siblings<'a>> {
        let mut nodes: BTreeMap<(Shape, bool), Siblings<'a>> = BTreeMap::new();
        for (item, (parts, shape)) in parts.iter().zip(shapes).enumerate() {
            let (Some(parts), Some(shape)) = (parts, shape) else { continue };
            let Some(text) = parts.get(position) else { continue };
            let is_last = position + 1 == parts.len();
            let node = nodes.entry((shape.clone(), is_last)).or_insert_with(|| Siblings {
                texts: BTreeMap::new(),
                total: 0,
                position,
                is_last,
                follows_value: shape.last() == Some(&Token::Value),
            });
            node.texts.entry(text).or_default().push(item);
            node.total += 1;
        }
        nodes.into_values().collect()
    }

    fn is_word(&self, siblings: &Siblings<'_>, text: &str, items: &[usize]) -> bool {
        // `#META` begins with a part that is nothing.
        if text.is_empty() {
            return true;
        }
        if !is_identifier(text) {
            return false;
        }
        let owned = items.iter().filter(|item| self.own.get(**item).is_some_and(|own| own.has(text))).count();
        if owned * 2 > items.len() {
            return false;
        }
        let (total, distinct) = (siblings.total, siblings.texts.len());
        if !siblings.is_last {
            return distinct <= 30 || distinct * 3 <= total;
        }
        if siblings.position == 0 && self.is_singleton(siblings, items) {
            return true;
        }
        let few = |share: usize| distinct <= (total / share).max(1);
        match (siblings.position, is_upper(text)) {
            _ if siblings.follows_value && !is_upper(text) => distinct == 1 && total >= 2,
            (_, true) => distinct <= 3 || few(3) || self.kinds_differ(siblings),
            (0, false) if self.is_partition => distinct == 1,
            (0, false) => distinct == 1 || few(4) || few(2) && self.kinds_differ(siblings),
            (_, false) => total >= 4 && few(4) && items.len() >= 2,
        }
    }

    /// Whether the items are single ones, `settings` / `settings`: their key is the same text twice, and all that are
    /// so have different attributes. Many with the same attributes have the same id twice.
    fn is_singleton(&self, siblings: &Siblings<'_>, items: &[usize]) -> bool {
        let is_repeated = |item: &usize| self.repeated.get(*item) == Some(&true);
        if !items.iter().all(is_repeated) {
            return false;
        }
        let repeated: Vec<&Vec<usize>> =
            siblings.texts.values().filter(|items| items.iter().all(is_repeated)).collect();
        let schemas: BTreeSet<&String> =
            repeated.iter().filter_map(|items| self.schemas.get(*items.first()?)).collect();
        schemas.len() == repeated.len()
    }

    /// Whether items with different texts have different attributes, as different kinds of items do.
    fn kinds_differ(&self, siblings: &Siblings<'_>) -> bool {
        let schemas: BTreeSet<&String> =
            siblings.texts.values().flatten().filter_map(|item| self.schemas.get(*item)).collect();
        schemas.len() * 2 >= siblings.texts.len() && siblings.texts.len() * 2 <= siblings.total.max(2)
    }
}
