//! A draft of a table without its items: the table part, and an example of an entity.

use keyfold_design::model::KeyAttribute;
use keyfold_design::{Diagnostic, EntityKeyword};
use keyfold_dynamo::table::KeyType;

use super::repair::{Draft, repair};
use super::scalar::scalar;
use super::sheet::Sheet;
use super::table_part;
use crate::table::ImportedTable;

/// The draft for a table definition; `origin` names its source.
pub fn from_table(facts: &ImportedTable, origin: &str) -> Result<Draft, Vec<Diagnostic>> {
    let mut sheet = Sheet::new();
    let root = Sheet::ROOT;
    sheet.comment(
        0,
        &format!("A draft of a design, from {origin}. The table part is complete; the rest is an example."),
        root,
    );
    for note in &facts.notes {
        sheet.comment(0, &format!("note: {note}"), root);
    }
    table_part::write(facts, keyfold_design::template::DELIMITER, &mut sheet);
    table_part::write_indexes(facts, &[], &mut sheet);
    sheet.blank();
    sheet.header(0, "entities", root);
    entity(facts, &mut sheet);
    sheet.blank();
    sheet.header(0, "patterns", root);
    pattern(facts, &mut sheet);
    sheet.blank();
    sheet.comment(0, "What no rule allows is denied. Operators are callers with the role `operator`.", root);
    sheet.header(0, "allow", root);
    sheet.line(1, "- operators: everything", None, root);
    repair(&mut sheet)
}

fn entity(facts: &ImportedTable, sheet: &mut Sheet) {
    let root = Sheet::ROOT;
    sheet.comment(1, "An example: replace it by your own entities, one for each kind of item in the table.", root);
    sheet.header(1, "Example", root);
    let mut declared: Vec<(&KeyAttribute, &str)> = Vec::new();
    for (key, template) in facts.table.keys().zip(["EXAMPLE#<exampleId>", "METADATA"]) {
        // A number is an attribute itself, and so is a key whose name is a keyword.
        if key.key_type == KeyType::S && !EntityKeyword::is_keyword(&key.name) {
            sheet.line(2, format!("{}: {template}", scalar(&key.name, false)), None, root);
        } else {
            let value_type = match key.key_type {
                KeyType::S => "string",
                KeyType::N => "integer",
                KeyType::B => "binary",
            };
            declared.push((key, value_type));
        }
    }
    for index in &facts.indexes {
        let templates: Vec<String> = index
            .keys()
            .filter(|key| !facts.is_base_key(&key.name))
            .map(|key| match key.key_type {
                KeyType::S => format!("{}: KIND#<name>", key.name),
                _ => format!("{} as an attribute", key.name),
            })
            .collect();
        if !templates.is_empty() {
            sheet.comment(2, &format!("in {} with {}", index.name, templates.join(" and ")), root);
        }
    }
    sheet.header(2, "attributes", root);
    for (key, value_type) in declared {
        sheet.line(3, format!("{}: {value_type}", scalar(&key.name, false)), None, root);
    }
    sheet.line(3, "exampleId: ulid", Some("generated when absent".to_owned()), root);
    sheet.line(3, "name: string", None, root);
}

fn pattern(facts: &ImportedTable, sheet: &mut Sheet) {
    let is_template =
        facts.table.partition.key_type == KeyType::S && !EntityKeyword::is_keyword(&facts.table.partition.name);
    let template =
        if is_template { "EXAMPLE#<exampleId>".to_owned() } else { format!("<{}>", facts.table.partition.name) };
    let unit = sheet.unit(Sheet::ROOT);
    sheet.line(1, format!("example: {} = {template}", facts.table.partition.name), None, unit);
}
