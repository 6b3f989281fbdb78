//! Conditions on keys: values that depend on a pattern's arguments, and ranges of them in DynamoDB's terms.

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::model::{SortCondition, SortOperator};
use crate::template::{Part, Template, TemplateError};

/// The value of a key attribute, as an expression over the arguments of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyValue {
    /// The text of a template whose placeholders are parameters, or the shard that is being read.
    Template(Template),
    /// The value of the partition that is being read, see [`PartitionSet`](super::PartitionSet).
    Partition,
    /// Just above every key that has these leading components: keys continue with `separator` behind them.
    AboveComponent { component: Template, separator: char },
    /// The literal text that every key of the range begins with.
    Prefix(String),
    /// Just above every key that begins with the text.
    EndOfPrefix(String),
}

/// Equality on a key attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEquality {
    pub attribute: String,
    pub value: KeyValue,
}

/// The condition on the sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortBound {
    pub attribute: String,
    pub range: SortRange<KeyValue>,
}

/// A range of sort keys as DynamoDB's key conditions express it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortRange<V> {
    Equal(V),
    BeginsWith(V),
    Less(V),
    LessOrEqual(V),
    Greater(V),
    GreaterOrEqual(V),
    /// Both bounds are included.
    Between(V, V),
}

/// A range of sort keys for one call.
pub type RenderedSort = SortRange<AttributeValue>;

/// What key values are rendered from.
#[derive(Debug, Clone, Copy)]
pub struct KeyArguments<'a> {
    /// The arguments of the call, by parameter.
    pub given: &'a Attributes,
    /// The value of the partition that is being read, where the pattern reads several.
    pub partition: Option<&'a AttributeValue>,
    /// The placeholder that stands for the partition's value within templates.
    pub placeholder: Option<&'a str>,
}

impl<'a> KeyArguments<'a> {
    /// The arguments of a pattern that reads one partition.
    pub fn of(given: &'a Attributes) -> Self {
        Self { given, partition: None, placeholder: None }
    }

    fn get(&self, name: &str) -> Option<&'a AttributeValue> {
        if self.placeholder == Some(name) { self.partition } else { self.given.get(name) }
    }
}

impl KeyValue {
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

impl<V> SortRange<V> {
    /// The same range of other values.
    pub fn try_map<W, E>(&self, mut value: impl FnMut(&V) -> Result<W, E>) -> Result<SortRange<W>, E> {
        Ok(match self {
            Self::Equal(key) => SortRange::Equal(value(key)?),
            Self::BeginsWith(prefix) => SortRange::BeginsWith(value(prefix)?),
            Self::Less(bound) => SortRange::Less(value(bound)?),
            Self::LessOrEqual(bound) => SortRange::LessOrEqual(value(bound)?),
            Self::Greater(bound) => SortRange::Greater(value(bound)?),
            Self::GreaterOrEqual(bound) => SortRange::GreaterOrEqual(value(bound)?),
            Self::Between(low, high) => {
                let low = value(low)?;
                SortRange::Between(low, value(high)?)
            }
        })
    }
}

impl SortRange<KeyValue> {
    /// The range that a pattern's sort condition covers.
    pub(super) fn from_condition(condition: &SortCondition) -> Self {
        let separator = condition.component;
        let above = |bound: &Template| match separator {
            Some(separator) => KeyValue::AboveComponent { component: bound.clone(), separator },
            None => KeyValue::Template(bound.clone()),
        };
        let at = |bound: &Template| KeyValue::Template(bound.clone());
        match &condition.operator {
            SortOperator::Equal(template) => Self::Equal(at(template)),
            SortOperator::BeginsWith(template) => Self::BeginsWith(at(template)),
            SortOperator::Between(low, high) => Self::Between(at(low), above(high)),
            SortOperator::Less(bound) => match (leading_literal(bound), separator) {
                // No key equals the bound where keys continue behind it, so an inclusive range covers the same keys.
                (Some(prefix), Some(_)) => Self::Between(KeyValue::Prefix(prefix), at(bound)),
                _ => Self::Less(at(bound)),
            },
            SortOperator::LessOrEqual(bound) => match (leading_literal(bound), separator) {
                (Some(prefix), _) => Self::Between(KeyValue::Prefix(prefix), above(bound)),
                (None, Some(_)) => Self::Less(above(bound)),
                (None, None) => Self::LessOrEqual(at(bound)),
            },
            SortOperator::Greater(bound) => match (leading_literal(bound), separator) {
                (Some(prefix), Some(_)) => Self::Between(above(bound), KeyValue::EndOfPrefix(prefix)),
                (None, Some(_)) => Self::GreaterOrEqual(above(bound)),
                (_, None) => Self::Greater(at(bound)),
            },
            SortOperator::GreaterOrEqual(bound) => match leading_literal(bound) {
                Some(prefix) => Self::Between(at(bound), KeyValue::EndOfPrefix(prefix)),
                None => Self::GreaterOrEqual(at(bound)),
            },
        }
    }

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

/// The literal text before the placeholder of a one-sided range: keys without it are not in the range.
fn leading_literal(template: &Template) -> Option<String> {
    match template.parts.as_slice() {
        [Part::Literal(prefix), Part::Placeholder(_)] => Some(prefix.clone()),
        _ => None,
    }
}

/// The character that follows a separator. A component with it behind is above every key that continues with the separator,
/// and no key of the template equals it: as a bound it may be inclusive or exclusive.
pub fn above_separator(separator: char) -> char {
    char::from_u32(separator as u32 + 1).unwrap_or(char::MAX)
}

/// The least text above every text with a prefix.
pub fn end_of_prefix(prefix: &str) -> String {
    let mut characters: Vec<char> = prefix.chars().collect();
    let last = characters.pop().unwrap_or(char::MAX);
    characters.push(above_separator(last));
    characters.into_iter().collect()
}
