//! The filter of a pattern, in DynamoDB's spelling.

use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::expression::Comparison;

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
    /// A value that the design states.
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
