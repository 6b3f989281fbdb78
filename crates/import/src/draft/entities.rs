//! `entities:` of a draft, with what each guess rests on.

use keyfold_design::model::AttributeType;
use keyfold_design::template::Format;
use keyfold_design::{EntityKeyword, counted};

use super::scalar::scalar;
use super::sheet::{Sheet, Unit};
use crate::entity::{Attribute, Entity, Form, Key};
use crate::relations::Tenant;
use crate::template::Piece;

pub(super) fn write(entity: &Entity<'_>, tenant: Option<&Tenant>, sheet: &mut Sheet) {
    let root = Sheet::ROOT;
    let unit = sheet.unit(root);
    let of = entity.size();
    let all = if of == 1 { "" } else { "; lines without a comment hold for all of them" };
    sheet.comment(1, &format!("{}{all}", counted(of, "item")), root);
    for note in &entity.notes {
        sheet.comment(1, note, root);
    }
    sheet.header(1, &entity.name, unit);
    if let Some(tenant) = tenant.filter(|tenant| tenant.is_likely) {
        let (scope, note) = scope(entity, tenant);
        sheet.line(2, format!("scope: {scope}"), note, unit);
    }
    for key in &entity.keys {
        write_key(key, of, unit, sheet);
    }
    for (name, value) in &entity.fixed {
        let fixed = sheet.unit(unit);
        sheet.line(
            2,
            format!("{}: {}", scalar(name, false), scalar(value, false)),
            Some(format!("guess: {of} of {}", counted(of, "item"))),
            fixed,
        );
    }
    if let Some(identity) = identity(entity) {
        let own = sheet.unit(unit);
        sheet.line(
            2,
            format!("identity: {identity}"),
            Some("guess: the key holds only a part of the rest".to_owned()),
            own,
        );
    }
    if !entity.unwritable.is_empty() {
        let own = sheet.unit(unit);
        let names: Vec<String> = entity.unwritable.iter().map(|name| format!("`{name}`")).collect();
        let note = format!("for attributes that a design cannot name: {}", names.join(", "));
        sheet.line(2, "open: yes", Some(note), own);
    }
    sheet.header(2, "attributes", unit);
    for attribute in &entity.attributes {
        write_attribute(attribute, entity, unit, sheet);
    }
}

fn write_key(key: &Key, of: usize, unit: Unit, sheet: &mut Sheet) {
    let evidence = format!("guess: {} of {}", key.found, counted(of, "item"));
    match &key.form {
        Form::Template(template) if !EntityKeyword::is_keyword(&key.name) => {
            let Some(source) = template.source() else { return };
            // An entity needs its own key: an error in it removes the entity.
            let own = if key.is_base { unit } else { sheet.unit(unit) };
            sheet.line(2, format!("{}: {}", scalar(&key.name, false), scalar(&source, false)), Some(evidence), own);
        }
        _ => {
            if let Some(note) = &key.note {
                sheet.comment(2, &format!("{}: {note}", key.name), unit);
            }
        }
    }
}

/// The attributes that identify an item, where its key holds only a part of others.
fn identity(entity: &Entity<'_>) -> Option<String> {
    let mut whole: Vec<&str> = Vec::new();
    let mut partial = false;
    for key in entity.keys.iter().filter(|key| key.is_base) {
        match &key.form {
            Form::Plain => whole.push(&key.name),
            Form::Template(template) => {
                for piece in &template.pieces {
                    let Piece::Value(slot) = piece else { continue };
                    match slot.formats.iter().all(keeps_all_but_case) {
                        true => whole.push(&slot.attribute),
                        false => partial = true,
                    }
                }
            }
        }
    }
    whole.dedup();
    (partial && !whole.is_empty()).then(|| whole.join(", "))
}

fn keeps_all_but_case(format: &Format) -> bool {
    matches!(format, Format::Url | Format::Width(_) | Format::Lower | Format::Upper)
}

fn scope(entity: &Entity<'_>, tenant: &Tenant) -> (&'static str, Option<String>) {
    match entity.attribute(&tenant.attribute) {
        Some(attribute) if attribute.guess.is_optional() => {
            let note =
                format!("guess: {} of {} have the tenant", attribute.guess.found, counted(attribute.guess.of, "item"));
            ("tenant or global", Some(note))
        }
        // A value that only an index key contains does not determine the tenant.
        Some(attribute) if attribute.key_only && !entity.identity().contains(&attribute.name.as_str()) => {
            ("global", None)
        }
        Some(_) => ("tenant", None),
        None => ("global", Some("guess: no item has the tenant".to_owned())),
    }
}

fn write_attribute(attribute: &Attribute, entity: &Entity<'_>, unit: Unit, sheet: &mut Sheet) {
    let own = sheet.unit(unit);
    let guess = &attribute.guess;
    let mut line = type_line(&guess.value_type);
    if guess.is_optional() {
        line.push_str(", optional");
    }
    if attribute.key_only {
        line.push_str(", key only");
    }
    if let Some(other) = &attribute.same_as {
        line.push_str(&format!(", same as {other}"));
    }
    let mut notes = Vec::new();
    if guess.is_optional() {
        notes.push(format!("in {} of {}", guess.found, counted(guess.of, "item")));
    }
    if attribute.same_as.is_some() {
        notes.push(format!("guess: the same in {} of {}", guess.found, counted(entity.size(), "item")));
    }
    notes.extend(guess.notes.iter().cloned());
    notes.extend(attribute.notes.iter().cloned());
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    sheet.line(3, format!("{}: {}", scalar(&attribute.name, false), scalar(&line, false)), note, own);
}

fn type_line(value_type: &AttributeType) -> String {
    value_type.spelling()
}
