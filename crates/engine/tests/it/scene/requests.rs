//! Requests without ceremony.

use keyfold_dynamo::expression::{Aliases, Condition, KeyCondition, Update};
use keyfold_dynamo::operation::{
    GetItemInput, PageOptions, PageOutput, PutItemInput, QueryInput, ScanInput, TransactWrite, TransactWriteItemsInput,
    TransactWriteItemsOutput, TransactWriteKind, UpdateItemInput, WriteOptions, WriteOutput,
};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Item, ServiceError};
use keyfold_engine::Engine;

use super::{item, wait};

pub(crate) fn aliases<const COUNT: usize>(values: [(&str, AttributeValue); COUNT]) -> Aliases {
    let values = if COUNT == 0 { None } else { Some(item(values)) };
    Aliases { names: None, values }
}

/// A condition from text.
pub(crate) fn condition<const COUNT: usize>(text: &str, values: [(&str, AttributeValue); COUNT]) -> Condition {
    aliases(values).condition(text).unwrap()
}

/// An update from text.
pub(crate) fn updating<const COUNT: usize>(text: &str, values: [(&str, AttributeValue); COUNT]) -> Update {
    aliases(values).update(text).unwrap()
}

pub(crate) fn put(engine: &Engine, table: &str, item: Attributes) -> Result<WriteOutput, ServiceError> {
    wait(engine.put_item(PutItemInput { table_name: table.to_owned(), item, ..PutItemInput::default() }))
}

/// Puts an item under a condition.
pub(crate) fn put_if(
    engine: &Engine,
    table: &str,
    item: Attributes,
    condition: &str,
    aliases: Aliases,
) -> Result<WriteOutput, ServiceError> {
    let options = WriteOptions { condition: Some(aliases.condition(condition)?), ..WriteOptions::default() };
    wait(engine.put_item(PutItemInput { table_name: table.to_owned(), item, options }))
}

pub(crate) fn decoded(item: Item) -> Attributes {
    item.into_attributes().unwrap()
}

pub(crate) fn get(engine: &Engine, table: &str, key: Attributes) -> Option<Attributes> {
    let input = GetItemInput { table_name: table.to_owned(), key, consistent_read: true, ..GetItemInput::default() };
    wait(engine.get_item(input)).unwrap().item.map(decoded)
}

pub(crate) fn delete(engine: &Engine, table: &str, key: Attributes) -> Result<WriteOutput, ServiceError> {
    let table_name = table.to_owned();
    wait(engine.delete_item(keyfold_dynamo::operation::DeleteItemInput {
        table_name,
        key,
        options: WriteOptions::default(),
    }))
}

pub(crate) fn update(
    engine: &Engine,
    table: &str,
    key: Attributes,
    expression: &str,
    aliases: Aliases,
) -> Result<WriteOutput, ServiceError> {
    update_if(engine, table, key, expression, None, aliases)
}

pub(crate) fn update_if(
    engine: &Engine,
    table: &str,
    key: Attributes,
    expression: &str,
    condition: Option<&str>,
    aliases: Aliases,
) -> Result<WriteOutput, ServiceError> {
    wait(engine.update_item(UpdateItemInput {
        table_name: table.to_owned(),
        key,
        update: Some(aliases.update(expression)?),
        options: WriteOptions {
            condition: condition.map(|text| aliases.condition(text)).transpose()?,
            ..WriteOptions::default()
        },
    }))
}

/// A query of one partition, forward, of a table or an index.
pub(crate) fn partition(table: &str, index: Option<&str>, name: &str, value: AttributeValue) -> QueryInput {
    QueryInput {
        table_name: table.to_owned(),
        key_condition: KeyCondition::partition(name, value),
        forward: true,
        page: PageOptions { index_name: index.map(str::to_owned), ..PageOptions::default() },
    }
}

/// All items of a query, over as many pages as it takes.
pub(crate) fn query_all(engine: &Engine, mut input: QueryInput) -> Vec<Attributes> {
    let mut items = Vec::new();
    loop {
        let page = wait(engine.query(input.clone())).unwrap();
        items.extend(page.items.unwrap().into_iter().map(decoded));
        match page.last_evaluated_key {
            None => return items,
            key => input.page.exclusive_start_key = key,
        }
    }
}

pub(crate) fn scan_page(engine: &Engine, input: ScanInput) -> PageOutput {
    wait(engine.scan(input)).unwrap()
}

/// The whole table or index in one answer, from one snapshot.
pub(crate) fn scan_once(engine: &Engine, table: &str, index: Option<&str>) -> Vec<Attributes> {
    let page = PageOptions { index_name: index.map(str::to_owned), ..PageOptions::default() };
    let output = scan_page(engine, ScanInput { table_name: table.to_owned(), page, ..ScanInput::default() });
    assert_eq!(output.last_evaluated_key, None, "the table must fit one page");
    output.items.unwrap().into_iter().map(decoded).collect()
}

/// All items of a scan, over as many pages as it takes.
pub(crate) fn scan_all(engine: &Engine, table: &str, index: Option<&str>) -> Vec<Attributes> {
    let page = PageOptions { index_name: index.map(str::to_owned), ..PageOptions::default() };
    let mut input = ScanInput { table_name: table.to_owned(), page, ..ScanInput::default() };
    let mut items = Vec::new();
    loop {
        let output = scan_page(engine, input.clone());
        items.extend(output.items.unwrap().into_iter().map(decoded));
        match output.last_evaluated_key {
            None => return items,
            key => input.page.exclusive_start_key = key,
        }
    }
}

/// One action of a transaction, without a condition.
pub(crate) fn action(table: &str, kind: TransactWriteKind) -> TransactWrite {
    TransactWrite { table_name: table.to_owned(), kind, condition: None, return_old_on_failure: false }
}

pub(crate) fn transact(
    engine: &Engine,
    writes: Vec<TransactWrite>,
    token: Option<&str>,
) -> Result<TransactWriteItemsOutput, ServiceError> {
    wait(engine.transact_write_items(TransactWriteItemsInput {
        writes,
        client_request_token: token.map(str::to_owned),
        ..TransactWriteItemsInput::default()
    }))
}
