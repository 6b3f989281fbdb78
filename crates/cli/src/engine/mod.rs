//! `keyfold engine …`

mod backup;
mod check;
mod progress;
mod repair;
mod serve;
mod stat;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use keyfold_engine::{DataFolder, Engine, OpenError, Options};

use crate::descriptors::Descriptors;
use crate::private_files;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the engine over the DynamoDB protocol, for boto3, the AWS CLI and all AWS SDKs
    Serve(serve::Arguments),
    /// Print tables and indexes with their item counts and sizes
    Stat(stat::Arguments),
    /// Verify all files, and that indexes, expiries and counts match the items; changes nothing
    Check(check::Arguments),
    /// Copy the data folder of a server that does not run, and verify the copy
    Backup(backup::Arguments),
    /// Salvage a damaged data folder into a new one, and list what is lost
    Repair(repair::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Serve(arguments) => serve::run(&arguments),
            Self::Stat(arguments) => stat::run(&arguments),
            Self::Check(arguments) => check::run(&arguments),
            Self::Backup(arguments) => backup::run(&arguments),
            Self::Repair(arguments) => repair::run(&arguments),
        }
    }
}

/// An existing data folder.
#[derive(Args)]
struct ExistingData {
    /// Data folder
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

impl ExistingData {
    /// The folder, without an engine that could change it.
    fn inspect(&self) -> anyhow::Result<DataFolder> {
        anyhow::ensure!(
            self.data.is_dir(),
            "folder `{}` not found; `keyfold engine serve --data {0}` creates it",
            self.data.display()
        );
        anyhow::ensure!(Engine::exists_in(&self.data), "`{}` is not a Keyfold data folder", self.data.display());
        // All tables are open at once.
        Descriptors::raise();
        DataFolder::open(&self.data).map_err(|error| opening_failed(&self.data, error.into()))
    }
}

pub(crate) fn open(folder: &Path, options: Options) -> anyhow::Result<Engine> {
    anyhow::ensure!(!folder.exists() || folder.is_dir(), "`{}` is a file, not a data folder", folder.display());
    private_files::create_privately();
    let engine = Engine::open(folder, options).map_err(|error| opening_failed(folder, error))?;
    private_files::tighten_folder(folder);
    Ok(engine)
}

fn opening_failed(folder: &Path, error: OpenError) -> anyhow::Error {
    let error = match error {
        OpenError::Store(keyfold_engine::store::StoreError::Locked) => anyhow::anyhow!(
            "`{}` is in use by another process; stop it first, or use another folder with --data",
            folder.display()
        ),
        other => anyhow::Error::new(other),
    };
    error.context(format!("cannot open the data in `{}`", folder.display()))
}
