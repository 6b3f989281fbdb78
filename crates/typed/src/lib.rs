//! What generated Rust modules build on: Rust types for the values of a design, typed inputs and results, and a session
//! that runs the verbs and access patterns of one design on Keyfold's runtime, whatever the backend.
//!
//! `keyfold generate rust` writes the module of a design. It holds a struct for each entity, inputs for its verbs, key
//! builders, and a method for each access pattern:
//!
//! ```text
//! let platform = Platform::new(&runtime, Caller::member("northwind", "ada"));
//! let license = platform.get(&LicenseIdentity::new("northwind", "l1")).await?;
//! let page = platform.licenses_by_enterprise("globex", &QueryOptions::default()).await?;
//! ```
//!
//! Values have types of their own, which accept what the design accepts, and keys are assembled by the design's rules:
//!
//! ```
//! use keyfold_typed::{Date, Key};
//!
//! let day: Date = "2026-12-31".parse()?;
//! let mut key = Key::new("EXPIRES#<endDate>", '#');
//! key.literal("EXPIRES#");
//! key.part("endDate", &day, &[]);
//! assert_eq!(key.text()?, "EXPIRES#2026-12-31");
//! assert!("2026-02-30".parse::<Date>().is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod any;
mod attribute_change;
mod binary;
mod entity;
mod enumeration;
mod fixed_text;
mod key;
mod moment;
mod number;
mod operators;
mod page;
mod session;
mod timestamp;
mod type_mismatch;
mod value;
mod write;

pub use any::Any;
pub use attribute_change::AttributeChange;
pub use binary::Binary;
pub use entity::{Design, Entity, Identity, New, Patch, Removable, Returned};
pub use entity::{boxed, optional, or_default, other, required};
pub use enumeration::Enumeration;
pub use fixed_text::{Date, DateTime, Ulid, Uuid};
pub use key::{Key, index_key};
pub use moment::Moment;
pub use number::Number;
pub use operators::{add, append, prepend, subtract};
pub use page::Page;
pub use session::Session;
pub use timestamp::Timestamp;
pub use type_mismatch::TypeMismatch;
pub use value::{FromValue, KeyValue, ToValue, set, set_change, set_if, set_list};
pub use write::Write;

pub use keyfold_design::template::{Format, TemplateError};
pub use keyfold_dynamo::table::KeyType;
pub use keyfold_dynamo::{AttributeValue, Attributes};
pub use keyfold_runtime::{
    Caller, DeleteOptions, Error, ItemCondition, Operators, PatchOptions, QueryOptions, Runtime,
};
