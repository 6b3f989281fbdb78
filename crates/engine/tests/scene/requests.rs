//! Requests without ceremony.

use keyfold_dynamo::operation::{
    Aliases, GetItemInput, NameAliases, PageOptions, PageOutput, PutItemInput, QueryInput, ScanInput, TransactWrite,
    TransactWriteItemsInput, TransactWriteItemsOutput, TransactWriteKind, UpdateItemInput, WriteOptions, WriteOutput,
};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Item, ServiceError};
use keyfold_engine::Engine;

use super::{item, wait};

pub fn aliases<const COUNT: usize>(values: [(&str, AttributeValue); COUNT]) -> Aliases {
    let values = if COUNT == 0 { None } else { Some(item(values)) };
    Aliases { names: None, values }
}

pub fn names<const COUNT: usize>(names: [(&str, &str); COUNT]) -> NameAliases {
    names.into_iter().map(|(alias, name)| (alias.to_owned(), name.to_owned())).collect()
}

pub fn put(engine: &Engine, table: &str, item: Attributes) -> Result<WriteOutput, ServiceError> {
    wait(engine.put_item(PutItemInput { table_name: table.to_owned(), item, ..PutItemInput::default() }))
}

/// Puts an item under a condition.
pub fn put_if(
    engine: &Engine,
    table: &str,
    item: Attributes,
    condition: &str,
    aliases: Aliases,
) -> Result<WriteOutput, ServiceError> {
    let options = WriteOptions { condition_expression: Some(condition.to_owned()), aliases, ..WriteOptions::default() };
    wait(engine.put_item(PutItemInput { table_name: table.to_owned(), item, options }))
}

pub fn decoded(item: Item) -> Attributes {
    item.into_attributes().unwrap()
}

pub fn get(engine: &Engine, table: &str, key: Attributes) -> Option<Attributes> {
    let input = GetItemInput { table_name: table.to_owned(), key, consistent_read: true, ..GetItemInput::default() };
    wait(engine.get_item(input)).unwrap().item.map(decoded)
}

pub fn delete(engine: &Engine, table: &str, key: Attributes) -> Result<WriteOutput, ServiceError> {
    let table_name = table.to_owned();
    wait(engine.delete_item(keyfold_dynamo::operation::DeleteItemInput {
        table_name,
        key,
        options: WriteOptions::default(),
    }))
}

pub fn update(
    engine: &Engine,
    table: &str,
    key: Attributes,
    expression: &str,
    aliases: Aliases,
) -> Result<WriteOutput, ServiceError> {
    update_if(engine, table, key, expression, None, aliases)
}

pub fn update_if(
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
        update_expression: Some(expression.to_owned()),
        options: WriteOptions {
            condition_expression: condition.map(str::to_owned),
            aliases,
            ..WriteOptions::default()
        },
    }))
}

/// A query of one partition, forward, of a table or an index.
pub fn partition(table: &str, index: Option<&str>, name: &str, value: AttributeValue) -> QueryInput {
    QueryInput {
        table_name: table.to_owned(),
        key_condition_expression: Some("#p = :p".to_owned()),
        forward: true,
        page: PageOptions {
            index_name: index.map(str::to_owned),
            aliases: Aliases { names: Some(names([("#p", name)])), values: Some(item([(":p", value)])) },
            ..PageOptions::default()
        },
    }
}

/// All items of a query, over as many pages as it takes.
pub fn query_all(engine: &Engine, mut input: QueryInput) -> Vec<Attributes> {
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

pub fn scan_page(engine: &Engine, input: ScanInput) -> PageOutput {
    wait(engine.scan(input)).unwrap()
}

/// The whole table or index in one answer, from one snapshot.
pub fn scan_once(engine: &Engine, table: &str, index: Option<&str>) -> Vec<Attributes> {
    let page = PageOptions { index_name: index.map(str::to_owned), ..PageOptions::default() };
    let output = scan_page(engine, ScanInput { table_name: table.to_owned(), page, ..ScanInput::default() });
    assert_eq!(output.last_evaluated_key, None, "the table must fit one page");
    output.items.unwrap().into_iter().map(decoded).collect()
}

/// All items of a scan, over as many pages as it takes.
pub fn scan_all(engine: &Engine, table: &str, index: Option<&str>) -> Vec<Attributes> {
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
pub fn action(table: &str, kind: TransactWriteKind) -> TransactWrite {
    TransactWrite {
        table_name: table.to_owned(),
        kind,
        condition_expression: None,
        aliases: Aliases::default(),
        return_old_on_failure: false,
    }
}

pub fn transact(
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
