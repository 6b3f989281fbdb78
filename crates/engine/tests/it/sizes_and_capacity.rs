//! Sizes and capacity units as AWS documents their arithmetic: a read unit for each 4 KB begun (half of it eventually
//! consistent, double in a transaction), a write unit for each 1 KB begun (double in a transaction), and each index
//! by itself.

use crate::scene;

use crate::scene::requests::{action, condition, partition, put, updating};
use crate::scene::tables::{include, keys_only, table};
use crate::scene::{b, item, n, s, validation_text, wait};
use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::operation::{
    BatchGetItemInput, BatchWriteItemInput, BatchWriteRequest, ConsumedCapacity, DeleteItemInput, GetItemInput,
    KeysAndAttributes, PutItemInput, ReturnConsumedCapacity, ScanInput, Select, TransactGet, TransactGetItemsInput,
    TransactWrite, TransactWriteItemsInput, TransactWriteKind, UpdateItemInput, WriteOptions,
};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_engine::Engine;

const ALL: ReturnConsumedCapacity = ReturnConsumedCapacity::Indexes;

fn new_table() -> Engine {
    let engine = scene::memory();
    table("t", ("pk", KeyType::S), Some(("sk", KeyType::N)))
        .local("local", ("pk", KeyType::S), ("label", KeyType::S), keys_only())
        .global("global", ("g", KeyType::S), None, include(&["note"]))
        .create(&engine);
    engine
}

fn key(number: usize) -> Attributes {
    item([("pk", s("p")), ("sk", n(number))])
}

/// An item of exactly so many bytes: its key takes 7 of them.
fn sized(number: usize, bytes: usize) -> Attributes {
    let mut new = key(number);
    new.insert("d".to_owned(), s("x".repeat(bytes - 8)));
    assert_eq!(item_size(&new), bytes);
    new
}

fn total(capacity: &Option<ConsumedCapacity>) -> f64 {
    capacity.as_ref().unwrap().total.capacity
}

/// The table's units, and those of the global and the local index.
fn split(capacity: &ConsumedCapacity) -> (f64, f64, f64) {
    let breakdown = capacity.breakdown.as_ref().unwrap();
    let of = |units: &std::collections::BTreeMap<String, keyfold_dynamo::operation::Units>, name: &str| {
        units.get(name).map_or(0.0, |units| units.capacity)
    };
    let split =
        (breakdown.table.capacity, of(&breakdown.global_indexes, "global"), of(&breakdown.local_indexes, "local"));
    assert_eq!(split.0 + split.1 + split.2, capacity.total.capacity);
    split
}

fn reporting() -> WriteOptions {
    WriteOptions { return_consumed_capacity: ALL, ..WriteOptions::default() }
}

fn put_units(engine: &Engine, item: Attributes) -> (f64, f64, f64) {
    let input = PutItemInput { table_name: "t".to_owned(), item, options: reporting() };
    split(&wait(engine.put_item(input)).unwrap().consumed_capacity.unwrap())
}

fn update_units(engine: &Engine, expression: &str, values: &[(&str, AttributeValue)]) -> (f64, f64, f64) {
    let values: Attributes = values.iter().map(|(alias, value)| ((*alias).to_owned(), value.clone())).collect();
    let aliases = Aliases { names: None, values: (!values.is_empty()).then_some(values) };
    let update = Some(aliases.update(expression).unwrap());
    let input = UpdateItemInput { table_name: "t".to_owned(), key: key(1), update, options: reporting() };
    split(&wait(engine.update_item(input)).unwrap().consumed_capacity.unwrap())
}

fn delete_units(engine: &Engine) -> (f64, f64, f64) {
    let input = DeleteItemInput { table_name: "t".to_owned(), key: key(1), options: reporting() };
    split(&wait(engine.delete_item(input)).unwrap().consumed_capacity.unwrap())
}

#[test]
fn an_item_is_as_large_as_its_names_and_values() {
    let size = |value: AttributeValue| item_size(&item([("name", value)])) - 4;
    assert_eq!(size(s("")), 0);
    assert_eq!(size(s("abc")), 3);
    assert_eq!(size(s("é😀")), 6);
    assert_eq!(size(b(&[1, 2, 3, 4])), 4);
    assert_eq!(size(AttributeValue::Bool(true)), 1);
    assert_eq!(size(AttributeValue::Null), 1);
    // One byte for each two significant digits, and one more.
    assert_eq!(size(n(7)), 2);
    assert_eq!(size(n(27)), 2);
    assert_eq!(size(n(100)), 2);
    assert_eq!(size(n("12345678901234567890123456789012345678")), 20);
    // Three bytes for a map or a list, and one for each of what it holds.
    assert_eq!(size(AttributeValue::M(Attributes::new())), 3);
    assert_eq!(size(AttributeValue::L(vec![s("ab"), s("c")])), 3 + 1 + 2 + 1 + 1);
    assert_eq!(size(AttributeValue::M(item([("key", s("abc"))]))), 3 + 1 + 3 + 3);
    assert_eq!(size(AttributeValue::Ss(["a".to_owned(), "bc".to_owned()].into())), 3);
}

