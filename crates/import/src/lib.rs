//! Drafts of designs from existing tables: the table of a CloudFormation template, or a live table with a sample of its
//! items. Pure: nothing here does I/O, and the same table and items give the same draft.
//!
//! ```
//! let template = r#"{"Resources": {"Notes": {"Type": "AWS::DynamoDB::Table", "Properties": {
//!     "TableName": "notes",
//!     "BillingMode": "PAY_PER_REQUEST",
//!     "AttributeDefinitions": [
//!         {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}
//!     ],
//!     "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]
//! }}}}"#;
//! let facts = keyfold_import::cloudformation::read(template, None).unwrap();
//! let draft = keyfold_import::draft_from_table(&facts, "a template").unwrap();
//! assert!(draft.text.contains("name: notes"));
//! ```

pub mod cloudformation;
mod draft;
mod entity;
mod patterns;
mod relations;
mod sample;
mod table;
mod template;
mod types;

pub use draft::{Draft, design_name, from_items as draft_from_items, from_table as draft_from_table};
pub use sample::Sample;
pub use table::{DescriptionError, ImportedTable};
