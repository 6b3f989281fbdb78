//! The text of a key back to attributes: the exact inverse of rendering.

use std::collections::BTreeMap;

use keyfold_dynamo::AttributeValue;

use super::{Format, Part, Placeholder, Template};

/// The attributes in a key, without those behind a lossy format.
pub type Bindings = BTreeMap<String, AttributeValue>;

impl Template {
    /// Reads a key. `None` for a text this template would not produce, or that belongs to a rival.
    pub fn read(&self, text: &str) -> Option<Bindings> {
        self.alternatives().find_map(|template| {
            let mut bindings = Bindings::new();
            template
                .walk(text, Bounds::Ignored, &mut |placeholder, value| match bindings.get(&placeholder.attribute) {
                    Some(known) => *known == value,
                    None => {
                        bindings.insert(placeholder.attribute.clone(), value);
                        true
                    }
                })
                .then_some(bindings)
        })
    }

    /// Reads the value of a key attribute, which may be a number.
    pub fn read_value(&self, value: &AttributeValue) -> Option<Bindings> {
        match (value, self.plain_attribute()) {
            (AttributeValue::S(text), _) => self.read(text),
            (AttributeValue::N(_) | AttributeValue::B(_), Some(placeholder)) => {
                Some(Bindings::from([(placeholder.attribute.clone(), value.clone())]))
            }
            // A literal number binds no attribute; it only has to match.
            (AttributeValue::N(_), None) => {
                (self.render(|_| None).ok().flatten().as_ref() == Some(value)).then(Bindings::new)
            }
            _ => None,
        }
    }

    /// Whether the template could have produced a text.
    pub fn matches(&self, text: &str) -> bool {
        self.alternatives().any(|template| template.walk(text, Bounds::Ignored, &mut |_, _| true))
    }

    /// Whether a text is one of this template, rather than of another one whose texts are the same but for the bounds
    /// of a number.
    pub fn claims(&self, text: &str) -> bool {
        self.alternatives().any(|template| template.walk(text, Bounds::Kept, &mut |_, _| true))
    }

    fn walk(&self, text: &str, bounds: Bounds, bind: &mut dyn FnMut(&Placeholder, AttributeValue) -> bool) -> bool {
        self.walk_from(0, text, bounds, bind) && !self.rivals().iter().any(|rival| rival.claims(text))
    }

    /// Reads the parts of the template from one on.
    fn walk_from(
        &self,
        start: usize,
        text: &str,
        bounds: Bounds,
        bind: &mut dyn FnMut(&Placeholder, AttributeValue) -> bool,
    ) -> bool {
        let mut rest = text;
        for (index, part) in self.parts.iter().enumerate().skip(start) {
            match part {
                Part::Literal(literal) => match rest.strip_prefix(literal.as_str()) {
                    Some(after) => rest = after,
                    None => return false,
                },
                Part::Placeholder(placeholder) => {
                    let sentinel = self.cut_sentinel(index, placeholder, rest, bounds);
                    let Some((piece, after)) = sentinel.or_else(|| self.cut(index, placeholder, rest)) else {
                        return false;
                    };
                    rest = after;
                    if !accepts(placeholder, piece, bind) || bounds == Bounds::Kept && !is_within(placeholder, piece) {
                        return false;
                    }
                }
            }
        }
        rest.is_empty()
    }

    /// The sentinel at an index, if the text begins with it and goes on as the template does: the checks of a design
    /// prove that there is no other reading then.
    fn cut_sentinel<'t>(
        &self,
        index: usize,
        placeholder: &Placeholder,
        rest: &'t str,
        bounds: Bounds,
    ) -> Option<(&'t str, &'t str)> {
        let sentinel = placeholder.sentinel.as_ref()?;
        let after = rest.strip_prefix(sentinel.as_str())?;
        let (piece, _) = rest.split_at_checked(sentinel.len())?;
        self.walk_from(index + 1, after, bounds, &mut |_, _| true).then_some((piece, after))
    }

    /// The text of the placeholder at an index, and what follows it.
    fn cut<'t>(&self, index: usize, placeholder: &Placeholder, rest: &'t str) -> Option<(&'t str, &'t str)> {
        let end = if self.is_last(index) {
            rest.len()
        } else if let Some(length) = placeholder.counted_length() {
            rest.char_indices().map(|(at, _)| at).chain(std::iter::once(rest.len())).nth(length)?
        } else {
            let terminator = self.terminator(index)?;
            rest.find([terminator, self.delimiter])?
        };
        let (piece, after) = rest.split_at_checked(end)?;
        (!piece.is_empty()).then_some((piece, after))
    }
}

/// Whether numbers beyond their bounds are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bounds {
    Ignored,
    Kept,
}

/// Whether a piece is a number within its bounds, if it has some.
fn is_within(placeholder: &Placeholder, piece: &str) -> bool {
    let Some(range) = placeholder.range else { return true };
    match placeholder.formats.as_slice() {
        _ if placeholder.fallback.as_deref() == Some(piece) => true,
        [] | [Format::Width(_)] => range.admits(piece),
        _ => true,
    }
}

/// Whether a piece is one that the placeholder produces; binds the attribute where the piece determines it.
fn accepts(placeholder: &Placeholder, piece: &str, bind: &mut dyn FnMut(&Placeholder, AttributeValue) -> bool) -> bool {
    if placeholder.fallback.as_deref() == Some(piece) {
        return true;
    }
    if placeholder.formats.is_empty() {
        let Some(value) = placeholder.kind.value_of(piece) else { return false };
        // A value equal to the fallback could be either; any other is the attribute's own.
        return bind(placeholder, value);
    }
    if placeholder.is_reversible() {
        let mut text = piece.to_owned();
        for format in placeholder.formats.iter().rev() {
            match format.undo(&text) {
                Some(before) => text = before,
                None => return false,
            }
        }
        return placeholder.kind.value_of(&text).is_some_and(|value| bind(placeholder, value));
    }
    match placeholder.formats.last() {
        Some(Format::Lower) => piece.to_lowercase() == piece,
        Some(Format::Upper) => piece.to_uppercase() == piece,
        Some(Format::First(count)) => piece.chars().count() <= *count,
        Some(Format::Date) => super::is_date(piece),
        Some(Format::Year | Format::Month | Format::Day) => {
            placeholder.fixed_length() == Some(piece.len()) && piece.bytes().all(|byte| byte.is_ascii_digit())
        }
        Some(Format::Shard(count)) => {
            placeholder.fixed_length() == Some(piece.len()) && piece.parse::<u32>().is_ok_and(|shard| shard < *count)
        }
        Some(Format::Url | Format::Width(_) | Format::Descending(_) | Format::StartOfDay(_) | Format::EndOfDay(_))
        | None => true,
    }
}
