//! Attribute types and values in Cedar.

use cedar_policy::RestrictedExpression;
use keyfold_design::model::{Attribute, AttributeType, Entity, Stamp};
use keyfold_design::template::{Precision, TextFormat, TimestampFormat, Zone};
use keyfold_dynamo::{AttributeValue, Number};

/// The Cedar type of an attribute: a value, or a set of values. Lists are sets as well, since Cedar knows no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CedarType {
    pub scalar: Scalar,
    pub is_set: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    Bool,
    /// 64 bits; DynamoDB's integers may have more.
    Long,
    /// Four decimal places; DynamoDB's numbers may have more.
    Decimal,
    /// Dates and datetimes, which Cedar can put in order, unlike texts.
    Datetime,
    String,
}

impl CedarType {
    /// `None` for what Cedar cannot type: binary values, maps, lists of anything.
    pub(crate) fn for_attribute(entity: &Entity, attribute: &Attribute) -> Option<Self> {
        // An owner is compared with a subject, which is a text.
        if entity.owner.as_ref() == Some(&attribute.name) {
            return Some(Self { scalar: Scalar::String, is_set: false });
        }
        match attribute.value_type.element() {
            Some(element) => Some(Self { scalar: Scalar::for_type(&element)?, is_set: true }),
            None => Some(Self { scalar: Scalar::for_type(&attribute.value_type)?, is_set: false }),
        }
    }

    /// As a schema spells it.
    pub(crate) fn spelling(self) -> String {
        let scalar = self.scalar.spelling();
        if self.is_set { format!("Set<{scalar}>") } else { scalar.to_owned() }
    }

    /// A value in Cedar; `None` for one that is not of the type, or that Cedar cannot hold.
    pub(crate) fn value(self, value: &AttributeValue, declared: &AttributeType) -> Option<RestrictedExpression> {
        if self.is_set { self.scalar.set(value, declared) } else { self.scalar.value(value, declared) }
    }
}

impl Scalar {
    fn for_type(value_type: &AttributeType) -> Option<Self> {
        Some(match value_type {
            AttributeType::String
            | AttributeType::Ulid
            | AttributeType::Uuid
            | AttributeType::Url
            | AttributeType::Email
            | AttributeType::Enumeration(_)
            | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => Self::String,
            AttributeType::Date | AttributeType::Moment(_) => Self::Datetime,
            AttributeType::DateTime(format)
            | AttributeType::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => {
                Self::for_timestamps(*format)
            }
            AttributeType::Integer
            | AttributeType::Sequence(_)
            | AttributeType::Expiry(_)
            | AttributeType::Stamp(Stamp::Version) => Self::Long,
            AttributeType::Number => Self::Decimal,
            AttributeType::Boolean => Self::Bool,
            AttributeType::Binary
            | AttributeType::StringSet
            | AttributeType::NumberSet
            | AttributeType::List(_)
            | AttributeType::Map
            | AttributeType::Any => return None,
        })
    }

    /// Cedar reads UTC to the second or the millisecond.
    fn for_timestamps(format: TimestampFormat) -> Self {
        match format {
            TimestampFormat::EpochSeconds | TimestampFormat::EpochMilliseconds => Self::Long,
            TimestampFormat::Text(TextFormat { zone: Zone::Utc, is_lower_case: false, precision })
                if precision != Precision::Microseconds =>
            {
                Self::Datetime
            }
            TimestampFormat::Text(_) => Self::String,
        }
    }

    fn spelling(self) -> &'static str {
        match self {
            Self::Bool => "Bool",
            Self::Long => "Long",
            Self::Decimal => "decimal",
            Self::Datetime => "datetime",
            Self::String => "String",
        }
    }

    fn value(self, value: &AttributeValue, declared: &AttributeType) -> Option<RestrictedExpression> {
        match (self, value) {
            (Self::Bool, AttributeValue::Bool(flag)) => Some(RestrictedExpression::new_bool(*flag)),
            (Self::Long, AttributeValue::N(number)) => number.to_i64().map(RestrictedExpression::new_long),
            (Self::Decimal, AttributeValue::N(number)) => decimal(number),
            // Two spellings of one instant are different values of the design, so that only the design's own will do.
            (Self::Datetime, AttributeValue::S(text)) => {
                declared.check("", value).ok().map(|()| RestrictedExpression::new_datetime(text))
            }
            (Self::String, AttributeValue::S(text)) => Some(RestrictedExpression::new_string(text.clone())),
            _ => None,
        }
    }

    fn set(self, value: &AttributeValue, declared: &AttributeType) -> Option<RestrictedExpression> {
        let elements: Option<Vec<RestrictedExpression>> = match value {
            AttributeValue::Ss(texts) if self == Self::String => {
                Some(texts.iter().map(|text| RestrictedExpression::new_string(text.clone())).collect())
            }
            AttributeValue::Ns(numbers) if self == Self::Decimal => numbers.iter().map(decimal).collect(),
            AttributeValue::L(items) => {
                let declared = declared.element()?;
                items.iter().map(|item| self.value(item, &declared)).collect()
            }
            _ => None,
        };
        elements.map(RestrictedExpression::new_set)
    }
}

/// At most four places, and within 64 bits: what is beyond is found out when the value is made.
fn decimal(number: &Number) -> Option<RestrictedExpression> {
    let mut text = number.to_string();
    match text.split_once('.') {
        Some((_, places)) if places.len() > 4 => return None,
        Some(_) => {}
        None => text.push_str(".0"),
    }
    Some(RestrictedExpression::new_decimal(text))
}
