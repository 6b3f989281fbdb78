//! `keyfold machine-key list`.

use std::path::PathBuf;

use anyhow::Context;
use keyfold_api::identity::MachineKeySummary;
use serde_json::json;

use super::FileArguments;

const COLUMNS: [&str; 9] = ["NAME", "STATE", "TENANT", "ROLES", "DESIGNS", "SCOPES", "CREATED", "EXPIRES", "LAST USED"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,
    /// File with the last uses, as in `keyfold serve --machine-key-uses`; by default next to the keys
    #[arg(long, value_name = "FILE", env = "KEYFOLD_MACHINE_KEY_USES")]
    machine_key_uses: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn print(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { file, machine_key_uses, json } = arguments;
    let keys = file.open(machine_key_uses.as_deref()).list().with_context(|| file.failure("list the keys of"))?;
    for key in &keys {
        if let Some(mistake) = &key.mistake {
            report!("keyfold: `{}`, {mistake}", file.machine_keys.display());
        }
    }
    if *json {
        say!("{}", serde_json::to_string_pretty(&json!(keys))?);
        return Ok(());
    }
    let rows: Vec<[String; 9]> = std::iter::once(COLUMNS.map(str::to_owned)).chain(keys.iter().map(row)).collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    for row in &rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let padding = width(column).unwrap_or(0).saturating_sub(cell.chars().count());
            format!("{cell}{}", " ".repeat(padding))
        });
        say!("{}", cells.collect::<Vec<String>>().join("  ").trim_end());
    }
    Ok(())
}

fn row(key: &MachineKeySummary) -> [String; 9] {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let list = |values: &[String]| if values.is_empty() { "-".to_owned() } else { values.join(",") };
    let scopes = match &key.scopes {
        None => "all".to_owned(),
        Some(scopes) => list(scopes),
    };
    [
        if key.name.is_empty() { "-".to_owned() } else { key.name.clone() },
        key.state.as_str().to_owned(),
        text(&key.tenant),
        list(&key.roles),
        list(&key.designs),
        scopes,
        text(&key.created),
        text(&key.expires),
        text(&key.last_used),
    ]
}
