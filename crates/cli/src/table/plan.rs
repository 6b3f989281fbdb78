//! `keyfold table plan`

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use keyfold_tables::retry::{PATIENT, brief};
use keyfold_tables::{Plan, plan, read_live};
use serde_json::{Value, json};

use super::{REFUSED, Subject, TableTarget, loss_line, say_obstacles};
use crate::backend::BackendPlace;

/// With --detailed-exitcode.
const CHANGES: u8 = 2;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Exit with 0 if there is nothing to do and with 2 if there are changes
    #[arg(long)]
    detailed_exitcode: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = arguments.subject.open()?;
    let plan = make(&target)?;
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&to_json(&plan))?);
    } else {
        print(&plan, &target);
    }
    Ok(if !plan.obstacles.is_empty() {
        ExitCode::from(REFUSED)
    } else if arguments.detailed_exitcode && !plan.is_empty() {
        ExitCode::from(CHANGES)
    } else {
        ExitCode::SUCCESS
    })
}

fn make(target: &TableTarget) -> anyhow::Result<Plan> {
    // A plan does not create the data folder.
    if let BackendPlace::Folder(folder) = &target.place
        && !keyfold_engine::Engine::exists_in(folder)
    {
        return Ok(plan(&target.desired, None));
    }
    target.executor.block_on(async {
        let open = target.place.clone().open().await?;
        let live = read_live(open.backend.as_ref(), &target.desired, brief(PATIENT)).await;
        let live = live.with_context(|| open.place.to_string())?;
        Ok(plan(&target.desired, live.as_ref()))
    })
}

fn print(plan: &Plan, target: &TableTarget) {
    for ongoing in &plan.ongoing {
        say!("in progress: {ongoing}");
    }
    for note in &plan.notes {
        say!("note: {note}");
    }
    if !plan.obstacles.is_empty() {
        return say_obstacles(&plan.table, &plan.obstacles);
    }
    if plan.changes.is_empty() {
        say!("table `{}` matches the design `{}`", plan.table, target.design.name);
        return;
    }
    say!("table `{}` on {}:", plan.table, target.place);
    for (number, change) in (1..).zip(&plan.changes) {
        say!("{number:>3}. {}", change.text.replace('\n', "\n     "));
        if let Some(loss) = &change.loss {
            say!("     data loss: {}", loss_line(loss));
        }
    }
}

fn to_json(plan: &Plan) -> Value {
    let changes: Vec<Value> = plan
        .changes
        .iter()
        .map(|change| {
            json!({
                "kind": change.action.kind(),
                "index": change.action.index(),
                "text": change.text,
                "loss": change.loss.as_ref().map(|loss| json!({"name": loss.name, "text": loss.text})),
            })
        })
        .collect();
    let ongoing: Vec<String> = plan.ongoing.iter().map(ToString::to_string).collect();
    json!({
        "table": plan.table,
        "changes": changes,
        "obstacles": plan.obstacles,
        "inProgress": ongoing,
        "notes": plan.notes,
    })
}
