//! The filter of a pattern, in DynamoDB's spelling.

use keyfold_dynamo::AttributeValue;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "=" => Self::Equal,
            "<>" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }
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
