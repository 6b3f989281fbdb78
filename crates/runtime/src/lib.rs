//! Runs a design on a backend: authorize, plan, keys, execute, entities.
//!
//! A call is authorized first, and only an authorized call can be planned. A plan is a list of actions on items, each
//! with what its failure means; it is executed as one request or one transaction.
//!
//! ```
//! use std::sync::Arc;
//!
//! use keyfold_engine::Engine;
//! use keyfold_runtime::{Caller, Options, QueryOptions, Runtime, json};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let text = "
//! # design: desk
//! # table: desk
//! # tenant: accountId
//! # entities:
//! #   License:
//! #     scope: tenant
//! #     PK: ACCOUNT#<accountId>
//! #     SK: LICENSE#<licenseId>
//! #     attributes: {accountId: string, licenseId: string, seats: integer}
//! # patterns:
//! #   licenses: PK = ACCOUNT#<accountId> and begins_with(SK, LICENSE#)
//! # allow: [{members: everything License}]
//! # ";
//! # let members = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
//! let (design, _warnings) = keyfold_design::load("design.yaml", text).map_err(|errors| format!("{errors:?}"))?;
//! let design = Arc::new(design);
//! let engine = Arc::new(Engine::in_memory(Default::default())?); // or Engine::open("./data", Default::default())?
//! let runtime = Runtime::new(Arc::clone(&design), engine, Options::standard(&design)?);
//! runtime.create_table().await?;
//!
//! let caller = Caller::member("northwind", "ada");
//! let license = json::attributes(&design.entities[0], members(json!({"licenseId": "l1", "seats": 25})))?;
//! runtime.create(&caller, "License", license).await?;
//! let page = runtime.query(&caller, "licenses", Default::default(), &QueryOptions::default()).await?;
//! assert_eq!(page.records.len(), 1);
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod access_scope;
mod attribute_dependencies;
mod authorize;
mod caller;
mod callers;
mod clock;
mod cursor;
mod deletion_mark;
mod description;
mod error;
mod explain;
mod grantee;
mod incoming_references;
mod items;
pub mod json;
pub mod json_item;
pub mod json_operators;
pub mod json_text;
mod names;
mod personal_data;
mod read;
mod record;
mod retry;
mod runtime;
pub mod scenario;
pub mod sealed_text;
mod table;
mod tenancy;
mod write;

pub use access_scope::{AccessScope, ScopeArea, ScopeError};
pub use authorize::{Access, AccessTable, Authorizer, Decision, DesignRules, UnsettableAttributes};
pub use caller::{Caller, MACHINE_SUBJECT, TOKEN_SUBJECT, TokenIdentity};
pub use callers::{AdministratorStep, FirstAdministrator, Membership};
pub use clock::timestamp;
pub use cursor::CursorError;
pub use error::{Error, ItemName, Violation};
pub use explain::{Explanation, PlannedRequest};
pub use keyfold_environment::{Clock, Random, RandomError, SystemClock, SystemRandom};
pub use personal_data::{PersonItem, PersonItems, PersonRelation, PersonSubjects, require_persons};
pub use read::{ItemProblem, Page, QueryOptions, StopReason};
pub use record::Record;
pub use runtime::{Options, Runtime};
pub use table::ensure_table;
pub use write::{
    BatchOutcome, DeleteOptions, ItemCondition, Operator, OperatorAction, Operators, PatchOptions, SideWrites, Write,
    WriteVerb,
};
