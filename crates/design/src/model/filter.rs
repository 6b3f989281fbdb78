//! The filter of a pattern, in DynamoDB's spelling.

use std::fmt;

use keyfold_dynamo::expression::Comparison;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::template::{Format, TimestampFormat, is_date};

use super::AttributeType;
use super::value_check::describe_value;

/// `where status = <status>`: a condition that items which the key condition finds also satisfy.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// `stars >= <least>`
    Compare {
        /// The attribute of the item.
        attribute: String,
        /// How it compares with the operand.
        comparison: Comparison,
        /// The right side.
        operand: Operand,
    },
    /// `stars between <from> and <to>`; both bounds are included.
    Between {
        /// The attribute of the item.
        attribute: String,
        /// The lower bound.
        low: Operand,
        /// The upper bound.
        high: Operand,
    },
    /// `status in (active, trial)`
    In {
        /// The attribute of the item.
        attribute: String,
        /// The values of which it equals one.
        operands: Vec<Operand>,
    },
    /// `begins_with(name, <prefix>)`
    BeginsWith {
        /// The attribute of the item.
        attribute: String,
        /// The beginning of the value.
        operand: Operand,
    },
    /// `contains(tags, <tag>)`: a substring, or a member of a list or set.
    Contains {
        /// The attribute of the item.
        attribute: String,
        /// The substring or member.
        operand: Operand,
    },
    /// `attribute_exists(endDate)`
    Exists {
        /// The attribute of the item.
        attribute: String,
    },
    /// `attribute_not_exists(endDate)`
    NotExists {
        /// The attribute of the item.
        attribute: String,
    },
    /// The inner filter does not hold.
    Not(Box<Filter>),
    /// All of them hold.
    And(Vec<Filter>),
    /// At least one of them holds.
    Or(Vec<Filter>),
}

/// The value that a filter compares with.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// The argument of the call for this parameter.
    Parameter(String),
    /// The argument for this parameter as a bound of timestamps: a date stands for the start or the end of its day.
    Moment {
        /// The parameter.
        parameter: String,
        /// [`Format::StartOfDay`] or [`Format::EndOfDay`].
        edge: Format,
    },
    /// A value that the design states.
    Value(AttributeValue),
}

impl Operand {
    /// The value for one call; `None` if the argument is missing.
    pub fn value(&self, arguments: &Attributes) -> Option<AttributeValue> {
        match self {
            Self::Value(value) => Some(value.clone()),
            Self::Parameter(name) => arguments.get(name).cloned(),
            Self::Moment { parameter, edge } => Some(at_edge(arguments.get(parameter)?, *edge)),
        }
    }

    /// As a bound of timestamps.
    pub(crate) fn at(&self, edge: Format) -> Self {
        match self {
            Self::Parameter(name) => Self::Moment { parameter: name.clone(), edge },
            Self::Value(value) => Self::Value(at_edge(value, edge)),
            Self::Moment { .. } => self.clone(),
        }
    }
}

/// The start or the end of a day, if the value is one.
fn at_edge(value: &AttributeValue, edge: Format) -> AttributeValue {
    let (AttributeValue::S(text), Format::StartOfDay(format) | Format::EndOfDay(format)) = (value, edge) else {
        return value.clone();
    };
    let moment = if is_date(text) { edge.apply(text.clone()) } else { None };
    match moment {
        Some(moment) if format.is_number() => Number::parse(&moment).map_or_else(|_| value.clone(), AttributeValue::N),
        Some(moment) => AttributeValue::S(moment),
        None => value.clone(),
    }
}

impl Filter {
    /// A comparison of timestamps, in which a date stands for its whole day.
    pub(crate) fn compare_days(
        attribute: String,
        comparison: Comparison,
        operand: &Operand,
        format: TimestampFormat,
    ) -> Self {
        let (start, end) = (Format::StartOfDay(format), Format::EndOfDay(format));
        let during = |attribute| Self::Between { attribute, low: operand.at(start), high: operand.at(end) };
        let edge = match comparison {
            Comparison::Equal => return during(attribute),
            Comparison::NotEqual => return Self::Not(Box::new(during(attribute))),
            Comparison::Less | Comparison::GreaterOrEqual => start,
            Comparison::LessOrEqual | Comparison::Greater => end,
        };
        Self::Compare { attribute, comparison, operand: operand.at(edge) }
    }

    /// The attributes it reads.
    pub fn attributes(&self) -> Vec<&str> {
        match self {
            Self::Compare { attribute, .. }
            | Self::Between { attribute, .. }
            | Self::In { attribute, .. }
            | Self::BeginsWith { attribute, .. }
            | Self::Contains { attribute, .. }
            | Self::Exists { attribute }
            | Self::NotExists { attribute } => vec![attribute],
            Self::Not(inner) => inner.attributes(),
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::attributes).collect(),
        }
    }
}

/// A condition on the items of one entity, with its parameters and their types.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemFilter {
    /// The condition.
    pub filter: Filter,
    /// Each parameter with the type of the attribute that it is first compared with.
    pub parameters: Vec<(String, AttributeType)>,
}

/// As a design spells it.
impl fmt::Display for Filter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compare { attribute, comparison, operand } => {
                write!(out, "{attribute} {} {operand}", comparison.as_str())
            }
            Self::Between { attribute, low, high } => write!(out, "{attribute} between {low} and {high}"),
            Self::In { attribute, operands } => {
                let operands: Vec<String> = operands.iter().map(ToString::to_string).collect();
                write!(out, "{attribute} in ({})", operands.join(", "))
            }
            Self::BeginsWith { attribute, operand } => write!(out, "begins_with({attribute}, {operand})"),
            Self::Contains { attribute, operand } => write!(out, "contains({attribute}, {operand})"),
            Self::Exists { attribute } => write!(out, "attribute_exists({attribute})"),
            Self::NotExists { attribute } => write!(out, "attribute_not_exists({attribute})"),
            Self::Not(inner) => write!(out, "not ({inner})"),
            Self::And(parts) => write_joined(parts, "and", out),
            Self::Or(parts) => write_joined(parts, "or", out),
        }
    }
}

fn write_joined(parts: &[Filter], word: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            write!(out, " {word} ")?;
        }
        match part {
            Filter::And(_) | Filter::Or(_) => write!(out, "({part})")?,
            part => write!(out, "{part}")?,
        }
    }
    Ok(())
}

impl fmt::Display for Operand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(name) | Self::Moment { parameter: name, .. } => write!(out, "<{name}>"),
            Self::Value(AttributeValue::S(text)) => write!(out, "\"{text}\""),
            Self::Value(value) => out.write_str(describe_value(value).trim_matches('`')),
        }
    }
}
