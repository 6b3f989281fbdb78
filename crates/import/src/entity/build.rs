//! Groups to entities, step by step: the table's keys, the names of values that only they contain, index keys,
//! attributes.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::model::{AttributeType, KeyAttribute};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::context::{EntityContext, guess};
use super::{Attribute, Entity, Form, Key, column, index_keys, is_placeholder, is_writable, naming, unknown};
use crate::sample::{Group, Token, composed_keys, groups, is_key_name};
use crate::table::ImportedTable;
use crate::template::{Column, Piece, Pool, Recognized, base_key, same_values};

/// The most entities of a draft; a comment counts the items of the smallest groups beyond it.
pub(super) const MOST_ENTITIES: usize = 80;

/// What the sample was taken to be composed of.
pub(crate) struct Kinds<'a> {
    pub entities: Vec<Entity<'a>>,
    pub discriminator: Option<String>,
    /// Items of groups that were too many.
    pub left_out: usize,
}

/// The entities of a sample.
pub(crate) fn entities<'a>(facts: &ImportedTable, items: &'a [Attributes], delimiter: char) -> Kinds<'a> {
    let (mut groups, discriminator) = groups(facts, items, delimiter);
    let mut left_out = 0;
    if groups.len() > MOST_ENTITIES {
        groups.sort_by_key(|group| std::cmp::Reverse(group.items.len()));
        left_out = groups.split_off(MOST_ENTITIES).iter().map(|group| group.items.len()).sum();
        groups.sort_by(|left, right| left.shapes.cmp(&right.shapes));
    }
    let composed = composed_keys(facts, items, delimiter);
    let context = EntityContext { facts, discriminator: discriminator.as_deref(), composed: &composed, delimiter };
    let mut entities: Vec<Entity<'a>> = Vec::new();
    for group in groups {
        for group in by_kind(&context, group) {
            entities.push(with_base_keys(&context, group));
        }
    }
    unknown::resolve(facts, &mut entities, delimiter);
    naming::name(facts, &mut entities, delimiter);
    for entity in &mut entities {
        index_keys::recognize(&context, entity);
        attributes(facts, entity, discriminator.as_deref());
    }
    naming::order(&mut entities);
    Kinds { entities, discriminator, left_out }
}

/// Items that look alike and say that they are of several kinds: apart, where their keys differ.
fn by_kind<'a>(context: &EntityContext<'_>, group: Group<'a>) -> Vec<Group<'a>> {
    let Some(discriminator) = context.discriminator else { return vec![group] };
    let mut kinds: BTreeMap<Option<&str>, Vec<&'a Attributes>> = BTreeMap::new();
    for item in &group.items {
        kinds.entry(item.get(discriminator).and_then(AttributeValue::as_str)).or_default().push(item);
    }
    let of = |items: Vec<&'a Attributes>, kind: Option<&str>| Group {
        items,
        shapes: group.shapes.clone(),
        kind: kind.map(str::to_owned),
    };
    if kinds.len() == 1 {
        let kind = kinds.into_keys().next().flatten().map(str::to_owned);
        return vec![Group { kind, ..group }];
    }
    let parts: Vec<Group<'a>> = kinds.into_iter().map(|(kind, items)| of(items, kind)).collect();
    let keys: Vec<Vec<Recognized>> = parts
        .iter()
        .map(|part| {
            let entity = with_base_keys(context, part.clone());
            let template = |key: &Key| match &key.form {
                Form::Template(template) => template.clone(),
                Form::Plain => Recognized::new(Vec::new()),
            };
            entity.keys.iter().map(template).collect()
        })
        .collect();
    let differ = |left: &[Recognized], right: &[Recognized]| {
        left.iter().zip(right).any(|(left, right)| {
            let (left, right) = (left.literal_prefix(), right.literal_prefix());
            !left.starts_with(right) && !right.starts_with(left)
        })
    };
    let all_differ =
        keys.iter().enumerate().all(|(at, left)| keys.iter().skip(at + 1).all(|right| differ(left, right)));
    if all_differ { parts } else { vec![Group { kind: None, ..group }] }
}

fn with_base_keys<'a>(context: &EntityContext<'_>, group: Group<'a>) -> Entity<'a> {
    let pool = pool(context, &group);
    let keys = context
        .facts
        .table
        .keys()
        .enumerate()
        .map(|(position, key)| {
            let form = base_form(key, position, &group, &pool, context.delimiter);
            Key { name: key.name.clone(), is_base: true, form, found: group.items.len(), note: None }
        })
        .collect();
    Entity {
        name: String::new(),
        group,
        pool,
        keys,
        fixed: Vec::new(),
        attributes: Vec::new(),
        unwritable: Vec::new(),
        is_root: false,
        notes: Vec::new(),
    }
}

fn base_form(key: &KeyAttribute, position: usize, group: &Group<'_>, pool: &Pool, delimiter: char) -> Form {
    let values: Vec<&AttributeValue> = group.items.iter().filter_map(|item| item.get(&key.name)).collect();
    if is_attribute(key, position, group) {
        return Form::Plain;
    }
    if key.key_type == KeyType::S {
        let texts: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
        return match group.shapes.get(position).and_then(Option::as_ref) {
            Some(shape) if texts.len() == group.items.len() => {
                let template = base_key(pool, &texts, shape, delimiter);
                if template.is_spelt() { Form::Template(template) } else { Form::Plain }
            }
            _ => Form::Plain,
        };
    }
    let values: Vec<(usize, &AttributeValue)> = values.into_iter().enumerate().collect();
    match same_values(pool, &values) {
        Some(slot) => Form::Template(Recognized::new(vec![Piece::Value(slot)])),
        None => Form::Plain,
    }
}

