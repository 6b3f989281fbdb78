//! One of the concurrent writers: what it does, and what it notes of the answers.

use std::collections::BTreeMap;

use keyfold_conformance::{Endpoint, EndpointError, Response};
use serde_json::{Value, json};

use super::ledger::{BALANCES, COUNTERS, Increments, Known, balance_key, counter_key};
use super::randomness::Random;
use super::table::{self, Item, Key, TABLE};

/// Items that a writer keeps writing over: enough to fill pages, few enough for the table to stop growing.
const SLOTS: u64 = 60;
/// Transfers that a writer leaves standing before it settles the oldest.
const STANDING_TRANSFERS: usize = 30;

pub(crate) struct Writer {
    number: usize,
    random: Random,
    serial: u64,
    pub known: BTreeMap<Key, Known>,
    pub increments: Vec<Increments>,
    pub acknowledged: u64,
}

/// Why a writer stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The server went away.
    Disconnected,
    /// The server answered what it should not.
    Wrong(String),
}

type Step = Result<(), Stop>;

/// What a write does to the items that this writer owns.
type Effects = Vec<(Key, Option<Item>)>;

impl Writer {
    pub(crate) fn new(number: usize, random: Random) -> Self {
        Self {
            number,
            random,
            serial: 0,
            known: BTreeMap::new(),
            increments: vec![Increments::default(); COUNTERS],
            acknowledged: 0,
        }
    }

    pub(crate) fn begin_round(&mut self, items: &BTreeMap<Key, Item>) {
        for (key, known) in &mut self.known {
            *known = Known { acknowledged: items.get(key).cloned(), in_doubt: None };
        }
        self.known.retain(|_, known| known.acknowledged.is_some());
        self.increments = vec![Increments::default(); COUNTERS];
        self.acknowledged = 0;
    }

    /// Writes until the server goes away.
    pub(crate) fn write_until_disconnected(&mut self, endpoint: &Endpoint) -> Result<(), String> {
        loop {
            match self.step(endpoint) {
                Ok(()) => {}
                Err(Stop::Disconnected) => return Ok(()),
                Err(Stop::Wrong(what)) => return Err(format!("writer {}: {what}", self.number)),
            }
        }
    }

    pub(crate) fn step(&mut self, endpoint: &Endpoint) -> Step {
        let slot = self.random.below(SLOTS);
        let key = self.license_key(slot);
        let standing = self.known.get(&key).and_then(|known| known.acknowledged.clone());
        match (self.random.below(100), standing) {
            (0..15, _) => self.increment(endpoint),
            (15..35, _) => self.transfer(endpoint),
            (35..40, _) => self.put_batch(endpoint, slot),
            (40..48, Some(_)) => self.delete(endpoint, &key),
            (48..54, Some(licence)) => self.leave_index(endpoint, licence),
            (54..80, Some(licence)) => self.move_between_partitions(endpoint, licence),
            (_, standing) => self.put(endpoint, slot, standing.is_some()),
        }
    }

    fn license_key(&self, slot: u64) -> Key {
        Key {
            partition: format!("ACCOUNT#{}", self.number % 16),
            sort: format!("LICENSE#{:02}-{slot:02}", self.number),
        }
    }

    fn licence(&mut self, slot: u64) -> Item {
        let key = self.license_key(slot);
        // Most items fit a page; some do not.
        let length = if self.random.below(50) == 0 { 20_000 } else { self.random.between(50, 900) };
        let letter = char::from(b'a' + self.random.below(26) as u8);
        let mut licence = table::item(json!({
            "PK": {"S": key.partition}, "SK": {"S": key.sort},
            "GSI1PK": {"S": "ENTITY#LICENSE"}, "GSI1SK": {"S": key.sort},
            "Title": {"S": format!("licence {}", self.next_serial())},
            "Revision": {"N": "1"},
            "Payload": {"S": letter.to_string().repeat(length as usize)},
        }));
        self.place(&mut licence);
        licence
    }

    /// Gives a licence a random parent and status, and with them its partitions in GSI2 and GSI3.
    fn place(&mut self, licence: &mut Item) {
        let enterprise = self.random.below(12);
        let status = ["active", "expired", "suspended"][self.random.below(3) as usize];
        let date = format!("2026-{:02}-{:02}", self.random.between(1, 13), self.random.between(1, 29));
        let sort = table::text(licence, "SK").to_owned();
        licence.insert("GSI2PK".to_owned(), json!({"S": format!("ENTERPRISE#{enterprise}")}));
        licence.insert("GSI2SK".to_owned(), json!({"S": sort}));
        licence.insert("GSI3PK".to_owned(), json!({"S": format!("LICENSE#STATUS#{status}")}));
        licence.insert("GSI3SK".to_owned(), json!({"S": format!("{date}#{sort}")}));
    }

    fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    fn put(&mut self, endpoint: &Endpoint, slot: u64, exists: bool) -> Step {
        let licence = self.licence(slot);
        let condition = if exists { "attribute_exists(PK)" } else { "attribute_not_exists(PK)" };
        let request = json!({"TableName": TABLE, "Item": licence, "ConditionExpression": condition});
        self.write(endpoint, "PutItem", &request, vec![(Key::of(&licence), Some(licence))]).map(drop)
    }

    fn put_batch(&mut self, endpoint: &Endpoint, slot: u64) -> Step {
        let licences: Vec<Item> = (0..3).map(|step| self.licence((slot + step) % SLOTS)).collect();
        let puts: Vec<Value> = licences.iter().map(|licence| json!({"PutRequest": {"Item": licence}})).collect();
        let effects = licences.into_iter().map(|licence| (Key::of(&licence), Some(licence))).collect();
        let body = self.write(endpoint, "BatchWriteItem", &json!({"RequestItems": {TABLE: puts}}), effects)?;
        match body["UnprocessedItems"].as_object() {
            Some(left) if left.is_empty() => Ok(()),
            _ => Err(Stop::Wrong(format!("BatchWriteItem left items: {body}"))),
        }
    }

    fn delete(&mut self, endpoint: &Endpoint, key: &Key) -> Step {
        let request = json!({"TableName": TABLE, "Key": key.to_json(), "ConditionExpression": "attribute_exists(PK)"});
        self.write(endpoint, "DeleteItem", &request, vec![(key.clone(), None)]).map(drop)
    }

    fn move_between_partitions(&mut self, endpoint: &Endpoint, licence: Item) -> Step {
        let mut moved = licence.clone();
        self.place(&mut moved);
        let set = "SET GSI2PK = :enterprise, GSI3PK = :status, GSI3SK = :date, GSI2SK = :sort ADD Revision :one";
        self.update(endpoint, &licence, moved, set, |moved| {
            json!({
                ":enterprise": moved["GSI2PK"], ":status": moved["GSI3PK"], ":date": moved["GSI3SK"],
                ":sort": moved["GSI2SK"],
            })
        })
    }

    fn leave_index(&mut self, endpoint: &Endpoint, licence: Item) -> Step {
        let mut left = licence.clone();
        left.remove("GSI3PK");
        left.remove("GSI3SK");
        self.update(endpoint, &licence, left, "REMOVE GSI3PK, GSI3SK ADD Revision :one", |_| json!({}))
    }

    /// Updates one of this writer's items; the revision condition holds because no one else writes it.
    fn update(
        &mut self,
        endpoint: &Endpoint,
        old: &Item,
        mut new: Item,
        expression: &str,
        values: impl FnOnce(&Item) -> Value,
    ) -> Step {
        let revision = table::number(old, "Revision");
        new.insert("Revision".to_owned(), json!({"N": (revision + 1).to_string()}));
        let mut values = values(&new);
        values[":one"] = json!({"N": "1"});
        values[":revision"] = json!({"N": revision.to_string()});
        let key = Key::of(old);
        let request = json!({
            "TableName": TABLE, "Key": key.to_json(), "UpdateExpression": expression,
            "ConditionExpression": "Revision = :revision", "ExpressionAttributeValues": values,
            "ReturnValues": "ALL_NEW",
        });
        let body = self.write(endpoint, "UpdateItem", &request, vec![(key, Some(new.clone()))])?;
        if body["Attributes"] != Value::Object(new.clone()) {
            return Err(Stop::Wrong(format!("UpdateItem made {} of {old:?}, not {new:?}", body["Attributes"])));
        }
        Ok(())
    }

    fn increment(&mut self, endpoint: &Endpoint) -> Step {
        let counter = self.random.below(COUNTERS as u64) as usize;
        let request = json!({
            "TableName": TABLE, "Key": counter_key(counter).to_json(), "UpdateExpression": "ADD Hits :one",
            "ConditionExpression": "Hits >= :zero", "ReturnValues": "UPDATED_NEW",
            "ExpressionAttributeValues": {":one": {"N": "1"}, ":zero": {"N": "0"}},
        });
        match self.call(endpoint, "UpdateItem", &request) {
            Ok(answer) if answer.is_success() => {
                let seen = table::number(&table::item(answer.body["Attributes"].clone()), "Hits");
                self.increments[counter].seen.push(seen);
                self.acknowledged += 1;
                Ok(())
            }
            Ok(answer) => Err(wrong("UpdateItem", &answer)),
            Err(sent) => {
                self.increments[counter].in_doubt += i64::from(sent);
                Err(Stop::Disconnected)
            }
        }
    }

