//! A design on its backend, for one command.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use keyfold_dynamo::Backend;
use keyfold_engine::Engine;
use keyfold_runtime::{Caller, Error, Options, Runtime};

use super::caller;
use super::cursor_secret::cursor_secret;
use super::fitness::refuse_unfit;
use super::project::Project;
use crate::backend::{BackendArguments, BackendPlace};
use crate::executor::executor;

/// The arguments of all commands that run a design.
#[derive(clap::Args)]
pub(crate) struct DesignArguments {
    /// Design file, or folder with a design.yaml
    #[arg(value_name = "DESIGN")]
    pub design: PathBuf,
    #[command(flatten)]
    backend: BackendArguments,
    /// Caller: `tenant=acme,subject=ada,role=admin`; by default a superuser, to whom no rule applies. Groups and
    /// permissions are read from the table unless given: `group=Squash,permission=licenses.write`
    #[arg(long = "as", value_name = "CALLER")]
    caller: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

pub(super) struct Session {
    pub runtime: Runtime,
    pub backend: Arc<dyn Backend>,
    pub caller: Caller,
    executor: tokio::runtime::Runtime,
    /// The message for a missing table.
    no_table: String,
    pub place: BackendPlace,
}

impl DesignArguments {
    pub(super) fn open(&self) -> anyhow::Result<Session> {
        let project = Project::open(&self.design)?;
        self.require_data()?;
        self.open_project(&project)
    }

    /// Rejects a folder without data: opening it would create them.
    fn require_data(&self) -> anyhow::Result<()> {
        let place = self.backend.place()?;
        let BackendPlace::Folder(folder) = &place else { return Ok(()) };
        if !folder.exists() {
            bail!("folder `{}` not found; {}", folder.display(), self.remedy(&place));
        }
        if !Engine::exists_in(folder) {
            bail!("`{}` is not a Keyfold data folder; {}", folder.display(), self.remedy(&place));
        }
        Ok(())
    }

    /// How to create a missing table.
    fn remedy(&self, place: &BackendPlace) -> String {
        let backend = match place {
            BackendPlace::Folder(folder) => format!("--data {}", folder.display()),
            BackendPlace::Aws => "--aws".to_owned(),
            BackendPlace::Endpoint(url) => format!("--endpoint {url}"),
            BackendPlace::Alternator(url) => format!("--alternator {url}"),
        };
        format!("create the table with `keyfold load {} {backend}`", self.design.display())
    }

    /// The table of the design. It need not exist.
    pub(super) fn open_project(&self, project: &Project) -> anyhow::Result<Session> {
        let caller = caller::parse(self.caller.as_deref())?;
        let executor = executor()?;
        let open = executor.block_on(self.backend.open())?;
        refuse_unfit(&project.design, &open.place)?;
        let mut options = Options::standard(&project.design)?;
        options.authorizer = Arc::new(project.policies()?);
        options.cursor_secret = cursor_secret(&open.place)?;
        let runtime = Runtime::new(Arc::clone(&project.design), Arc::clone(&open.backend), options);
        let no_table =
            format!("table `{}` not found on {}; {}", runtime.table_name(), open.place, self.remedy(&open.place));
        let (backend, place) = (open.backend, open.place);
        let mut session = Session { runtime, backend, caller, executor, no_table, place };
        if session.caller.groups.is_empty() && session.caller.permissions.is_empty() {
            let resolved = session.wait(session.runtime.resolve_caller(session.caller.clone()));
            session.caller = resolved.map_err(|error| anyhow!(session.describe(&error)))?;
        }
        Ok(session)
    }
}

impl Session {
    /// The message of an error.
    pub(super) fn describe(&self, error: &Error) -> String {
        match error {
            Error::TableNotFound => self.no_table.clone(),
            // The SDK's text does not say where the service is.
            Error::Unavailable(cause) => format!("the table is not available: {}: {cause}", self.place),
            error => error.to_string(),
        }
    }

    pub(super) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.executor.block_on(future)
    }
}
