//! What can be wrong with an expression, in DynamoDB's words.

use std::fmt;

use crate::error::ServiceError;
use crate::value::{AttributeValue, ValueType};

use super::path::Path;

/// The expressions of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionKind {
    /// What an item must meet to be written.
    Condition,
    /// Which of the items that are read are returned.
    Filter,
    /// Which keys a Query reads.
    KeyCondition,
    /// Which parts of an item are returned.
    Projection,
    /// What UpdateItem changes.
    Update,
}

impl ExpressionKind {
    /// The name of the request parameter, such as `ConditionExpression`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Condition => "ConditionExpression",
            Self::Filter => "FilterExpression",
            Self::KeyCondition => "KeyConditionExpression",
            Self::Projection => "ProjectionExpression",
            Self::Update => "UpdateExpression",
        }
    }
}

/// A fault of an expression; the text follows `Invalid …Expression: `.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Fault {
    #[error("The expression can not be empty;")]
    Empty,
    #[error("Expression size has exceeded the maximum allowed size; expression size: {0}")]
    TooLong(usize),
    #[error("Syntax error; token: \"{token}\", near: \"{near}\"")]
    Syntax { token: String, near: String },
    #[error("The expression has redundant parentheses;")]
    RedundantParentheses,
    #[error("The \"{0}\" section can only be used once in an update expression;")]
    RepeatedSection(&'static str),
    #[error("Attribute name is a reserved keyword; reserved keyword: {0}")]
    ReservedWord(String),
    #[error("Invalid function name; function: {0}")]
    UnknownFunction(String),
    #[error("The function is not allowed in a condition expression; function: {0}")]
    NotInConditions(String),
    #[error("The function is not allowed in an update expression; function: {0}")]
    NotInUpdates(String),
    #[error("The function is not allowed to be used this way in an expression; function: {0}")]
    MisplacedFunction(String),
    #[error("List index is not within the allowable range; index: [{0}]")]
    IndexOutOfRange(String),
    #[error("The document path has too many nesting levels; nesting levels: {0}")]
    PathTooDeep(usize),
    #[error("An expression attribute name used in the document path is not defined; attribute name: {0}")]
    UndefinedName(String),
    #[error("An expression attribute value used in expression is not defined; attribute value: {0}")]
    UndefinedValue(String),
    #[error(
        "Incorrect number of operands for operator or function; operator or function: {function}, number of operands: {count}"
    )]
    OperandCount { function: &'static str, count: usize },
    #[error("Operator or function requires a document path; operator or function: {0}")]
    PathRequired(&'static str),
    #[error("Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}")]
    OperandType { operator: &'static str, found: String },
    #[error(
        "Incorrect operand type for operator or function; operator: {section}, operand type: {}, typeSet: ALLOWED_FOR_{section}_OPERAND",
        long_type_name(*found)
    )]
    SectionOperandType { section: &'static str, found: ValueType },
    #[error(
        "The first operand must be distinct from the remaining operands for this operator or function; operator: {operator}, first operand: {path}"
    )]
    SameOperand { operator: &'static str, path: PathText },
    #[error("Invalid attribute type name found; type: {0}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}")]
    UnknownType(String),
    #[error(
        "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: {}, upper bound operand: {}",
        ValueText(.0),
        ValueText(.1)
    )]
    BoundTypes(AttributeValue, AttributeValue),
    #[error(
        "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: {}, upper bound operand: {}",
        ValueText(.0),
        ValueText(.1)
    )]
    BoundOrder(AttributeValue, AttributeValue),
    #[error("The IN operator is provided with too many operands; number of operands: {0}")]
    TooManyCandidates(usize),
    #[error("The expression contains too many operators; operator count: {0}")]
    TooManyOperators(usize),
    #[error(
        "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {0}, path two: {1}"
    )]
    Overlap(PathText, PathText),
    #[error(
        "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: {0}, path two: {1}"
    )]
    Conflict(PathText, PathText),
}

impl Fault {
    /// The error of the service for this fault in an expression of `kind`.
    pub(super) fn in_expression(self, kind: ExpressionKind) -> ServiceError {
        ServiceError::validation(format!("Invalid {}: {self}", kind.as_str()))
    }
}

/// A path as error texts show it: `[a, b, [0]]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PathText(pub(super) Path);

impl fmt::Display for PathText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "[{}", self.0.root)?;
        for step in &self.0.rest {
            match step {
                super::PathStep::Field(name) => write!(out, ", {name}")?,
                super::PathStep::Index(index) => write!(out, ", [{index}]")?,
            }
        }
        out.write_str("]")
    }
}

/// A value as error texts show it: `AttributeValue: {N:2}`. Only values with an order are ever shown.
struct ValueText<'a>(&'a AttributeValue);

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            AttributeValue::S(text) => write!(out, "AttributeValue: {{S:{text}}}"),
            AttributeValue::N(number) => write!(out, "AttributeValue: {{N:{number}}}"),
            // The service shows its buffer, not the bytes.
            AttributeValue::B(bytes) => {
                let length = bytes.len();
                write!(out, "AttributeValue: {{B:java.nio.HeapByteBuffer[pos=0 lim={length} cap={length}]}}")
            }
            other => write!(out, "AttributeValue: {{{}}}", other.value_type().as_str()),
        }
    }
}

/// The long names of types, which only the operands of ADD and DELETE are reported with.
fn long_type_name(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::S => "STRING",
        ValueType::N => "NUMBER",
        ValueType::B => "BINARY",
        ValueType::Bool => "BOOLEAN",
        ValueType::Null => "NULL",
        ValueType::M => "MAP",
        ValueType::L => "LIST",
        ValueType::Ss => "STRING_SET",
        ValueType::Ns => "NUMBER_SET",
        ValueType::Bs => "BINARY_SET",
    }
}
