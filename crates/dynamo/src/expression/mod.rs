//! DynamoDB's expression languages: condition, filter, key condition, projection and update expressions as typed trees,
//! which operations carry and backends evaluate. Trees are built by functions, or parsed from text with the service's
//! checks and error texts; [`Printer`] turns them back into text.
//!
//! The expressions of a request share one [`Context`] of names and values:
//!
//! ```
//! use keyfold_dynamo::expression::{Condition, ConditionKind, Context};
//! use keyfold_dynamo::{AttributeValue, Attributes};
//!
//! let values = Attributes::from([(":v".to_owned(), AttributeValue::S("x".to_owned()))]);
//! let mut context = Context::new(None, Some(&values), true)?;
//! let condition = Condition::parse(ConditionKind::Condition, "begins_with(title, :v)", &mut context)?;
//! context.finish()?;
//! let item = Attributes::from([("title".to_owned(), AttributeValue::S("xyz".to_owned()))]);
//! assert!(condition.matches(&item));
//! # Ok::<(), keyfold_dynamo::ServiceError>(())
//! ```

mod aliases;
mod build;
mod condition;
mod context;
mod evaluate;
mod fault;
mod function;
mod key_condition;
mod lexer;
mod operands;
mod operators;
mod overlap;
mod parse_condition;
mod path;
mod print;
mod projection;
mod reserved;
mod resolve;
mod syntax;
mod update;
mod words;

pub use aliases::Aliases;
pub use condition::{Condition, ConditionKind, Operand};
pub use context::{Context, NameAliases, ValueAliases};
pub use fault::ExpressionKind;
pub use key_condition::{KeyCondition, PartitionRange, SortCondition, refuse_paths_into_keys};
pub use path::{Path, PathStep};
pub use print::Printer;
pub use projection::Projection;
pub use reserved::is_reserved;
pub use syntax::{Arithmetic, Comparison};
pub use update::{SetAction, SetValue, Update, UpdateOperand, Updated, ValueAction};

use crate::limits;
use fault::Fault;

/// An expression is neither empty nor longer than the service takes.
fn check_size(text: &str) -> Result<(), Fault> {
    if text.is_empty() {
        return Err(Fault::Empty);
    }
    if text.len() > limits::EXPRESSION_BYTES {
        return Err(Fault::TooLong(text.len()));
    }
    Ok(())
}
