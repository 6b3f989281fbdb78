//! The design document: what people wrote by hand, from the design that runs. One document, rendered as Markdown and
//! HTML.

mod access;
mod collections;
mod diagram;
mod entities;
mod html;
mod indexes;
mod markdown;
mod overview;

pub use html::escape_html;
use keyfold_design::template::Template;

use crate::{File, Input, Target};

/// Between the parts of a cell that should not be torn apart.
const APART: &str = "\n";

/// A piece of the document. Texts hold `code` and **strong** as Markdown spells them.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Block {
    Heading { level: usize, text: String },
    Paragraph(String),
    List(Vec<String>),
    Table { head: Vec<&'static str>, rows: Vec<Vec<String>> },
    Code { language: &'static str, text: String },
}

impl Block {
    fn heading(level: usize, text: impl Into<String>) -> Self {
        Self::Heading { level, text: text.into() }
    }
}

fn blocks(input: &Input<'_>) -> Vec<Block> {
    let mut blocks = overview::blocks(input.design);
    blocks.extend(entities::blocks(input.design));
    blocks.extend(indexes::blocks(input.design));
    blocks.extend(access::patterns(input));
    blocks.extend(diagram::blocks(input.design));
    blocks.extend(collections::blocks(input));
    blocks.extend(access::rules(input));
    blocks
}

pub(crate) fn markdown(input: &Input<'_>) -> Vec<File> {
    let text = markdown::render(&blocks(input), &input.origin(Target::Markdown));
    vec![File { path: format!("markdown/{}.md", input.design.name), text }]
}

pub(crate) fn html(input: &Input<'_>) -> Vec<File> {
    let text = html::render(&blocks(input), &input.design.name, &input.origin(Target::Html));
    vec![File { path: format!("html/{}.html", input.design.name), text }]
}

/// A template as the design spells it, with the one that stands in for it.
fn spelling(template: &Template) -> String {
    template.alternatives().map(|side| side.source.as_str()).collect::<Vec<_>>().join(" or ")
}

/// Text as code.
fn code(text: &str) -> String {
    format!("`{text}`")
}

/// `a`, `b`, `c`.
fn codes<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    texts.into_iter().map(|text| code(text.as_ref())).collect::<Vec<_>>().join(", ")
}
