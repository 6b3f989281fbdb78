//! `keyfold engine …`

mod check;
mod serve;
mod stat;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use keyfold_engine::{Engine, OpenError, Options};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the engine over the DynamoDB protocol, for boto3, the AWS CLI and all AWS SDKs
    Serve(serve::Arguments),
    /// Print tables and indexes with their item counts and sizes
    Stat(stat::Arguments),
    /// Verify that all indexes match their items and that the counts are correct
    Check(check::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Serve(arguments) => serve::run(&arguments),
            Self::Stat(arguments) => stat::run(&arguments),
            Self::Check(arguments) => check::run(&arguments),
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
    fn open(&self) -> anyhow::Result<Engine> {
        anyhow::ensure!(
            self.data.is_dir(),
            "folder `{}` not found; `keyfold engine serve --data {0}` creates it",
            self.data.display()
        );
        anyhow::ensure!(Engine::exists_in(&self.data), "`{}` is not a Keyfold data folder", self.data.display());
        open(&self.data, Options::default())
    }
}

pub(crate) fn open(folder: &Path, options: Options) -> anyhow::Result<Engine> {
    anyhow::ensure!(!folder.exists() || folder.is_dir(), "`{}` is a file, not a data folder", folder.display());
    Engine::open(folder, options)
        .map_err(|error| match error {
            OpenError::Store(keyfold_engine::store::StoreError::Locked) => anyhow::anyhow!(
                "`{}` is in use by another process; stop it first, or use another folder with --data",
                folder.display()
            ),
            other => anyhow::Error::new(other),
        })
        .with_context(|| format!("cannot open the data in `{}`", folder.display()))
}
