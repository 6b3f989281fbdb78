//! Damaged rows: whatever the store returns for an item or holds as an index row, reading and writing fail with an
//! error or give an item that can be stored and read again. The first byte of the input says which row is damaged.

#![no_main]

use std::ops::Bound;
use std::sync::{Arc, LazyLock};

use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::operation::{DeleteItemInput, GetItemInput, PageOptions, PutItemInput, ScanInput, UpdateItemInput};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Number};
use keyfold_engine::Engine;
use keyfold_engine::store::{Change, Durability, MemoryStore, Store};
use keyfold_fuzz::{TABLE, create_table, engine_on};
use libfuzzer_sys::fuzz_target;
use pollster::block_on;

struct Fixture {
    store: Arc<MemoryStore>,
    engine: Engine,
    /// All rows, before any damage.
    rows: Vec<(Vec<u8>, Vec<u8>)>,
    item_row: Vec<u8>,
    index_row: Vec<u8>,
}

/// The bytes before the hash of the partition key: what kind of row, and of which table or index.
const ROW_OWNER: usize = 5;

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let store = Arc::new(MemoryStore::default());
    let engine = engine_on(Arc::clone(&store) as Arc<dyn Store>);
    create_table(&engine, TABLE, KeyType::N);
    let before = rows_of(&store);
    block_on(engine.put_item(put_of(item()))).expect("the item is valid");
    let rows = rows_of(&store);
    // The item's own row and its index row are what the put has added; counters may have been added as well.
    let added: Vec<_> = rows.iter().filter(|(key, _)| before.iter().all(|(known, _)| known != key)).collect();
    let row = |is_index: bool| {
        let found = added.iter().find(|(key, value)| key[0] == 0x10 && value.is_empty() == is_index);
        found.expect("a put adds an item row and an index row").0.clone()
    };
    let (item_row, index_row) = (row(false), row(true));
    Fixture { store, engine, rows, item_row, index_row }
});

fuzz_target!(|data: &[u8]| {
    let Some((&which, bytes)) = data.split_first() else { return };
    let fixture = &*FIXTURE;
    let damage = if which % 2 == 0 {
        vec![Change::Put(fixture.item_row.clone(), bytes.to_vec())]
    } else {
        let row = [&fixture.index_row[..ROW_OWNER], bytes].concat();
        vec![Change::Remove(fixture.index_row.clone()), Change::Put(row, Vec::new())]
    };
    fixture.store.commit(damage, Durability::Relaxed).expect("memory takes all rows");
    read(&fixture.engine);
    write(&fixture.engine, which >> 1);
    restore(fixture);
});

fn item() -> Attributes {
    let mut item = key();
    item.insert("g".to_owned(), AttributeValue::N(Number::from(7_i64)));
    item
}

fn key() -> Attributes {
    let key = [("pk", AttributeValue::S("p".to_owned())), ("sk", AttributeValue::N(Number::from(1_i64)))];
    key.map(|(name, value)| (name.to_owned(), value)).into()
}

fn put_of(item: Attributes) -> PutItemInput {
    PutItemInput { table_name: TABLE.to_owned(), item, ..PutItemInput::default() }
}

fn rows_of(store: &MemoryStore) -> Vec<(Vec<u8>, Vec<u8>)> {
    let rows = store.snapshot().range((Bound::Unbounded, Bound::Unbounded), false);
    rows.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())).expect("memory does not fail")).collect()
}

fn restore(fixture: &Fixture) {
    let now = rows_of(&fixture.store);
    let mut changes: Vec<_> = now.into_iter().map(|(key, _)| Change::Remove(key)).collect();
    changes.extend(fixture.rows.iter().map(|(key, value)| Change::Put(key.clone(), value.clone())));
    fixture.store.commit(changes, Durability::Relaxed).expect("memory takes all rows");
}

fn read(engine: &Engine) {
    let get = GetItemInput { table_name: TABLE.to_owned(), key: key(), ..GetItemInput::default() };
    let decoded = block_on(engine.get_item(get)).ok().and_then(|answer| answer.item);
    for index_name in [None, Some("by_g".to_owned())] {
        let page = PageOptions { index_name, ..PageOptions::default() };
        let scan = ScanInput { table_name: TABLE.to_owned(), page, ..ScanInput::default() };
        let _ = block_on(engine.scan(scan));
    }
    if let Some(Ok(item)) = decoded.map(|item| item.into_attributes()) {
        store_elsewhere(engine, item);
    }
}

/// What was decoded is stored under another key and read, so that bytes, item and bytes again mean the same.
fn store_elsewhere(engine: &Engine, mut item: Attributes) {
    item.extend(key());
    item.insert("pk".to_owned(), AttributeValue::S("elsewhere".to_owned()));
    item.remove("g");
    if block_on(engine.put_item(put_of(item.clone()))).is_err() {
        return;
    }
    let mut key = key();
    key.insert("pk".to_owned(), AttributeValue::S("elsewhere".to_owned()));
    let get = GetItemInput { table_name: TABLE.to_owned(), key, ..GetItemInput::default() };
    assert_eq!(block_on(engine.get_item(get)).expect("a stored item can be read").item, Some(item.into()));
}

fn write(engine: &Engine, how: u8) {
    let table_name = TABLE.to_owned();
    let _ = match how % 3 {
        0 => block_on(engine.put_item(put_of(item()))),
        1 => block_on(engine.delete_item(DeleteItemInput { table_name, key: key(), ..DeleteItemInput::default() })),
        _ => {
            let update = Aliases::default().update("SET a = g REMOVE g").ok();
            let key = key();
            block_on(engine.update_item(UpdateItemInput { table_name, key, update, ..Default::default() }))
        }
    };
}
