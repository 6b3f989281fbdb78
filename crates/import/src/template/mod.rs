//! Key templates, recognized in the keys of a group's items: constant parts, separators, and parts that are values of
//! the items' own attributes.

mod alternatives;
mod compose;
mod explain;
mod fit;
mod pool;
mod recognize;
#[cfg(test)]
mod tests;

pub(crate) use alternatives::index_key;
pub(crate) use fit::{fitting, mostly, mostly_attribute};
pub(crate) use pool::{Column, Pool};
pub(crate) use recognize::{base_key, same_values};

use keyfold_design::template::Format;

/// A recognized template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recognized {
    pub pieces: Vec<Piece>,
    /// The template of items that lack an attribute of this one.
    pub otherwise: Option<Box<Recognized>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Literal(String),
    Value(Slot),
    /// A value that no attribute of the items holds, with its text in each of them: only the key contains it.
    Unknown(Vec<String>),
}

/// `<attribute:format or fallback>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    pub attribute: String,
    pub formats: Vec<Format>,
    pub fallback: Option<String>,
}

impl Slot {
    pub(crate) fn plain(attribute: &str) -> Self {
        Self { attribute: attribute.to_owned(), formats: Vec::new(), fallback: None }
    }
}

impl Recognized {
    pub(crate) fn new(pieces: Vec<Piece>) -> Self {
        Self { pieces: joined(pieces), otherwise: None }
    }

    /// The template as a design spells it; `None` where it cannot be spelt, or a part is not known yet.
    pub(crate) fn source(&self) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(literal) if !is_spelt(literal) => return None,
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Value(slot) => {
                    text.push('<');
                    text.push_str(&slot.attribute);
                    for format in &slot.formats {
                        text.push(':');
                        text.push_str(&format.spelling());
                    }
                    if let Some(fallback) = &slot.fallback {
                        text.push_str(" or ");
                        text.push_str(fallback);
                    }
                    text.push('>');
                }
                Piece::Unknown(_) => return None,
            }
        }
        if let Some(otherwise) = &self.otherwise {
            text.push_str(" or ");
            text.push_str(&otherwise.source()?);
        }
        (!text.is_empty()).then_some(text)
    }

    /// Whether the language can spell the template, once all parts have names.
    pub(crate) fn is_spelt(&self) -> bool {
        self.alternatives()
            .flat_map(|template| &template.pieces)
            .all(|piece| !matches!(piece, Piece::Literal(literal) if !is_spelt(literal)))
    }

    /// This template and those that stand in for it.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &Recognized> {
        std::iter::successors(Some(self), |template| template.otherwise.as_deref())
    }

    /// The attributes that the template holds.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &str> {
        self.alternatives().flat_map(|template| &template.pieces).filter_map(|piece| match piece {
            Piece::Value(slot) => Some(slot.attribute.as_str()),
            _ => None,
        })
    }

    /// The text of a template without values.
    pub(crate) fn constant(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Literal(text)] if self.otherwise.is_none() => Some(text),
            _ => None,
        }
    }

    /// The literal text that it begins with.
    pub(crate) fn literal_prefix(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Literal(text)) => text,
            _ => "",
        }
    }
}

/// Brackets would be read as placeholders, and `or` as the beginning of another template.
fn is_spelt(literal: &str) -> bool {
    !literal.contains(['<', '>']) && !literal.contains(" or ")
}

/// Literals next to each other as one.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (all.last_mut(), piece) {
            (Some(Piece::Literal(before)), Piece::Literal(text)) => before.push_str(&text),
            (_, Piece::Literal(text)) if text.is_empty() => {}
            (_, piece) => all.push(piece),
        }
    }
    all
}
