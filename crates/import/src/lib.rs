//! Drafts of designs from what is already there: the table of a CloudFormation template, or a live table with a sample of its
//! items. Pure: nothing here does I/O, and the same table and items give the same draft.
//!
//! ```
//! let template = r#"{"Resources": {"Notes": {"Type": "AWS::DynamoDB::Table", "Properties": {
//!     "TableName": "notes",
//!     "BillingMode": "PAY_PER_REQUEST",
//!     "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
//!     "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]
//! }}}}"#;
//! let facts = keyfold_import::cloudformation::read(template, None).unwrap();
//! let draft = keyfold_import::draft_of_table_alone(&facts, "a template").unwrap();
//! assert!(draft.text.contains("table: notes"));
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

pub use draft::{Settled, design_name, of_items as draft_of_items, of_table_alone as draft_of_table_alone};
pub use sample::Sample;
pub use table::{IndexFacts, KeyName, TableFacts};
