//! The draft of a table with a sample of its items.

use keyfold_design::{Diagnostic, counted};

use super::key_mismatch::{KeyMismatch, key_mismatches};
use super::repair::{Draft, repair};
use super::scalar::scalar;
use super::sheet::Sheet;
use super::{entities, from_table, table_part};
use crate::entity::{self, Entity, Form, Key, Kinds};
use crate::patterns::{Pattern, PatternContext};
use crate::relations::{Tenant, note_derived, note_references, tenant};
use crate::sample::{Sample, delimiter};
use crate::table::ImportedTable;
use crate::template::fitting;

/// Every round gives up at least one key; more than the keys of any table.
const MAX_ROUNDS: usize = 500;

/// The draft of a table with a sample of its items; `origin` names their source. In the draft, the templates of an
/// entity render the keys of every item that is recognized as that entity.
pub fn from_items(facts: &ImportedTable, sample: &Sample, origin: &str) -> Result<Draft, Vec<Diagnostic>> {
    if sample.items.is_empty() {
        let mut facts = facts.clone();
        facts.notes.push("the table has no items, so its entities are unknown".to_owned());
        return from_table(&facts, origin);
    }
    let delimiter = delimiter(facts, &sample.items);
    let mut kinds = entity::entities(facts, &sample.items, delimiter);
    for _ in 0..MAX_ROUNDS {
        let Ok(draft) = write(facts, sample, &kinds, origin, delimiter) else { break };
        let found = key_mismatches(facts, &draft.design, &sample.items);
        if found.is_empty() {
            return Ok(draft);
        }
        let mut gave_up = false;
        for finding in &found {
            gave_up |= give_up(facts, &mut kinds.entities, finding);
        }
        if !gave_up {
            break;
        }
    }
    without_templates(facts, sample, origin)
}

fn write(
    facts: &ImportedTable,
    sample: &Sample,
    kinds: &Kinds<'_>,
    origin: &str,
    delimiter: char,
) -> Result<Draft, Vec<Diagnostic>> {
    let mut all = kinds.entities.clone();
    note_references(&mut all);
    note_derived(&mut all);
    let tenant = tenant(&all);
    let context = PatternContext { facts, entities: &all, tenant: tenant.as_ref(), delimiter };
    let patterns = context.patterns();
    let mut sheet = Sheet::new();
    heading(facts, sample, kinds, origin, &mut sheet);
    table_part::write(facts, delimiter, &mut sheet);
    write_tenant(tenant.as_ref(), &mut sheet);
    table_part::write_indexes(facts, &purposes(facts, &all), &mut sheet);
    sheet.blank();
    sheet.header(0, "entities", Sheet::ROOT);
    for (position, entity) in all.iter().enumerate() {
        if position > 0 {
            sheet.blank();
        }
        entities::write(entity, tenant.as_ref(), &mut sheet);
    }
    write_patterns(facts, &patterns, &mut sheet);
    sheet.blank();
    sheet.comment(0, "What no rule allows is denied. Operators are callers with the role `operator`.", Sheet::ROOT);
    sheet.header(0, "allow", Sheet::ROOT);
    sheet.line(1, "- operators: everything", None, Sheet::ROOT);
    repair(&mut sheet)
}

fn heading(facts: &ImportedTable, sample: &Sample, kinds: &Kinds<'_>, origin: &str, sheet: &mut Sheet) {
    let root = Sheet::ROOT;
    let items = counted(sample.items.len(), "item");
    let share = if sample.is_whole { format!("all {items}") } else { format!("a sample of {items}") };
    sheet.comment(0, &format!("A draft of a design, from {origin} and {share} of it."), root);
    sheet.comment(0, "Entities, templates, types and patterns are guesses; the comments state the evidence.", root);
    if !sample.is_whole {
        sheet.comment(
            0,
            "What the sample does not show is not here: compare with `keyfold import table --sample`.",
            root,
        );
    }
    if let Some(name) = &kinds.discriminator {
        sheet.comment(0, &format!("The attribute `{name}` seems to determine the kind of an item."), root);
    }
    if kinds.left_out > 0 {
        let left = counted(kinds.left_out, "item");
        sheet.comment(0, &format!("{left} with keys of many other forms are not part of any entity."), root);
    }
    for note in &facts.notes {
        sheet.comment(0, &format!("note: {note}"), root);
    }
}

