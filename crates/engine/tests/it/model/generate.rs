//! Random sequences of operations over small domains, so that keys, values and conditions meet often.

use std::collections::BTreeSet;

use keyfold_dynamo::operation::ReturnValues;
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::model::operation::{Change, Get, Operation, Query, Reading, Scan, SortTest, Write};
use crate::model::path::{Path, attribute};
use crate::model::random::Random;
use crate::model::schema::{LATE, TABLES, TableSchema};
use crate::scene::{b, item, n, s};

/// Attributes that are no key of a table; some are keys of indexes.
pub(super) const ATTRIBUTES: [&str; 12] =
    ["note", "count", "flag", "tags", "map", "list", "label", "state", "rank", "owner", "blob", "kind"];

const NUMBERS: [&str; 8] = ["-20", "-2", "0", "1", "1.5", "2", "10", "100"];
const TEXTS: [&str; 6] = ["a", "ab", "b", "c", "\u{0}z", "é"];
const BYTES: [&[u8]; 4] = [&[0], &[0, 1], &[1], &[255, 0]];

/// Tables are filled a little first, so that what follows meets items.
pub(super) fn sequence(random: &mut Random, length: usize) -> Vec<Operation> {
    let mut operations: Vec<Operation> =
        (0..6).map(|_| Operation::Write(unconditional_put(random), ReturnValues::None)).collect();
    while operations.len() < length {
        let next = match operation(random) {
            transaction @ Operation::Transact(_, Some(_)) if random.chance(50) => {
                // The same transaction again: a client that did not hear the answer.
                let earlier = operations.iter().rfind(|earlier| matches!(earlier, Operation::Transact(_, Some(_))));
                earlier.cloned().unwrap_or(transaction)
            }
            other => other,
        };
        operations.push(next);
    }
    operations
}

fn operation(random: &mut Random) -> Operation {
    match random.below(100) {
        0..16 => Operation::Write(put(random), random.pick(&[ReturnValues::None, ReturnValues::AllOld])),
        16..36 => {
            let returns = [
                ReturnValues::None,
                ReturnValues::AllOld,
                ReturnValues::AllNew,
                ReturnValues::UpdatedOld,
                ReturnValues::UpdatedNew,
            ];
            Operation::Write(update(random), random.pick(&returns))
        }
        36..42 => Operation::Write(delete(random), random.pick(&[ReturnValues::None, ReturnValues::AllOld])),
        42..48 => Operation::BatchWrite((0..=random.below(5)).map(|_| batch_change(random)).collect()),
        48..60 => transaction(random),
        60..65 => Operation::Get(get(random)),
        65..68 => Operation::BatchGet((0..=random.below(4)).map(|_| get(random)).collect()),
        68..71 => Operation::TransactGet((0..=random.below(4)).map(|_| get(random)).collect()),
        71..86 => Operation::Query(query(random)),
        86..94 => Operation::Scan(scan(random)),
        94 | 95 => Operation::Reopen,
        96 => random.pick(&[Operation::AddIndex, Operation::AddIndex, Operation::DropIndex]),
        97 => Operation::Maintain,
        _ => Operation::Describe,
    }
}

pub(super) fn number(random: &mut Random) -> AttributeValue {
    n(random.pick(&NUMBERS))
}

pub(super) fn text(random: &mut Random) -> AttributeValue {
    s(random.pick(&TEXTS))
}

pub(super) fn bytes(random: &mut Random) -> AttributeValue {
    b(random.pick(&BYTES))
}

pub(super) fn text_set(random: &mut Random) -> AttributeValue {
    AttributeValue::Ss((0..=random.below(2)).map(|_| random.pick(&["x", "y", "z"]).to_owned()).collect())
}

pub(super) fn number_set(random: &mut Random) -> AttributeValue {
    let numbers: BTreeSet<_> = (0..=random.below(2)).map(|_| *number(random).as_number().unwrap()).collect();
    AttributeValue::Ns(numbers)
}

pub(super) fn list(random: &mut Random) -> AttributeValue {
    AttributeValue::L((0..random.below(4)).map(|_| value(random, 1)).collect())
}

