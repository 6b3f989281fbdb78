//! DynamoDB as simply as it can be said: tables are lists of items, and every answer is worked out by looking at all
//! of them.

use std::collections::BTreeMap;

use keyfold_dynamo::operation::ReturnValues;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::model::condition::{self, order};
use crate::model::expected::{Expected, Failure, Reason, Rows};
use crate::model::operation::{Change, Get, Operation, Query, Reading, Scan, SortTest, Write};
use crate::model::path::{Path, Step, project, root};
use crate::model::schema::{IndexSchema, LATE, TABLES, TableSchema, schema};
use crate::model::update;

const MISTYPED: &str = "One or more parameter values were invalid: Type mismatch for Index Key";
const DUPLICATES: &str = "Provided list of item keys contains duplicates";

#[derive(Default)]
pub(super) struct Reference {
    tables: BTreeMap<&'static str, Vec<Attributes>>,
    /// Tokens, each with the transaction it was used for.
    tokens: BTreeMap<&'static str, String>,
    late: Late,
}

/// What has become of the index that comes and goes.
#[derive(Default, Clone, Copy, PartialEq)]
enum Late {
    #[default]
    Absent,
    Filling,
    Active,
}

/// What a write would do.
enum Outcome {
    New(Option<Attributes>),
    Refused(Failure),
}

impl Reference {
    pub(super) fn run(&mut self, operation: &Operation) -> Expected {
        match operation {
            Operation::Write(write, returns) => self.write(write, *returns),
            Operation::BatchWrite(changes) => self.batch_write(changes),
            Operation::Transact(writes, token) => self.transact(writes, *token),
            Operation::Get(get) => Expected::Item(self.get(get)),
            Operation::BatchGet(gets) => self.batch_get(gets),
            Operation::TransactGet(gets) => match has_duplicates(gets.iter().map(|get| (get.table, &get.key))) {
                true => Expected::Failed(Failure::validation(
                    "Transaction request cannot include multiple operations on one item",
                )),
                false => Expected::Slots(gets.iter().map(|get| self.get(get)).collect()),
            },
            Operation::Query(query) => self.unless_late(&query.reading, || self.query(query)),
            Operation::Scan(scan) => self.unless_late(&scan.reading, || self.scan(scan)),
            Operation::Describe => {
                Expected::Described(self.describe(), (self.late == Late::Filling).then_some("orders.late"))
            }
            Operation::AddIndex if self.late == Late::Absent => {
                self.late = Late::Filling;
                Expected::Done
            }
            Operation::AddIndex => Expected::Failed(Failure::Code("ValidationException")),
            Operation::DropIndex if self.late == Late::Absent => {
                Expected::Failed(Failure::Code("ResourceNotFoundException"))
            }
            Operation::DropIndex => {
                self.late = Late::Absent;
                Expected::Done
            }
            Operation::Maintain | Operation::Reopen => {
                if self.late == Late::Filling {
                    self.late = Late::Active;
                }
                Expected::Done
            }
        }
    }