#[test]
fn an_item_is_no_larger_than_400_kilobytes() {
    let engine = new_table();
    put(&engine, "t", sized(1, 400 * 1024)).unwrap();
    let refused = validation_text(put(&engine, "t", sized(1, 400 * 1024 + 1)));
    assert_eq!(refused, "Item size has exceeded the maximum allowed size");
    put(&engine, "t", sized(2, 400 * 1024 - 2)).unwrap();
    let grow = |name: &str| {
        wait(engine.update_item(UpdateItemInput {
            table_name: "t".to_owned(),
            key: key(2),
            update: Some(updating(&format!("SET {name} = :v"), [(":v", s("v"))])),
            options: WriteOptions::default(),
        }))
    };
    assert_eq!(validation_text(grow("ab")), "Item size to update has exceeded the maximum allowed size");
    grow("a").unwrap();
}

#[test]
fn describe_table_tells_the_bytes() {
    let engine = new_table();
    put(&engine, "t", sized(1, 1000)).unwrap();
    let mut second = sized(2, 500);
    second.extend(item([("g", s("gg")), ("note", s("note")), ("label", s("lab"))]));
    put(&engine, "t", second.clone()).unwrap();
    let described = wait(engine.describe_table("t".to_owned())).unwrap();
    assert_eq!(described.size_bytes, 1000 + 500 + 3 + 8 + 8);
    assert_eq!(described.global_indexes[0].size_bytes, 7 + 3 + 8);
    assert_eq!(described.local_indexes[0].size_bytes, 7 + 8);
}

#[test]
fn get_item_reads_units_of_four_kilobytes() {
    let engine = new_table();
    let read = |number: usize, consistent_read: bool| {
        let input = GetItemInput {
            table_name: "t".to_owned(),
            key: key(number),
            consistent_read,
            return_consumed_capacity: ALL,
            ..GetItemInput::default()
        };
        total(&wait(engine.get_item(input)).unwrap().consumed_capacity)
    };
    for (number, bytes, units) in [(1, 8, 1.0), (2, 4096, 1.0), (3, 4097, 2.0), (4, 8192, 2.0), (5, 400 * 1024, 100.0)]
    {
        put(&engine, "t", sized(number, bytes)).unwrap();
        assert_eq!(read(number, true), units, "{bytes} bytes");
        assert_eq!(read(number, false), units / 2.0, "{bytes} bytes");
    }
    // Looking for what is not there costs as much as the smallest item.
    assert_eq!((read(9, true), read(9, false)), (1.0, 0.5));
}

#[test]
fn a_page_is_summed_up_before_it_is_rounded() {
    let engine = new_table();
    for number in 1..=3 {
        put(&engine, "t", sized(number, 3000)).unwrap();
    }
    let read = |consistent_read: bool, filter: Option<&str>| {
        let mut query = partition("t", None, "pk", s("p"));
        query.page.consistent_read = consistent_read;
        query.page.return_consumed_capacity = ALL;
        query.page.filter = filter.map(|text| condition(text, []));
        total(&wait(engine.query(query)).unwrap().consumed_capacity)
    };
    assert_eq!((read(true, None), read(false, None)), (3.0, 1.5));
    // A filter makes nothing cheaper.
    assert_eq!(read(true, Some("attribute_exists(nothing)")), 3.0);
    let mut scan = ScanInput { table_name: "t".to_owned(), ..ScanInput::default() };
    scan.page.return_consumed_capacity = ALL;
    assert_eq!(total(&wait(engine.scan(scan)).unwrap().consumed_capacity), 1.5);
}

#[test]
fn an_index_is_read_by_what_it_holds() {
    let engine = new_table();
    for number in 1..=3 {
        let mut new = sized(number, 6000);
        new.extend(item([("g", s("g")), ("note", s("x".repeat(3000))), ("label", s("l"))]));
        put(&engine, "t", new).unwrap();
    }
    let read = |index: &str, name: &str, value: &str, select: Option<Select>| {
        let mut query = partition("t", Some(index), name, s(value));
        query.page.return_consumed_capacity = ALL;
        query.page.select = select;
        split(&wait(engine.query(query)).unwrap().consumed_capacity.unwrap())
    };
    // Three times 3013 bytes.
    assert_eq!(read("global", "g", "g", None), (0.0, 1.5, 0.0));
    assert_eq!(read("local", "pk", "p", None), (0.0, 0.0, 0.5));
    // What a local index does not hold is fetched item by item: three times 9 KB, that is 3 units each, halved.
    assert_eq!(read("local", "pk", "p", Some(Select::AllAttributes)), (4.5, 0.0, 0.5));
}

