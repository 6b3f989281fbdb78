//! The filter of a pattern, in DynamoDB's spelling.

use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::expression::Comparison;

#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    Compare { attribute: String, comparison: Comparison, operand: Operand },
    Between { attribute: String, low: Operand, high: Operand },
    In { attribute: String, operands: Vec<Operand> },
    BeginsWith { attribute: String, operand: Operand },
    Contains { attribute: String, operand: Operand },
    Exists { attribute: String },
    NotExists { attribute: String },
    Not(Box<Filter>),
    And(Vec<Filter>),
    Or(Vec<Filter>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    Parameter(String),
    Value(AttributeValue),
}

impl Filter {
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
