//! A design on the embedded engine, for one command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use keyfold_engine::Options as EngineOptions;
use keyfold_runtime::{Caller, Options, Runtime};

use super::caller;
use super::place::Place;

/// What all commands that run a design have in common.
#[derive(clap::Args)]
pub struct Target {
    /// The design: a file, or a folder with a design.yaml
    #[arg(value_name = "DESIGN")]
    pub design: PathBuf,
    /// The folder of the embedded engine's data
    #[arg(long, value_name = "DIR", default_value = "./data")]
    pub data: PathBuf,
    /// Who makes the call: `tenant=acme,subject=ada,role=admin,permission=licenses.write`; an operator if left out
    #[arg(long = "as", value_name = "CALLER")]
    caller: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

pub struct Session {
    pub runtime: Runtime,
    pub caller: Caller,
    executor: tokio::runtime::Runtime,
}

impl Target {
    pub fn open(&self) -> anyhow::Result<Session> {
        let place = Place::open(&self.design)?;
        self.open_place(&place)
    }

    pub fn open_place(&self, place: &Place) -> anyhow::Result<Session> {
        let caller = caller::parse(self.caller.as_deref())?;
        let engine = crate::engine::open(&self.data, EngineOptions::default())?;
        let mut options = Options::standard(&place.design);
        options.cursor_secret = cursor_secret(&self.data)?;
        let runtime = Runtime::new(Arc::clone(&place.design), Arc::new(engine), options);
        let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Session { runtime, caller, executor })
    }
}

impl Session {
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.executor.block_on(future)
    }
}

/// The secret that seals cursors: it lies with the data, so that a page can be asked for by a later command.
fn cursor_secret(data: &Path) -> anyhow::Result<Vec<u8>> {
    let file = data.join("cursor-secret");
    if let Ok(secret) = std::fs::read(&file)
        && secret.len() == 32
    {
        return Ok(secret);
    }
    let mut secret = vec![0; 32];
    getrandom::fill(&mut secret).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    write_private(&file, &secret).with_context(|| format!("`{}` cannot be written", file.display()))?;
    Ok(secret)
}

fn write_private(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).open(file)?.write_all(bytes)
}
