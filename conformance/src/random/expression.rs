//! Condition, update, projection and key condition expressions from their grammars.

use serde_json::{Map, Value, json};

use super::rng::Rng;
use super::shape::Key;
use super::value;

const ATTRIBUTES: &[&str] = &["a", "b", "c", "n", "l", "m", "s", "g", "h", "pk", "gone"];
/// What updates write to. Key attributes are refused, index keys of the wrong type too.
const UPDATED: &[&str] = &["a", "b", "c", "n", "l", "m", "s", "g", "h", "fresh"];
const COMPARATORS: &[&str] = &["=", "<>", "<", "<=", ">", ">="];
const TYPES: &[&str] = &["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"];

/// The placeholders that the expressions of one request share.
#[derive(Default)]
pub(crate) struct Placeholders {
    names: Map<String, Value>,
    values: Map<String, Value>,
}

impl Placeholders {
    pub(crate) fn value(&mut self, value: Value) -> String {
        if let Some((name, _)) = self.values.iter().find(|(_, known)| **known == value) {
            return name.clone();
        }
        let name = format!(":v{}", self.values.len());
        self.values.insert(name.clone(), value);
        name
    }

    /// The attribute itself, or a placeholder for it.
    fn attribute(&mut self, rng: &mut Rng, name: &str) -> String {
        if !rng.one_in(4) {
            return name.to_owned();
        }
        let placeholder = format!("#{name}");
        self.names.insert(placeholder.clone(), name.into());
        placeholder
    }

    /// Adds the placeholders to a request; now and then with one too many or one too few.
    pub(crate) fn attach(mut self, rng: &mut Rng, request: &mut Map<String, Value>) {
        match rng.below(120) {
            0 => drop(self.values.insert(":unused".to_owned(), value::any(rng, 0))),
            1 => drop(self.names.insert("#unused".to_owned(), "unused".into())),
            2 => drop(self.values.remove(":v0")),
            3 => self.names.clear(),
            _ => {}
        }
        if !self.names.is_empty() {
            request.insert("ExpressionAttributeNames".to_owned(), self.names.into());
        }
        if !self.values.is_empty() {
            request.insert("ExpressionAttributeValues".to_owned(), self.values.into());
        }
    }
}

/// A document path, mostly one that may exist.
fn path(rng: &mut Rng, placeholders: &mut Placeholders) -> String {
    let name = rng.pick(ATTRIBUTES);
    let mut path = placeholders.attribute(rng, name);
    let steps = if matches!(name, "l" | "m" | "a") { rng.below(3) } else { usize::from(rng.one_in(12)) };
    for step in 0..steps {
        let into_list = if step == 0 && name == "l" { !rng.one_in(8) } else { rng.one_in(3) };
        if into_list {
            path.push_str(&format!("[{}]", rng.below(4)));
        } else {
            let member = rng.pick(&["x", "y"]);
            path.push_str(&format!(".{}", placeholders.attribute(rng, member)));
        }
    }
    path
}

/// A condition or filter of at most `depth` nested operators.
pub(crate) fn condition(rng: &mut Rng, placeholders: &mut Placeholders, depth: usize) -> String {
    if depth == 0 || rng.one_in(2) {
        return comparison(rng, placeholders);
    }
    let shape = rng.below(6);
    let left = condition(rng, placeholders, depth - 1);
    if shape < 2 {
        return if shape == 0 { format!("NOT ({left})") } else { format!("NOT {left}") };
    }
    let right = condition(rng, placeholders, depth - 1);
    match shape {
        2 => format!("({left}) OR {right}"),
        3 => format!("{left} AND ({right})"),
        4 => format!("{left} OR {right}"),
        _ => format!("{left} AND {right}"),
    }
}

fn comparison(rng: &mut Rng, placeholders: &mut Placeholders) -> String {
    let subject = path(rng, placeholders);
    match rng.below(12) {
        0 => format!("attribute_exists({subject})"),
        1 => format!("attribute_not_exists({subject})"),
        2 => {
            let kind = placeholders.value(json!({"S": rng.pick(TYPES)}));
            format!("attribute_type({subject}, {kind})")
        }
        3 => format!("begins_with({subject}, {})", ordered_operand(rng, placeholders)),
        4 => format!("contains({subject}, {})", operand(rng, placeholders)),
        5 => format!("size({subject}) {} {}", rng.pick(COMPARATORS), placeholders.value(value::number(rng))),
        6 => {
            let (low, high) = range(rng, placeholders);
            format!("{subject} BETWEEN {low} AND {high}")
        }
        7 => {
            let count = 1 + rng.below(3);
            let choices: Vec<_> = (0..count).map(|_| operand(rng, placeholders)).collect();
            format!("{subject} IN ({})", choices.join(", "))
        }
        8 | 9 => format!("{subject} {} {}", rng.pick(&["=", "<>"]), operand(rng, placeholders)),
        _ => format!("{subject} {} {}", rng.pick(COMPARATORS), ordered_operand(rng, placeholders)),
    }
}

/// Bounds of one type in their order, or, once in a while, any two operands.
fn range(rng: &mut Rng, placeholders: &mut Placeholders) -> (String, String) {
    let bounds = match rng.below(12) {
        0 => return (operand(rng, placeholders), operand(rng, placeholders)),
        1..=6 => [json!({"N": rng.pick(&["-1", "0", "1"])}), json!({"N": rng.pick(&["1", "2", "10"])})],
        _ => [json!({"S": rng.pick(&["", "a", "ab"])}), json!({"S": rng.pick(&["ab", "b", "ä"])})],
    };
    let [low, high] = bounds.map(|bound| placeholders.value(bound));
    (low, high)
}

