//! `keyfold person export`

use std::process::ExitCode;

use keyfold_api::change_records::{PersonRecords, RecordedPerson};
use keyfold_runtime::json;
use serde_json::{Map, Value, json};

use super::{PersonArguments, caller, print_failures, unmarked_failure};
use crate::executor::executor;

pub(super) fn run(arguments: &PersonArguments) -> anyhow::Result<ExitCode> {
    let PersonArguments { tables, subject } = arguments;
    let mut failures = Vec::new();
    executor()?.block_on(async {
        let open = tables.open().await?;
        let found = open.runtime.person_items(&caller(), subject).await?;
        for item in &found.items {
            let entity = &open.design[item.record.entity];
            let attributes = json::object(&item.record.attributes).into_iter();
            let declared: Map<String, Value> =
                attributes.filter(|(name, _)| entity.open || entity.attribute(name).is_some()).collect();
            let relation = item.relation.name();
            say!("{}", json!({"kind": "item", "entity": entity.name, "relation": relation, "item": declared}));
        }
        failures.extend(found.undecodable.iter().map(ToString::to_string));
        let Some(records) = &open.records else { return anyhow::Ok(()) };
        let person = RecordedPerson::new(&open.design, subject, &found.items);
        let PersonRecords { entries, undecodable, responses, unmarked } = records.records_of(&person).await?;
        for entry in entries {
            say!("{}", json!({"kind": "audit", "entry": entry}));
        }
        failures.extend(
            undecodable.iter().map(|key| format!("neither an entry of the audit log nor a stored response: {key}")),
        );
        for body in responses {
            say!("{}", json!({"kind": "response", "body": body}));
        }
        failures.extend(unmarked_failure(unmarked));
        Ok(())
    })?;
    Ok(print_failures(&failures))
}
