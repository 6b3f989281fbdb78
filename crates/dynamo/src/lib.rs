//! DynamoDB's vocabulary: values, numbers, items and their sizes, capacity units, expressions, operations with their
//! inputs and outputs, service errors, limits, and the trait that a table backend implements. Pure: nothing here does
//! I/O.
//!
//! ```
//! use keyfold_dynamo::{AttributeValue, Attributes, Number};
//!
//! let price = Number::parse("12.50").unwrap();
//! let item = Attributes::from([
//!     ("pk".to_owned(), AttributeValue::S("PRODUCT#1".to_owned())),
//!     ("price".to_owned(), AttributeValue::N(price)),
//! ]);
//! // Numbers are equal by value, and are written without trailing zeros.
//! assert_eq!(price, Number::parse("1.25e1").unwrap());
//! assert_eq!(item["price"], AttributeValue::N(price));
//! assert_eq!(price.to_string(), "12.5");
//! ```

#![warn(missing_docs)]

pub mod backend;
pub mod capacity;
pub mod error;
pub mod expression;
mod hexadecimal;
pub mod item;
pub mod json_size;
pub mod limits;
pub mod number;
pub mod operation;
pub mod table;
pub mod value;

pub use backend::{Backend, BackendFuture, ForwardingBackend};
pub use error::ServiceError;
pub use hexadecimal::hexadecimal;
pub use item::Item;
pub use number::Number;
pub use value::{AttributeValue, Attributes};