#[test]
fn writes_take_units_of_one_kilobyte_of_the_larger_item() {
    let engine = new_table();
    assert_eq!(put_units(&engine, sized(1, 1024)), (1.0, 0.0, 0.0));
    assert_eq!(put_units(&engine, sized(1, 1025)), (2.0, 0.0, 0.0));
    assert_eq!(put_units(&engine, sized(1, 10)), (2.0, 0.0, 0.0));
    assert_eq!(put_units(&engine, sized(1, 5000)), (5.0, 0.0, 0.0));
    assert_eq!(update_units(&engine, "REMOVE d", &[]), (5.0, 0.0, 0.0));
    assert_eq!(update_units(&engine, "SET d = :d", &[(":d", s("x".repeat(2000)))]), (2.0, 0.0, 0.0));
    assert_eq!(delete_units(&engine), (2.0, 0.0, 0.0));
    assert_eq!(delete_units(&engine), (1.0, 0.0, 0.0));
}

#[test]
fn an_index_costs_what_changes_in_it() {
    let engine = new_table();
    let mut whole = sized(1, 3000);
    whole.extend(item([("g", s("a")), ("note", s("x".repeat(2000))), ("label", s("l"))]));
    // A new row in each: 2011 bytes in the global one.
    assert_eq!(put_units(&engine, whole.clone()), (5.0, 2.0, 1.0));
    // The same again.
    assert_eq!(put_units(&engine, whole), (5.0, 0.0, 0.0));
    // What no index holds.
    assert_eq!(update_units(&engine, "SET d = :v", &[(":v", s("short"))]), (5.0, 0.0, 0.0));
    // What the global one projects.
    assert_eq!(update_units(&engine, "SET note = :v", &[(":v", s("short"))]), (2.0, 2.0, 0.0));
    // A key moves: the old row goes, the new one comes.
    assert_eq!(update_units(&engine, "SET g = :v", &[(":v", s("b"))]), (1.0, 2.0, 0.0));
    assert_eq!(update_units(&engine, "SET label = :v", &[(":v", s("m"))]), (1.0, 0.0, 2.0));
    // A row goes.
    assert_eq!(update_units(&engine, "REMOVE label", &[]), (1.0, 0.0, 1.0));
    assert_eq!(delete_units(&engine), (1.0, 1.0, 0.0));
}

fn transaction(engine: &Engine, writes: Vec<TransactWrite>, token: Option<&str>) -> ConsumedCapacity {
    let input = TransactWriteItemsInput {
        writes,
        client_request_token: token.map(str::to_owned),
        return_consumed_capacity: ALL,
        ..TransactWriteItemsInput::default()
    };
    let mut consumed = wait(engine.transact_write_items(input)).unwrap().consumed_capacity;
    assert_eq!(consumed.len(), 1);
    consumed.remove(0)
}

#[test]
fn transactions_cost_double() {
    let engine = new_table();
    let mut indexed = sized(1, 3000);
    indexed.insert("g".to_owned(), s("g"));
    let check = TransactWrite {
        condition: Some(condition("attribute_not_exists(pk)", [])),
        ..action("t", TransactWriteKind::ConditionCheck { key: key(3) })
    };
    let writes = vec![
        action("t", TransactWriteKind::Put { item: indexed }),
        action("t", TransactWriteKind::Delete { key: key(2) }),
        check,
    ];
    let consumed = transaction(&engine, writes, None);
    assert_eq!(split(&consumed), (2.0 * (3.0 + 1.0 + 1.0), 2.0, 0.0));
    assert_eq!((consumed.total.read, consumed.total.write), (None, Some(12.0)));

    let gets =
        [1, 2].map(|number| TransactGet { table_name: "t".to_owned(), key: key(number), ..TransactGet::default() });
    put(&engine, "t", sized(1, 5000)).unwrap();
    let input = TransactGetItemsInput { gets: gets.to_vec(), return_consumed_capacity: ALL };
    let consumed = wait(engine.transact_get_items(input)).unwrap().consumed_capacity.remove(0);
    assert_eq!(split(&consumed), (2.0 * (2.0 + 1.0), 0.0, 0.0));
    assert_eq!((consumed.total.read, consumed.total.write), (Some(6.0), None));
}

