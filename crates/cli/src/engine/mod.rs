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
pub enum Command {
    /// Serve the engine over DynamoDB's own protocol, for boto3, the AWS CLI, every AWS SDK
    Serve(serve::Arguments),
    /// Print the tables, their indexes, items and bytes
    Stat(stat::Arguments),
    /// Check that every index equals a rebuild from the items and that counts are true
    Check(check::Arguments),
}

impl Command {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Serve(arguments) => serve::run(&arguments),
            Self::Stat(arguments) => stat::run(&arguments),
            Self::Check(arguments) => check::run(&arguments),
        }
    }
}

/// The folder of an engine that must exist.
#[derive(Args)]
struct ExistingData {
    /// The folder that holds the data
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

impl ExistingData {
    fn open(&self) -> anyhow::Result<Engine> {
        anyhow::ensure!(
            self.data.is_dir(),
            "there is no folder `{}`; `keyfold engine serve --data {0}` creates it",
            self.data.display()
        );
        open(&self.data, Options::default())
    }
}

pub fn open(folder: &Path, options: Options) -> anyhow::Result<Engine> {
    Engine::open(folder, options)
        .map_err(|error| match error {
            OpenError::Store(keyfold_engine::store::StoreError::Locked) => anyhow::anyhow!(
                "`{}` is in use by another process; stop it first, or give another folder with --data",
                folder.display()
            ),
            other => anyhow::Error::new(other),
        })
        .with_context(|| format!("cannot open the data in `{}`", folder.display()))
}
