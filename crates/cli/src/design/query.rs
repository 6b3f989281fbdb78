//! `keyfold query`: a page of an access pattern.

use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::bail;
use keyfold_design::model::Pattern;
use keyfold_design::{Design, counted};
use keyfold_runtime::{ItemProblem, Page, QueryOptions, StopReason, json};

use super::project::Project;
use super::session::DesignArguments;
use super::verb::refuse;
use super::{given, output};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: DesignArguments,
    /// Access pattern, by name or slug; omit it to list all patterns
    pattern: Option<String>,
    /// Arguments as name=value
    #[arg(value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// Maximum number of results, at least 1
    #[arg(long, value_name = "COUNT", value_parser = at_least_one)]
    take: Option<NonZeroUsize>,
    /// Maximum number of items to read, at least 1
    #[arg(long, value_name = "COUNT", value_parser = at_least_one)]
    limit: Option<NonZeroUsize>,
    /// Maximum number of read units
    #[arg(long, value_name = "UNITS")]
    budget: Option<f64>,
    /// Cursor of the previous page
    #[arg(long, allow_hyphen_values = true)]
    cursor: Option<String>,
    /// Reverse the order
    #[arg(long)]
    reverse: bool,
}

/// The value of a flag that counts something.
pub(super) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    let count: usize = text.parse().map_err(|_| "expected an integer".to_owned())?;
    NonZeroUsize::new(count).ok_or_else(|| "must be at least 1".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    output::as_json_too(arguments.target.json, try_run(arguments))
}

fn try_run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = &arguments.target;
    let Some(name) = &arguments.pattern else {
        list(&Project::open(&target.design)?.design);
        return Ok(ExitCode::SUCCESS);
    };
    let session = target.open()?;
    let design = session.runtime.design();
    let pattern = pattern(design, name)?;
    let given = given::arguments(design.access_plan(pattern.id), &arguments.arguments)?;
    let options = QueryOptions {
        take: arguments.take.map(NonZeroUsize::get),
        limit: arguments.limit.map(NonZeroUsize::get),
        read_budget: arguments.budget,
        cursor: arguments.cursor.clone(),
        reverse: arguments.reverse,
        tenant: None,
    };
    match session.wait(session.runtime.query(&session.caller, &pattern.name, given, &options)) {
        Ok(page) if target.json => {
            let problem = |problem: &ItemProblem| {
                serde_json::json!({
                    "key": json::object(&problem.key),
                    "expected": problem.expected,
                    "detail": problem.cause,
                })
            };
            let page = serde_json::json!({
                "items": output::to_json(design, &page.records),
                "count": page.count,
                "cursor": page.cursor,
                "evaluated": page.evaluated,
                "readUnits": page.read_units,
                "problems": page.problems.iter().map(problem).collect::<Vec<_>>(),
            });
            say!("{}", serde_json::to_string_pretty(&page)?);
        }
        Ok(page) => show(design, &page),
        Err(error) => return refuse(&session, target, &error),
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn pattern<'d>(design: &'d Design, name: &str) -> anyhow::Result<&'d Pattern> {
    match design.pattern_named(name) {
        Some(pattern) => Ok(pattern),
        None => {
            let known: Vec<&str> = design.patterns.iter().map(|pattern| pattern.name.as_str()).collect();
            bail!("unknown access pattern `{name}`; the design has {}", known.join(", "))
        }
    }
}

fn list(design: &Design) {
    for pattern in &design.patterns {
        let parameters: Vec<&str> =
            design.access_plan(pattern.id).parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let takes = if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join(", ")) };
        say!("{}{takes}\n    {}", pattern.name, pattern.source);
    }
}

fn show(design: &Design, page: &Page) {
    match page.records.is_empty() {
        true if page.count > 0 => say!("count: {}", page.count),
        true => {}
        false => say!("{}", output::to_tables(design, &page.records)),
    }
    say!(
        "{}, {} read, {}",
        counted(page.count, "result"),
        counted(page.evaluated, "item"),
        counted(page.read_units, "read unit")
    );
    for ItemProblem { key, expected, cause, .. } in &page.problems {
        say!("left out: the item at {} is not a valid {expected}: {cause}", output::key_text(key));
    }
    if let Some(cursor) = &page.cursor {
        let why = match page.stop_reason {
            StopReason::Limit => "the limit of items to read is reached",
            StopReason::Budget => "the budget is spent",
            StopReason::Examined => "one call reads no more items, or reports no more problems",
            StopReason::Full | StopReason::End => "there are more results",
        };
        say!("{why}: --cursor {cursor}");
    }
}
