//! `keyfold machine-key create`: machine keys, for programs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use keyfold_api::identity::{NewMachineKey, create_machine_key};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Create a machine key and print it. The file stores only its hash. A running server accepts the key within a second
    Create(Arguments),
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Name of the key; its subject is `machine:NAME`
    name: String,
    /// File with the hashed keys, as in `keyfold serve --machine-keys`; created if missing
    #[arg(long, value_name = "FILE", env = "KEYFOLD_MACHINE_KEYS")]
    machine_keys: PathBuf,
    /// Tenant the key acts in
    #[arg(long)]
    tenant: Option<String>,
    /// Role of the key; repeatable. A key for several designs states DESIGN:ROLE; server:operator reads metrics
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Design that the key is for; repeatable. A server of several designs accepts the key in no other
    #[arg(long = "design", value_name = "DESIGN")]
    designs: Vec<String>,
    /// Expiry time, for example 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let Self::Create(Arguments { name, machine_keys, tenant, roles, designs, expires }) = self;
        let made = create_machine_key(&machine_keys, NewMachineKey { name, tenant, roles, designs, expires });
        let key = made.with_context(|| format!("cannot add a key to `{}`", machine_keys.display()))?;
        say!("{key}");
        Ok(ExitCode::SUCCESS)
    }
}
