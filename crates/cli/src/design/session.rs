//! A design on its backend, for one command.

use std::path::PathBuf;
use std::sync::Arc;

use keyfold_runtime::{Caller, Options, Runtime};

use super::caller;
use super::cursor_secret::cursor_secret;
use super::fitness::refuse_unfit;
use super::project::Project;
use crate::backend::BackendArguments;

/// The arguments of all commands that run a design.
#[derive(clap::Args)]
pub(crate) struct DesignArguments {
    /// Design file, or folder with a design.yaml
    #[arg(value_name = "DESIGN")]
    pub design: PathBuf,
    #[command(flatten)]
    backend: BackendArguments,
    /// Caller: `tenant=acme,subject=ada,role=admin`; an operator by default. Groups and permissions are read from the
    /// table unless given: `group=Squash,permission=licenses.write`
    #[arg(long = "as", value_name = "CALLER")]
    caller: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

pub(super) struct Session {
    pub runtime: Runtime,
    pub caller: Caller,
    executor: tokio::runtime::Runtime,
}

impl DesignArguments {
    pub(super) fn open(&self) -> anyhow::Result<Session> {
        let project = Project::open(&self.design)?;
        self.open_project(&project)
    }

    pub(super) fn open_project(&self, project: &Project) -> anyhow::Result<Session> {
        let caller = caller::parse(self.caller.as_deref())?;
        let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let open = executor.block_on(self.backend.open())?;
        refuse_unfit(&project.design, &open.place)?;
        let mut options = Options::standard(&project.design)?;
        options.authorizer = Arc::new(project.policies()?);
        options.cursor_secret = cursor_secret(&open.place)?;
        let runtime = Runtime::new(Arc::clone(&project.design), open.backend, options);
        let caller = match caller.groups.is_empty() && caller.permissions.is_empty() {
            true => executor.block_on(runtime.resolve_caller(caller))?,
            false => caller,
        };
        Ok(Session { runtime, caller, executor })
    }
}

impl Session {
    pub(super) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.executor.block_on(future)
    }
}
