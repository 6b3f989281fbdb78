//! The engine under test, asked for what the operations say.

use keyfold_dynamo::expression::{Condition, Update};
use keyfold_dynamo::operation::{
    BatchGetItemInput, BatchWriteItemInput, BatchWriteRequest, DeleteItemInput, GetItemInput, IndexUpdate,
    KeysAndAttributes, PageOptions, PageOutput, PutItemInput, QueryInput, ReturnValues, ScanInput, Select, TransactGet,
    TransactGetItemsInput, TransactWrite, TransactWriteItemsInput, TransactWriteKind, UpdateItemInput,
    UpdateTableInput, WriteOptions,
};
use keyfold_dynamo::table::TableDescription;
use keyfold_dynamo::{Attributes, Backend, Item, ServiceError};
use keyfold_engine::Engine;

use crate::model::expected::Answered;
use crate::model::operation::{Change, Get, Operation, Query, Reading, Scan, SortTest, Write};
use crate::model::path::attribute;
use crate::model::render::Writer;
use crate::model::schema::{LATE, TABLES, schema};
use crate::scene::requests::decoded;
use crate::scene::tables::{definition, index};
use crate::scene::{assert_sound, wait};

/// Opens the engine, on the same data each time.
pub(super) type Open = Box<dyn Fn() -> Engine>;

pub(super) struct Subject {
    open: Open,
    engine: Option<Engine>,
}

impl Subject {
    pub(super) fn new(open: Open) -> Self {
        let engine = open();
        for table in TABLES {
            wait(engine.create_table(table.input())).unwrap();
        }
        Self { open, engine: Some(engine) }
    }

    fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("the engine is open between operations")
    }

    pub(super) fn run(&mut self, operation: &Operation) -> Answered {
        if let Operation::Reopen = operation {
            drop(self.engine.take());
            self.engine = Some((self.open)());
            // What was not done goes on in the background; here it is waited for.
            self.engine().run_maintenance().unwrap();
            return Answered::Done;
        }
        self.answer(operation).unwrap_or_else(Answered::Failed)
    }

    /// What the engine's own check finds.
    pub(super) fn assert_sound(&self) {
        assert_sound(self.engine());
    }

    fn answer(&self, operation: &Operation) -> Result<Answered, ServiceError> {
        let engine = self.engine();
        Ok(match operation {
            Operation::Write(write, returns) => Answered::Written(single(engine, write, *returns)?),
            Operation::BatchWrite(changes) => batch_write(engine, changes)?,
            Operation::Transact(writes, token) => {
                let input = TransactWriteItemsInput {
                    writes: writes.iter().map(transact_write).collect(),
                    client_request_token: token.map(str::to_owned),
                    ..TransactWriteItemsInput::default()
                };
                wait(engine.transact_write_items(input))?;
                Answered::Done
            }
            Operation::Get(get) => {
                let TransactGet { table_name, key, projection } = transact_get(get);
                let input = GetItemInput { table_name, key, projection, ..GetItemInput::default() };
                Answered::Item(wait(engine.get_item(input))?.item.map(decoded))
            }
            Operation::BatchGet(gets) => batch_get(engine, gets)?,
            Operation::TransactGet(gets) => {
                let gets = gets.iter().map(transact_get).collect();
                let input = TransactGetItemsInput { gets, ..TransactGetItemsInput::default() };
                let items = wait(engine.transact_get_items(input))?.items;
                Answered::Slots(items.into_iter().map(|item| item.map(decoded)).collect())
            }
            Operation::Query(query) => Answered::Pages(vec![query_pages(engine, query)?]),
            Operation::Scan(scan) => Answered::Pages(scan_pages(engine, scan)?),
            Operation::Describe => Answered::Described(describe(engine)?),
            Operation::AddIndex => {
                let index = index(LATE.name, LATE.partition, LATE.sort, LATE.spec());
                update_indexes(engine, IndexUpdate::Create(index))?
            }
            Operation::DropIndex => update_indexes(engine, IndexUpdate::Delete { name: LATE.name.to_owned() })?,
            Operation::Maintain => {
                engine.run_maintenance()?;
                Answered::Done
            }
            Operation::Reopen => Answered::Done,
        })
    }
}