fn map(random: &mut Random) -> AttributeValue {
    let mut fields = Attributes::new();
    for name in ["x", "y", "deep"] {
        if random.chance(60) {
            let inner = if name == "deep" && random.chance(70) {
                AttributeValue::M(item([("z", value(random, 2))]))
            } else {
                value(random, 1)
            };
            fields.insert(name.to_owned(), inner);
        }
    }
    AttributeValue::M(fields)
}

/// Any value; deeper ones are simpler.
pub(super) fn value(random: &mut Random, depth: usize) -> AttributeValue {
    match random.below(if depth >= 2 { 7 } else { 9 }) {
        0 | 1 => number(random),
        2 => text(random),
        3 => bytes(random),
        4 => AttributeValue::Bool(random.chance(50)),
        5 => AttributeValue::Null,
        6 => text_set(random),
        7 => AttributeValue::L(vec![value(random, depth + 1)]),
        _ => AttributeValue::M(item([("x", value(random, depth + 1))])),
    }
}

/// A value of the kind an attribute usually has.
pub(super) fn usual_value(random: &mut Random, name: &str) -> AttributeValue {
    if random.chance(2) {
        return value(random, 0);
    }
    match name {
        "count" | "rank" => number(random),
        // Few values, so that the partitions of indexes hold several items.
        "state" | "owner" => s(random.pick(&["a", "ab", "b"])),
        "label" => text(random),
        "blob" => bytes(random),
        "tags" if random.chance(50) => text_set(random),
        "tags" => number_set(random),
        "map" => map(random),
        "list" => list(random),
        // Of two types: the index on it leaves items out when it comes, and refuses them once it is there.
        "kind" if random.chance(20) => number(random),
        "kind" => s(random.pick(&["a", "b"])),
        "flag" => AttributeValue::Bool(random.chance(50)),
        _ => value(random, 0),
    }
}

fn key_value(random: &mut Random, name: &str) -> AttributeValue {
    match name {
        "pk" => s(random.pick(&["a", "a", "b", "a\u{0}"])),
        "sk" => n(random.pick(&["-2", "0", "1.5", "10"])),
        "id" => n(random.pick(&["-1", "0", "7.5", "700"])),
        other => panic!("no such key: {other}"),
    }
}

fn any_table(random: &mut Random) -> &'static TableSchema {
    if random.chance(65) { TABLES[0] } else { TABLES[1] }
}

fn key(random: &mut Random, table: &TableSchema) -> Attributes {
    table.key_parts().map(|(name, _)| (name.to_owned(), key_value(random, name))).collect()
}

fn new_item(random: &mut Random, table: &TableSchema) -> Attributes {
    let mut new = key(random, table);
    for name in ATTRIBUTES {
        if random.chance(if name == "kind" { 25 } else { 50 }) {
            new.insert(name.to_owned(), usual_value(random, name));
        }
    }
    new
}

fn write(random: &mut Random, table: &TableSchema, change: Change) -> Write {
    let condition = random.chance(30).then(|| crate::model::generate_condition::condition(random, table, 2));
    Write { table: table.name, change, condition, old_on_failure: random.chance(50) }
}

fn unconditional_put(random: &mut Random) -> Write {
    Write { condition: None, ..put(random) }
}

fn put(random: &mut Random) -> Write {
    let table = any_table(random);
    let new = new_item(random, table);
    write(random, table, Change::Put(new))
}

fn update(random: &mut Random) -> Write {
    let table = any_table(random);
    let key = key(random, table);
    let update = (!random.chance(4)).then(|| crate::model::generate_update::update(random));
    write(random, table, Change::Update(key, update))
}

fn delete(random: &mut Random) -> Write {
    let table = any_table(random);
    let key = key(random, table);
    write(random, table, Change::Delete(key))
}

fn batch_change(random: &mut Random) -> (&'static str, Change) {
    let table = any_table(random);
    let change =
        if random.chance(60) { Change::Put(new_item(random, table)) } else { Change::Delete(key(random, table)) };
    (table.name, change)
}

