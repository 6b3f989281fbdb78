//! Names for values that only a key contains.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::casing::camel;
use keyfold_design::counted;
use keyfold_design::template::{ValueKind, is_date, is_datetime, is_ulid, is_uuid};
use keyfold_dynamo::AttributeValue;

use super::source::{Origin, origin};
use super::{Attribute, Entity, Form, is_placeholder};
use crate::sample::identifier_words;
use crate::table::ImportedTable;
use crate::template::{Column, Piece, Slot, mostly_attribute};
use crate::types::{self, AttributeContext};

/// A placeholder that has no name yet.
struct Nameless {
    key: usize,
    piece: usize,
    values: Vec<String>,
    /// The literal text before it, and the whole template up to it.
    before: String,
    prefix: String,
}

/// Gives each of them a name: the one that the same values have elsewhere, the one that other entities have at the same
/// place of the same key, or one made from the word before it. A key that is nothing but such a value is an attribute
/// itself.
pub(super) fn resolve(facts: &ImportedTable, entities: &mut [Entity<'_>], delimiter: char) {
    let elsewhere = names_by_place(entities);
    let stored = stored_texts(entities);
    let origins: Vec<Option<Origin>> = (0..entities.len())
        .map(|at| {
            let nameless = entities.get(at).map(nameless).unwrap_or_default();
            let parts: Vec<&[String]> = distinct(&nameless).iter().map(|part| part.values.as_slice()).collect();
            origin(entities, at, &parts)
        })
        .collect();
    let names: Vec<String> = entities.iter().map(|entity| rough_name(entity, delimiter)).collect();
    for (at, entity) in entities.iter_mut().enumerate() {
        let nameless = nameless(entity);
        let origin = origins.get(at).and_then(Option::as_ref);
        if let Some(origin) = origin {
            let what = names.get(origin.entity).map_or("", String::as_str);
            let values = origin.attributes.join(", ");
            let size = counted(entity.size(), "item");
            entity.notes.push(format!(
                "guess: derived from {what} (its key contains {values} in all of {size}): `derived from` or `unique`?"
            ));
        }
        let mut given: Vec<(Vec<String>, String)> = Vec::new();
        for (number, part) in distinct(&nameless).into_iter().enumerate() {
            let from_origin = origin.and_then(|origin| origin.attributes.get(number)).cloned();
            let is_whole = entity.keys.get(part.key).is_some_and(|key| is_single(&key.form));
            let name = from_origin
                .or_else(|| {
                    elsewhere.get(&(part.key, part.prefix.clone())).cloned().filter(|_| !part.prefix.is_empty())
                })
                .or_else(|| (!is_whole).then(|| made_up(part, &stored)))
                .filter(|name| is_free(name, entity, &given));
            let name = match name {
                Some(name) => Some(name),
                None if is_whole => None,
                None => Some(numbered(part, entity, &given)),
            };
            if let Some(name) = name {
                given.push((part.values.clone(), name));
            }
        }
        put_names(facts, entity, &nameless, &given);
    }
}

/// Placeholders with the same values are the same.
fn distinct(nameless: &[Nameless]) -> Vec<&Nameless> {
    let mut found: Vec<&Nameless> = Vec::new();
    for part in nameless {
        if !found.iter().any(|known| known.values == part.values) {
            found.push(part);
        }
    }
    found
}

fn is_single(form: &Form) -> bool {
    matches!(form, Form::Template(template) if matches!(template.pieces.as_slice(), [Piece::Unknown(_)]))
}

fn nameless(entity: &Entity<'_>) -> Vec<Nameless> {
    let mut found = Vec::new();
    for (key, form) in entity.keys.iter().map(|key| &key.form).enumerate() {
        let Form::Template(template) = form else { continue };
        let (mut before, mut prefix) = (String::new(), String::new());
        for (piece, part) in template.pieces.iter().enumerate() {
            match part {
                Piece::Literal(text) => {
                    before.clone_from(text);
                    prefix.push_str(text);
                }
                Piece::Value(_) => prefix.push_str("<>"),
                Piece::Unknown(values) => {
                    found.push(Nameless {
                        key,
                        piece,
                        values: values.clone(),
                        before: before.clone(),
                        prefix: prefix.clone(),
                    });
                    prefix.push_str("<>");
                }
            }
        }
    }
    found
}

/// The attributes that entities have at a place of a key, by the key and the template before it.
fn names_by_place(entities: &[Entity<'_>]) -> BTreeMap<(usize, String), String> {
    let mut counts: BTreeMap<(usize, String), BTreeMap<String, usize>> = BTreeMap::new();
    for entity in entities {
        for (key, form) in entity.keys.iter().map(|key| &key.form).enumerate() {
            let Form::Template(template) = form else { continue };
            let mut prefix = String::new();
            for piece in &template.pieces {
                match piece {
                    Piece::Literal(text) => prefix.push_str(text),
                    Piece::Value(slot) => {
                        if slot.formats.is_empty() && slot.fallback.is_none() {
                            let names = counts.entry((key, prefix.clone())).or_default();
                            *names.entry(slot.attribute.clone()).or_default() += 1;
                        }
                        prefix.push_str("<>");
                    }
                    Piece::Unknown(_) => prefix.push_str("<>"),
                }
            }
        }
    }
    let most = |names: BTreeMap<String, usize>| {
        names.into_iter().max_by_key(|(name, count)| (*count, std::cmp::Reverse(name.clone())))
    };
    counts.into_iter().filter_map(|(place, names)| Some((place, most(names)?.0))).collect()
}

/// Every attribute of the table with the texts it has.
fn stored_texts(entities: &[Entity<'_>]) -> BTreeMap<String, BTreeSet<String>> {
    let mut stored: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entity in entities {
        for item in &entity.group.items {
            for (name, value) in item.iter() {
                let texts = stored.entry(name.clone()).or_default();
                texts.extend(crate::sample::key_text(value));
            }
        }
    }
    stored
}

/// `commentId` behind `COMMENT#` for an id, `word` behind `placeWord#` for anything else. A name that means something
/// else in the table is not taken.
fn made_up(part: &Nameless, stored: &BTreeMap<String, BTreeSet<String>>) -> String {
    let words = identifier_words(&part.before);
    let all = |fits: fn(&str) -> bool| part.values.iter().all(|value| fits(value));
    let Some(last) = words.last() else {
        let name = match () {
            () if all(is_date) => "day",
            () if all(is_datetime) => "instant",
            () if all(is_ulid) || all(is_uuid) => "key",
            () => "value",
        };
        return name.to_owned();
    };
    let is_id = part.values.iter().all(|value| is_ulid(value) || is_uuid(value) || is_long_id(value));
    let short = if is_id || words.len() > 2 || !part.before.contains('_') { last.clone() } else { camel(&words) };
    let means_this = |name: &str| match stored.get(name) {
        None => true,
        Some(texts) => part.values.iter().any(|value| texts.contains(value)),
    };
    let with_id = format!("{last}Id");
    if is_id && means_this(&with_id) { with_id } else { short }
}

fn is_long_id(value: &str) -> bool {
    value.len() >= 16 && value.chars().all(|character| character.is_ascii_alphanumeric() || "-_".contains(character))
}

/// Whether no attribute of the items, and no other placeholder, has the name.
fn is_free(name: &str, entity: &Entity<'_>, given: &[(Vec<String>, String)]) -> bool {
    is_placeholder(name)
        && !given.iter().any(|(_, known)| known == name)
        && !entity.group.items.iter().any(|item| item.contains_key(name))
        && entity.pool.column(name).is_none()
}

fn numbered(part: &Nameless, entity: &Entity<'_>, given: &[(Vec<String>, String)]) -> String {
    let stem = made_up(part, &BTreeMap::new());
    let stem = if is_placeholder(&stem) { stem } else { "value".to_owned() };
    (1..)
        .map(|number| if number == 1 { stem.clone() } else { format!("{stem}{number}") })
        .find(|name| is_free(name, entity, given))
        .unwrap_or(stem)
}

fn put_names(facts: &ImportedTable, entity: &mut Entity<'_>, nameless: &[Nameless], given: &[(Vec<String>, String)]) {
    for part in nameless {
        let name = given.iter().find(|(values, _)| *values == part.values).map(|(_, name)| name);
        let Some(key) = entity.keys.get_mut(part.key) else { continue };
        match (name, &mut key.form) {
            (Some(name), Form::Template(template)) => {
                if let Some(piece) = template.pieces.get_mut(part.piece) {
                    *piece = Piece::Value(Slot::plain(name));
                }
            }
            _ => key.form = Form::Plain,
        }
    }
    for (texts, name) in given {
        let values: Vec<AttributeValue> = texts.iter().cloned().map(AttributeValue::S).collect();
        let references: Vec<&AttributeValue> = values.iter().collect();
        let is_ttl = facts.table.ttl.as_deref() == Some(name.as_str());
        let mut guess = types::guess(AttributeContext { name, is_ttl, of: values.len() }, &references);
        if guess.value_type.is_kept_by_runtime() {
            guess.value_type = keyfold_design::model::AttributeType::String;
            guess.notes.clear();
        }
        let kind = guess.kind().unwrap_or(ValueKind::Text);
        let mut notes = vec!["guess: only the key contains it".to_owned()];
        if let Some((column, count)) = mostly_attribute(&entity.pool, texts) {
            notes = vec![format!(
                "guess: `{column}` has it in {count} of {} items; is it wrong in the others?",
                texts.len()
            )];
        }
        entity.pool.columns.push(Column::new(name, kind, values.into_iter().map(Some).collect()));
        entity.attributes.push(Attribute { name: name.clone(), guess, key_only: true, same_as: None, notes });
    }
}

/// What an entity is called before it has a name: by its key's words.
fn rough_name(entity: &Entity<'_>, delimiter: char) -> String {
    super::naming::candidate(entity, delimiter)
}
