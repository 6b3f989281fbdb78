//! Attributes to the text of a key.

use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::value::ValueType;
use keyfold_dynamo::{AttributeValue, Number};

use super::{Part, Placeholder, Template, ValueKind};

/// Why a value cannot become a part of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The value has a type that the template cannot hold.
    #[error("`{attribute}` is {found} and the key template `{template}` needs {expected}", found = found.as_str())]
    WrongType {
        /// The attribute whose value it is.
        attribute: String,
        /// The template as the design spells it.
        template: String,
        /// What the template needs, such as `an integer`.
        expected: String,
        /// DynamoDB's type of the value.
        found: ValueType,
    },
    /// The value has the right type, but the attribute cannot have it.
    #[error("`{value}` of `{attribute}` is not {expected}, which the key template `{template}` needs")]
    WrongValue {
        /// The attribute whose value it is.
        attribute: String,
        /// The template as the design spells it.
        template: String,
        /// What the template needs, such as `an integer`.
        expected: String,
        /// The value as text.
        value: String,
    },
    /// The value contains the delimiter, so that the key could not be read back.
    #[error("`{value}` of `{attribute}` contains `{delimiter}`, which separates the parts of the key `{template}`")]
    Delimiter {
        /// The attribute whose value it is.
        attribute: String,
        /// The template as the design spells it.
        template: String,
        /// The value as text.
        value: String,
        /// The delimiter of the table's keys.
        delimiter: char,
    },
    /// The key would be read as that of another entity.
    #[error("`{value}` of `{attribute}` would give `{template}` a key that belongs to `{rival}`")]
    BelongsToRival {
        /// The attribute whose value it is.
        attribute: String,
        /// The template as the design spells it.
        template: String,
        /// The value as text.
        value: String,
        /// The template of the other entity.
        rival: String,
    },
    /// The value is an empty text.
    #[error("`{attribute}` is empty; a part of the key `{template}` must not be empty")]
    Empty {
        /// The attribute whose value it is.
        attribute: String,
        /// The template as the design spells it.
        template: String,
    },
    /// A format cannot be applied to the value, such as a number that is wider than its width.
    #[error("`{value}` of `{attribute}` does not fit `{format}` of the key template `{template}`")]
    DoesNotFit {
        /// The attribute whose value it is.
        attribute: String,
        /// The template as the design spells it.
        template: String,
        /// The value as text.
        value: String,
        /// The format as the design spells it.
        format: String,
    },
    /// The key is longer than DynamoDB allows.
    #[error("`{attribute}` is too long: the key `{template}` has {bytes} bytes with it, and may have {limit}")]
    TooLong {
        /// The attribute with the longest value in the key.
        attribute: String,
        /// The template as the design spells it.
        template: String,
        /// The length of the key.
        bytes: usize,
        /// The longest key that DynamoDB allows, in bytes.
        limit: usize,
    },
}

impl Template {
    /// The key's value: text, or the attribute itself where the template is nothing but an attribute. `None` when an
    /// attribute without a fallback is absent: the item is not in the index.
    pub fn render<'v>(
        &self,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Option<AttributeValue>, TemplateError> {
        if self.key_type == KeyType::S {
            return Ok(self.render_text(lookup)?.map(AttributeValue::S));
        }
        if let Some(number) = self.constant().and_then(|text| Number::parse(text).ok()) {
            return Ok(Some(AttributeValue::N(number)));
        }
        let Some(placeholder) = self.plain_attribute() else {
            // A bound of timestamps that are numbers: the text of a number.
            let number = |text: String| Number::parse(&text).map_or(AttributeValue::S(text), AttributeValue::N);
            return Ok(self.render_text(lookup)?.map(number));
        };
        match lookup(&placeholder.attribute) {
            None | Some(AttributeValue::Null) => Ok(None),
            Some(value) if self.key_type.admits(value) => Ok(Some(value.clone())),
            Some(value) => Err(self.wrong_type(placeholder, value)),
        }
    }