fn transaction(random: &mut Random) -> Operation {
    let writes = (0..=random.below(4)).map(|_| match random.below(10) {
        0..3 => put(random),
        3..7 => {
            let mut write = update(random);
            // A transaction's update always has an expression.
            if let Change::Update(_, update @ None) = &mut write.change {
                *update = Some(crate::model::generate_update::update(random));
            }
            write
        }
        7 => delete(random),
        _ => {
            let table = any_table(random);
            let change = Change::Check(key(random, table));
            let condition = Some(crate::model::generate_condition::condition(random, table, 2));
            Write { table: table.name, change, condition, old_on_failure: random.chance(50) }
        }
    });
    let writes = writes.collect();
    let token = random.chance(30).then(|| random.pick(&["one", "two"]));
    Operation::Transact(writes, token)
}

fn get(random: &mut Random) -> Get {
    let table = any_table(random);
    let projection = random.chance(40).then(|| projection(random, &ATTRIBUTES));
    Get { table: table.name, key: key(random, table), projection }
}

/// Paths of which none leads into another.
fn projection(random: &mut Random, names: &[&'static str]) -> Vec<Path> {
    let mut roots: Vec<&'static str> = (0..=random.below(3)).map(|_| random.pick(names)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots.into_iter().flat_map(|root| crate::model::generate_update::places(random, root)).collect()
}

fn reading(random: &mut Random) -> Reading {
    let table = any_table(random);
    let index = random.chance(60).then(|| {
        let late = (table.name == "orders").then_some(&LATE);
        random.pick(&table.indexes.iter().chain(late).collect::<Vec<_>>())
    });
    let limit = random.chance(50).then(|| 1 + random.below(4));
    // A global index answers only with what it projects.
    let projected: Vec<&'static str> =
        ATTRIBUTES.into_iter().filter(|name| index.is_none_or(|index| index.projects(table, name))).collect();
    let keys: Vec<&'static str> = match index {
        Some(index) => index.key_parts().map(|(name, _)| name).collect(),
        None => table.key_parts().map(|(name, _)| name).collect(),
    };
    let plain: Vec<&'static str> = projected.iter().copied().filter(|name| !keys.contains(name)).collect();
    let filter = (!plain.is_empty() && random.chance(35))
        .then(|| crate::model::generate_condition::condition_on(random, &plain, 1));
    let wanted = if index.is_none_or(|index| index.local) { ATTRIBUTES.to_vec() } else { projected };
    let count_only = random.chance(10);
    let projection = (!count_only && !wanted.is_empty() && random.chance(30)).then(|| projection(random, &wanted));
    Reading { table: table.name, index: index.map(|index| index.name), limit, filter, projection, count_only }
}

fn query(random: &mut Random) -> Query {
    let reading = reading(random);
    let table = crate::model::schema::schema(reading.table);
    let (partition, sort) = match reading.index {
        Some(index) => (table.index(index).partition, table.index(index).sort),
        None => (table.partition, table.sort),
    };
    let partition = usual_key(random, partition.0);
    let sort = sort.filter(|_| random.chance(60)).map(|(name, key_type)| sort_test(random, name, key_type));
    Query { reading, partition, sort, forward: random.chance(60) }
}

fn usual_key(random: &mut Random, name: &str) -> AttributeValue {
    match name {
        "pk" | "sk" | "id" => key_value(random, name),
        "state" | "owner" | "kind" => s(random.pick(&["a", "ab", "b"])),
        "rank" => number(random),
        "blob" => bytes(random),
        _ => text(random),
    }
}

fn sort_test(random: &mut Random, name: &str, key_type: KeyType) -> SortTest {
    let one = usual_key(random, name);
    match random.below(10) {
        0..6 => SortTest::Compare(random.pick(&["=", "<", "<=", ">", ">="]), one),
        6 | 7 if key_type != KeyType::N => SortTest::BeginsWith(one),
        _ => {
            let two = usual_key(random, name);
            // Bounds in the wrong order are refused before anything is read.
            match crate::model::condition::order(&one, &two) {
                Some(std::cmp::Ordering::Greater) => SortTest::Between(two, one),
                _ => SortTest::Between(one, two),
            }
        }
    }
}

fn scan(random: &mut Random) -> Scan {
    let mut reading = reading(random);
    // A filter of a Scan may ask for keys as well.
    if reading.filter.is_none() && random.chance(10) {
        let name = crate::model::schema::schema(reading.table).partition.0;
        reading.filter = Some(crate::model::condition::Condition::Exists(attribute(name)));
    }
    Scan { reading, segments: random.chance(30).then(|| 1 + random.below(5)) }
}
