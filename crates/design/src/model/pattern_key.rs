//! A pattern's sort condition with its arguments, as the operator DynamoDB gets.

use keyfold_dynamo::AttributeValue;

use super::{SortCondition, SortOperator};
use crate::template::{Part, RangeText, Template, TemplateError};

/// A condition on the sort key in DynamoDB's terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderedSort {
    Equal(AttributeValue),
    BeginsWith(AttributeValue),
    Less(AttributeValue),
    LessOrEqual(AttributeValue),
    Greater(AttributeValue),
    GreaterOrEqual(AttributeValue),
    Between(AttributeValue, AttributeValue),
}

impl SortCondition {
    /// Renders the condition; `None` when an argument is absent.
    pub fn render<'v>(
        &self,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Option<RenderedSort>, TemplateError> {
        let value = |template: &Template| template.render(&lookup);
        Ok(match &self.operator {
            SortOperator::Equal(template) => value(template)?.map(RenderedSort::Equal),
            SortOperator::BeginsWith(template) => value(template)?.map(RenderedSort::BeginsWith),
            SortOperator::Between(low, high) => match (value(low)?, value(high)?) {
                (Some(low), Some(high)) => Some(RenderedSort::Between(low, self.above(high))),
                _ => None,
            },
            SortOperator::Less(template) => value(template)?.map(|bound| match known_prefix(template) {
                // No key equals the bound where keys go on behind it, so an inclusive range says the same.
                Some(prefix) if self.component.is_some() => RenderedSort::Between(prefix, bound),
                _ => RenderedSort::Less(bound),
            }),
            SortOperator::LessOrEqual(template) => value(template)?.map(|bound| match known_prefix(template) {
                Some(prefix) => RenderedSort::Between(prefix, self.above(bound)),
                None if self.component.is_some() => RenderedSort::Less(self.above(bound)),
                None => RenderedSort::LessOrEqual(bound),
            }),
            SortOperator::Greater(template) => value(template)?.map(|bound| match known_prefix(template) {
                Some(prefix) if self.component.is_some() => RenderedSort::Between(self.above(bound), end_of(&prefix)),
                _ if self.component.is_some() => RenderedSort::GreaterOrEqual(self.above(bound)),
                _ => RenderedSort::Greater(bound),
            }),
            SortOperator::GreaterOrEqual(template) => value(template)?.map(|bound| match known_prefix(template) {
                Some(prefix) => RenderedSort::Between(bound, end_of(&prefix)),
                None => RenderedSort::GreaterOrEqual(bound),
            }),
        })
    }

    /// The bound above everything under a component; the bound itself where the condition covers the whole key.
    fn above(&self, bound: AttributeValue) -> AttributeValue {
        match (self.component, bound) {
            (Some(separator), AttributeValue::S(text)) => {
                AttributeValue::S(RangeText::above_component(&text, separator).text)
            }
            (_, bound) => bound,
        }
    }
}

/// The literal text before the placeholder of a one-sided range: items without it are no part of the range.
fn known_prefix(template: &Template) -> Option<AttributeValue> {
    match template.parts.as_slice() {
        [Part::Literal(prefix), Part::Placeholder(_)] => Some(AttributeValue::S(prefix.clone())),
        _ => None,
    }
}

/// Just above every text that begins with a prefix.
fn end_of(prefix: &AttributeValue) -> AttributeValue {
    let AttributeValue::S(text) = prefix else { return prefix.clone() };
    let mut characters: Vec<char> = text.chars().collect();
    let last = characters.pop().unwrap_or(char::MAX);
    characters.push(char::from_u32(last as u32 + 1).unwrap_or(char::MAX));
    AttributeValue::S(characters.into_iter().collect())
}
