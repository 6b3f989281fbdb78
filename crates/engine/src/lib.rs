//! The embedded engine: DynamoDB's semantics on an ordered key-value store, in this process, durable.
//!
//! ```
//! use keyfold_engine::{Engine, Options};
//! use keyfold_dynamo::Backend;
//! use keyfold_dynamo::operation::ListTablesInput;
//!
//! let engine = Engine::in_memory(Options::default())?;
//! let tables = pollster::block_on(engine.list_tables(ListTablesInput::default()))?;
//! assert!(tables.table_names.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod backend;
mod background_thread;
mod backup;
mod capacity;
mod catalog;
pub mod check;
mod commit;
mod damage;
mod data_folder;
mod disk_reserve;
mod engine;
mod engine_time;
mod failure;
mod health;
mod in_flight;
mod maintenance;
mod monitor;
mod new_folder;
mod offload;
mod options;
mod read;
mod reopen;
pub mod repair;
mod row_place;
mod rows;
mod running_time;
mod scrub;
mod session;
mod shared;
mod stat;
pub mod store;
mod tables;
mod work_lists;
mod write;

pub use backup::BackupError;
pub use damage::Damage;
pub use data_folder::{CheckReport, DataFolder, Progress, Stage};
pub use engine::Engine;
pub use health::Health;
pub use keyfold_environment::{Clock, Random, RandomError, SystemClock, SystemRandom};
pub use new_folder::NewFolderError;
pub use options::{OpenError, Options};
pub use reopen::ReopenError;
pub use stat::{RangeStat, Stat, TableStat};
