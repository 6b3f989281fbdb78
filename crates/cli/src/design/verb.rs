//! `keyfold create|put|upsert|patch|delete|get`: one item.

use std::process::ExitCode;

use anyhow::bail;
use keyfold_design::model::Entity;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record, Write, WriteVerb};

use super::operators::OperatorArguments;
use super::session::{DesignArguments, Session};
use super::{given, output};

/// The exit code of a failed call.
const REFUSED: u8 = 1;

#[derive(clap::Args)]
pub(crate) struct WriteArguments {
    #[command(flatten)]
    target: DesignArguments,
    /// Entity name
    entity: String,
    /// Attributes as name=value, or a JSON object; `null` removes an attribute
    #[arg(value_name = "NAME=VALUE")]
    attributes: Vec<String>,
    /// Required current version of the item
    #[arg(long, value_name = "NUMBER")]
    expected_version: Option<u64>,
}

#[derive(clap::Args)]
pub(crate) struct PatchArguments {
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    operators: OperatorArguments,
}

#[derive(clap::Args)]
pub(crate) struct DeleteArguments {
    #[command(flatten)]
    target: DesignArguments,
    /// Entity name
    entity: String,
    /// Identity of the item as name=value
    #[arg(value_name = "NAME=VALUE")]
    identity: Vec<String>,
    /// Required current version of the item
    #[arg(long, value_name = "NUMBER")]
    expected_version: Option<u64>,
    /// Also delete the items that refer to it
    #[arg(long)]
    cascade: bool,
}

#[derive(clap::Args)]
pub(crate) struct GetArguments {
    #[command(flatten)]
    target: DesignArguments,
    /// Entity name
    entity: String,
    /// Identity of the item as name=value
    #[arg(value_name = "NAME=VALUE")]
    identity: Vec<String>,
}

pub(crate) fn write(verb: WriteVerb, arguments: &WriteArguments) -> anyhow::Result<ExitCode> {
    output::as_json_too(arguments.target.json, try_write(verb, arguments, None))
}

pub(crate) fn patch(arguments: &PatchArguments) -> anyhow::Result<ExitCode> {
    let PatchArguments { write, operators } = arguments;
    output::as_json_too(write.target.json, try_write(WriteVerb::Patch, write, Some(operators)))
}

fn try_write(
    verb: WriteVerb,
    arguments: &WriteArguments,
    operators: Option<&OperatorArguments>,
) -> anyhow::Result<ExitCode> {
    let session = arguments.target.open()?;
    let entity = entity(&session, &arguments.entity)?;
    let attributes = given::attributes(entity, &arguments.attributes)?;
    if arguments.expected_version.is_some() && verb != WriteVerb::Patch {
        bail!("--expected-version is only valid for `patch` and `delete`");
    }
    let patch = operators.map(|operators| operators.read(entity)).transpose()?.unwrap_or_default();
    let patch = PatchOptions { expected_version: arguments.expected_version, ..patch };
    let write = new_write(verb, &entity.name, attributes, patch, DeleteOptions::default());
    let outcome = session.wait(session.runtime.transact(&session.caller, vec![write]));
    show(&session, &arguments.target, outcome.map(|records| records.into_iter().flatten().collect()))
}

/// A write of these attributes, with the options that its verb takes.
pub(super) fn new_write(
    verb: WriteVerb,
    entity: &str,
    attributes: Attributes,
    patch: PatchOptions,
    delete: DeleteOptions,
) -> Write {
    let entity = entity.to_owned();
    match verb {
        WriteVerb::Create => Write::Create { entity, attributes },
        WriteVerb::Put => Write::Put { entity, attributes },
        WriteVerb::Upsert => Write::Upsert { entity, attributes },
        WriteVerb::Patch => Write::Patch { entity, attributes, options: patch },
        WriteVerb::Delete => Write::Delete { entity, identity: attributes, options: delete },
    }
}

pub(crate) fn delete(arguments: &DeleteArguments) -> anyhow::Result<ExitCode> {
    output::as_json_too(arguments.target.json, try_delete(arguments))
}

fn try_delete(arguments: &DeleteArguments) -> anyhow::Result<ExitCode> {
    let session = arguments.target.open()?;
    let entity = entity(&session, &arguments.entity)?;
    let identity = given::attributes(entity, &arguments.identity)?;
    let options = DeleteOptions { expected_version: arguments.expected_version, cascade: arguments.cascade };
    let outcome = session.wait(session.runtime.delete(&session.caller, &entity.name, identity, options));
    let deleted = outcome.is_ok();
    let code = show(&session, &arguments.target, outcome.map(|()| Vec::new()))?;
    if deleted && !arguments.target.json {
        say!("deleted");
    }
    Ok(code)
}

pub(crate) fn get(arguments: &GetArguments) -> anyhow::Result<ExitCode> {
    output::as_json_too(arguments.target.json, try_get(arguments))
}

fn try_get(arguments: &GetArguments) -> anyhow::Result<ExitCode> {
    let session = arguments.target.open()?;
    let entity = entity(&session, &arguments.entity)?;
    let identity = given::attributes(entity, &arguments.identity)?;
    let outcome = session.wait(session.runtime.get(&session.caller, &entity.name, identity));
    match outcome {
        Ok(None) => {
            let message = format!("{} not found", entity.name);
            if arguments.target.json {
                say!("{:#}", serde_json::json!({"error": "not found", "message": message}));
            }
            report!("{message}");
            Ok(ExitCode::from(REFUSED))
        }
        outcome => show(&session, &arguments.target, outcome.map(|record| record.into_iter().collect())),
    }
}

fn entity<'s>(session: &'s Session, name: &str) -> anyhow::Result<&'s Entity> {
    Ok(session.runtime.entity(name)?)
}

/// Prints the result of a call, or its error.
fn show(session: &Session, target: &DesignArguments, outcome: Result<Vec<Record>, Error>) -> anyhow::Result<ExitCode> {
    match outcome {
        Ok(records) => {
            let design = session.runtime.design();
            match (target.json, output::to_json(design, &records).as_slice()) {
                (true, [one]) => say!("{}", serde_json::to_string_pretty(one)?),
                (true, _) => say!("{{}}"),
                (false, _) if records.is_empty() => {}
                (false, _) => say!("{}", output::to_tables(design, &records)),
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => refuse(session, target, &error),
    }
}

pub(super) fn refuse(session: &Session, target: &DesignArguments, error: &Error) -> anyhow::Result<ExitCode> {
    let message = session.describe(error);
    if target.json {
        say!("{}", serde_json::to_string_pretty(&output::error_json(error, &message))?);
    }
    report!("{}: {message}", error.kind());
    Ok(ExitCode::from(REFUSED))
}
