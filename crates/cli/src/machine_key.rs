//! `keyfold machine-key`: machine keys, for programs.

mod list;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use keyfold_api::identity::{MachineKeyFile, NewMachineKey, Rotation};
use keyfold_design::Design;
use keyfold_runtime::SystemClock;

use crate::design::Project;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Create a machine key and print it. The file stores only its hash. A running server accepts the key within a
    /// second
    Create(CreateArguments),
    /// List machine keys: what they may do, when they expire and when they were used last
    List(list::Arguments),
    /// Replace a key by a new one of the same name and rights, and print it. The old one is accepted for some time
    Rotate(RotateArguments),
    /// Revoke a key: running servers reject it within two seconds
    Revoke(RevokeArguments),
}

#[derive(clap::Args)]
pub(crate) struct CreateArguments {
    /// Name of the key; its subject is `machine:NAME`
    name: String,
    #[command(flatten)]
    file: FileArguments,
    /// Tenant the key acts in
    #[arg(long)]
    tenant: Option<String>,
    /// Role of the key; repeatable. A key for several designs states DESIGN:ROLE; server:operator reads metrics
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Design that the key is for: its name, or its file or folder, with which scopes are compared; repeatable. A
    /// server of several designs accepts the key in no other
    #[arg(long = "design", value_name = "DESIGN")]
    designs: Vec<String>,
    /// What the key may be used for, within what its roles allow: read, License:update, pattern:NAME, audit;
    /// repeatable. Everything that they allow by default
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<String>,
    /// Expiry time, for example 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct FileArguments {
    /// File with the hashed keys, as in `keyfold serve --machine-keys`; created if missing
    #[arg(long, value_name = "FILE", env = "KEYFOLD_MACHINE_KEYS")]
    machine_keys: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct RotateArguments {
    /// Name of the key
    name: String,
    #[command(flatten)]
    file: FileArguments,
    /// How long the old key is still accepted: 30m, 1h, 7d; 0s for not at all
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = overlap)]
    overlap: Duration,
    /// Expiry time of the new key; by default it is valid for as long as the old one was to be
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct RevokeArguments {
    /// Name of the key
    name: String,
    #[command(flatten)]
    file: FileArguments,
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Create(arguments) => create(arguments)?,
            Self::List(arguments) => list::print(&arguments)?,
            Self::Rotate(RotateArguments { name, file, overlap, expires }) => {
                let overlap_ms = u64::try_from(overlap.as_millis()).unwrap_or(u64::MAX);
                let rotation = Rotation { overlap_ms, expires, by_key: None };
                let keys = file.open(None);
                say!("{}", keys.rotate(&name, &rotation).with_context(|| file.failure("rotate a key of"))?);
                keys.check().with_context(|| {
                    format!("`{name}` is rotated, but `{}` has to be corrected", file.machine_keys.display())
                })?;
            }
            Self::Revoke(RevokeArguments { name, file }) => {
                let keys = file.open(None);
                let revoked = keys.revoke(&name).with_context(|| file.failure("revoke a key of"))?;
                keys.check().with_context(|| {
                    format!("`{name}` is revoked, but `{}` has to be corrected", file.machine_keys.display())
                })?;
                match revoked {
                    true => say!("revoked `{name}`: servers that use the file reject it within two seconds"),
                    false => say!("`{name}` was revoked or had expired already"),
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl FileArguments {
    fn open(&self, uses: Option<&Path>) -> MachineKeyFile {
        MachineKeyFile::new(&self.machine_keys, uses, Arc::new(SystemClock))
    }

    fn failure(&self, act: &str) -> String {
        format!("cannot {act} `{}`", self.machine_keys.display())
    }
}

fn create(arguments: CreateArguments) -> anyhow::Result<()> {
    let CreateArguments { name, file, tenant, roles, designs, scopes, expires } = arguments;
    let scopes = Some(scopes).filter(|scopes| !scopes.is_empty());
    let known: Vec<Option<Arc<Design>>> = designs.iter().map(|stated| design_at(stated)).collect::<Result<_, _>>()?;
    let name_of =
        |(stated, known): (String, &Option<Arc<Design>>)| known.as_ref().map_or(stated, |own| own.name.clone());
    let designs = designs.into_iter().zip(&known).map(name_of).collect();
    let new = NewMachineKey { name, tenant, roles, designs, scopes, expires };
    // Where one of the designs is stated by its name alone, its entities are not known.
    if let Some(known) = known.into_iter().collect::<Option<Vec<_>>>().filter(|known| !known.is_empty()) {
        new.check(Some(&known)).with_context(|| file.failure("add a key to"))?;
    }
    let key = file.open(None).create(new).with_context(|| file.failure("add a key to"))?;
    say!("{key}");
    Ok(())
}

/// The design at a path; `None` for a name.
fn design_at(stated: &str) -> anyhow::Result<Option<Arc<Design>>> {
    let is_path = stated.contains(std::path::is_separator) || stated.ends_with(".yaml") || stated.ends_with(".yml");
    if is_path { Ok(Some(Project::open(Path::new(stated))?.design)) } else { Ok(None) }
}

/// `90s`, `30m`, `1h`, `7d`.
fn overlap(text: &str) -> Result<Duration, String> {
    let refusal = || format!("`{text}` is not a valid time; examples: 30m, 1h, 7d");
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let seconds = match text.split_at(digits.len()).1 {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(refusal()),
    };
    let number: u32 = digits.parse().map_err(|_| refusal())?;
    Ok(Duration::from_secs(u64::from(number) * seconds))
}
