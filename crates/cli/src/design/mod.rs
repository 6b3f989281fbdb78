//! Commands that run a design: its verbs, its access patterns, its sample data and its tests.

mod caller;
mod cursor_secret;
mod explain;
mod files;
mod fitness;
mod given;
mod load;
mod output;
mod project;
mod query;
mod session;
mod test;
mod verb;

pub use explain::Arguments as ExplainArguments;
pub use load::Arguments as LoadArguments;
pub use query::Arguments as QueryArguments;
pub use test::Arguments as TestArguments;
pub use verb::{DeleteArguments, GetArguments, WriteArguments, WriteVerb};

pub use cursor_secret::{cursor_secret, given_cursor_secret};
pub use files::DesignFiles;
pub use fitness::refuse_unfit;
pub use project::Project;

pub use explain::run as explain;
pub use load::run as load;
pub use query::run as query;
pub use test::run as test;
pub use verb::{delete, get, write};