fn update_indexes(engine: &Engine, change: IndexUpdate) -> Result<Answered, ServiceError> {
    let attribute_definitions = match change {
        IndexUpdate::Create(_) => LATE.key_parts().map(definition).collect(),
        _ => Vec::new(),
    };
    wait(engine.update_table(UpdateTableInput {
        table_name: "orders".to_owned(),
        attribute_definitions,
        index_updates: Some(vec![change]),
        ..UpdateTableInput::default()
    }))?;
    Ok(Answered::Done)
}

fn single(engine: &Engine, write: &Write, returns: ReturnValues) -> Result<Option<Attributes>, ServiceError> {
    let (update, condition) = expressions(write);
    let table_name = write.table.to_owned();
    let options = WriteOptions {
        condition,
        return_values: returns,
        return_old_on_failure: write.old_on_failure,
        ..WriteOptions::default()
    };
    let output = match write.change.clone() {
        Change::Put(item) => wait(engine.put_item(PutItemInput { table_name, item, options })),
        Change::Update(key, _) => wait(engine.update_item(UpdateItemInput { table_name, key, update, options })),
        Change::Delete(key) => wait(engine.delete_item(DeleteItemInput { table_name, key, options })),
        Change::Check(_) => panic!("a check stands in transactions only"),
    };
    Ok(output?.attributes)
}

/// The expressions of a write, by way of their texts.
fn expressions(write: &Write) -> (Option<Update>, Option<Condition>) {
    let mut writer = Writer::default();
    let update = match &write.change {
        Change::Update(_, Some(update)) => Some(writer.update(update)),
        _ => None,
    };
    let condition = write.condition.as_ref().map(|condition| writer.condition(condition));
    let aliases = writer.aliases();
    let update = update.map(|text| aliases.update(&text).unwrap());
    (update, condition.map(|text| aliases.condition(&text).unwrap()))
}

