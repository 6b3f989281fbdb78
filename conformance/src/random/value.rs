//! Attribute values from small pools, so that operations meet.

use serde_json::{Map, Value, json};

use super::rng::Rng;
use super::shape::{Key, Shape};

const STRINGS: &[&str] = &["a", "b", "ab", "abc", "B", "", "ä"];
/// In canonical form: how others are trimmed has a scenario of its own.
const NUMBERS: &[&str] = &["0", "1", "2", "-1", "10", "1.5", "0.1", "10000000000"];
const BYTES: &[&str] = &["AA==", "AQ==", "AAE=", "/w==", ""];
const NUMBER_KEYS: &[&str] = &["0", "1", "2", "-1", "1.5"];
const MAP_KEYS: &[&str] = &["x", "y"];

/// Any value; containers are shallow.
pub(crate) fn any(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(if depth == 0 { 8 } else { 12 }) {
        0 | 1 => json!({"S": rng.pick(STRINGS)}),
        2..=4 => number(rng),
        5 => json!({"B": rng.pick(BYTES)}),
        6 => json!({"BOOL": rng.one_in(2)}),
        7 => json!({"NULL": true}),
        8 => json!({"L": (0..rng.below(4)).map(|_| any(rng, depth - 1)).collect::<Vec<_>>()}),
        9 => map(rng, depth),
        _ => set(rng),
    }
}

pub(crate) fn number(rng: &mut Rng) -> Value {
    json!({"N": rng.pick(NUMBERS)})
}

pub(crate) fn list(rng: &mut Rng) -> Value {
    json!({"L": (0..rng.below(3)).map(|_| any(rng, 0)).collect::<Vec<_>>()})
}

fn map(rng: &mut Rng, depth: usize) -> Value {
    let mut members = Map::new();
    for name in MAP_KEYS {
        if !rng.one_in(3) {
            members.insert((*name).to_owned(), any(rng, depth.saturating_sub(1)));
        }
    }
    json!({"M": members})
}

/// A set without duplicates, and not empty.
pub(crate) fn set(rng: &mut Rng) -> Value {
    let (kind, pool): (&str, &[&str]) = match rng.below(4) {
        0 => ("NS", &["1", "2", "3.5"]),
        1 => ("BS", &["AA==", "AQ==", "Ag=="]),
        _ => ("SS", &["a", "b", "c"]),
    };
    let mut elements: Vec<_> = pool.iter().filter(|_| rng.one_in(2)).copied().collect();
    if elements.is_empty() {
        elements.extend(pool.first().copied());
    }
    json!({kind: elements})
}

/// A value of a key's type.
pub(crate) fn key(rng: &mut Rng, kind: &str) -> Value {
    match kind {
        "N" => json!({"N": rng.pick(NUMBER_KEYS)}),
        "B" => json!({"B": rng.pick(&["AA==", "AQ==", "AAE=", "/w=="])}),
        _ => json!({"S": rng.pick(&["a", "b", "ab", "abc"])}),
    }
}

/// The key of one of a table's few items; sometimes one that does not fit.
pub(crate) fn item_key(rng: &mut Rng, shape: &Shape) -> Value {
    let mut members = sound_key(rng, shape);
    if rng.one_in(60) {
        spoil(rng, &mut members, shape);
    }
    Value::Object(members)
}

/// A key that fits its table.
pub(crate) fn sound_key(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    shape.keys().map(|Key { name, kind }| (name.to_owned(), key(rng, kind))).collect()
}

/// An item that is mostly sound, but may lack a key or have an index key of the wrong type.
pub(crate) fn item(rng: &mut Rng, shape: &Shape) -> Value {
    let mut members = sound_item(rng, shape);
    if rng.one_in(60) {
        spoil(rng, &mut members, shape);
    }
    if rng.one_in(12) {
        members.insert(rng.pick(&["g", "h"]).to_owned(), any(rng, 1));
    }
    Value::Object(members)
}

/// An item with a few of the attributes that expressions speak of.
pub(crate) fn sound_item(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    let mut members = sound_key(rng, shape);
    for name in ["a", "b", "c"] {
        if rng.one_in(2) {
            members.insert(name.to_owned(), any(rng, 2));
        }
    }
    for (name, value) in [("n", number(rng)), ("l", list(rng)), ("m", map(rng, 2)), ("s", set(rng))] {
        if rng.one_in(2) {
            members.insert(name.to_owned(), value);
        }
    }
    for (name, kind) in [("g", "S"), ("h", "N")] {
        if !rng.one_in(3) {
            members.insert(name.to_owned(), key(rng, kind));
        }
    }
    members
}

fn spoil(rng: &mut Rng, members: &mut Map<String, Value>, shape: &Shape) {
    let name = shape.sort.unwrap_or(shape.partition).name.to_owned();
    match rng.below(5) {
        0 => drop(members.remove(&name)),
        1 => drop(members.insert(name, any(rng, 1))),
        2 => drop(members.insert("extra".to_owned(), any(rng, 0))),
        3 => drop(members.insert(name, json!({"S": ""}))),
        _ => drop(members.insert(shape.partition.name.to_owned(), any(rng, 0))),
    }
}
