//! `keyfold person export`

use std::process::ExitCode;

use keyfold_api::change_records::RecordedPerson;
use keyfold_runtime::json;
use serde_json::json;

use super::{Tables, executor, items};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    tables: Tables,
    /// Subject, as in tokens
    #[arg(long)]
    subject: String,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { tables, subject } = arguments;
    executor()?.block_on(async {
        let open = tables.open().await?;
        let found = items::find(open.backend.as_ref(), &open.design, subject).await?;
        for item in &found {
            let (entity, attributes) = (&open.design[item.entity], json::object(&item.attributes));
            let declared = attributes.into_iter().filter(|(name, _)| entity.open || entity.attribute(name).is_some());
            let declared: serde_json::Map<_, _> = declared.collect();
            say!(
                "{}",
                json!({"kind": "item", "entity": entity.name, "relation": item.relation.name(), "item": declared})
            );
        }
        if let Some(audit) = &open.audit {
            let (identities, texts) =
                (items::identities(&open.design, &found), items::texts(&open.design, subject, &found));
            let person = RecordedPerson { design: &open.design.name, subject, items: &identities, texts: &texts };
            let (entries, responses) = audit.records_of(&person).await?;
            for entry in entries {
                say!("{}", json!({"kind": "audit", "entry": entry}));
            }
            for body in responses {
                say!("{}", json!({"kind": "response", "body": body}));
            }
        }
        Ok(ExitCode::SUCCESS)
    })
}
