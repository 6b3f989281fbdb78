//! `keyfold admin create`: the first administrator of a design, without whom nobody could let anybody in.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use http::StatusCode;
use keyfold_api::change_records::{Admission, ChangeRecordSettings, ChangeRecords, ChangeRequest, StoredResponse};
use keyfold_api::{CredentialKind, Principal};
use keyfold_runtime::{AdministratorStep, Caller, Error, FirstAdministrator, Record, SystemClock, SystemRandom, Write};

use super::output;
use super::project::Project;
use super::session::{DesignArguments, Session};
use crate::backend::BackendPlace;

/// The subject in stamps and in the audit log.
const SUBJECT: &str = "keyfold admin";

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Create the first administrator, as `callers: {first administrator: …}` of the design says. The table of an
    /// embedded engine is created if it is missing. Fails if there is an administrator already
    Create(Arguments),
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: DesignArguments,
    /// Parameters of the design as name=value, for example issuer=https://id.example.com subject=ada
    #[arg(value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Create one even if there is an administrator already
    #[arg(long)]
    another: bool,
    /// Table of the audit log, as in `keyfold serve --audit-table`
    #[arg(long, value_name = "NAME", default_value_t = ChangeRecordSettings::default().table)]
    audit_table: String,
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let Self::Create(arguments) = self;
        let project = Project::open(&arguments.target.design)?;
        let session = arguments.target.open_project(&project)?;
        if !session.caller.superuser {
            bail!("--as is not valid here: an administrator is created by whoever has access to the data");
        }
        session.wait(create(&session, &arguments))
    }
}

async fn create(session: &Session, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let failed = |error: Error| anyhow!(session.describe(&error));
    let mut administrator =
        FirstAdministrator::new(&session.runtime, parameters(&arguments.parameters)?).map_err(failed)?;
    if matches!(session.place, BackendPlace::Folder(_)) {
        session.runtime.create_table().await.map_err(failed)?;
    }
    let audit = Audit::open(session, &arguments.audit_table).await.map_err(failed)?;
    // Of two commands at once, on a backend that several programs use, one has to be repeated.
    let claim = format!("first administrator of {}", session.runtime.design().name);
    if !audit.records.claim(&claim).await.map_err(failed)? {
        bail!("another command creates an administrator at the moment; try again in a minute");
    }
    let created = write_items(session, arguments, &mut administrator, &audit).await;
    audit.records.release(&claim).await.map_err(failed)?;
    let written = created?;
    let design = session.runtime.design();
    match arguments.target.json {
        true => say!("{}", serde_json::to_string_pretty(&output::to_json(design, &written))?),
        false => say!("{}", output::to_tables(design, &written)),
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the items of an administrator, if there is none.
async fn write_items(
    session: &Session,
    arguments: &Arguments,
    administrator: &mut FirstAdministrator<'_>,
    audit: &Audit,
) -> anyhow::Result<Vec<Record>> {
    let failed = |error: Error| anyhow!(session.describe(&error));
    if !arguments.another && administrator.exists().await.map_err(failed)? {
        bail!("there is an administrator already; to create another one, add --another");
    }
    let last = administrator.steps().saturating_sub(1);
    let mut written = Vec::new();
    for position in 0..administrator.steps() {
        let write = match administrator.step(position).await.map_err(failed)? {
            AdministratorStep::Exists(user) => {
                require_same(administrator, position, &user)?;
                administrator.take_over(position, &user);
                continue;
            }
            AdministratorStep::Write(write) => *write,
        };
        match audit.write(session, write.clone()).await {
            Ok(record) => {
                administrator.take_over(position, &record);
                written.push(record);
            }
            // A tenant may exist before its first administrator does; so do the items of an attempt that was
            // interrupted.
            Err(Error::Exists { .. }) if position < last => {
                if let Some(stored) = administrator.stored(&write).await.map_err(failed)? {
                    require_same(administrator, position, &stored)?;
                }
            }
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(written)
}

/// Refuses an item that exists and is another person's than the parameters say.
fn require_same(administrator: &FirstAdministrator<'_>, position: usize, stored: &Record) -> anyhow::Result<()> {
    match administrator.differing_attribute(position, stored) {
        None => Ok(()),
        Some(name) => bail!(
            "there is such an item already, and its `{name}` is another one: it would make someone else an administrator; \
             state the `{name}` that it has, or another id"
        ),
    }
}

fn parameters(given: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut parameters = BTreeMap::new();
    for part in given {
        let Some((name, value)) = part.split_once('=').filter(|(_, value)| !value.is_empty()) else {
            bail!("`{part}` has no value; write name=value");
        };
        if parameters.insert(name.to_owned(), value.to_owned()).is_some() {
            bail!("`{name}` appears twice");
        }
    }
    Ok(parameters)
}

/// Writes items together with their entries in the audit log.
struct Audit {
    records: ChangeRecords,
    principal: Principal,
}

impl Audit {
    async fn open(session: &Session, table: &str) -> Result<Self, Error> {
        // Alternator has no transactions, in which entries are written.
        let audit = !matches!(session.place, BackendPlace::Alternator(_));
        let settings =
            ChangeRecordSettings { table: table.to_owned(), audit, idempotency: false, ..Default::default() };
        let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
        let records = ChangeRecords::open(Arc::clone(&session.backend), settings, clock, random).await?;
        let caller = Arc::new(Caller::superuser(SUBJECT));
        Ok(Self { records, principal: Principal { caller, kind: CredentialKind::Command, ..Principal::default() } })
    }

    async fn write(&self, session: &Session, write: Write) -> Result<Record, Error> {
        let request = ChangeRequest {
            design: session.runtime.design(),
            principal: &self.principal,
            tenant: None,
            key: None,
            request_id: SUBJECT,
        };
        let unexpected = |cause: &str| Error::Unavailable(format!("the audit log: {cause}"));
        let pending = match self.records.begin(request).await {
            Ok(Admission::Execute(pending)) => pending,
            Ok(Admission::Replay(_)) => return Err(unexpected("a replay without a key")),
            Err(error) => return Err(unexpected(&error.to_string())),
        };
        // Nothing is stored of the response to a request without an idempotency key.
        let respond = |_: &[Option<Record>]| StoredResponse {
            status: StatusCode::CREATED,
            headers: Vec::new(),
            body: Default::default(),
        };
        let side_writes = pending.side_writes(std::slice::from_ref(&write), &respond);
        let written = session.runtime.transact_with(&self.principal.caller, vec![write], &side_writes).await?;
        written.into_iter().flatten().next().ok_or_else(|| unexpected("a created item is missing"))
    }
}
