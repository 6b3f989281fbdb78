//! `keyfold machine-key create`: a key for a program that calls the backend.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use keyfold_api::identity::{NewMachineKey, create_machine_key};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Make a key and print it, once: the file keeps its hash only. A server that uses the file takes it at once
    Create(Arguments),
}

#[derive(clap::Args)]
pub struct Arguments {
    /// What the key is called; its subject is `machine:NAME`
    name: String,
    /// The file with the hashed keys, as `keyfold serve --machine-keys` has it; created if it does not exist
    #[arg(long, value_name = "FILE", env = "KEYFOLD_MACHINE_KEYS")]
    machine_keys: PathBuf,
    /// The tenant that it acts in
    #[arg(long)]
    tenant: Option<String>,
    /// The roles that it has
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// When it ends, as in 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
}

impl Command {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let Self::Create(Arguments { name, machine_keys, tenant, roles, expires }) = self;
        let made = create_machine_key(&machine_keys, NewMachineKey { name, tenant, roles, expires });
        let key = made.with_context(|| format!("no key was added to `{}`", machine_keys.display()))?;
        say!("{key}");
        Ok(ExitCode::SUCCESS)
    }
}
