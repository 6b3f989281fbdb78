//! The attributes of a group's items, as what parts of their keys may be.

use keyfold_design::span::Span;
use keyfold_design::template::{DELIMITER, Format, Part, Placeholder, Template, ValueKind};
use keyfold_dynamo::AttributeValue;

use crate::sample::identifier_words;

/// An attribute with its value in each item of a group.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub name: String,
    pub kind: ValueKind,
    values: Vec<Option<AttributeValue>>,
    /// The values as they are in a key without a format.
    texts: Vec<Option<String>>,
    /// Whether it is a key of an index by itself, a stamp, or the discriminator: last, last but one, or never chosen.
    pub is_index_key: bool,
    pub is_stamp: bool,
    pub is_discriminator: bool,
}

/// Longer values are not parts of keys.
const LONGEST: usize = 2_048;

impl Column {
    pub(crate) fn new(name: &str, kind: ValueKind, values: Vec<Option<AttributeValue>>) -> Self {
        let values: Vec<Option<AttributeValue>> =
            values.into_iter().map(|value| value.filter(|value| value.size() <= LONGEST)).collect();
        let mut column = Self {
            name: name.to_owned(),
            kind,
            values,
            texts: Vec::new(),
            is_index_key: false,
            is_stamp: false,
            is_discriminator: false,
        };
        column.texts = (0..column.values.len()).map(|row| column.rendered(row, &[])).collect();
        column
    }

    /// The value of an item as it is in a key, by the language's own rules.
    fn rendered(&self, row: usize, formats: &[Format]) -> Option<String> {
        let value = self.value(row)?;
        if let (true, ValueKind::Text, AttributeValue::S(text)) = (formats.is_empty(), &self.kind, value) {
            return (!text.is_empty()).then(|| text.clone());
        }
        let placeholder = Placeholder {
            attribute: self.name.clone(),
            span: Span::default(),
            formats: formats.to_vec(),
            fallback: None,
            kind: self.kind.clone(),
            optional: false,
            range: None,
            sentinel: None,
        };
        let template = Template::new("", Span::default(), vec![Part::Placeholder(placeholder)], DELIMITER);
        template.render_text(|_| Some(value)).ok().flatten()
    }

    pub(crate) fn text(&self, row: usize, formats: &[Format]) -> Option<String> {
        if formats.is_empty() { self.texts.get(row).cloned().flatten() } else { self.rendered(row, formats) }
    }

    pub(crate) fn value(&self, row: usize) -> Option<&AttributeValue> {
        self.values.get(row).and_then(Option::as_ref).filter(|value| !matches!(value, AttributeValue::Null))
    }

    /// Whether an item has the text as its value, under formats.
    pub(crate) fn is(&self, row: usize, formats: &[Format], text: &str) -> bool {
        if formats.is_empty() {
            self.texts.get(row).and_then(Option::as_deref) == Some(text)
        } else {
            self.rendered(row, formats).as_deref() == Some(text)
        }
    }

    pub(crate) fn is_absent(&self, row: usize) -> bool {
        self.value(row).is_none()
    }

    /// Whether the name is one of an id: `id`, `accountId`, `user_id`.
    pub(crate) fn is_id(&self) -> bool {
        identifier_words(&self.name).last().is_some_and(|last| last == "id")
    }

    /// Whether the name says what stands before the value: `accountId` behind `ACCOUNT#`.
    pub(crate) fn is_named(&self, word: &str) -> bool {
        let mut own = identifier_words(&self.name);
        let said = identifier_words(word);
        if own.len() > 1 && own.last().is_some_and(|last| last == "id") {
            own.pop();
        }
        !said.is_empty() && (own == said || said.ends_with(&own) || own.ends_with(&said))
    }
}

/// The columns of a group.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pool {
    pub columns: Vec<Column>,
    pub rows: usize,
}

impl Pool {
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}