    /// Moves an amount between two balances and leaves an item that tells of it, all or nothing; or takes such an item
    /// away and adds it to what the two balances have settled.
    fn transfer(&mut self, endpoint: &Endpoint) -> Step {
        let mut standing = self.known.iter().filter(|(key, known)| is_transfer(key) && known.acknowledged.is_some());
        let (count, oldest) = (standing.clone().count(), standing.next().map(|(key, _)| key.clone()));
        let (request, effect) = match oldest {
            Some(oldest) if count > STANDING_TRANSFERS => (self.settlement(&oldest), (oldest, None)),
            _ => {
                let (request, marker) = self.new_transfer();
                (request, (Key::of(&marker), Some(marker)))
            }
        };
        match self.call(endpoint, "TransactWriteItems", &request) {
            Ok(answer) if answer.is_success() => {
                self.acknowledge(vec![effect]);
                Ok(())
            }
            // The other writers contend for the same balances: refusing is right, and must change nothing.
            Ok(answer) if is_conflict(&answer) => Ok(()),
            Ok(answer) => Err(wrong("TransactWriteItems", &answer)),
            Err(sent) => Err(self.doubt(sent, vec![effect])),
        }
    }

    fn new_transfer(&mut self) -> (Value, Item) {
        let from = self.random.below(BALANCES as u64) as usize;
        let to = (from + self.random.between(1, BALANCES as u64) as usize) % BALANCES;
        let amount = self.random.between(1, 20).to_string();
        let sort = format!("TRANSFER#{:08}", self.next_serial());
        let marker = table::item(json!({
            "PK": {"S": format!("TRANSFERS#{}", self.number)}, "SK": {"S": sort},
            "From": {"N": from.to_string()}, "To": {"N": to.to_string()}, "Amount": {"N": amount},
            "GSI2PK": {"S": balance_key(from).partition}, "GSI2SK": {"S": sort},
        }));
        let request = json!({"TransactItems": [
            {"Update": {
                "TableName": TABLE, "Key": balance_key(from).to_json(), "UpdateExpression": "ADD Balance :out",
                "ConditionExpression": "Balance >= :amount",
                "ExpressionAttributeValues": {":out": {"N": format!("-{amount}")}, ":amount": {"N": amount}},
            }},
            {"Put": {"TableName": TABLE, "Item": marker, "ConditionExpression": "attribute_not_exists(PK)"}},
            {"Update": {
                "TableName": TABLE, "Key": balance_key(to).to_json(), "UpdateExpression": "ADD Balance :amount",
                "ExpressionAttributeValues": {":amount": {"N": amount}},
            }},
        ]});
        (request, marker)
    }

    fn settlement(&self, transfer: &Key) -> Value {
        let marker = self.known[transfer].acknowledged.as_ref().expect("a standing transfer");
        let settle = |side: &str| {
            json!({"Update": {
                "TableName": TABLE, "Key": balance_key(table::number(marker, side) as usize).to_json(),
                "UpdateExpression": format!("ADD Settled{side} :amount"),
                "ExpressionAttributeValues": {":amount": marker["Amount"]},
            }})
        };
        let delete =
            json!({"TableName": TABLE, "Key": transfer.to_json(), "ConditionExpression": "attribute_exists(PK)"});
        json!({"TransactItems": [settle("From"), {"Delete": delete}, settle("To")]})
    }

    /// A write to this writer's own items, which has no reason to fail.
    fn write(
        &mut self,
        endpoint: &Endpoint,
        operation: &str,
        request: &Value,
        effects: Effects,
    ) -> Result<Value, Stop> {
        match self.call(endpoint, operation, request) {
            Ok(answer) if answer.is_success() => {
                self.acknowledge(effects);
                Ok(answer.body)
            }
            Ok(answer) => Err(wrong(operation, &answer)),
            Err(sent) => Err(self.doubt(sent, effects)),
        }
    }

    /// Fails with whether the request may have reached the server.
    fn call(&self, endpoint: &Endpoint, operation: &str, request: &Value) -> Result<Response, bool> {
        endpoint.call(operation, request).map_err(|error| !matches!(error, EndpointError::Connect { .. }))
    }

    fn acknowledge(&mut self, effects: Effects) {
        for (key, item) in effects {
            self.known.insert(key, Known { acknowledged: item, in_doubt: None });
        }
        self.acknowledged += 1;
    }

    fn doubt(&mut self, sent: bool, effects: Effects) -> Stop {
        for (key, item) in effects.into_iter().filter(|_| sent) {
            self.known.entry(key).or_default().in_doubt = Some(item);
        }
        Stop::Disconnected
    }
}

pub(crate) fn is_transfer(key: &Key) -> bool {
    key.partition.starts_with("TRANSFERS#")
}

fn is_conflict(answer: &Response) -> bool {
    let reasons = answer.body["CancellationReasons"].as_array();
    answer.error_type() == Some("TransactionCanceledException")
        && reasons.is_some_and(|reasons| {
            reasons.iter().all(|reason| reason["Code"] == "None" || reason["Code"] == "TransactionConflict")
        })
}

fn wrong(operation: &str, answer: &Response) -> Stop {
    Stop::Wrong(format!("{operation} answered {}: {}", answer.status, answer.body))
}