/// Whether a key of the table is an attribute that has a name of its own, `userId`, rather than something composed.
fn is_attribute(key: &KeyAttribute, position: usize, group: &Group<'_>) -> bool {
    let is_one_value = match group.shapes.get(position).and_then(Option::as_ref) {
        Some(shape) => shape.as_slice() == [Token::Value],
        None => true,
    };
    is_one_value && !is_key_name(&key.name) && is_placeholder(&key.name)
}

/// The attributes that parts of keys may be.
fn pool(context: &EntityContext<'_>, group: &Group<'_>) -> Pool {
    let facts = context.facts;
    let mut columns = Vec::new();
    let is_own = |name: &str| {
        let position = facts.table.keys().position(|key| key.name == name);
        match (position, facts.table.keys().find(|key| key.name == name)) {
            (Some(position), Some(key)) => is_attribute(key, position, group),
            _ => true,
        }
    };
    for name in names(&group.items).into_iter().filter(|name| is_placeholder(name) && is_own(name)) {
        let guess = guess(facts, &group.items, name);
        let Some(kind) = guess.kind() else { continue };
        if context.composed.contains(name) {
            continue;
        }
        let mut column = Column::new(name, kind, column(&group.items, name));
        column.is_index_key = facts.is_key(name);
        column.is_stamp = matches!(guess.value_type, AttributeType::Stamp(_) | AttributeType::Expiry(_));
        column.is_discriminator = context.discriminator == Some(name);
        columns.push(column);
    }
    Pool { columns, rows: group.items.len() }
}

fn names<'a>(items: &[&'a Attributes]) -> BTreeSet<&'a str> {
    items.iter().flat_map(|item| item.keys().map(String::as_str)).collect()
}

/// What is left of the items once the templates are taken away.
fn attributes(facts: &ImportedTable, entity: &mut Entity<'_>, discriminator: Option<&str>) {
    let is_template =
        |name: &str| entity.keys.iter().any(|key| key.name == name && matches!(key.form, Form::Template(_)));
    let identity: Vec<String> = entity.identity().into_iter().map(str::to_owned).collect();
    let mut found: Vec<Attribute> = std::mem::take(&mut entity.attributes);
    let (mut fixed, mut unwritable) = (Vec::new(), Vec::new());
    for name in names(&entity.group.items) {
        if is_template(name) || found.iter().any(|attribute| attribute.name == name) {
            continue;
        }
        if facts.is_base_key(name) && !entity.keys.iter().any(|key| key.name == name && key.form == Form::Plain) {
            continue;
        }
        if !is_writable(name) {
            unwritable.push(name.to_owned());
            continue;
        }
        let guess = guess(facts, &entity.group.items, name);
        if discriminator == Some(name)
            && !facts.is_key(name)
            && !guess.is_optional()
            && let Some(kind) = entity.group.kind.clone()
        {
            fixed.push((name.to_owned(), kind));
            continue;
        }
        found.push(Attribute { name: name.to_owned(), guess, key_only: false, same_as: None, notes: Vec::new() });
    }
    for attribute in &mut found {
        settle_type(attribute, identity.contains(&attribute.name), &entity.keys, facts);
    }
    // What identifies an item comes first, as people write it.
    found.sort_by_key(|attribute| identity.iter().position(|name| *name == attribute.name).unwrap_or(usize::MAX));
    entity.attributes = found;
    entity.fixed = fixed;
    entity.unwritable = unwritable;
}

/// A key as an attribute of its own.
pub(crate) fn plain_key(facts: &ImportedTable, entity: &Entity<'_>, name: &str) -> Attribute {
    let guess = guess(facts, &entity.group.items, name);
    let mut attribute = Attribute { name: name.to_owned(), guess, key_only: false, same_as: None, notes: Vec::new() };
    let is_identity = facts.is_base_key(name);
    settle_type(&mut attribute, is_identity, &entity.keys, facts);
    attribute
}

/// Types that promise more than a sample shows are for attributes that identify an item.
fn settle_type(attribute: &mut Attribute, identifies: bool, keys: &[Key], facts: &ImportedTable) {
    let is_made = matches!(attribute.guess.value_type, AttributeType::Ulid | AttributeType::Uuid);
    if is_made && !identifies && !attribute.guess.is_optional() {
        // As `ulid` it would be made where it is absent; the id of something else is given.
        let what = if attribute.guess.value_type == AttributeType::Ulid { "ULIDs" } else { "UUIDs" };
        attribute.guess.value_type = AttributeType::String;
        attribute.notes.push(what.to_owned());
    }
    let is_key = keys.iter().any(|key| key.name == attribute.name && key.form == Form::Plain);
    if is_key && attribute.guess.value_type == AttributeType::Any {
        let key = facts.table.keys().chain(facts.index_only_keys()).find(|key| key.name == attribute.name);
        attribute.guess.value_type = match key.map(|key| key.key_type) {
            Some(KeyType::N) => AttributeType::Number,
            Some(KeyType::B) => AttributeType::Binary,
            _ => AttributeType::String,
        };
    }
}