#[test]
fn a_transaction_is_no_larger_than_four_megabytes() {
    const LARGE: usize = 400 * 1024;
    let engine = new_table();
    let large = |count: usize| {
        let mut writes: Vec<TransactWrite> =
            (1..=9).map(|number| action("t", TransactWriteKind::Put { item: sized(number, LARGE) })).collect();
        let mut last = sized(9, LARGE);
        last.insert("pk".to_owned(), s("q"));
        writes.push(action("t", TransactWriteKind::Put { item: last }));
        // Ten large items leave 96 KB.
        let mut rest = sized(8, 96 * 1024 + count);
        rest.insert("pk".to_owned(), s("q"));
        writes.push(action("t", TransactWriteKind::Put { item: rest }));
        TransactWriteItemsInput { writes, ..TransactWriteItemsInput::default() }
    };
    assert!(validation_text(wait(engine.transact_write_items(large(1)))).contains("4"));
    assert_eq!(wait(engine.describe_table("t".to_owned())).unwrap().item_count, 0);
    wait(engine.transact_write_items(large(0))).unwrap();
    assert_eq!(wait(engine.describe_table("t".to_owned())).unwrap().item_count, 11);

    let get = |partition: &str, number: usize| TransactGet {
        table_name: "t".to_owned(),
        key: item([("pk", s(partition)), ("sk", n(number))]),
        ..TransactGet::default()
    };
    let mut gets: Vec<TransactGet> = (1..=9).map(|number| get("p", number)).collect();
    gets.extend([get("q", 9), get("q", 8)]);
    let read = |gets: &[TransactGet]| {
        let input = TransactGetItemsInput { gets: gets.to_vec(), ..TransactGetItemsInput::default() };
        wait(engine.transact_get_items(input))
    };
    assert_eq!(read(&gets).unwrap().items.len(), 11);
    put(&engine, "t", item([("pk", s("q")), ("sk", n(7))])).unwrap();
    gets.push(get("q", 7));
    assert!(validation_text(read(&gets)).contains("4"));
}

/// The second time, the items are read.
#[test]
fn a_repeated_transaction_costs_its_reads() {
    let engine = new_table();
    let writes = || vec![action("t", TransactWriteKind::Put { item: sized(1, 5000) })];
    assert_eq!(transaction(&engine, writes(), Some("token")).total.write, Some(10.0));
    let repeated = transaction(&engine, writes(), Some("token"));
    assert_eq!((repeated.total.capacity, repeated.total.read, repeated.total.write), (4.0, Some(4.0), None));
}

#[test]
fn batches_cost_what_their_parts_cost() {
    let engine = new_table();
    for (number, bytes) in [(1, 100), (2, 5000)] {
        put(&engine, "t", sized(number, bytes)).unwrap();
    }
    let read = |consistent_read: bool| {
        let request = KeysAndAttributes { keys: [1, 2, 3].map(key).to_vec(), consistent_read, ..Default::default() };
        let input = BatchGetItemInput { requests: vec![("t".to_owned(), request)], return_consumed_capacity: ALL };
        wait(engine.batch_get_item(input)).unwrap().consumed_capacity[0].total.capacity
    };
    assert_eq!((read(true), read(false)), (4.0, 2.0));
    let mut indexed = sized(3, 1500);
    indexed.insert("g".to_owned(), s("g"));
    let requests = vec![
        BatchWriteRequest::Put { item: indexed },
        BatchWriteRequest::Delete { key: key(2) },
        BatchWriteRequest::Delete { key: key(9) },
    ];
    let input = BatchWriteItemInput {
        requests: vec![("t".to_owned(), requests)],
        return_consumed_capacity: ALL,
        ..BatchWriteItemInput::default()
    };
    let consumed = wait(engine.batch_write_item(input)).unwrap().consumed_capacity;
    assert_eq!(split(&consumed[0]), (2.0 + 5.0 + 1.0, 1.0, 0.0));
}

#[test]
fn capacity_is_reported_in_the_requested_detail() {
    let engine = new_table();
    let get = |wanted| {
        let input = GetItemInput {
            table_name: "t".to_owned(),
            key: key(1),
            return_consumed_capacity: wanted,
            ..GetItemInput::default()
        };
        wait(engine.get_item(input)).unwrap().consumed_capacity
    };
    assert_eq!(get(ReturnConsumedCapacity::None), None);
    let total = get(ReturnConsumedCapacity::Total).unwrap();
    assert_eq!((total.table_name.as_str(), total.total.capacity, total.breakdown), ("t", 0.5, None));
    assert!(get(ReturnConsumedCapacity::Indexes).unwrap().breakdown.is_some());
}