    /// The indexes that a table has now.
    fn indexes(&self, table: &TableSchema) -> impl Iterator<Item = &'static IndexSchema> + use<> {
        let late = (table.name == "orders" && self.late != Late::Absent).then_some(&LATE);
        table.indexes.iter().chain(late)
    }

    fn has_mistyped_index_key(&self, table: &TableSchema, item: &Attributes) -> bool {
        self.indexes(table).any(|index| index.is_offended_by(item))
    }

    fn unless_late(&self, reading: &Reading, rows: impl FnOnce() -> Rows) -> Expected {
        match self.late {
            _ if reading.index != Some(LATE.name) => Expected::Pages(rows()),
            Late::Active => Expected::Pages(rows()),
            Late::Absent => Expected::Failed(Failure::Code("ValidationException")),
            Late::Filling => {
                let filling = "Cannot read from backfilling global secondary index: late";
                Expected::FailedOr(Failure::validation(filling), Box::new(Expected::Pages(rows())))
            }
        }
    }

    fn items(&self, table: &str) -> &[Attributes] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }

    fn find(&self, table: &TableSchema, key: &Attributes) -> Option<&Attributes> {
        self.items(table.name).iter().find(|item| table.key_of(item) == *key)
    }

    fn store(&mut self, table: &'static TableSchema, key: &Attributes, new: Option<Attributes>) {
        let items = self.tables.entry(table.name).or_default();
        items.retain(|item| table.key_of(item) != *key);
        items.extend(new);
    }

    fn outcome(&self, write: &Write) -> Outcome {
        let table = schema(write.table);
        let old = self.find(table, &key_of(table, &write.change));
        if let Change::Put(item) = &write.change
            && self.has_mistyped_index_key(table, item)
        {
            return Outcome::Refused(Failure::validation(MISTYPED));
        }
        let nothing = Attributes::new();
        if let Some(condition) = &write.condition
            && !condition::holds(condition, old.unwrap_or(&nothing))
        {
            let item = if write.old_on_failure { old.cloned() } else { None };
            return Outcome::Refused(Failure::Condition { item });
        }
        match &write.change {
            Change::Put(item) => Outcome::New(Some(item.clone())),
            Change::Delete(_) => Outcome::New(None),
            Change::Check(_) | Change::Update(_, None) if old.is_some() => Outcome::New(old.cloned()),
            Change::Check(_) => Outcome::New(None),
            Change::Update(key, None) => Outcome::New(Some(key.clone())),
            Change::Update(key, Some(update)) => match update::apply(update, old.unwrap_or(key)) {
                Err(faults) => Outcome::Refused(Failure::Validation(faults.into_iter().collect())),
                Ok(new) if self.has_mistyped_index_key(table, &new) => Outcome::Refused(Failure::validation(MISTYPED)),
                Ok(new) => Outcome::New(Some(new)),
            },
        }
    }

    fn write(&mut self, write: &Write, returns: ReturnValues) -> Expected {
        let table = schema(write.table);
        let key = key_of(table, &write.change);
        let old = self.find(table, &key).cloned();
        match self.outcome(write) {
            Outcome::Refused(failure) => Expected::Failed(failure),
            Outcome::New(new) => {
                self.store(table, &key, new.clone());
                returned(&write.change, returns, old, new)
            }
        }
    }

    fn batch_write(&mut self, changes: &[(&'static str, Change)]) -> Expected {
        for (table, change) in changes {
            if let Change::Put(item) = change
                && self.has_mistyped_index_key(schema(table), item)
            {
                return Expected::Failed(Failure::Validation(vec![MISTYPED, DUPLICATES]));
            }
        }
        let keys: Vec<_> = changes.iter().map(|(table, change)| (*table, key_of(schema(table), change))).collect();
        if has_duplicates(keys.iter().map(|(table, key)| (*table, key))) {
            return Expected::Failed(Failure::validation(DUPLICATES));
        }
        for (table, change) in changes {
            let new = if let Change::Put(item) = change { Some(item.clone()) } else { None };
            self.store(schema(table), &key_of(schema(table), change), new);
        }
        Expected::Done
    }

    fn transact(&mut self, writes: &[Write], token: Option<&'static str>) -> Expected {
        let keys: Vec<_> =
            writes.iter().map(|write| (write.table, key_of(schema(write.table), &write.change))).collect();
        let duplicates = has_duplicates(keys.iter().map(|(table, key)| (*table, key)));
        let mistyped: Vec<bool> = writes
            .iter()
            .map(|write| matches!(&write.change, Change::Put(item) if self.has_mistyped_index_key(schema(write.table), item)))
            .collect();
        let request = format!("{writes:?}");
        let used_for = token.and_then(|token| self.tokens.get(token));
        if used_for == Some(&request) {
            return Expected::Done;
        }
        let mismatch = used_for.is_some();
        if duplicates || mistyped.contains(&true) || mismatch {
            return Expected::Failed(Failure::Transaction { duplicates, mismatch, reasons: None, mistyped });
        }
        let outcomes: Vec<Outcome> = writes.iter().map(|write| self.outcome(write)).collect();
        if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Refused(_))) {
            let reasons = outcomes.into_iter().map(|outcome| match outcome {
                Outcome::New(_) => Reason::None,
                Outcome::Refused(Failure::Condition { item }) => Reason::Condition(item),
                Outcome::Refused(Failure::Validation(texts)) => Reason::Validation(texts),
                Outcome::Refused(other) => panic!("a part cannot fail with {other:?}"),
            });
            let reasons = Some(reasons.collect());
            return Expected::Failed(Failure::Transaction { duplicates, mismatch, reasons, mistyped });
        }
        for ((table, key), outcome) in keys.into_iter().zip(outcomes) {
            if let Outcome::New(new) = outcome {
                self.store(schema(table), &key, new);
            }
        }
        if let Some(token) = token {
            self.tokens.insert(token, request);
        }
        Expected::Done
    }

    fn get(&self, get: &Get) -> Option<Attributes> {
        let item = self.find(schema(get.table), &get.key)?;
        Some(shaped(item, get.projection.as_ref()))
    }

    fn batch_get(&self, gets: &[Get]) -> Expected {
        if has_duplicates(gets.iter().map(|get| (get.table, &get.key))) {
            return Expected::Failed(Failure::validation(DUPLICATES));
        }
        let mut found: BTreeMap<String, Vec<Attributes>> = BTreeMap::new();
        for get in gets {
            let whole = Get { projection: None, ..get.clone() };
            found.entry(get.table.to_owned()).or_default().extend(self.get(&whole));
        }
        Expected::Items(found)
    }

    /// What a reading looks at: items as the table or the index holds them.
    fn held(&self, reading: &Reading) -> Vec<Attributes> {
        let table = schema(reading.table);
        let items = self.items(reading.table).iter();
        let Some(index) = reading.index.map(|name| table.index(name)) else { return items.cloned().collect() };
        // A local index fetches from the table what it does not project, if it is asked for.
        let fetches = index.local && reading.projection.iter().flatten().any(|path| !index.projects(table, root(path)));
        items
            .filter(|item| index.holds(item))
            .map(|item| {
                item.iter()
                    .filter(|(name, _)| fetches || index.projects(table, name))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect()
            })
            .collect()
    }

    fn query(&self, query: &Query) -> Rows {
        let table = schema(query.reading.table);
        let index = query.reading.index.map(|name| table.index(name));
        let (partition, sort) = index.map_or((table.partition, table.sort), |index| (index.partition, index.sort));
        let mut scanned = self.held(&query.reading);
        scanned.retain(|item| {
            item[partition.0] == query.partition
                && query.sort.as_ref().is_none_or(|test| passes(test, &item[sort.unwrap().0]))
        });
        if let Some((name, _)) = sort {
            scanned.sort_by(|one, two| order(&one[name], &two[name]).unwrap());
            if !query.forward {
                scanned.reverse();
            }
        }
        rows(&query.reading, scanned, Some(sort.map(|(name, _)| name)))
    }

    fn scan(&self, scan: &Scan) -> Rows {
        rows(&scan.reading, self.held(&scan.reading), None)
    }

    fn describe(&self) -> Vec<(String, u64, u64)> {
        let mut described = Vec::new();
        for table in TABLES {
            let items = self.items(table.name);
            let bytes: usize = items.iter().map(item_size).sum();
            described.push((table.name.to_owned(), items.len() as u64, bytes as u64));
            for index in self.indexes(table) {
                let held = items.iter().filter(|item| index.holds(item));
                let sizes = held.map(|item| {
                    let projected = item.iter().filter(|(name, _)| index.projects(table, name));
                    projected.map(|(name, value)| name.len() + value.size()).sum::<usize>()
                });
                let sizes: Vec<usize> = sizes.collect();
                let name = format!("{}.{}", table.name, index.name);
                described.push((name, sizes.len() as u64, sizes.iter().sum::<usize>() as u64));
            }
        }
        described.sort();
        described
    }
}

