//! The sample of a table's items, and its parting into groups of one kind each.

mod delimiter;
mod discriminator;
mod groups;
mod own_texts;
mod segments;
mod words;

pub(crate) use groups::{Group, composed_keys, groups, is_key_name};
pub(crate) use segments::{Shape, Token};
pub(crate) use words::{identifier_words, is_identifier, is_upper};

use keyfold_dynamo::{AttributeValue, Attributes};

/// Items of a table, as a scan gave them.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    pub items: Vec<Attributes>,
    /// Whether these are all items of the table.
    pub is_whole: bool,
}

/// Longer texts are not parts of keys: DynamoDB's partition keys have at most 2048 bytes.
const LONGEST_PART: usize = 2_048;

/// The text of a value that could be a part of a key as it is.
pub(crate) fn key_text(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) if !text.is_empty() && text.len() <= LONGEST_PART => Some(text.clone()),
        AttributeValue::N(number) => {
            Some(number.to_i64().map_or_else(|| number.to_string(), |whole| whole.to_string()))
        }
        _ => None,
    }
}
pub(crate) use delimiter::delimiter;
pub(crate) use discriminator::discriminator;