/// Mostly a value of a type that has an order: others are refused.
fn ordered_operand(rng: &mut Rng, placeholders: &mut Placeholders) -> String {
    if rng.one_in(10) {
        return operand(rng, placeholders);
    }
    let kind = rng.pick(&["S", "S", "N", "B"]);
    placeholders.value(value::key(rng, kind))
}

fn operand(rng: &mut Rng, placeholders: &mut Placeholders) -> String {
    if rng.one_in(6) { path(rng, placeholders) } else { placeholders.value(value::any(rng, 1)) }
}

pub(crate) fn projection(rng: &mut Rng, placeholders: &mut Placeholders) -> String {
    let count = 1 + rng.below(3);
    let paths: Vec<_> = (0..count).map(|_| path(rng, placeholders)).collect();
    paths.join(", ")
}

/// One to four clauses, on paths that mostly do not overlap.
pub(crate) fn update(rng: &mut Rng, placeholders: &mut Placeholders) -> String {
    let mut clauses = Vec::new();
    let mut free: Vec<_> = UPDATED.to_vec();
    let mut wanted = [rng.one_in(2), rng.one_in(3), rng.one_in(4), rng.one_in(5)];
    if wanted == [false; 4] {
        wanted = [true, false, false, false];
    }
    for (clause, wanted) in ["SET", "REMOVE", "ADD", "DELETE"].into_iter().zip(wanted) {
        if wanted {
            let count = 1 + rng.below(2);
            let actions: Vec<_> = (0..count).map(|_| action(rng, placeholders, clause, &mut free)).collect();
            clauses.push(format!("{clause} {}", actions.join(", ")));
        }
    }
    clauses.join(" ")
}

/// A path below an attribute that this update has not touched yet; once in a while any path.
fn target(rng: &mut Rng, placeholders: &mut Placeholders, free: &mut Vec<&'static str>) -> String {
    if free.is_empty() || rng.one_in(25) {
        return path(rng, placeholders);
    }
    let name = free.swap_remove(rng.below(free.len()));
    let mut target = placeholders.attribute(rng, name);
    match name {
        "l" if rng.one_in(2) => target.push_str(&format!("[{}]", rng.below(4))),
        "m" if rng.one_in(2) => target.push_str(rng.pick(&[".x", ".y", ".x.y", ".y[0]"])),
        _ => {}
    }
    target
}

/// Takes `wanted` out of the attributes that may still be written; another one when it is taken.
fn claim(rng: &mut Rng, free: &mut Vec<&'static str>, wanted: &'static str) -> &'static str {
    match free.iter().position(|name| *name == wanted) {
        Some(position) if !rng.one_in(8) => free.swap_remove(position),
        _ if free.is_empty() => wanted,
        _ => free.swap_remove(rng.below(free.len())),
    }
}

fn action(rng: &mut Rng, placeholders: &mut Placeholders, clause: &str, free: &mut Vec<&'static str>) -> String {
    match clause {
        "REMOVE" => target(rng, placeholders, free),
        "ADD" if rng.one_in(2) => {
            format!("{} {}", claim(rng, free, "s"), placeholders.value(value::set(rng)))
        }
        "ADD" => format!("{} {}", claim(rng, free, "n"), placeholders.value(value::number(rng))),
        "DELETE" => format!("{} {}", claim(rng, free, "s"), placeholders.value(value::set(rng))),
        _ => format!("{} = {}", target(rng, placeholders, free), assigned(rng, placeholders)),
    }
}

fn assigned(rng: &mut Rng, placeholders: &mut Placeholders) -> String {
    match rng.below(12) {
        0 => format!("n + {}", placeholders.value(value::number(rng))),
        1 => format!("{} - {}", path(rng, placeholders), placeholders.value(value::number(rng))),
        2 | 3 => format!("if_not_exists({}, {})", path(rng, placeholders), operand(rng, placeholders)),
        4 => format!("list_append(l, {})", placeholders.value(value::list(rng))),
        5 => {
            let (start, more) = (placeholders.value(value::list(rng)), placeholders.value(value::list(rng)));
            format!("list_append(if_not_exists(l, {start}), {more})")
        }
        6 => {
            let (zero, amount) = (placeholders.value(value::number(rng)), placeholders.value(value::number(rng)));
            format!("if_not_exists(n, {zero}) + {amount}")
        }
        7 => path(rng, placeholders),
        _ => placeholders.value(value::any(rng, 2)),
    }
}

/// A key condition on a partition and, perhaps, its sort key.
pub(crate) fn key_condition(
    rng: &mut Rng,
    placeholders: &mut Placeholders,
    partition: Key,
    sort: Option<Key>,
) -> String {
    let wanted = placeholders.value(value::key(rng, partition.kind));
    let mut text = format!("{} = {wanted}", placeholders.attribute(rng, partition.name));
    if let Some(Key { name, kind }) = sort
        && !rng.one_in(3)
    {
        let name = placeholders.attribute(rng, name);
        let value = placeholders.value(value::key(rng, kind));
        let condition = match rng.below(7) {
            0 => {
                let high = placeholders.value(value::key(rng, kind));
                format!("{name} BETWEEN {value} AND {high}")
            }
            1 => format!("begins_with({name}, {value})"),
            _ => format!("{name} {} {value}", rng.pick(&["=", "<", "<=", ">", ">="])),
        };
        text = if rng.one_in(5) { format!("{condition} AND {text}") } else { format!("{text} AND {condition}") };
    }
    text
}
