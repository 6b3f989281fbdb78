//! `design:`, `table:` and `indexes:`.

use keyfold_design::model::{Billing, Encryption, Index, KeyAttribute, Projection, StreamView};
use keyfold_dynamo::table::KeyType;

use super::scalar::scalar;
use super::sheet::{Sheet, Unit};
use crate::table::ImportedTable;

/// The name of the design, from the table's: lower-case letters, digits and hyphens.
pub fn design_name(table: &str) -> String {
    let mut name = String::new();
    for character in table.chars() {
        match character {
            'A'..='Z' | 'a'..='z' | '0'..='9' => name.push(character.to_ascii_lowercase()),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    let mut name = name.trim_end_matches('-').to_owned();
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        name = format!("table-{name}").trim_end_matches('-').to_owned();
    }
    name.truncate(63);
    name.trim_end_matches('-').to_owned()
}

pub(super) fn write(facts: &ImportedTable, delimiter: char, sheet: &mut Sheet) {
    sheet.line(0, format!("design: {}", design_name(&facts.table.name)), None, Sheet::ROOT);
    if let Some(description) = facts.description.as_ref().filter(|text| !text.trim().is_empty()) {
        let unit = sheet.unit(Sheet::ROOT);
        sheet.line(0, format!("description: {}", scalar(description.trim(), false)), None, unit);
    }
    table(facts, delimiter, sheet);
}

fn table(facts: &ImportedTable, delimiter: char, sheet: &mut Sheet) {
    let options = options(facts, delimiter);
    if options.is_empty() {
        sheet.line(0, format!("table: {}", scalar(&facts.table.name, false)), None, Sheet::ROOT);
        return;
    }
    sheet.header(0, "table", Sheet::ROOT);
    sheet.line(1, format!("name: {}", scalar(&facts.table.name, false)), None, Sheet::ROOT);
    for (text, is_key) in options {
        let unit = if is_key { Sheet::ROOT } else { sheet.unit(Sheet::ROOT) };
        sheet.line(1, text, None, unit);
    }
}

/// The lines of the table's long form, and whether each of them is one of its keys, without which nothing else holds.
fn options(facts: &ImportedTable, delimiter: char) -> Vec<(String, bool)> {
    let mut lines = Vec::new();
    let mut option = |key: &str, value: String| lines.push((format!("{key}: {value}"), false));
    if let Some(logical_id) = &facts.table.resource.cloudformation {
        option("resource", format!("{{cloudformation: {}}}", scalar(logical_id, true)));
    }
    if let Some(variable) = &facts.table.variable {
        option("variable", scalar(variable, false));
    }
    if let Billing::Provisioned { read, write } = facts.table.billing {
        option("billing", format!("provisioned {read}/{write}"));
    }
    if let Some(attribute) = &facts.table.ttl {
        option("ttl", scalar(attribute, false));
    }
    if let Some(view) = facts.table.stream {
        option("stream", stream(view).to_owned());
    }
    if facts.table.point_in_time_recovery {
        option("point in time recovery", "yes".to_owned());
    }
    if facts.table.deletion_protection {
        option("deletion protection", "yes".to_owned());
    }
    match &facts.table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => option("encryption", "aws managed".to_owned()),
        Encryption::CustomerKey(key) => option("encryption", scalar(&format!("customer key {key}"), false)),
    }
    let pairs = |(key, value): (&String, &String)| format!("{}: {}", scalar(key, true), scalar(value, true));
    let tags: Vec<String> = facts.table.tags.iter().map(|(key, value)| pairs((key, value))).collect();
    let outputs: Vec<String> = facts.table.outputs.iter().map(pairs).collect();
    for (key, pairs) in [("tags", tags), ("outputs", outputs)] {
        if !pairs.is_empty() {
            option(key, format!("{{{}}}", pairs.join(", ")));
        }
    }
    if delimiter != keyfold_design::template::DELIMITER {
        option("delimiter", format!("\"{delimiter}\""));
    }
    let mut keys = Vec::new();
    if facts.table.partition.name != "PK" || facts.table.partition.key_type != KeyType::S {
        keys.push((format!("partition: {}", scalar(&key(&facts.table.partition), false)), true));
    }
    match &facts.table.sort {
        None => keys.push(("sort: none".to_owned(), true)),
        Some(sort) if sort.name != "SK" || sort.key_type != KeyType::S => {
            keys.push((format!("sort: {}", scalar(&key(sort), false)), true));
        }
        Some(_) => {}
    }
    keys.extend(lines);
    keys
}

fn stream(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "keys",
        StreamView::NewImage => "new images",
        StreamView::OldImage => "old images",
        StreamView::NewAndOldImages => "new and old images",
    }
}

/// `NAME`, `NAME number`, `NAME binary`.
fn key(key: &KeyAttribute) -> String {
    match key.key_type {
        KeyType::S => key.name.clone(),
        KeyType::N => format!("{} number", key.name),
        KeyType::B => format!("{} binary", key.name),
    }
}

/// `indexes:`, each with what it seems to be for.
pub(super) fn write_indexes(facts: &ImportedTable, purposes: &[Option<String>], sheet: &mut Sheet) -> Vec<Unit> {
    if facts.indexes.is_empty() {
        return Vec::new();
    }
    sheet.blank();
    sheet.header(0, "indexes", Sheet::ROOT);
    let mut units = Vec::new();
    for (at, index) in facts.indexes.iter().enumerate() {
        let unit = sheet.unit(Sheet::ROOT);
        let purpose = purposes.get(at).cloned().flatten();
        let parts = parts(index, facts, purpose.as_deref());
        sheet.line(1, format!("{}: {{{}}}", scalar(&index.name, false), parts.join(", ")), None, unit);
        units.push(unit);
    }
    units
}

fn parts(index: &Index, facts: &ImportedTable, purpose: Option<&str>) -> Vec<String> {
    let mut parts = Vec::new();
    let by_convention = |keys: &[KeyAttribute], suffix: &str| matches!(keys, [only] if only.name == format!("{}{suffix}", index.name) && only.key_type == KeyType::S);
    let is_tables =
        matches!(index.partition.as_slice(), [only] if index.local && only.name == facts.table.partition.name);
    if !is_tables && !by_convention(&index.partition, "PK") {
        parts.push(format!("partition: {}", keys(&index.partition)));
    }
    if index.sort.is_empty() {
        parts.push("sort: none".to_owned());
    } else if !by_convention(&index.sort, "SK") {
        parts.push(format!("sort: {}", keys(&index.sort)));
    }
    match &index.projection {
        Projection::All => {}
        Projection::KeysOnly => parts.push("projection: keys".to_owned()),
        Projection::Include(names) => {
            parts.push(format!("projection: {}", scalar(&format!("include {}", names.join(", ")), true)));
        }
    }
    if index.local {
        parts.push("local: yes".to_owned());
    }
    if let Some(purpose) = purpose {
        parts.push(format!("purpose: {}", scalar(purpose, true)));
    }
    parts
}

fn keys(keys: &[KeyAttribute]) -> String {
    match keys {
        [only] => scalar(&key(only), true),
        several => {
            let names: Vec<String> = several.iter().map(|one| scalar(&key(one), true)).collect();
            format!("[{}]", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_names_its_design() {
        for (table, name) in [
            ("app_data", "app-data"),
            ("fus-main", "fus-main"),
            ("Prod.Orders", "prod-orders"),
            ("2024_orders", "table-2024-orders"),
            ("___", "table"),
        ] {
            assert_eq!(design_name(table), name);
            assert!(keyfold_design::is_design_name(name));
        }
    }
}
