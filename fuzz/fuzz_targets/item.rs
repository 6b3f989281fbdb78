//! Stored items: an item that the engine takes comes back as it was from each way to read it, and is gone once it is
//! deleted.

#![no_main]

use std::sync::{Arc, LazyLock};

use keyfold_dynamo::expression::KeyCondition;
use keyfold_dynamo::operation::{
    DeleteItemInput, GetItemInput, PageOptions, PutItemInput, QueryInput, ReturnValues, ScanInput, WriteOptions,
};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes, Backend, ServiceError};
use keyfold_engine::Engine;
use keyfold_engine::store::MemoryStore;
use keyfold_fuzz::{TABLE, attributes, create_table, engine_on, number};
use libfuzzer_sys::arbitrary::{self, Unstructured};
use libfuzzer_sys::fuzz_target;
use pollster::block_on;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let engine = engine_on(Arc::new(MemoryStore::default()));
    create_table(&engine, TABLE, KeyType::N);
    engine
});

fuzz_target!(|data: &[u8]| {
    if let Ok(item) = item_of(&mut Unstructured::new(data)) {
        store_and_read(&item);
    }
});

fn item_of(bytes: &mut Unstructured<'_>) -> arbitrary::Result<Attributes> {
    let mut item = attributes(bytes)?;
    item.insert("pk".to_owned(), AttributeValue::S(bytes.arbitrary()?));
    item.insert("sk".to_owned(), AttributeValue::N(number(bytes)?));
    if bytes.arbitrary()? {
        item.insert("g".to_owned(), AttributeValue::N(number(bytes)?));
    }
    Ok(item)
}

fn store_and_read(item: &Attributes) {
    let put = PutItemInput { table_name: TABLE.to_owned(), item: item.clone(), ..PutItemInput::default() };
    if let Err(error) = block_on(ENGINE.put_item(put)) {
        assert!(matches!(error, ServiceError::Validation(_)), "{error:?}");
        return;
    }
    let key: Attributes = ["pk", "sk"].map(|name| (name.to_owned(), item[name].clone())).into();
    let get = GetItemInput { table_name: TABLE.to_owned(), key: key.clone(), ..GetItemInput::default() };
    let found = block_on(ENGINE.get_item(get.clone())).expect("a stored item can be read").item;
    assert_eq!(found, Some(item.clone().into()));

    let scan = ScanInput { table_name: TABLE.to_owned(), ..ScanInput::default() };
    let scanned = block_on(ENGINE.scan(scan)).expect("a stored item can be scanned").items;
    assert_eq!(scanned, Some(vec![item.clone().into()]));

    if let Some(g) = item.get("g") {
        let query = QueryInput {
            table_name: TABLE.to_owned(),
            key_condition: KeyCondition::partition("g", g.clone()),
            forward: true,
            page: PageOptions { index_name: Some("by_g".to_owned()), ..PageOptions::default() },
        };
        let queried = block_on(ENGINE.query(query)).expect("an indexed item can be queried").items;
        assert_eq!(queried, Some(vec![item.clone().into()]));
    }

    let options = WriteOptions { return_values: ReturnValues::AllOld, ..WriteOptions::default() };
    let delete = DeleteItemInput { table_name: TABLE.to_owned(), key, options };
    let deleted = block_on(ENGINE.delete_item(delete)).expect("a stored item can be deleted").attributes;
    assert_eq!(deleted.as_ref(), Some(item));
    assert_eq!(block_on(ENGINE.get_item(get)).expect("an absent item can be asked for").item, None);
}
