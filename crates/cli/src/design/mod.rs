//! Commands that run a design: its verbs, its access patterns, its sample data and its tests.

mod admin;
mod caller;
mod cursor_secret;
mod explain;
mod files;
mod fitness;
mod given;
mod in_memory;
mod load;
mod operators;
mod output;
mod project;
mod query;
mod sample_data;
mod session;
mod test;
mod verb;
mod yaml_numbers;

pub(crate) use admin::Command as AdminCommand;
pub(crate) use explain::Arguments as ExplainArguments;
pub(crate) use load::Arguments as LoadArguments;
pub(crate) use query::Arguments as QueryArguments;
pub(crate) use test::Arguments as TestArguments;
pub(crate) use verb::{DeleteArguments, GetArguments, PatchArguments, WriteArguments};

pub(crate) use cursor_secret::{cursor_secret, given_cursor_secret};
pub(crate) use files::DesignFiles;
pub(crate) use fitness::refuse_unfit;
pub(crate) use in_memory::in_memory;
pub(crate) use project::Project;

pub(crate) use explain::run as explain;
pub(crate) use load::run as load;
pub(crate) use query::run as query;
pub(crate) use test::run as test;
pub(crate) use verb::{delete, get, patch, write};
