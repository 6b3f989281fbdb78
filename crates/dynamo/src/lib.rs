//! DynamoDB's vocabulary: values, numbers, items and their sizes, expressions, operations with their inputs and
//! outputs, service errors, limits, and the trait that a table backend implements. Pure: nothing here does I/O.

pub mod backend;
pub mod error;
pub mod expression;
pub mod item;
pub mod limits;
pub mod number;
pub mod operation;
pub mod table;
pub mod value;

pub use backend::{Answer, Backend};
pub use error::ServiceError;
pub use item::Item;
pub use number::Number;
pub use value::{AttributeValue, Attributes};
