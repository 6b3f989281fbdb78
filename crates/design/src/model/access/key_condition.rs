//! Conditions on keys: values that depend on a pattern's arguments, and ranges of them in DynamoDB's terms.

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::model::SortRange;
use crate::template::{Template, TemplateError};

/// The value of a key attribute, as an expression over the arguments of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyValue {
    /// The text of a template whose placeholders are parameters, or the shard that is being read.
    Template(Template),
    /// The value of the partition that is being read, see [`PartitionSet`](super::PartitionSet).
    Partition,
    /// Just above every key that has these leading components: keys continue with `separator` behind them.
    AboveComponent {
        /// The leading components of the key.
        component: Template,
        /// The character behind them.
        separator: char,
    },
    /// The literal text that every key of the range begins with.
    Prefix(String),
    /// Just above every key that begins with the text.
    EndOfPrefix(String),
}

/// Equality on a key attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEquality {
    /// The key attribute of the table or index.
    pub attribute: String,
    /// What it has to equal.
    pub value: KeyValue,
}

/// The condition on the sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortBound {
    /// The key attribute of the table or index.
    pub attribute: String,
    /// The keys that the pattern reads.
    pub range: SortRange<KeyValue>,
}

/// A range of sort keys for one call.
pub type RenderedSort = SortRange<AttributeValue>;

/// What key values are rendered from.
#[derive(Debug, Clone, Copy)]
pub struct KeyArguments<'a> {
    /// The arguments of the call, by parameter.
    pub given: &'a Attributes,
    /// The value of the partition that is being read; `None` unless the pattern reads several.
    pub partition: Option<&'a AttributeValue>,
    /// The placeholder that stands for the partition's value within templates; `None` if there is none.
    pub placeholder: Option<&'a str>,
}

impl<'a> KeyArguments<'a> {
    /// The arguments of a pattern that reads one partition.
    pub fn new(given: &'a Attributes) -> Self {
        Self { given, partition: None, placeholder: None }
    }

    fn get(&self, name: &str) -> Option<&'a AttributeValue> {
        if self.placeholder == Some(name) { self.partition } else { self.given.get(name) }
    }
}

impl KeyValue {
    /// The template whose placeholders the value depends on; `None` where it depends on no argument.
    pub fn template(&self) -> Option<&Template> {
        match self {
            Self::Template(template) | Self::AboveComponent { component: template, .. } => Some(template),
            Self::Partition | Self::Prefix(_) | Self::EndOfPrefix(_) => None,
        }
    }

    /// The value for one call; `None` when an argument is absent.
    pub fn render(&self, arguments: KeyArguments<'_>) -> Result<Option<AttributeValue>, TemplateError> {
        let text = |text: &str| Some(AttributeValue::S(text.to_owned()));
        Ok(match self {
            Self::Template(template) => template.render(|name| arguments.get(name))?,
            Self::Partition => arguments.partition.cloned(),
            Self::AboveComponent { component, separator } => {
                component.render_text(|name| arguments.get(name))?.map(|mut bound| {
                    bound.push(above_separator(*separator));
                    AttributeValue::S(bound)
                })
            }
            Self::Prefix(prefix) => text(prefix),
            Self::EndOfPrefix(prefix) => text(&end_of_prefix(prefix)),
        })
    }
}

impl SortRange<KeyValue> {
    /// The range for one call; `None` when an argument is absent.
    pub fn render(&self, arguments: KeyArguments<'_>) -> Result<Option<RenderedSort>, TemplateError> {
        let rendered = self.try_map(|value| value.render(arguments).map_err(Some)?.ok_or(None));
        match rendered {
            Ok(range) => Ok(Some(range)),
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }
}

impl RenderedSort {
    /// Whether the lower bound is above the upper one, which DynamoDB rejects.
    pub fn is_reversed(&self) -> bool {
        match self {
            Self::Between(AttributeValue::S(low), AttributeValue::S(high)) => low > high,
            Self::Between(AttributeValue::N(low), AttributeValue::N(high)) => low > high,
            Self::Between(AttributeValue::B(low), AttributeValue::B(high)) => low > high,
            _ => false,
        }
    }
}

/// The character that follows a separator. A component with it behind is above every key that continues with the
/// separator, and no key of the template equals it: as a bound it may be inclusive or exclusive.
pub fn above_separator(separator: char) -> char {
    // A range of characters skips surrogates. Only the greatest character has no next one.
    (separator..=char::MAX).nth(1).unwrap_or(char::MAX)
}

/// The least text above every text with a prefix, which is not empty.
pub fn end_of_prefix(prefix: &str) -> String {
    let mut characters: Vec<char> = prefix.chars().collect();
    let last = characters.pop().unwrap_or(char::MAX);
    characters.push(above_separator(last));
    characters.into_iter().collect()
}