fn key_of(table: &TableSchema, change: &Change) -> Attributes {
    match change {
        Change::Put(item) => table.key_of(item),
        Change::Update(key, _) | Change::Delete(key) | Change::Check(key) => key.clone(),
    }
}

fn has_duplicates<'k>(keys: impl Iterator<Item = (&'static str, &'k Attributes)>) -> bool {
    let mut seen: Vec<(&str, &Attributes)> = Vec::new();
    for key in keys {
        if seen.contains(&key) {
            return true;
        }
        seen.push(key);
    }
    false
}

fn returned(change: &Change, returns: ReturnValues, old: Option<Attributes>, new: Option<Attributes>) -> Expected {
    let targets: Vec<Path> = match change {
        Change::Update(_, Some(update)) => update.iter().map(|action| action.path().clone()).collect(),
        _ => Vec::new(),
    };
    let attributes = match returns {
        ReturnValues::None => None,
        ReturnValues::AllOld => old,
        ReturnValues::AllNew => new,
        // Where elements of a list go when others are removed, the service does not document what is returned.
        _ if targets.iter().flatten().any(|step| matches!(step, Step::Index(_))) => return Expected::WrittenAnyhow,
        ReturnValues::UpdatedOld => old.map(|item| project(&item, &targets)),
        ReturnValues::UpdatedNew => new.map(|item| project(&item, &targets)),
    };
    Expected::Written(attributes.filter(|attributes| !attributes.is_empty()))
}