fn write_tenant(tenant: Option<&Tenant>, sheet: &mut Sheet) {
    let Some(tenant) = tenant else { return };
    let stated = match &tenant.entity {
        Some(entity) => format!("tenant: {{attribute: {}, entity: {entity}}}", scalar(&tenant.attribute, true)),
        None => format!("tenant: {}", scalar(&tenant.attribute, false)),
    };
    if tenant.is_likely {
        sheet.line(0, stated, Some(tenant.evidence.clone()), Sheet::ROOT);
    } else {
        sheet.comment(
            0,
            &format!("{stated}  ({}: state it if tenants are kept apart by it)", tenant.evidence),
            Sheet::ROOT,
        );
    }
}

fn write_patterns(facts: &ImportedTable, patterns: &[Pattern], sheet: &mut Sheet) {
    sheet.blank();
    sheet.header(0, "patterns", Sheet::ROOT);
    let mut last = None;
    for (position, pattern) in patterns.iter().enumerate() {
        if position == 0 || last != pattern.index {
            let what = pattern.index.and_then(|index| facts.indexes.get(index));
            let title = what.map_or_else(|| "the table".to_owned(), |index| index.name.clone());
            sheet.comment(1, &format!("guess: reads that the keys of {title} allow"), Sheet::ROOT);
            last = pattern.index;
        }
        let unit = sheet.unit(Sheet::ROOT);
        sheet.line(1, format!("{}: {}", scalar(&pattern.name, false), scalar(&pattern.line, false)), None, unit);
    }
}

/// What an index seems to be for: the entities in it and how they are found there.
fn purposes(facts: &ImportedTable, entities: &[Entity<'_>]) -> Vec<Option<String>> {
    facts
        .indexes
        .iter()
        .map(|index| {
            let names: Vec<&str> = entities
                .iter()
                .filter(|entity| index.keys().all(|key| entity.key(&key.name).is_some()))
                .map(|entity| entity.name.as_str())
                .collect();
            let more = names.len().saturating_sub(4);
            let mut listed: Vec<String> = names.iter().take(4).map(|name| (*name).to_owned()).collect();
            if more > 0 {
                listed.push(format!("{more} more"));
            }
            (!listed.is_empty()).then(|| format!("holds {}", listed.join(", ")))
        })
        .collect()
}

/// Keeps a key without its template, and drops the attributes that only this template contained.
fn give_up(facts: &ImportedTable, entities: &mut [Entity<'_>], finding: &KeyMismatch) -> bool {
    let Some(entity) = entities.iter_mut().find(|entity| entity.name == finding.entity) else { return false };
    let name = &finding.key;
    let mut note = format!("kept unchanged: {}", finding.reason);
    if let Some((source, count)) = fit(entity, name) {
        note.push_str(&format!(" (`{source}` fits {count} of {} items)", entity.size()));
    }
    let note = Some(note);
    match entity.keys.iter_mut().find(|key| key.name == *name) {
        Some(key) if key.form == Form::Plain => return false,
        Some(key) => {
            key.form = Form::Plain;
            key.note = note;
        }
        None => entity.keys.push(Key { name: name.clone(), is_base: false, form: Form::Plain, found: 0, note }),
    }
    let in_templates: Vec<String> = entity
        .keys
        .iter()
        .filter_map(|key| match &key.form {
            Form::Template(template) => Some(template.attributes().map(str::to_owned)),
            Form::Plain => None,
        })
        .flatten()
        .collect();
    entity.attributes.retain(|attribute| !attribute.key_only || in_templates.contains(&attribute.name));
    if entity.attribute(name).is_none() {
        let attribute = entity::plain_key(facts, entity, name);
        entity.attributes.insert(0, attribute);
    }
    true
}

/// The template of a key that is about to be given up, and how many items have the key that it gives.
fn fit(entity: &Entity<'_>, name: &str) -> Option<(String, usize)> {
    let template = entity.template(name)?;
    let rows: Vec<(usize, &str)> = entity
        .group
        .items
        .iter()
        .enumerate()
        .filter_map(|(row, item)| Some((row, item.get(name)?.as_str()?)))
        .collect();
    Some((template.source()?, fitting(template, &entity.pool, &rows)))
}

/// A draft of the table alone, for tables whose keys follow no template.
fn without_templates(facts: &ImportedTable, sample: &Sample, origin: &str) -> Result<Draft, Vec<Diagnostic>> {
    let mut facts = facts.clone();
    facts.notes.push(format!(
        "no template matches the {} of the sample, so its entities are unknown",
        counted(sample.items.len(), "item")
    ));
    from_table(&facts, origin)
}
