//! `keyfold explain`: the requests a call would send.

use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::bail;
use keyfold_design::counted;
use keyfold_runtime::{DeleteOptions, Explanation, PlannedRequest, WriteVerb, json};

use super::operators::OperatorArguments;
use super::query::{at_least_one, pattern};
use super::session::DesignArguments;
use super::verb::{new_write, refuse};
use super::{given, output};

/// The operation that is not a write.
const QUERY: &str = "query";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: DesignArguments,
    /// Operation: query, create, put, upsert, patch or delete
    verb: String,
    /// Access pattern (query) or entity (writes)
    subject: String,
    /// Arguments or attributes as name=value
    #[arg(value_name = "NAME=VALUE")]
    given: Vec<String>,
    /// Page size for the estimate
    #[arg(long, value_name = "COUNT", default_value = "20", value_parser = at_least_one)]
    take: NonZeroUsize,
    /// Explain a delete that also deletes the items that refer to this one
    #[arg(long)]
    cascade: bool,
    #[command(flatten)]
    operators: OperatorArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    output::as_json_too(arguments.target.json, try_run(arguments))
}

fn try_run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = &arguments.target;
    let verb = WriteVerb::from_name(&arguments.verb);
    if verb.is_none() && arguments.verb != QUERY {
        let writes = WriteVerb::ALL.map(WriteVerb::name).join(", ");
        bail!("unknown operation `{}`; expected {QUERY}, {writes}", arguments.verb);
    }
    if !arguments.operators.is_empty() && verb != Some(WriteVerb::Patch) {
        bail!("operators and conditions are only valid for `patch`");
    }
    if arguments.cascade && verb != Some(WriteVerb::Delete) {
        bail!("--cascade is only valid for `delete`");
    }
    let session = target.open()?;
    let outcome = match verb {
        None => {
            let design = session.runtime.design();
            let pattern = pattern(design, &arguments.subject)?;
            let given = given::arguments(design.access_plan(pattern.id), &arguments.given)?;
            session.runtime.explain_query(&session.caller, &pattern.name, given, arguments.take.get())
        }
        Some(verb) => {
            let entity = session.runtime.entity(&arguments.subject)?;
            let attributes = given::attributes(entity, &arguments.given)?;
            let patch = arguments.operators.read(entity)?;
            let delete = DeleteOptions { cascade: arguments.cascade, ..DeleteOptions::default() };
            let write = new_write(verb, &entity.name, attributes, patch, delete);
            session.wait(session.runtime.explain_writes(&session.caller, vec![write]))
        }
    };
    match outcome {
        Ok(explanation) if target.json => say!("{}", serde_json::to_string_pretty(&to_json(&explanation))?),
        Ok(explanation) => print(&explanation),
        Err(error) => return refuse(&session, target, &error),
    }
    Ok(ExitCode::SUCCESS)
}

fn print(explanation: &Explanation) {
    for (number, request) in explanation.requests.iter().enumerate() {
        let index = request.index.as_ref().map(|index| format!(" on {index}")).unwrap_or_default();
        let order = if request.forward == Some(false) { ", descending" } else { "" };
        say!("{}. {}{index}{order}", number + 1, request.operation);
        say!("     {}", with_values(&request.on, request));
        let lines = [("update", &request.update), ("if", &request.condition), ("filter", &request.filter)];
        for (word, text) in lines {
            if let Some(text) = text {
                say!("     {word} {}", with_values(text, request));
            }
        }
    }
    if let Some(request) = &explanation.per_result {
        say!("for each result: {request}");
    }
    for (entity, condition) in &explanation.entry_conditions {
        say!("only items of {entity} when {condition}");
    }
    if explanation.requests.is_empty() {
        say!("no requests: there are no such items");
    }
    let assumed = explanation.assumed_item_bytes.map(|bytes| format!(", assuming items of {bytes} bytes"));
    let read = counted(explanation.read_units, "read unit");
    let write = counted(explanation.write_units, "write unit");
    say!("about {read}, {write}{}", assumed.unwrap_or_default());
}

/// An expression with names and values in place of their aliases.
fn with_values(text: &str, request: &PlannedRequest) -> String {
    let mut aliases: Vec<(&str, String)> =
        request.names.iter().map(|(alias, name)| (alias.as_str(), name.clone())).collect();
    let values = request.values.iter().map(|(alias, value)| (alias.as_str(), json::plain(value).to_string()));
    aliases.extend(values);
    // The longest first: `:v1` is the beginning of `:v10`.
    aliases.sort_by_key(|(alias, _)| std::cmp::Reverse(alias.len()));
    let mut shown = String::new();
    let mut rest = text;
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        match aliases.iter().find_map(|(alias, value)| Some((rest.strip_prefix(alias)?, value))) {
            Some((after, value)) => {
                shown.push_str(value);
                characters = after.chars();
            }
            None => shown.push(character),
        }
        rest = characters.as_str();
    }
    shown
}

fn to_json(explanation: &Explanation) -> serde_json::Value {
    let requests: Vec<serde_json::Value> = explanation
        .requests
        .iter()
        .map(|request| {
            let names: serde_json::Map<String, serde_json::Value> =
                request.names.iter().map(|(alias, name)| (alias.clone(), name.clone().into())).collect();
            serde_json::json!({
                "operation": request.operation,
                "index": request.index,
                "on": request.on,
                "scanIndexForward": request.forward,
                "update": request.update,
                "condition": request.condition,
                "filter": request.filter,
                "names": names,
                "values": json::object(&request.values),
            })
        })
        .collect();
    let conditions: Vec<serde_json::Value> = explanation
        .entry_conditions
        .iter()
        .map(|(entity, condition)| serde_json::json!({"entity": entity, "when": condition}))
        .collect();
    serde_json::json!({
        "requests": requests,
        "perResult": explanation.per_result,
        "entryConditions": conditions,
        "readUnits": explanation.read_units,
        "writeUnits": explanation.write_units,
        "assumedItemBytes": explanation.assumed_item_bytes,
    })
}