    /// Whether the template has a value for an item: no attribute without a fallback is absent.
    pub fn is_complete<'v>(&self, lookup: impl Fn(&str) -> Option<&'v AttributeValue>) -> bool {
        self.alternatives().any(|template| {
            template.placeholders().all(|placeholder| {
                placeholder.fallback.is_some()
                    || !matches!(lookup(&placeholder.attribute), None | Some(AttributeValue::Null))
            })
        })
    }

    /// The key as text, also where its attribute is a number.
    pub fn render_text<'v>(
        &self,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Option<String>, TemplateError> {
        let mut text = String::with_capacity(self.source.len() + 32);
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Placeholder(placeholder) => match lookup(&placeholder.attribute) {
                    None | Some(AttributeValue::Null) => match &placeholder.fallback {
                        Some(fallback) => text.push_str(fallback),
                        None => {
                            return match &self.otherwise {
                                Some(otherwise) => otherwise.render_text_dyn(&lookup),
                                None => Ok(None),
                            };
                        }
                    },
                    Some(value) => text.push_str(&self.piece(index, placeholder, value)?),
                },
            }
        }
        self.refuse_rivals(&text, lookup)?;
        Ok(Some(text))
    }

    /// The text for people rather than for a key: values as they are, which may be empty and contain any character.
    /// `None` when an attribute without a fallback is absent.
    pub fn compose<'v>(
        &self,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Option<String>, TemplateError> {
        for template in self.alternatives() {
            if let Some(text) = template.compose_own(&lookup)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    fn compose_own<'v>(
        &self,
        lookup: &impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Option<String>, TemplateError> {
        let mut text = String::with_capacity(self.source.len() + 32);
        for part in &self.parts {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Placeholder(placeholder) => match (lookup(&placeholder.attribute), &placeholder.fallback) {
                    (None | Some(AttributeValue::Null), Some(fallback)) => text.push_str(fallback),
                    (None | Some(AttributeValue::Null), None) => return Ok(None),
                    (Some(value), _) => text.push_str(&self.formatted(placeholder, value)?),
                },
            }
        }
        Ok(Some(text))
    }

    /// Recursion into the alternative, through a reference so that the closure's type does not grow.
    fn render_text_dyn<'v>(
        &self,
        lookup: &dyn Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Option<String>, TemplateError> {
        self.render_text(lookup)
    }

    /// The text of one placeholder.
    pub(crate) fn piece(
        &self,
        index: usize,
        placeholder: &Placeholder,
        value: &AttributeValue,
    ) -> Result<String, TemplateError> {
        let piece = self.formatted(placeholder, value)?;
        if piece.is_empty() {
            return Err(TemplateError::Empty {
                attribute: placeholder.attribute.clone(),
                template: self.source.clone(),
            });
        }
        // A piece of a fixed length is found by counting, so it may contain anything.
        let is_sentinel = placeholder.sentinel.as_ref() == Some(&piece);
        if !self.is_last(index) && placeholder.counted_length().is_none() && !is_sentinel {
            let forbidden = [Some(self.delimiter), self.terminator(index)];
            if let Some(delimiter) = forbidden.into_iter().flatten().find(|character| piece.contains(*character)) {
                return Err(TemplateError::Delimiter {
                    attribute: placeholder.attribute.clone(),
                    template: self.source.clone(),
                    value: piece,
                    delimiter,
                });
            }
        }
        Ok(piece)
    }

    /// A value in the formats of its placeholder.
    fn formatted(&self, placeholder: &Placeholder, value: &AttributeValue) -> Result<String, TemplateError> {
        let mut piece = placeholder.kind.text_of(value).ok_or_else(|| self.wrong_type(placeholder, value))?;
        for format in &placeholder.formats {
            piece = format.apply(piece).ok_or_else(|| TemplateError::DoesNotFit {
                attribute: placeholder.attribute.clone(),
                template: self.source.clone(),
                value: placeholder.kind.text_of(value).unwrap_or_default(),
                format: format.spelling(),
            })?;
        }
        Ok(piece)
    }

    fn refuse_rivals<'v>(
        &self,
        text: &str,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<(), TemplateError> {
        let Some(rival) = self.rivals().iter().find(|rival| rival.claims(text)) else { return Ok(()) };
        let culprit = self.placeholders().last();
        let attribute = culprit.map_or_else(String::new, |placeholder| placeholder.attribute.clone());
        let value = culprit
            .and_then(|placeholder| placeholder.kind.text_of(lookup(&placeholder.attribute)?))
            .unwrap_or_else(|| text.to_owned());
        Err(TemplateError::BelongsToRival {
            attribute,
            template: self.source.clone(),
            value,
            rival: rival.source.clone(),
        })
    }

    fn wrong_type(&self, placeholder: &Placeholder, value: &AttributeValue) -> TemplateError {
        let attribute = placeholder.attribute.clone();
        let template = self.source.clone();
        let expected = placeholder.kind.describe();
        match value {
            AttributeValue::S(text) if !matches!(placeholder.kind, ValueKind::Text) => {
                TemplateError::WrongValue { attribute, template, expected, value: text.clone() }
            }
            AttributeValue::N(number) if placeholder.kind == ValueKind::Integer => {
                TemplateError::WrongValue { attribute, template, expected, value: number.to_string() }
            }
            _ => TemplateError::WrongType { attribute, template, expected, found: value.value_type() },
        }
    }
}