fn shaped(item: &Attributes, projection: Option<&Vec<Path>>) -> Attributes {
    projection.map_or_else(|| item.clone(), |paths| project(item, paths))
}

fn passes(test: &SortTest, value: &AttributeValue) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let compared = |other: &AttributeValue| order(value, other).unwrap();
    match test {
        SortTest::Compare("=", other) => compared(other) == Equal,
        SortTest::Compare("<", other) => compared(other) == Less,
        SortTest::Compare("<=", other) => compared(other) != Greater,
        SortTest::Compare(">", other) => compared(other) == Greater,
        SortTest::Compare(_, other) => compared(other) != Less,
        SortTest::Between(low, high) => compared(low) != Less && compared(high) != Greater,
        SortTest::BeginsWith(prefix) => match (value, prefix) {
            (AttributeValue::S(text), AttributeValue::S(prefix)) => text.starts_with(prefix.as_str()),
            (AttributeValue::B(bytes), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
            _ => false,
        },
    }
}

fn rows(reading: &Reading, scanned: Vec<Attributes>, sorted_by: Option<Option<&'static str>>) -> Rows {
    let table = schema(reading.table);
    let index_parts = reading.index.into_iter().flat_map(|name| table.index(name).key_parts());
    let mut key_names: Vec<&'static str> = table.key_parts().chain(index_parts).map(|(name, _)| name).collect();
    key_names.sort_unstable();
    key_names.dedup();
    let matched: Vec<Attributes> = scanned
        .iter()
        .filter(|item| reading.filter.as_ref().is_none_or(|filter| condition::holds(filter, item)))
        .map(|item| shaped(item, reading.projection.as_ref()))
        .collect();
    let matched_sort_keys = sorted_by.flatten().map(|name| {
        let filtered =
            scanned.iter().filter(|item| reading.filter.as_ref().is_none_or(|filter| condition::holds(filter, item)));
        filtered.map(|item| item[name].clone()).collect()
    });
    Rows {
        limit: reading.limit,
        count_only: reading.count_only,
        key_names,
        sorted: sorted_by.is_some(),
        sort_name: sorted_by.flatten(),
        partition_name: reading.index.map_or(table.partition.0, |name| table.index(name).partition.0),
        matched_sort_keys,
        scanned,
        matched,
    }
}
