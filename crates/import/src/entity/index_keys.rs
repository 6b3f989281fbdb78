//! The keys of indexes: templates, plain attributes, and what to do where neither is certain.

use std::collections::BTreeSet;

use keyfold_design::model::{Index, KeyAttribute};
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::table::KeyType;

use super::context::{EntityContext, guess};
use super::{Attribute, Entity, Form, Key, column};
use crate::sample::is_identifier;
use crate::table::ImportedTable;
use crate::template::{Column, Piece, Recognized, index_key, mostly};

pub(super) fn recognize(context: &EntityContext<'_>, entity: &mut Entity<'_>) {
    let facts = context.facts;
    add_plain_base_keys(facts, entity);
    for key in facts.index_only_keys() {
        let found = entity.group.items.iter().filter(|item| item.contains_key(&key.name)).count();
        if found == 0 {
            continue;
        }
        let (form, note) = form(key, entity, context);
        entity.keys.push(Key { name: key.name.clone(), is_base: false, form, found, note });
    }
    give_up_incomplete(facts, entity);
    for key in facts.index_only_keys() {
        let is_plain = entity.key(&key.name).is_some_and(|key| key.form == Form::Plain);
        if is_plain && let Some(same) = same_as(entity, &key.name) {
            let guess = guess(facts, &entity.group.items, &key.name);
            entity.attributes.push(Attribute {
                name: key.name.clone(),
                guess,
                key_only: false,
                same_as: Some(same),
                notes: Vec::new(),
            });
        }
    }
}

/// A key of the table that is an attribute itself can be a part of index keys.
fn add_plain_base_keys(facts: &ImportedTable, entity: &mut Entity<'_>) {
    let plain: Vec<String> =
        entity.keys.iter().filter(|key| key.form == Form::Plain).map(|key| key.name.clone()).collect();
    for name in plain
        .iter()
        .filter(|name| super::is_placeholder(name) && entity.pool.column(name).is_none())
        .cloned()
        .collect::<Vec<_>>()
    {
        if let Some(kind) = guess(facts, &entity.group.items, &name).kind() {
            entity.pool.columns.push(Column::new(&name, kind, column(&entity.group.items, &name)));
        }
    }
}

fn form(key: &KeyAttribute, entity: &Entity<'_>, context: &EntityContext<'_>) -> (Form, Option<String>) {
    if key.key_type != KeyType::S {
        return (Form::Plain, None);
    }
    let rows: Vec<(usize, &str)> = entity
        .group
        .items
        .iter()
        .enumerate()
        .filter_map(|(row, item)| Some((row, item.get(&key.name)?.as_str()?)))
        .collect();
    if !context.composed.contains(&key.name) {
        return match constant(key, &rows, entity, context.discriminator) {
            Some(text) => (Form::Template(Recognized::new(vec![Piece::Literal(text.to_owned())])), None),
            None => (Form::Plain, None),
        };
    }
    let template = index_key(&entity.pool, &rows, context.delimiter).filter(|template| template.source().is_some());
    match template {
        Some(template) => (Form::Template(template), None),
        None => (Form::Plain, Some(unexplained(entity, &rows, context.delimiter))),
    }
}

/// Why a key is kept as it is; and what would be right for most items, since the others may be stale.
fn unexplained(entity: &Entity<'_>, rows: &[(usize, &str)], delimiter: char) -> String {
    let partial = mostly(&entity.pool, rows, delimiter).and_then(|(template, count)| Some((template.source()?, count)));
    match partial {
        Some((source, count)) => {
            format!("kept unchanged: only {count} of {} items fit `{source}`; are the others stale?", rows.len())
        }
        None => "kept unchanged: no attributes of the items make it up".to_owned(),
    }
}

/// A plain attribute that is the same word in all items of the group, as a discriminator is.
fn constant<'r>(
    key: &KeyAttribute,
    rows: &[(usize, &'r str)],
    entity: &Entity<'_>,
    discriminator: Option<&str>,
) -> Option<&'r str> {
    let (_, first) = rows.first()?;
    let is_one = rows.len() == entity.group.items.len() && rows.iter().all(|(_, text)| text == first);
    let is_used = entity.keys.iter().any(|other| match &other.form {
        Form::Template(template) => template.attributes().any(|name| name == key.name),
        Form::Plain => false,
    });
    let is_kind = discriminator == Some(key.name.as_str()) || rows.len() >= 3 && !is_used;
    (is_one && is_kind && is_identifier(first)).then_some(*first)
}

/// An item is in an index with all of its keys. A template for an index that no item is in would be an error.
fn give_up_incomplete(facts: &ImportedTable, entity: &mut Entity<'_>) {
    let whole: Vec<&Index> = facts
        .indexes
        .iter()
        .filter(|index| index.keys().all(|key| entity.keys.iter().any(|own| own.name == key.name)))
        .collect();
    for key in entity.keys.iter_mut().filter(|key| !key.is_base && matches!(key.form, Form::Template(_))) {
        if !whole.iter().any(|index| index.keys().any(|of| of.name == key.name)) {
            key.form = Form::Plain;
            key.note = Some("the items lack the other key of the index, so they are not in it".to_owned());
        }
    }
}

/// Another attribute that has the same value in every item, unless that is a coincidence.
fn same_as(entity: &Entity<'_>, name: &str) -> Option<String> {
    let own = entity.pool.column(name).filter(|column| !column.is_stamp)?;
    let values: Vec<&AttributeValue> = (0..entity.pool.rows).filter_map(|row| own.value(row)).collect();
    let texts: BTreeSet<String> = (0..entity.pool.rows).filter_map(|row| own.text(row, &[])).collect();
    if values.len() < entity.pool.rows || texts.len() < 3 {
        return None;
    }
    let is_used = |column: &Column| {
        entity.keys.iter().filter(|key| key.is_base).any(|key| match &key.form {
            Form::Template(template) => template.attributes().any(|name| name == column.name),
            Form::Plain => false,
        })
    };
    entity
        .pool
        .columns
        .iter()
        .filter(|other| other.name != name && !other.is_index_key && !other.is_stamp && !is_used(own))
        .find(|other| (0..entity.pool.rows).all(|row| other.value(row).is_some() && other.value(row) == own.value(row)))
        .map(|other| other.name.clone())
}