fn batch_write(engine: &Engine, changes: &[(&'static str, Change)]) -> Result<Answered, ServiceError> {
    let requests_of = |table: &'static str| {
        let requests = changes.iter().filter(|(name, _)| *name == table).map(|(_, change)| match change.clone() {
            Change::Put(item) => BatchWriteRequest::Put { item },
            Change::Delete(key) => BatchWriteRequest::Delete { key },
            other => panic!("not in a batch: {other:?}"),
        });
        (table.to_owned(), requests.collect::<Vec<_>>())
    };
    let requests = TABLES.iter().map(|table| requests_of(table.name)).filter(|(_, requests)| !requests.is_empty());
    let input = BatchWriteItemInput { requests: requests.collect(), ..BatchWriteItemInput::default() };
    let output = wait(engine.batch_write_item(input))?;
    assert!(output.unprocessed.is_empty());
    Ok(Answered::Done)
}

fn transact_write(write: &Write) -> TransactWrite {
    let (update, condition) = expressions(write);
    let kind = match write.change.clone() {
        Change::Put(item) => TransactWriteKind::Put { item },
        Change::Update(key, _) => TransactWriteKind::Update { key, update: update.unwrap() },
        Change::Delete(key) => TransactWriteKind::Delete { key },
        Change::Check(key) => TransactWriteKind::ConditionCheck { key },
    };
    TransactWrite { table_name: write.table.to_owned(), kind, condition, return_old_on_failure: write.old_on_failure }
}

fn transact_get(get: &Get) -> TransactGet {
    let mut writer = Writer::default();
    let projection = get.projection.as_ref().map(|paths| writer.projection(paths));
    let aliases = writer.aliases();
    TransactGet {
        table_name: get.table.to_owned(),
        key: get.key.clone(),
        projection: projection.map(|text| aliases.projection(&text).unwrap()),
    }
}

fn batch_get(engine: &Engine, gets: &[Get]) -> Result<Answered, ServiceError> {
    let keys_of = |table: &str| gets.iter().filter(|get| get.table == table).map(|get| get.key.clone()).collect();
    let requests = TABLES
        .iter()
        .map(|table| (table.name.to_owned(), KeysAndAttributes { keys: keys_of(table.name), ..Default::default() }))
        .filter(|(_, request)| !request.keys.is_empty());
    let input = BatchGetItemInput { requests: requests.collect(), ..BatchGetItemInput::default() };
    let output = wait(engine.batch_get_item(input))?;
    assert!(output.unprocessed.is_empty());
    let all = |items: Vec<Item>| items.into_iter().map(decoded).collect();
    Ok(Answered::Items(output.responses.into_iter().map(|(table, items)| (table, all(items))).collect()))
}

fn page_options(reading: &Reading) -> PageOptions {
    let mut writer = Writer::default();
    let filter = reading.filter.as_ref().map(|filter| writer.condition(filter));
    let projection = reading.projection.as_ref().map(|paths| writer.projection(paths));
    let aliases = writer.aliases();
    PageOptions {
        index_name: reading.index.map(str::to_owned),
        limit: reading.limit.map(|limit| limit as i64),
        filter: filter.map(|text| aliases.filter(&text).unwrap()),
        projection: projection.map(|text| aliases.projection(&text).unwrap()),
        select: reading.count_only.then_some(Select::Count),
        ..PageOptions::default()
    }
}

/// Reads pages until one is the last.
fn to_the_end(
    mut read: impl FnMut(Option<Attributes>) -> Result<PageOutput, ServiceError>,
) -> Result<Vec<PageOutput>, ServiceError> {
    let mut pages = vec![read(None)?];
    while let Some(key) = pages.last().and_then(|page| page.last_evaluated_key.clone()) {
        assert!(pages.len() < 1000, "the pages do not come to an end");
        pages.push(read(Some(key))?);
    }
    Ok(pages)
}

fn query_pages(engine: &Engine, query: &Query) -> Result<Vec<PageOutput>, ServiceError> {
    let table = schema(query.reading.table);
    let index = query.reading.index.map(|name| table.index(name));
    let (partition, sort) = index.map_or((table.partition, table.sort), |index| (index.partition, index.sort));
    let mut writer = Writer::default();
    let mut condition = format!("{} = {}", writer.path(&attribute(partition.0)), writer.value(&query.partition));
    if let Some(test) = &query.sort {
        let name = writer.path(&attribute(sort.unwrap().0));
        condition += &match test {
            SortTest::Compare(operator, value) => format!(" AND {name} {operator} {}", writer.value(value)),
            SortTest::Between(low, high) => {
                format!(" AND {name} BETWEEN {} AND {}", writer.value(low), writer.value(high))
            }
            SortTest::BeginsWith(prefix) => format!(" AND begins_with({name}, {})", writer.value(prefix)),
        };
    }
    let input = QueryInput {
        table_name: query.reading.table.to_owned(),
        key_condition: writer.aliases().key_condition(&condition)?,
        forward: query.forward,
        page: page_options(&query.reading),
    };
    to_the_end(|start| {
        let mut input = input.clone();
        input.page.exclusive_start_key = start;
        wait(engine.query(input))
    })
}

fn scan_pages(engine: &Engine, scan: &Scan) -> Result<Vec<Vec<PageOutput>>, ServiceError> {
    let input = ScanInput {
        table_name: scan.reading.table.to_owned(),
        page: page_options(&scan.reading),
        ..ScanInput::default()
    };
    let segments = (0..scan.segments.unwrap_or(1)).map(|segment| {
        to_the_end(|start| {
            let mut input = input.clone();
            input.page.exclusive_start_key = start;
            input.segment = scan.segments.map(|_| segment as i64);
            input.total_segments = scan.segments.map(|total| total as i64);
            wait(engine.scan(input))
        })
    });
    segments.collect()
}

fn describe(engine: &Engine) -> Result<Vec<(String, u64, u64)>, ServiceError> {
    let mut described = Vec::new();
    for table in TABLES {
        let TableDescription { item_count, size_bytes, global_indexes, local_indexes, .. } =
            wait(engine.describe_table(table.name.to_owned()))?;
        described.push((table.name.to_owned(), item_count, size_bytes));
        for index in global_indexes.into_iter().chain(local_indexes) {
            described.push((format!("{}.{}", table.name, index.name), index.item_count, index.size_bytes));
        }
    }
    described.sort();
    Ok(described)
}
